// What compliance blocks, on a real database: its alert is written once whatever breaks, and what is known costs no statement.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import type { Order, Result } from '../../src/ledger/posting/ledger.ts';
import type { VelocityCheck, VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { blockedAlert, blockedAlertId } from '../../src/payments/alerts.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { LONG_TIMEOUTS, pgPool, type TestDatabase, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, open, orderOf, type Wish } from './books.ts';
import { faultyPool } from './faulty.ts';

const HOUR_MS = 3_600_000;

let db: TestDatabase;
let database: Database;
let clock: TestClock;
let accounts = 0;

before(async () => {
  db = await testDatabase();
  database = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  clock = testClock();
});
after(async () => {
  await assertClean(db.url);
  await database.close();
  await db.close();
});

const rule = (terms: Partial<VelocityRule> = {}): VelocityRule => ({
  ...{ id: 'rule_1', version: 1, name: 'Three an hour', kind: 'velocity_count', types: ['transfer_p2p'] },
  ...{ threshold: 3, windowMs: HOUR_MS, outcome: 'block', severity: 'HIGH' },
  ...terms,
});
const watching = (...rules: VelocityRule[]): VelocityCheck => ({
  rules,
  keepMs: Math.max(...rules.map((each) => each.windowMs)),
});

function watched(wish: Wish, watch: VelocityCheck): Order {
  const { movement, ...order } = orderOf(wish);
  const id = blockedAlertId(movement, clock);
  return {
    ...order,
    movement: { ...movement, velocityCheck: watch },
    onRefused: (refused, at) => ({
      reply: null,
      rows: refused.reason === 'compliance' ? [blockedAlert(movement, refused, at, id)] : [],
    }),
  };
}

/** Two new wallets, the first with 1,000 and nothing known of it. */
async function pair(): Promise<[string, string]> {
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

describe('a commit whose answer is lost', () => {
  for (const fate of ['before', 'after'] as const) {
    const lostAtFirst = () =>
      faultyPool(database.pool, async (statement, { send, number }) => {
        if (statement !== 'commit' || number > 1) return send();
        if (fate === 'after') await send();
        throw new Error('lost');
      });

    test(`${fate} the server did it, with nothing but a blocked payment: one alert, and it is refused`, async () => {
      const [from, to] = await pair();
      const ledger = testLedger({ pool: lostAtFirst().pool, clock });
      const watch = watching(rule({ kind: 'amount', threshold: 99, windowMs: 0 }));
      const result = await ledger.post(watched({ from, to, amount: 100 }, watch));
      assert.equal(result.outcome === 'refused' && result.reason, 'compliance');
      assert.equal(await alertsAbout(from), 1);
      assert.deepEqual(await balances(db.url, [from, to]), [1_000, 0]);
    });

    test(`${fate} the server did it, in a batch with others: each has one effect and each block one alert`, async () => {
      const [from, to] = await pair();
      const ledger = testLedger({ pool: lostAtFirst().pool, clock });
      const orders = Array.from({ length: 4 }, (_, n) =>
        watched({ from, to, amount: 100, request: { id: `lost-${accounts}-${n}` } }, watching(rule())),
      );
      const results = await Promise.all(orders.map((order) => ledger.post(order)));
      const ends = results.map((result: Result) => (result.outcome === 'refused' ? result.reason : result.outcome));
      // The first of the three was its funding.
      assert.deepEqual(ends, ['posted', 'posted', 'compliance', 'compliance']);
      assert.equal(await alertsAbout(from), 2);
      assert.deepEqual(await balances(db.url, [from, to]), [800, 200]);
    });
  }
});

test('postings are read where what is kept does not decide, and nowhere else', async () => {
  const [from, to] = await pair();
  const sent: string[] = [];
  const { pool } = faultyPool(database.pool, (statement, { send }) => {
    sent.push(statement);
    return send();
  });
  const ledger = testLedger({ pool, clock });
  const watch = watching(rule({ threshold: 40 }), rule({ id: 'rule_2', kind: 'velocity_amount', threshold: 10_000 }));
  const reads = async (wish: Partial<Wish> = {}): Promise<number> => {
    sent.length = 0;
    const result = await ledger.post(watched({ from, to, amount: 1, ...wish }, watch));
    assert.equal(result.outcome, 'posted');
    return sent.filter((statement) => statement === 'ledger-recent').length;
  };
  assert.equal(await reads(), 1, 'it was funded when nothing was kept');
  for (let n = 2; n <= 35; n++) {
    clock.advance(1_000);
    assert.equal(await reads(), 0, `payment ${n}`);
  }
  assert.equal(await reads({ from: to, to: from }), 0, 'who was only paid knows that it did nothing');
  // Half an hour from the first payment's leaving the window, all that is known lies in it.
  clock.advance(HOUR_MS / 2);
  assert.equal(await reads(), 0);
  // Some of those put together are outside by now: at most 36, which is not too many either way.
  clock.advance(HOUR_MS / 2 - 34_000);
  assert.equal(await reads(), 0);
});
