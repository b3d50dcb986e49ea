// Statements that travel together: answered each with its own, and none is carried out behind one that fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { command, Skipped, send, together, togetherThisTurn } from '../../src/db/driver/prepared.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
let client: pg.Client;
before(async () => {
  db = await testDatabase();
  client = new pg.Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  await client.connect();
  await client.query('create table kept (n bigint primary key)');
});
after(async () => {
  await client.end();
  await db.close();
});

const keep = (n: number) => send(client, { name: 'keep', text: 'insert into kept values ($1)', values: [String(n)] });
const kept = () => send(client, { name: 'kept', text: 'select n from kept order by n', values: [] });

/** In a transaction of their own; what each of them came to, the commit last. */
function transaction(...numbers: number[]): Promise<PromiseSettledResult<unknown>[]> {
  return together(client, () =>
    Promise.allSettled([command(client, 'begin'), ...numbers.map(keep), command(client, 'commit')]),
  );
}

/** The first time each statement is parsed, and travels alone; from then on, together. */
for (const first of [0, 100]) {
  test(`a transaction is one trip, each statement with its own answer (${first === 0 ? 'not yet' : 'all'} parsed)`, async () => {
    const [begun, , , committed] = await transaction(first + 1, first + 2);
    assert.deepEqual(begun, { status: 'fulfilled', value: 'BEGIN' });
    assert.deepEqual(committed, { status: 'fulfilled', value: 'COMMIT' });
    const [read, before] = await together(client, () => Promise.all([kept(), kept()]));
    assert.deepEqual(read, before);
    assert.deepEqual(read.slice(-2), [[String(first + 1)], [String(first + 2)]]);
  });
}

test('what stands behind one that fails is not carried out, its commit neither', async () => {
  const ends = await transaction(201, 1, 202);
  const codes = ends.map((end) => end.status === 'rejected' && (end.reason as { code?: string }).code);
  assert.equal(codes[2], '23505', 'the one that failed says why');
  for (const index of [3, 4]) {
    const end = ends[index];
    assert.ok(end?.status === 'rejected' && end.reason instanceof Skipped);
  }
  assert.equal(await command(client, 'rollback'), 'ROLLBACK');
  assert.ok((await kept()).every(([n]) => Number(n) < 200));
});

test('whoever waits for all of them is told the reason, if only as the cause', async () => {
  const later = async (n: number) => (await keep(n)).length;
  const all = (wait: typeof later | typeof keep) =>
    together(client, () => Promise.all([command(client, 'commit'), wait(1), keep(301)]));
  await assert.rejects(all(keep), { code: '23505' });
  await assert.rejects(all(later), (error: Error) => (error.cause as { code?: string }).code === '23505');
});

test('a connection that ends fails all of them', async () => {
  const other = new pg.Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  other.on('error', () => undefined);
  await other.connect();
  const wait = (seconds: number) =>
    send(other, { name: 'wait', text: 'select pg_sleep($1)', values: [String(seconds)] });
  await wait(0);
  const ends = Promise.allSettled(together(other, () => [wait(0), wait(10), wait(0)]));
  const { processID } = other as unknown as { processID: number };
  await client.query('select pg_terminate_backend($1)', [processID]);
  for (const end of await ends) {
    assert.ok(end.status === 'rejected' && !(end.reason instanceof Skipped), 'each is told why');
  }
});

test('what cannot even be sent fails, with its connection and those it was to travel with, and ends no process', async () => {
  const other = new pg.Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  const ended = new Promise((resolve) => other.on('error', resolve));
  await other.connect();
  const echo = (value: unknown) => send(other, { name: 'echo', text: 'select $1::text', values: [value as string] });
  assert.deepEqual(await echo('before'), [['before']]);
  togetherThisTurn(other);
  const ends = await Promise.allSettled([
    echo('good'),
    echo({ toString: () => assert.fail('a defect') }),
    echo('good'),
  ]);
  assert.ok(ends.every(({ status }) => status === 'rejected'));
  await ended;
});
