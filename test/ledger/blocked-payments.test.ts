// Payments blocked by compliance rules, on a real database: one alert per block even when the commit reply is lost, and
// postings are read only when the activity window cannot decide.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import type { Order, Result } from '../../src/ledger/posting/ledger.ts';
import type { VelocityCheck, VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { alertRows, blockedAlert, blockedAlertId } from '../../src/payments/alerts.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { testClock } from '../support/clock.ts';
import { LONG_TIMEOUTS, pgPool, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, type OrderSpec, open, orderOf } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

const HOUR_MS = 3_600_000;
let accounts = 0;

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 4,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
const clock = testClock();
after(async () => {
  await assertClean(db.url);
  await database.close();
  await db.close();
});

const rule = (overrides: Partial<VelocityRule> = {}): VelocityRule => ({
  ...{ id: 'rule_1', version: 1, name: 'Three an hour', kind: 'velocity_count', types: ['transfer_p2p'] },
  ...{ threshold: 3, windowMs: HOUR_MS, side: 'payer', outcome: 'block', severity: 'HIGH' },
  ...overrides,
});
const velocityCheck = (...rules: VelocityRule[]): VelocityCheck => ({
  rules,
  keepMs: Math.max(...rules.map((each) => each.windowMs)),
});

function checkedOrder(spec: OrderSpec, check: VelocityCheck): Order {
  const { movement, ...order } = orderOf(spec);
  const id = blockedAlertId(movement, clock);
  return {
    ...order,
    movement: { ...movement, velocityCheck: check },
    onRefused: (refused, at) => ({
      reply: null,
      rows: refused.reason === 'compliance' ? alertRows(blockedAlert(movement, refused, at, id)) : [],
    }),
  };
}

/** Opens two wallets and funds the first with 1,000, without an activity window. */
async function openPair(): Promise<[string, string]> {
  accounts += 1;
  const [from, to, bank] = [`sub_${accounts}a`, `sub_${accounts}b`, `ptn_${accounts}`] as const;
  await open(database.queries, [from, to]);
  await open(database.queries, [bank], { kind: 'partner_clearing', floor: null });
  await testLedger({ pool: database.pool, clock }).post(orderOf({ from: bank, to: from, amount: 1_000 }));
  return [from, to];
}

async function alertsAbout(id: string): Promise<number> {
  const text = 'select count(*)::int as n from compliance_alerts where subscriber_id = $1';
  return (await pgPool(database.pool).query(text, [id])).rows[0].n;
}

describe('a commit whose reply is lost', () => {
  for (const when of ['before', 'after'] as const) {
    const poolLosingFirstCommit = () =>
      faultyPool(database.pool, async (statement, { send, number }) => {
        if (statement !== 'commit' || number > 1) return send();
        if (when === 'after') await send();
        throw new Error('lost');
      });

    test(`refuses a lone blocked payment with one alert when the connection breaks ${when} the commit`, async () => {
      const [from, to] = await openPair();
      const ledger = testLedger({ pool: poolLosingFirstCommit().pool, clock });
      const check = velocityCheck(rule({ kind: 'amount', threshold: 99, windowMs: 0 }));
      const result = await ledger.post(checkedOrder({ from, to, amount: 100 }, check));
      assert.equal(result.outcome === 'refused' && result.reason, 'compliance');
      assert.equal(await alertsAbout(from), 1);
      assert.deepEqual(await balances(db.url, [from, to]), [1_000, 0]);
    });

    test(`posts a mixed batch once, with one alert per block, when the connection breaks ${when} the commit`, async () => {
      const [from, to] = await openPair();
      const ledger = testLedger({ pool: poolLosingFirstCommit().pool, clock });
      const orders = Array.from({ length: 4 }, (_, n) =>
        checkedOrder({ from, to, amount: 100, request: { id: `lost-${accounts}-${n}` } }, velocityCheck(rule())),
      );
      const results = await Promise.all(orders.map((order) => ledger.post(order)));
      const outcomes = results.map((result: Result) => (result.outcome === 'refused' ? result.reason : result.outcome));
      // The funding counts as the first of the three payments that the rule allows.
      assert.deepEqual(outcomes, ['posted', 'posted', 'compliance', 'compliance']);
      assert.equal(await alertsAbout(from), 2);
      assert.deepEqual(await balances(db.url, [from, to]), [800, 200]);
    });
  }
});

test('reads postings only when the stored activity window does not decide', async () => {
  const [from, to] = await openPair();
  const sent: string[] = [];
  const { pool } = faultyPool(database.pool, (statement, { send }) => {
    sent.push(statement);
    return send();
  });
  const ledger = testLedger({ pool, clock });
  const check = velocityCheck(
    rule({ threshold: 40 }),
    rule({ id: 'rule_2', kind: 'velocity_amount', threshold: 10_000 }),
  );
  const reads = async (spec: Partial<OrderSpec> = {}): Promise<number> => {
    sent.length = 0;
    const result = await ledger.post(checkedOrder({ from, to, amount: 1, ...spec }, check));
    assert.equal(result.outcome, 'posted');
    return sent.filter((statement) => statement === 'ledger-recent').length;
  };
  assert.equal(await reads(), 1, 'the funding left no activity window');
  for (let n = 2; n <= 35; n++) {
    clock.advance(1_000);
    assert.equal(await reads(), 0, `payment ${n}`);
  }
  assert.equal(await reads({ from: to, to: from }), 0, 'an account that only received has an empty window');
  // Half an hour before the first payment leaves the window, every stored run lies inside it.
  clock.advance(HOUR_MS / 2);
  assert.equal(await reads(), 0);
  // Some payments of a merged run are outside by now. The upper bound of 36 is still below the threshold.
  clock.advance(HOUR_MS / 2 - 34_000);
  assert.equal(await reads(), 0);
});
