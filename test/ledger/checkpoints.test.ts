// The periodic job that writes checkpoints: it stays within its time budget, visits accounts in turn and survives failures.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { ConnectionPool } from '../../src/db/driver/pool.ts';
import type { Statement, StatementRunner } from '../../src/db/driver/statement.ts';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { insertHistory } from '../support/history.ts';
import { asOwner, assertClean, open, UNSEALED_HISTORY } from './books.ts';

const EVERY = 10;
/** No time passes: rounds are not cut short. */
const UNHURRIED = { every: EVERY, now: () => 0 };

let db: TestDatabase;
let pool: ConnectionPool;
beforeEach(async () => {
  db = await testDatabase();
  pool = db.database.pool;
});
afterEach(() => db.close());

/** Opens accounts, processors by default, with the given number of checkpoints due. */
async function openAccounts(due: Record<string, number>, kind: AccountKind = 'processor'): Promise<void> {
  await open(db.database.queries, Object.keys(due), { kind, floor: null });
  for (const [accountId, count] of Object.entries(due)) {
    await insertHistory(db.url, { accountId, postings: count * EVERY + 3, type: `'pos_payment'` });
  }
}

async function countCheckpoints(): Promise<Record<string, number>> {
  const { rows } = await db.query(
    'select account_id, count(distinct seq)::int as count from account_checkpoints group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ account_id, count }) => [account_id, count]));
}

/** A runner that records every statement's name. */
function recordingRunner(names: string[]): StatementRunner {
  const record = <Row>(statement: Statement<Row>) => {
    names.push(statement.name);
    return statement;
  };
  return {
    run: (statement, values) => pool.run(record(statement), values),
    execute: (statement, values) => pool.execute(record(statement), values),
  };
}

test('one round writes every due checkpoint while its time lasts', async () => {
  await openAccounts({ proc_a: 150, proc_b: 3, proc_c: 0 });
  assert.equal(await createCheckpoints(pool, UNHURRIED).write(), 153);
  assert.deepEqual(await countCheckpoints(), { proc_a: 150, proc_b: 3 });
  await assertClean(db.url, UNSEALED_HISTORY);
});

test('floats and clearing accounts have checkpoints too, and wallets only when a query needs them', async () => {
  await openAccounts({ agent_a: 2 }, 'agent_float');
  await openAccounts({ ptn_a: 1 }, 'partner_clearing');
  await openAccounts({ sub_a: 2 }, 'wallet');
  assert.equal(await createCheckpoints(pool, UNHURRIED).write(), 3);
  assert.deepEqual(await countCheckpoints(), { agent_a: 2, ptn_a: 1 });
});

test('rounds without time resume where the previous one stopped and take accounts in turn', async () => {
  await openAccounts({ proc_a: 5, proc_b: 2, proc_c: 3 });
  const job = createCheckpoints(pool, { every: EVERY, pageSize: 2, roundMs: 0 });
  const states: Record<string, number>[] = [];
  for (let round = 0; round < 40; round++) {
    await job.write();
    states.push(await countCheckpoints());
  }
  assert.deepEqual(states[0], { proc_a: 1 });
  assert.ok(
    states.some(({ proc_a, proc_c }) => (proc_c ?? 0) > 0 && (proc_a ?? 0) < 5),
    'the first account does not starve the others',
  );
  assert.deepEqual(states.at(-1), { proc_a: 5, proc_b: 2, proc_c: 3 });
  await assertClean(db.url, UNSEALED_HISTORY);
});

test('a round that runs out of time is completed by the next one', async () => {
  await openAccounts({ proc_a: 4, proc_b: 4, proc_c: 4 });
  let [now, pace] = [0, 1];
  const job = createCheckpoints(pool, { every: EVERY, roundMs: 6, now: () => (now += pace) });
  await job.write();
  const before = await countCheckpoints();
  assert.ok(Object.keys(before).length < 3, JSON.stringify(before));
  pace = 0;
  await job.write();
  assert.deepEqual(await countCheckpoints(), { proc_a: 4, proc_b: 4, proc_c: 4 });
});

test('processors are read in pages, so that their number does not lengthen a statement', async () => {
  const ids = Array.from({ length: 35 }, (_, index) => `proc_${String(index).padStart(2, '0')}`);
  await open(db.database.queries, ids, { kind: 'processor', floor: null });
  await openAccounts({ proc_99: 2 });
  const names: string[] = [];
  assert.equal(await createCheckpoints(recordingRunner(names), { ...UNHURRIED, pageSize: 10 }).write(), 2);
  assert.equal(names.filter((name) => name === 'ledger-checkpoints-due').length, 5, 'four pages and an empty one');
});

test('an account that cannot be summed is reported and skipped in every round', async () => {
  await openAccounts({ proc_a: 2, proc_b: 2, proc_c: 2 });
  await asOwner(db.url, (client) =>
    client.query(`update movements set amount = 9223372036854775807 where to_account = 'proc_b'`),
  );
  const job = createCheckpoints(pool, UNHURRIED);
  for (let round = 0; round < 3; round++) {
    await assert.rejects(job.write(), /out of range/);
    assert.deepEqual(await countCheckpoints(), { proc_a: 2, proc_c: 2 });
  }
  await openAccounts({ proc_d: 1 });
  await assert.rejects(job.write(), /out of range/);
  assert.deepEqual(await countCheckpoints(), { proc_a: 2, proc_c: 2, proc_d: 1 });
});

test('a round ends after the current checkpoint when the gateway stops', async () => {
  await openAccounts({ proc_a: 50 });
  const stopping = new AbortController();
  stopping.abort();
  assert.equal(await createCheckpoints(pool, UNHURRIED).write(stopping.signal), 1);
});
