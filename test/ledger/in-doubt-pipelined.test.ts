// A commit sent in one packet with its statements, whose connection breaks: it has one effect, on a new ledger and on a
// ledger whose statements are already prepared.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type Cut, startProxy } from '../faults/proxy.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, serverAddress, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, open, orderOf } from './books.ts';

const db = await testDatabase();
const { username, password, pathname } = new URL(db.url);
const proxy = await startProxy(() => serverAddress(db.url));
const url = `postgresql://${username}:${password}@127.0.0.1:${proxy.port}${pathname}`;
const database = openDatabase({ url, poolSize: 11, role: APP_ROLE, timeouts: LONG_TIMEOUTS, shards: TEST_SHARDS });

after(async () => {
  await assertClean(db.url);
  await database.close();
  await proxy.close();
  await db.close();
});

/** A ledger whose connection has prepared all of its statements, and two accounts, the first with 1,000. */
async function warmLedger(name: string) {
  const [from, to, bank] = [`from_${name}`, `to_${name}`, `bank_${name}`] as const;
  await open(database.queries, [from, to]);
  await open(database.queries, [bank], { floor: null });
  const ledger = testLedger({ pool: database.ledgerPool, clock: systemClock });
  for (const n of [1, 2]) {
    await ledger.post(orderOf({ from: bank, to: from, amount: 500, request: { id: `${name}-${n}` } }));
  }
  return { ledger, from, to };
}

const CUTS: Cut[] = [{ how: 'lost' }, { how: 'unacknowledged' }, { how: 'delayed', afterMs: 300 }];

for (const cut of CUTS) {
  test(`a commit that is ${cut.how} is posted once and answered`, async () => {
    const { ledger, from, to } = await warmLedger(cut.how);
    const wasCut = proxy.cutNext(cut, { ledgerOnly: true, withinMs: 120_000 });
    const order = orderOf({ from, to, amount: 100, request: { id: cut.how } });
    const result = await ledger.post(order);
    assert.equal(await wasCut, true);
    assert.equal(result.outcome, 'posted');
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
    const again = await ledger.post(orderOf({ from, to, amount: 100, request: { id: cut.how } }));
    const reply = result.outcome === 'posted' && result.reply;
    assert.deepEqual(again, { outcome: 'replayed', reply, movementId: order.movement.id });
  });
}

test('a request that PostgreSQL rejects fails alone', async () => {
  const { ledger, from, to } = await warmLedger('poison');
  const orders = ['good', 'bad\0', 'also good'].map((id) => orderOf({ from, to, amount: 100, request: { id } }));
  const results = await Promise.allSettled(orders.map((order) => ledger.post(order)));
  assert.deepEqual(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value.outcome : (result.reason as { code?: string }).code,
    ),
    ['posted', '22021', 'posted'],
  );
  assert.deepEqual(await balances(db.url, [from, to]), [800, 200]);
});
