// The chore that writes checkpoints: as many as its time allows, account after account, whatever fails on the way.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { ConnectionPool } from '../../src/db/driver/pool.ts';
import type { Statement, StatementRunner } from '../../src/db/driver/statement.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { insertHistory } from '../support/history.ts';
import { asOwner, assertClean, open } from './books.ts';

const EVERY = 10;

let db: TestDatabase;
let pool: ConnectionPool;
beforeEach(async () => {
  db = await testDatabase();
  pool = db.database.pool;
});
afterEach(() => db.close());

/** Processors with so many checkpoints due. */
async function busy(due: Record<string, number>): Promise<void> {
  await open(db.database.queries, Object.keys(due), { kind: 'processor', floor: null });
  for (const [accountId, many] of Object.entries(due)) {
    await insertHistory(db.url, { accountId, postings: many * EVERY + 3, type: `'pos_payment'` });
  }
}

async function written(): Promise<Record<string, number>> {
  const { rows } = await db.query(
    'select account_id, count(distinct seq)::int as many from account_checkpoints group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ account_id, many }) => [account_id, many]));
}

/** The statements that go through it, by name. */
function watched(names: string[]): StatementRunner {
  const seen = <Row>(statement: Statement<Row>) => {
    names.push(statement.name);
    return statement;
  };
  return {
    run: (statement, values) => pool.run(seen(statement), values),
    execute: (statement, values) => pool.execute(seen(statement), values),
  };
}

test('one round writes all that is due while there is time, however much that is', async () => {
  await busy({ proc_a: 150, proc_b: 3, proc_c: 0 });
  assert.equal(await createCheckpoints(pool, { every: EVERY }).write(), 153);
  assert.deepEqual(await written(), { proc_a: 150, proc_b: 3 });
  await assertClean(db.url);
});

test('rounds without time go on where the last one has stopped, each account in its turn', async () => {
  await busy({ proc_a: 5, proc_b: 2, proc_c: 3 });
  const chore = createCheckpoints(pool, { every: EVERY, pageSize: 2, roundMs: 0 });
  const states: Record<string, number>[] = [];
  for (let round = 0; round < 40; round++) {
    await chore.write();
    states.push(await written());
  }
  assert.deepEqual(states[0], { proc_a: 1 });
  assert.ok(
    states.some(({ proc_a, proc_c }) => (proc_c ?? 0) > 0 && (proc_a ?? 0) < 5),
    'the first one does not keep the others waiting',
  );
  assert.deepEqual(states.at(-1), { proc_a: 5, proc_b: 2, proc_c: 3 });
  await assertClean(db.url);
});

test('time that ends in the middle of a round is no loss: the next one begins there and comes round', async () => {
  await busy({ proc_a: 4, proc_b: 4, proc_c: 4 });
  let [now, pace] = [0, 1];
  const chore = createCheckpoints(pool, { every: EVERY, roundMs: 6, now: () => (now += pace) });
  await chore.write();
  const before = await written();
  assert.ok(Object.keys(before).length < 3, JSON.stringify(before));
  pace = 0;
  await chore.write();
  assert.deepEqual(await written(), { proc_a: 4, proc_b: 4, proc_c: 4 });
});

test('processors are looked at a page at a time, so their number makes no statement longer', async () => {
  const ids = Array.from({ length: 35 }, (_, index) => `proc_${String(index).padStart(2, '0')}`);
  await open(db.database.queries, ids, { kind: 'processor', floor: null });
  await busy({ proc_99: 2 });
  const names: string[] = [];
  assert.equal(await createCheckpoints(watched(names), { every: EVERY, pageSize: 10 }).write(), 2);
  assert.equal(names.filter((name) => name === 'ledger-checkpoints-due').length, 5, 'four pages, and an empty one');
});

test('an account that cannot be summed is reported and passed over, round after round', async () => {
  await busy({ proc_a: 2, proc_b: 2, proc_c: 2 });
  await asOwner(db.url, (client) =>
    client.query(`update movements set amount = 9223372036854775807 where to_account = 'proc_b'`),
  );
  const chore = createCheckpoints(pool, { every: EVERY });
  for (let round = 0; round < 3; round++) {
    await assert.rejects(chore.write(), /out of range/);
    assert.deepEqual(await written(), { proc_a: 2, proc_c: 2 });
  }
  await busy({ proc_d: 1 });
  await assert.rejects(chore.write(), /out of range/);
  assert.deepEqual(await written(), { proc_a: 2, proc_c: 2, proc_d: 1 });
});

test('a gateway that stops is not kept waiting for the rest of a round', async () => {
  await busy({ proc_a: 50 });
  const stopping = new AbortController();
  stopping.abort();
  assert.equal(await createCheckpoints(pool, { every: EVERY }).write(stopping.signal), 1);
});
