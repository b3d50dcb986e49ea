// Roll-ups equal the sums over all movements: after a random walk of two gateways over hour, day and week borders, after
// lost connections and refused orders, and for amounts whose sum exceeds 2^53.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import type { Ledger } from '../../src/ledger/posting/ledger.ts';
import { refundsOf } from '../../src/ledger/queries/movement-lookup.ts';
import { ROLLUPS } from '../../src/ledger/verification/rollups.ts';
import { verifyLedger } from '../../src/ledger/verification/verify.ts';
import { testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { asOwner, assertClean, open, orderOf, VERIFY_OPTIONS } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

// A Saturday, so that the walk crosses the border of an ISO week.
const START = Date.parse('2026-03-07T12:00:00Z');
const clock = testClock(START);
const WALLETS = Array.from({ length: 12 }, (_, n) => `sub_${n}`);
const [BANK, SHOP, AGENT] = ['ptn_bank', 'proc_shop', 'agent_1'];

const db = await testDatabase();
await open(db.database.queries, WALLETS);
await open(db.database.queries, [BANK], { kind: 'partner_clearing', floor: null });
await open(db.database.queries, [SHOP], { kind: 'processor' });
await open(db.database.queries, [AGENT], { kind: 'agent_float', floor: null });

after(async () => {
  await assertClean(db.url);
  await db.close();
});

interface Step {
  type: MovementType;
  from: string;
  to: string;
  amount: number;
  fee?: number;
  earned?: { payer: number; payee: number };
  /** A refund of this payment, of the same amount. */
  refunds?: string;
}

/** Card payments that were not refunded. */
const payments: { id: string; amount: number }[] = [];

async function post(ledger: Ledger, { type, earned, refunds, ...spec }: Step): Promise<boolean> {
  const { movement, ...order } = orderOf(spec);
  const legs = movement.legs.map((leg) => ({ ...leg }));
  if (earned) {
    const [payer, payee] = legs;
    if (payer && payee) [payer.amount, payee.amount] = [payer.amount + earned.payer, payee.amount + earned.payee];
    legs.push({ accountId: 'sys_fees_01', amount: -earned.payer - earned.payee });
  }
  const details = earned ? { earned } : {};
  const allowances = refunds ? [{ id: refundsOf(refunds), amount: spec.amount, limit: spec.amount }] : [];
  const terms = { type, legs, details, allowances, relatedId: refunds ?? null };
  const result = await ledger.post({ ...order, movement: { ...movement, ...terms } });
  if (result.outcome === 'posted' && type === 'pos_payment') payments.push({ id: movement.id, amount: spec.amount });
  return result.outcome === 'posted';
}

/** A linear congruential generator: the walk is the same each time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function stepOf(random: (below: number) => number): Step {
  const wallet = () => WALLETS[random(WALLETS.length)] as string;
  const amount = 1 + random(900);
  switch (random(6)) {
    case 0:
      return { type: 'vult_fund', from: BANK, to: wallet(), amount: 5 * amount };
    case 1:
      return { type: 'pos_payment', from: wallet(), to: SHOP, amount, fee: random(4) };
    case 2: {
      const payment = payments.shift();
      if (!payment) return { type: 'vult_fund', from: BANK, to: wallet(), amount };
      const refund = { amount: payment.amount, refunds: payment.id, earned: { payer: -1, payee: 0 } };
      return { type: 'pos_refund', from: SHOP, to: wallet(), ...refund };
    }
    case 3:
      return { type: 'agent_cashin', from: AGENT, to: wallet(), amount, earned: { payer: 3, payee: 0 } };
    case 4:
      return { type: 'inbound_reversal', from: wallet(), to: BANK, amount };
    default: {
      const from = wallet();
      const to = WALLETS[(WALLETS.indexOf(from) + 1) % WALLETS.length] as string;
      return { type: 'transfer_p2p', from, to, amount, fee: random(3) };
    }
  }
}

interface RollupRow {
  hour: number;
  chain: number;
  type: string;
  count: string;
  amount: string;
}

const movementRollups = () =>
  asOwner(db.url, (client) => client.query<RollupRow>('select * from movement_rollups order by hour, chain, type'));

describe('roll-ups', () => {
  test('of two gateways equal the sums over all movements after a random walk over days and weeks', async () => {
    const gateways = [1, 2].map(() => testLedger({ pool: db.database.pool, clock, maxBatch: 8 }));
    const random = randomOf(7);
    let posted = 0;
    for (let round = 0; round < 60; round++) {
      const steps = Array.from({ length: 1 + random(20) }, () => stepOf(random));
      const outcomes = await Promise.all(steps.map((step) => post(gateways[random(2)] as Ledger, step)));
      posted += outcomes.filter(Boolean).length;
      // Minutes at first, then hours; sometimes back, as between gateways whose clocks differ.
      clock.advance(random(8) === 0 ? -2 * MINUTE_MS : random(3) * 100 * MINUTE_MS);
    }
    clock.set(Math.max(clock.now(), START + 4 * DAY_MS));
    assert.ok(posted > 200, `${posted} movements were posted`);
    await assertClean(db.url);
    const { rows } = await movementRollups();
    assert.equal(
      rows.reduce((sum, { count }) => sum + Number(count), 0),
      posted,
    );
    assert.equal(new Set(rows.map(({ chain }) => chain)).size, 2, 'each gateway has its own rows');
    assert.ok(new Set(rows.map(({ hour }) => Math.floor(hour / 24))).size >= 3, 'the walk covers several days');
  });

  test('count an account once per hour, day and week, across gateways', async () => {
    const gateways = [1, 2].map(() => testLedger({ pool: db.database.pool, clock }));
    const pay = (gateway: number) =>
      post(gateways[gateway] as Ledger, { type: 'vult_fund', from: BANK, to: 'sub_0', amount: 1 });
    // Wednesday, 22:30, in a week without earlier payments.
    const from = Date.parse('2026-04-01T22:30:00Z');
    for (const [minutes, gateway] of [
      [0, 0],
      [10, 1],
      [40, 0],
      [100, 1],
      [5 * 24 * 60, 0],
    ] as const) {
      clock.set(from + minutes * MINUTE_MS);
      assert.ok(await pay(gateway));
    }
    const active = await asOwner(db.url, (client) =>
      client.query(
        `select sum(active_in_hour)::int as hours, sum(active_in_day)::int as days, sum(active_in_week)::int as weeks
         from account_rollups where kind = 'wallet' and hour >= $1`,
        [Math.floor(from / HOUR_MS)],
      ),
    );
    // Hours 22, 23, 0 and 22 of Monday; Wednesday, Thursday and Monday; two weeks.
    assert.deepEqual(active.rows, [{ hours: 4, days: 3, weeks: 2 }]);
  });

  test('count a movement once when the connection breaks after the commit', async () => {
    const lost = new Error('broken by the test');
    const faulty = faultyPool(db.database.pool, async (statement, connection) => {
      if (statement !== 'commit' || connection.number > 1) return connection.send();
      await connection.send();
      connection.socket.destroy(lost);
      throw lost;
    });
    const before = await movementRollups();
    const ledger = testLedger({ pool: faulty.pool, clock });
    assert.ok(await post(ledger, { type: 'vult_fund', from: BANK, to: 'sub_1', amount: 9 }));
    assert.equal(faulty.connections(), 2);
    const sum = ({ rows }: typeof before) => rows.reduce((total, { count }) => total + Number(count), 0);
    assert.equal(sum(await movementRollups()), sum(before) + 1);
    await assertClean(db.url);
  });

  test('do not count refused movements', async () => {
    const before = (await movementRollups()).rows;
    const ledger = testLedger({ pool: db.database.pool, clock });
    assert.equal(await post(ledger, { type: 'transfer_p2p', from: 'sub_2', to: 'sub_3', amount: 10 ** 12 }), false);
    assert.deepEqual((await movementRollups()).rows, before);
  });

  test('hold sums beyond 2^53: no report can refuse a payment', async () => {
    const largest = Number.MAX_SAFE_INTEGER;
    await open(db.database.queries, ['ptn_large'], { kind: 'partner_clearing', floor: null });
    await open(db.database.queries, ['sub_large'], { ceiling: null });
    const ledger = testLedger({ pool: db.database.pool, clock });
    for (let n = 0; n < 1_030; n++) {
      const [from, to] = n % 2 === 0 ? ['ptn_large', 'sub_large'] : ['sub_large', 'ptn_large'];
      void post(ledger, { type: 'vult_fund', from, to, amount: largest });
    }
    assert.ok(await post(ledger, { type: 'vult_fund', from: 'ptn_large', to: 'sub_large', amount: 1 }));
    const { rows } = await movementRollups();
    assert.ok(rows.some(({ amount }) => BigInt(amount) > 2n ** 63n));
  });
});

describe('ledger:verify detects', () => {
  const verify = () => verifyLedger(db.url, { ...VERIFY_OPTIONS, sealKeys: null, checks: [ROLLUPS] });
  const [movementRule, accountRule] = ['movement_rollup_differs', 'account_rollup_differs'];
  const corruptions: [what: string, sql: string, rule: string][] = [
    ['a changed count', `update movement_rollups set count = count + 1`, movementRule],
    ['a changed amount', `update movement_rollups set amount = amount + 1 where type = 'vult_fund'`, movementRule],
    ['a changed fee', `update movement_rollups set fee = fee - 1`, movementRule],
    ['a changed commission', `update movement_rollups set commission = commission + 1`, movementRule],
    [
      'a removed hour',
      `delete from movement_rollups where hour = (select min(hour) from movement_rollups)`,
      movementRule,
    ],
    ['an invented hour', `insert into movement_rollups values (5, 1, 'vult_fund', 1, 1, 0, 0)`, movementRule],
    ['a moved hour', `update movement_rollups set hour = hour + 10000`, movementRule],
    ['a changed balance of an hour', `update account_rollups set change = change + 1 where hour > 0`, accountRule],
    ['a changed total', `update account_rollups set change = change + 1 where hour = 0`, accountRule],
    ['a removed total', `delete from account_rollups where hour = 0 and kind = 'processor'`, accountRule],
    ['active accounts of hours', `update account_rollups set active_in_hour = 0 where hour > 0`, accountRule],
    [
      'active accounts of days',
      `update account_rollups set active_in_day = 1 + active_in_day where hour > 0`,
      accountRule,
    ],
    ['active accounts of weeks', `update account_rollups set active_in_week = 0 where hour > 0`, accountRule],
  ];
  for (const [what, sql, rule] of corruptions) {
    test(what, async () => {
      await asOwner(db.url, async (client) => {
        await client.query(
          'create table saved_m as table movement_rollups; create table saved_a as table account_rollups',
        );
        await client.query(sql);
        try {
          assert.deepEqual([...(await verify()).broken.keys()], [rule]);
        } finally {
          await client.query(`truncate movement_rollups, account_rollups; insert into movement_rollups table saved_m;
            insert into account_rollups table saved_a; drop table saved_m, saved_a`);
        }
      });
    });
  }
});
