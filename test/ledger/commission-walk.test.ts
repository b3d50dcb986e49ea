// Random walks over commission: payments, refunds, changes of mode and tier, suspensions, clock jumps and settlements on two
// gateways keep every sum exact. Many agents are settled in few statements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { fixedTable } from '../../src/db/keyed-lookup.ts';
import { createCommission } from '../../src/features/finance/commission/service.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { Refusal, refuse } from '../../src/kernel/refusal.ts';
import { commissionAccountOf } from '../../src/ledger/commission-accounts.ts';
import { answeredRequests } from '../../src/ledger/posting/idempotency.ts';
import { agentSide } from '../../src/parties/agent.ts';
import { walletSide } from '../../src/parties/subscriber.ts';
import { createPayments } from '../../src/payments/execute.ts';
import { commissionOn, takeEarned } from '../../src/payments/fees.ts';
import { testClock } from '../support/clock.ts';
import { earningAgent, payCommission, settle } from '../support/commissions.ts';
import { type Json, testGateway } from '../support/gateway.ts';
import { TEST_ACTOR, testLedger } from '../support/ledger.ts';
import { bankForFile } from '../support/money.ts';

// Refunds of deposits, agents that are not registered, and their funding that is not listed for the reconciliation, exist only here.
const { kissi, bank } = await bankForFile({
  brokenRules: ['refund_without_payment', 'match_item_differs'],
  unauditedRecords: ['agent'],
});
const { clock } = kissi;
const { database } = kissi.db;
await payCommission(kissi);

const payments = createPayments({
  ledger: testLedger({ pool: database.ledgerPool, clock }),
  answered: answeredRequests(database.reader),
  rules: async () => null,
  feeSettings: fixedTable([]),
  clock,
  stripe: 3,
});

/** Refunds a part of a deposit, as the refund of a card payment does. */
async function refund(transactionId: string, part: number): Promise<'refunded' | 'refused'> {
  const { rows } = await kissi.db.query('select * from movements where id = $1', [transactionId]);
  const { from_account, to_account, amount: text, details } = rows[0] as Json;
  const whole = Number(text);
  const { earned, accrued } = takeEarned(details);
  const account = accrued.payer > 0 ? commissionAccountOf(from_account) : null;
  const result = await payments.execute(
    {
      type: 'pos_refund',
      actor: TEST_ACTOR,
      payer: walletSide(to_account, 'sender'),
      payee: { ...agentSide({ id: from_account }), commission: { tier: 'standard', percent: null, account } },
      amount: part,
      key: null,
      relatedId: transactionId,
      allowances: [
        { id: `refund:${transactionId}`, limit: whole, refusal: () => refuse('REFUND_EXCEEDS_PAYMENT', 'x') },
      ],
      commissionReturned: (before) => ({ payer: 0, payee: commissionOn({ before, part, whole }, earned.payer) }),
      onPosted: () => ({ reply: {} }),
    },
    { fees: [], tiers: null, rules: null },
  );
  return result instanceof Refusal ? 'refused' : 'refunded';
}

test('what agents earn is what they were paid, what they hold, and what refunds took back', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { int, pick, chance } = seededRandom(seed);
  clock.set(Date.parse('2027-03-01T10:00:00Z'));
  const agents = await Promise.all([1, 2, 3].map(() => earningAgent(kissi, bank)));
  const other = await testGateway({ db: kissi.db, clock });
  const deposits: { id: string; amount: number }[] = [];
  let refunded = 0;
  for (let step = 0; step < 120; step++) {
    const agent = pick(agents);
    const choice = int(0, 99);
    if (choice < 45) {
      const amount = int(1, 20_000);
      deposits.push({ id: (await agent.deposit(amount)).transaction_id, amount });
    } else if (choice < 60 && deposits.length > 0) {
      const { id, amount } = pick(deposits);
      if ((await refund(id, int(1, amount))) === 'refunded') refunded += 1;
    } else if (choice < 70) {
      await agent.put({ settlement_mode: pick(['instant', 'daily', 'weekly']) });
    } else if (choice < 75) {
      await agent.put({ commission_tier: 'custom', commission_percent: int(0, 100) });
    } else if (choice < 90) {
      clock.advance(pick([HOUR_MS, DAY_MS, 3 * DAY_MS, chance(0.3) ? -DAY_MS : HOUR_MS]));
    } else {
      await Promise.all([settle(kissi), settle(other), settle(kissi), agent.deposit(100)]);
    }
  }
  await other.close();
  assert.ok(refunded > 0, `refunds happen with seed ${seed}`);
  clock.advance(14 * DAY_MS);
  await settle(kissi);
  const { rows } = await kissi.db.query(`
    with movement as materialized (
        select type, from_account, to_account, amount, fee, (details #>> '{earned,payer}')::bigint as earned from movements),
      account as materialized (select id, balance from accounts),
      allowance as materialized (select id, used from allowances)
    select a.id, f.balance::bigint as float, c.balance::bigint as held,
      (select coalesce(sum(earned), 0) from movement where from_account = a.id) as earned,
      (select coalesce(sum(fee), 0) from movement where type = 'pos_refund' and to_account = a.id) as returned,
      (select coalesce(sum(amount), 0) from movement where type = 'agent_cashin' and from_account = a.id) as deposited,
      (select coalesce(sum(amount), 0) from movement where type = 'pos_refund' and to_account = a.id) as refunded,
      (select coalesce(sum(amount), 0) from movement where type = 'commission_settlement' and to_account = a.id) as settled,
      (select coalesce(max(used), 0) from allowance where id = 'commission:' || a.id) as total
    from agents a join account f on f.id = a.id join account c on c.id = 'commission_' || a.id`);
  for (const row of rows) {
    const { float, held, earned, returned, deposited, refunded: back, settled, total } = numbers(row);
    assert.equal(held, 0, `everything is settled with seed ${seed}`);
    assert.equal(float, 10_000_000 - deposited + back + earned - returned, `seed ${seed}`);
    assert.equal(settled, total, `seed ${seed}`);
  }
});

function numbers(row: Json): Json {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}

test('a settlement that another gateway overtakes is refused: nothing is paid twice or early', async () => {
  clock.set(Date.parse('2027-05-03T10:00:00Z'));
  const agent = await earningAgent(kissi, bank);
  await agent.deposit(1_000);
  clock.advance(DAY_MS);
  await agent.deposit(2_000);
  let overtaken = 0;
  const late = createCommission({
    ...{ database, audit: kissi.gateway.services.audit, fees: kissi.gateway.services.fees, clock },
    payments: {
      ...payments,
      // Between the computation of the amount and the posting.
      async execute(plan, policy) {
        overtaken += 1;
        const ahead = await testGateway({ db: kissi.db, clock: testClock(clock.now() + DAY_MS) });
        await settle(ahead);
        await ahead.close();
        await agent.deposit(4_000);
        return payments.execute(plan, policy);
      },
    },
  });
  assert.equal(await late.settleDue(), 0);
  assert.equal(overtaken, 1);
  assert.deepEqual([await agent.settlements(), await agent.accrued()], [[['2027-05-04', 30]], 40]);
});

test('hundreds of agents are settled in pages, and nothing is left', async () => {
  clock.set(Date.parse('2027-06-01T10:00:00Z'));
  await settle(kissi);
  const count = 450;
  await kissi.db.query(
    `insert into agents (id, type, business_name, first_name, last_name, phone_number, email, commission_tier, settlement_mode,
       created_at, updated_at)
     select 'agent_many_' || n, 'super_agent', 'x', 'x', 'x', '+2327' || (9000000 + n), 'many' || n, 'standard', 'daily', now(), now()
     from generate_series(1, $1) n`,
    [count],
  );
  await kissi.db.query(`insert into accounts (id, kind, opened_at)
    select id, 'agent_float', created_at from agents where id like 'agent_many_%'`);
  const ledger = testLedger({ pool: database.ledgerPool, clock });
  const nothing = { reference: null, narration: null, metadata: null, relatedId: null, details: {}, request: null };
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const [fromAccount, toAccount] = ['sys_treasury_00', commissionAccountOf(`agent_many_${n + 1}`)];
      const legs = [
        { accountId: fromAccount, amount: -7 },
        { accountId: toAccount, amount: 7 },
      ];
      const movement = {
        ...nothing,
        id: `txn_many_${n}`,
        type: 'agent_fund',
        actor: TEST_ACTOR,
        amount: 7,
        fee: 0,
        legs,
      };
      return ledger.post({
        movement: { ...movement, type: 'agent_fund', fromAccount, toAccount },
        onPosted: () => ({ reply: '{}', rows: [] }),
      });
    }),
  );
  clock.advance(DAY_MS);
  assert.equal(await kissi.gateway.services.commission.settleDue(), count);
  assert.equal(await kissi.gateway.services.commission.settleDue(), 0);
  const sums = await kissi.db.query(`select count(*)::int as agents, sum(balance)::int as sum from accounts
    where id like 'agent_many_%'`);
  assert.deepEqual(sums.rows, [{ agents: count, sum: 7 * count }]);
});
