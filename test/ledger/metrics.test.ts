// The ledger's metrics under failures: retries, commits in doubt, failed batches and shed orders.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { ledgerMetrics } from '../../src/ledger/metrics.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, open, orderOf } from './books.ts';
import { type Connection, faultyPool } from './faulty-pool.ts';

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 11,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
await open(database.queries, ['wallet']);
await open(database.queries, ['bank'], { floor: null });
after(async () => {
  await assertClean(db.url);
  await database.close();
  await db.close();
});

/** A ledger with the hook at each of its statements, and its metrics as plain numbers. */
function ledgerWithHook(hook: (statement: string, connection: Connection) => Promise<unknown>) {
  const metrics = ledgerMetrics(new Metrics());
  const { pool } = faultyPool(database.pool, hook);
  const ledger = testLedger({ pool, clock: systemClock, metrics });
  const counts = () => ({
    posted: metrics.movements.posted.value,
    retries: metrics.retries.value,
    inDoubt: metrics.inDoubt.value,
    unknown: metrics.unknown.value,
    failed: metrics.failed.value,
  });
  return { ledger, metrics, counts };
}

const payment = () => orderOf({ from: 'bank', to: 'wallet', amount: 1 });
const connectionError = (code: string) => Object.assign(new Error('lost by the test'), { code });

test('a commit whose reply is lost counts as in doubt once and posted once', async () => {
  const { ledger, counts } = ledgerWithHook(async (statement, { send, number }) => {
    const result = await send();
    if (statement === 'commit' && number === 1) throw connectionError('ECONNRESET');
    return result;
  });
  assert.equal((await ledger.post(payment())).outcome, 'posted');
  assert.deepEqual(counts(), { posted: 1, retries: 1, inDoubt: 1, unknown: 0, failed: 0 });
});

test('a commit that can never be looked up counts as in doubt once and as unknown', async () => {
  const { ledger, counts } = ledgerWithHook(async (statement, { send, number }) => {
    if (number > 1) throw connectionError('ECONNRESET');
    const result = await send();
    if (statement === 'commit') throw connectionError('ECONNRESET');
    return result;
  });
  await assert.rejects(ledger.post(payment()));
  assert.deepEqual(counts(), { posted: 0, retries: 4, inDoubt: 1, unknown: 1, failed: 1 });
});

test('a commit that the server rejects is retried and does not count as in doubt', async () => {
  const { ledger, counts } = ledgerWithHook((statement, { send, number }) =>
    statement === 'commit' && number === 1 ? Promise.reject(serverError('40001')) : send(),
  );
  assert.equal((await ledger.post(payment())).outcome, 'posted');
  assert.deepEqual(counts(), { posted: 1, retries: 1, inDoubt: 0, unknown: 0, failed: 0 });
});

test('an order that finds the queue full counts as shed, and the queue gauge shows its length', async () => {
  const { ledger, metrics } = ledgerWithHook((_statement, { send }) => send());
  const posts = Array.from({ length: 20_010 }, () => ledger.post(payment()));
  const settled = Promise.allSettled(posts);
  assert.deepEqual(await metrics.queue.samples(), [{ value: 20_000 }]);
  assert.equal(metrics.shed.full.value, 10);
  const shed = (await settled).filter(({ status }) => status === 'rejected').length;
  assert.equal(metrics.shed.full.value + metrics.shed.late.value, shed);
  assert.equal(metrics.movements.posted.value, 20_010 - shed);
  assert.deepEqual(await metrics.queue.samples(), [{ value: 0 }]);
});

function serverError(code: string): Error {
  return Object.assign(Object.create(pg.DatabaseError.prototype), { code, message: 'refused by the test' });
}
