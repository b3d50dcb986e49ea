// The connection that look-ups share: its end is noticed by nobody who only reads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { NOT_IN_TIME } from '../../src/db/driver/client.ts';
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

const ask = async (n: number) => {
  const { rows } = await db.database.reader.query<{ n: number; pid: number }>({
    name: 'echo',
    text: 'select $1::int as n, pg_backend_pid() as pid, pg_sleep(0.01)',
    values: [n],
  });
  return rows[0];
};

test('look-ups under way when the connection is killed are asked again, and answered', async () => {
  const pid = (await ask(0))?.pid;
  const answers = Array.from({ length: 20 }, (_, n) => ask(n));
  await owner.query('select pg_terminate_backend($1)', [pid]);
  assert.deepEqual(
    (await Promise.all(answers)).map((row) => row?.n),
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a connection that was killed while idle is replaced at the next look-up', async () => {
  const pid = (await ask(0))?.pid;
  await owner.query('select pg_terminate_backend($1, 1000)', [pid]);
  assert.equal((await ask(7))?.n, 7);
});

test('a statement that fails is not asked twice, and harms none beside it', async () => {
  const text = 'select 1 / $1::int as x';
  const outcomes = await Promise.allSettled([
    ask(1),
    db.database.reader.query({ name: 'division', text, values: [0] }),
    ask(2),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('look-ups that travel together: one that fails is not asked twice, and all others are answered', async () => {
  const { reader } = db.database;
  const divide = (by: number) =>
    reader.rows({ name: 'divide', text: 'select 12 / $1::bigint', values: [String(by)] }).then(([row]) => row?.[0]);
  // Parsed before, so that those that follow are one query to the driver.
  assert.equal(await divide(1), '12');
  const pid = (await ask(0))?.pid;
  const outcomes = await Promise.allSettled([divide(2), divide(0), divide(3), divide(0), divide(4)]);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message)),
    ['6', 'division by zero', '4', 'division by zero', '3'],
  );
  assert.equal((await ask(0))?.pid, pid, 'on the same connection');
});

test('look-ups that are not answered in time fail together, and are not asked again', async () => {
  const impatient = openDatabase({ url: db.url, poolSize: 11, queryTimeoutMs: 300 });
  const sleep = (seconds: number) =>
    impatient.reader.rows({ name: 'sleep', text: 'select pg_sleep($1)', values: [String(seconds)] });
  await sleep(0);
  const begun = performance.now();
  const outcomes = await Promise.allSettled([sleep(0), sleep(5), sleep(0)]);
  assert.ok(performance.now() - begun < 590, 'not asked twice');
  for (const outcome of outcomes) {
    assert.equal(outcome.status === 'rejected' && (outcome.reason as Error).message, NOT_IN_TIME);
  }
  await impatient.close();
});

test('what is asked in the moment of closing opens nothing more', async () => {
  const closing = openDatabase({ url: db.url, poolSize: 11 });
  const one = () =>
    closing.reader.rows({ name: 'one', text: "select current_setting('application_name')", values: [] });
  assert.deepEqual(await one(), [['kissi']]);
  const asked = one().catch(() => null);
  await closing.close();
  await asked;
  await assert.rejects(one(), /closed/);
});
