// A batch whose commit is in doubt and whose next attempt fails with another error: no client gets a wrong outcome.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { assertClean, balances, open, orderOf } from '../ledger/books.ts';
import { faultyPool } from '../ledger/faulty-pool.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 4,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
after(async () => {
  await assertClean(db.url);
  await database.close();
  await db.close();
});

/** The reply to the first commit is lost, the second attempt fails with the given code, later attempts succeed. */
function poolFailingAfterCommit(code: string) {
  return faultyPool(database.pool, async (statement, { send, socket, number }) => {
    if (statement === 'commit' && number === 1) {
      await send();
      socket.destroy(new Error('broken by the test'));
      throw new Error('broken by the test');
    }
    if (number === 2) throw Object.assign(new Error(`the server answered ${code}`), { code });
    return send();
  });
}

for (const code of ['53300', '57014', '55P03', '25006', '25P03', 'XX000']) {
  describe(`error ${code} at the attempt after the commit`, () => {
    test('a posted movement is never answered as refused', async () => {
      const [bank, a, b, c, d] = ['bank', 'a', 'b', 'c', 'd'].map((x) => `${x}_${code}`) as [
        string,
        string,
        string,
        string,
        string,
      ];
      await open(database.queries, [a, b, c, d]);
      await open(database.queries, [bank], { floor: null });
      const plain = testLedger({ pool: database.pool, clock: systemClock });
      await plain.post(orderOf({ from: bank, to: a, amount: 1_000 }));
      await plain.post(orderOf({ from: bank, to: c, amount: 1_000 }));
      const ledger = testLedger({ pool: poolFailingAfterCommit(code).pool, clock: systemClock });
      // The first order needs the whole balance of a, so a second posting would be refused.
      const orders = [orderOf({ from: a, to: b, amount: 1_000 }), orderOf({ from: c, to: d, amount: 100 })];
      const results = await Promise.allSettled(orders.map((order) => ledger.post(order)));
      const after = await balances(db.url, [a, b, c, d]);
      assert.deepEqual(after, [0, 1_000, 900, 100], 'the amounts moved once');
      for (const result of results) {
        if (result.status === 'rejected') continue; // an unknown outcome is correct
        assert.equal(result.value.outcome, 'posted', 'the outcome is posted');
      }
      const second = results[1];
      if (second?.status === 'fulfilled' && second.value.outcome === 'posted') {
        assert.equal(JSON.parse(second.value.reply).balance, 900, 'the reply has the balance of the posting');
        assert.equal(second.value.postings[0]?.balanceAfter, 900);
      }
    });
  });
}
