// The shared reader connection of all look-ups: statements are retried when it breaks and fail alone otherwise.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { clientWithTimeout, QUERY_TIMED_OUT } from '../../src/db/driver/client.ts';
import { integer, text } from '../../src/db/driver/columns.ts';
import { sharedReader } from '../../src/db/driver/reader.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
let owner: pg.Client;
before(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});
after(async () => {
  await owner.end();
  await db.close();
});

const ECHO = statement('echo', 'select $1::int, pg_backend_pid(), pg_sleep(0.01)', ([n, pid]) => ({
  n: integer(n),
  pid: integer(pid),
}));
const DIVIDE = statement('divide', 'select 12 / $1::bigint', ([quotient]) => integer(quotient));
const SLEEP = statement('sleep', 'select pg_sleep($1)');

async function echo(n: number): Promise<{ n: number; pid: number } | undefined> {
  return (await db.database.reader.run(ECHO, [n]))[0];
}

test('statements in flight on a killed connection are retried and answered', async () => {
  const pid = (await echo(0))?.pid;
  const answers = Array.from({ length: 20 }, (_, n) => echo(n));
  await owner.query('select pg_terminate_backend($1)', [pid]);
  assert.deepEqual(
    (await Promise.all(answers)).map((row) => row?.n),
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a connection killed while idle is replaced at the next statement', async () => {
  const pid = (await echo(0))?.pid;
  await owner.query('select pg_terminate_backend($1, 1000)', [pid]);
  assert.equal((await echo(7))?.n, 7);
});

test('failed statements of a pipeline are not retried, and all others are answered', async () => {
  const divide = async (by: number) => (await db.database.reader.run(DIVIDE, [by]))[0];
  // Parsed first, so that the next statements are sent in one pipeline.
  assert.equal(await divide(1), 12);
  const pid = (await echo(0))?.pid;
  const outcomes = await Promise.allSettled([divide(2), divide(0), divide(3), divide(0), divide(4)]);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message)),
    [6, 'division by zero', 4, 'division by zero', 3],
  );
  assert.equal((await echo(0))?.pid, pid, 'on the same connection');
});

test('a row that cannot be decoded fails its own statement, and the connection stays open', async () => {
  const HUGE = statement('huge', 'select 9007199254740993', ([n]) => integer(n));
  const pid = (await echo(0))?.pid;
  const outcomes = await Promise.allSettled([echo(1), db.database.reader.run(HUGE), echo(2)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal((await echo(0))?.pid, pid);
});

test('statements that are not answered in time fail together and are not retried', async () => {
  const Client = clientWithTimeout(300);
  let connections = 0;
  const reader = sharedReader(() => {
    connections += 1;
    return new Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  });
  const sleep = (seconds: number) => reader.run(SLEEP, [seconds]);
  await sleep(0);
  const outcomes = await Promise.allSettled([sleep(0), sleep(60), sleep(0)]);
  assert.equal(connections, 1, 'no retry');
  for (const outcome of outcomes) {
    assert.equal(outcome.status === 'rejected' && (outcome.reason as Error).message, QUERY_TIMED_OUT);
  }
  await reader.close();
});

test('a statement sent while the reader closes opens no new connection', async () => {
  const closing = openDatabase({ url: db.url, poolSize: 11 });
  const NAME = statement('name', "select current_setting('application_name')", ([name]) => text(name));
  const name = () => closing.reader.run(NAME);
  assert.deepEqual(await name(), ['kissi']);
  const sent = name().catch(() => null);
  await closing.close();
  await sent;
  await assert.rejects(name(), /closed/);
});
