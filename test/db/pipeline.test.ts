// Pipelines of prepared statements: each statement gets its own result, and none runs after one that failed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { integer } from '../../src/db/driver/columns.ts';
import { Connection } from '../../src/db/driver/connection.ts';
import { PipelineAborted, pipelineThisTick } from '../../src/db/driver/pipeline.ts';
import { statement, type Value } from '../../src/db/driver/statement.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
let client: pg.Client;
let connection: Connection;
before(async () => {
  db = await testDatabase();
  client = await pipeliningClient();
  connection = connectionOf(client);
  await client.query('create table numbers (n bigint primary key)');
});
after(async () => {
  await client.end();
  await db.close();
});

async function pipeliningClient(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  await opened.connect();
  return opened;
}

function connectionOf(client: pg.Client): Connection {
  return new Connection(client, () => undefined);
}

const INSERT = statement('insert', 'insert into numbers values ($1)');
const SELECT = statement('select', 'select n from numbers order by n', ([n]) => integer(n));
const insert = (n: number) => connection.run(INSERT, [n]);
const numbersStored = () => connection.run(SELECT);

/** Inserts the numbers in one transaction. Returns each statement's outcome, the commit last. */
function transaction(...numbers: number[]): Promise<PromiseSettledResult<unknown>[]> {
  return connection.pipeline(() =>
    Promise.allSettled([connection.begin(), ...numbers.map(insert), connection.commit()]),
  );
}

/** At first each statement is parsed and sent alone; later all are sent together. */
for (const first of [0, 100]) {
  test(`a transaction is one pipeline, and each statement gets its own result (${first === 0 ? 'not yet' : 'all'} parsed)`, async () => {
    const outcomes = await transaction(first + 1, first + 2);
    assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
    const [once, again] = await connection.pipeline(() => Promise.all([numbersStored(), numbersStored()]));
    assert.deepEqual(once, again);
    assert.deepEqual(once.slice(-2), [first + 1, first + 2]);
  });
}

test('after a failed statement no other runs, not even the commit', async () => {
  const outcomes = await transaction(201, 1, 202);
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code?: string }).code);
  assert.equal(codes[2], '23505', 'the failed statement reports its error');
  for (const index of [3, 4]) {
    const outcome = outcomes[index];
    assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof PipelineAborted);
  }
  await connection.rollback();
  assert.ok((await numbersStored()).every((n) => n < 200));
});

test('the commit of a failed transaction is rejected', async () => {
  await connection.begin();
  await assert.rejects(insert(1), { code: '23505' });
  await assert.rejects(connection.commit(), /rolled the transaction back/);
});

test('Promise.all over a pipeline reports the error of the statement that failed, or has it as the cause', async () => {
  const later = async (n: number) => (await insert(n)).length;
  const all = (first: typeof later | typeof insert) =>
    connection.pipeline(() => Promise.all([connection.rollback(), first(1), insert(301)]));
  await assert.rejects(all(insert), { code: '23505' });
  await assert.rejects(all(later), (error: Error) => (error.cause as { code?: string }).code === '23505');
});

test('a connection that ends fails all statements of the pipeline', async () => {
  const other = await pipeliningClient();
  other.on('error', () => undefined);
  const SLEEP = statement('sleep', 'select pg_sleep($1)');
  const sleep = (seconds: number) => connectionOf(other).run(SLEEP, [seconds]);
  await sleep(0);
  const outcomes = Promise.allSettled(connectionOf(other).pipeline(() => [sleep(0), sleep(10), sleep(0)]));
  const { processID } = other as unknown as { processID: number };
  await client.query('select pg_terminate_backend($1)', [processID]);
  for (const outcome of await outcomes) {
    assert.ok(
      outcome.status === 'rejected' && !(outcome.reason instanceof PipelineAborted),
      'each statement reports the error of the connection',
    );
  }
});

test('a statement that cannot be serialized fails its pipeline and closes its connection, not the process', async () => {
  const other = await pipeliningClient();
  const closed = new Promise((resolve) => other.on('error', resolve));
  const ECHO = statement('echo', 'select $1::text', ([value]) => value);
  const echo = (value: unknown) => connectionOf(other).run(ECHO, [value as Value]);
  assert.deepEqual(await echo('before'), ['before']);
  pipelineThisTick(other);
  const outcomes = await Promise.allSettled([
    echo('good'),
    echo({ toString: () => assert.fail('a defect') }),
    echo('good'),
  ]);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  await closed;
});

test('parameters of every type arrive as given', async () => {
  const TYPES = statement(
    'types',
    'select $1::text, $2::bigint, $3::boolean, $4::timestamptz = $5::timestamptz, $6::bytea, $7::text',
  );
  const at = new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 789));
  const values = ['ɔ', -(2 ** 53) + 1, true, at, at.toISOString(), Buffer.from([0, 255]), null];
  assert.deepEqual(await connection.run(TYPES, values), [['ɔ', '-9007199254740991', 't', 't', '\\x00ff', null]]);
});

test('timestamps of any year arrive as given', async () => {
  const EPOCH = statement('epoch', 'select extract(epoch from $1::timestamptz) * 1000', ([ms]) => Number(ms));
  for (const text of ['+275760-09-13', '+010000-01-01', '9999-12-31', '0001-01-01', '0000-12-31', '-004000-02-29']) {
    const date = new Date(`${text}T00:00:00.000Z`);
    assert.deepEqual(await connection.run(EPOCH, [date]), [date.getTime()], text);
  }
});

test('execute returns the number of rows affected', async () => {
  const INSERT_RANGE = statement('insert-range', 'insert into numbers select generate_series($1::int, $2::int)');
  const DELETE_RANGE = statement('delete-range', 'delete from numbers where n between $1 and $2');
  assert.equal(await connection.execute(INSERT_RANGE, [1_001, 1_012]), 12);
  assert.equal(await connection.execute(DELETE_RANGE, [1_001, 1_012]), 12);
  assert.equal(await connection.execute(DELETE_RANGE, [1_001, 1_012]), 0);
});
