// Fees: hand-computed tables, comparison with exact fractions, and legs of payments that sum to zero.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fixedTable } from '../db/keyed-lookup.ts';
import { systemClock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type MovementType, PARTIES, type Party, PRICED_TYPES } from '../ledger/movement-types.ts';
import type { Ledger, Order } from '../ledger/posting/ledger.ts';
import type { Posted } from '../ledger/types.ts';
import { createPayments } from './execute.ts';
import { commissionOn, DEFAULT_FEES, type FeeSetting, feeOn, paymentFees, paysOutMore, shareOf } from './fees.ts';
import type { PaymentPlan, Receipt } from './plan.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** What leaves a wallet by the decision of its owner. */
const DAILY_TYPES = ['transfer_p2p', 'pos_payment', 'wallet_withdraw'];

describe('feeOn', () => {
  // amount in minor units, rate in ten-thousandths of a percent, fee
  const percentages: [string, number, number, number][] = [
    ['1.5 % of 100.00 is 1.50', 10_000, 15_000, 150],
    ['0.5 % of 1.00 is 0.005: up', 100, 5_000, 1],
    ['0.4999 % of 1.00 is 0.004999: down', 100, 4_999, 0],
    ['1.5 % of 0.33 is 0.00495: down', 33, 15_000, 0],
    ['1.5 % of 0.34 is 0.0051: up', 34, 15_000, 1],
    ['1.5 % of 1.00 is 0.015: up', 100, 15_000, 2],
    ['1.5 % of 1.66 is 0.0249: down', 166, 15_000, 2],
    ['1.5 % of 1.67 is 0.02505: up', 167, 15_000, 3],
    ['2.5 % of 0.20 is 0.005: up', 20, 25_000, 1],
    ['2.5 % of 0.60 is 0.015: up, not to the even 0.01', 60, 25_000, 2],
    ['12.5 % of 0.04 is 0.005: up', 4, 125_000, 1],
    ['1.0 % of 12.34 is 0.1234', 1_234, 10_000, 12],
    ['0.0001 % of 4,999.99 is 0.00499999: down', 499_999, 1, 0],
    ['0.0001 % of 5,000.00 is 0.005: up', 500_000, 1, 1],
    ['0.0001 % of 10,000.00 is 0.01', 1_000_000, 1, 1],
    ['33.3333 % of 3.00 is 0.999999', 300, 333_333, 100],
    ['99.9999 % of 0.01 is nearly all', 1, 999_999, 1],
    ['49.9999 % of 0.01 is nearly half', 1, 499_999, 0],
    ['50 % of 0.01 is half: up', 1, 500_000, 1],
    ['100 % is all', 12_345, 1_000_000, 12_345],
    ['0 % is nothing', 12_345, 0, 0],
    // 1.005 × 100 is 100.49999999999999 in a double.
    ['0.67 % of 1.50 is 0.01005: down', 150, 6_700, 1],
    ['1.1 % of 0.50 is 0.0055: up', 50, 11_000, 1],
    // 9007199254740991 × 15000 = 135107988821114865000; / 1000000 = 135107988821114.865
    ['1.5 % of the largest amount', MAX, 15_000, 135_107_988_821_115],
    ['100 % of the largest amount is itself', MAX, 1_000_000, MAX],
    // 9007199254740991 × 500000 / 1000000 = 4503599627370495.5
    ['50 % of the largest amount ends in .5: up', MAX, 500_000, 4_503_599_627_370_496],
    // 9007199254740991 × 999999 / 1000000 = 9007190247541736.259009
    ['99.9999 % of the largest amount', MAX, 999_999, 9_007_190_247_541_736],
    // 9007199254740991 × 1 / 1000000 = 9007199254.740991
    ['0.0001 % of the largest amount', MAX, 1, 9_007_199_255],
  ];
  for (const [name, amount, value, fee] of percentages) {
    test(name, () => assert.equal(feeOn(amount, { feeType: 'percentage', value }), fee));
  }

  test('a flat fee is the same on every amount', () => {
    for (const amount of [1, 100, MAX]) assert.equal(feeOn(amount, { feeType: 'flat', value: 250 }), 250);
  });

  test('is the exact fraction rounded half up for any amount and rate', () => {
    const property = fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (amount, value) => {
      const fee = BigInt(feeOn(amount, { feeType: 'percentage', value }));
      // -1/2 < fee - exact <= 1/2, over the common denominator 2,000,000.
      const twiceError = (fee * 1_000_000n - BigInt(amount) * BigInt(value)) * 2n;
      assert.ok(twiceError > -1_000_000n && twiceError <= 1_000_000n, `${fee}`);
      assert.ok(fee >= 0n && fee <= BigInt(amount));
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

const amounts = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.maxSafeInteger().map((n) => Math.abs(n) || 1),
);

const anySetting: fc.Arbitrary<FeeSetting> = fc
  .record({
    transactionType: fc.constantFrom(...PRICED_TYPES),
    party: fc.constantFrom(...PARTIES),
    debitEnabled: fc.boolean(),
    creditEnabled: fc.boolean(),
    terms: fc.oneof(
      fc.record({ feeType: fc.constant('percentage' as const), value: fc.integer({ min: 0, max: 1_000_000 }) }),
      fc.record({ feeType: fc.constant('flat' as const), value: fc.integer({ min: 0, max: 1_000_000_000 }) }),
    ),
  })
  .map(({ terms, ...rest }) => ({ ...rest, ...terms }));

/** As in the table: one setting per type and party. */
const settingsOfOperator = fc.uniqueArray(anySetting, {
  maxLength: 20,
  selector: ({ transactionType, party }) => `${transactionType}/${party}`,
});

/** A ledger that posts and records every order. */
function recordingLedger() {
  const orders: Order[] = [];
  const ledger: Ledger = {
    async post(order) {
      orders.push(order);
      const postings = order.movement.legs.map(({ accountId, amount, fee = 0 }, seq) => ({
        accountId,
        seq,
        amount,
        fee,
        balanceAfter: amount,
      }));
      const posted: Posted = { outcome: 'posted', at: 0, postings, used: [] };
      return { ...posted, reply: order.onPosted(posted).reply };
    },
    postDraft: () => assert.fail('must not be called'),
  };
  return { ledger, orders };
}

interface PaymentCase {
  type: MovementType;
  amount: number;
  payer: FeeSetting['party'];
  payee: FeeSetting['party'];
}

async function legsOf(settings: readonly FeeSetting[], { type, amount, payer, payee }: PaymentCase) {
  const { ledger, orders } = recordingLedger();
  const payments = createPayments({
    ledger,
    clock: systemClock,
    answered: async () => null,
    rules: async () => null,
    feeSettings: fixedTable(settings),
    stripe: 3,
  });
  let receipt: Receipt | undefined;
  const plan: PaymentPlan = {
    type,
    payer: { accountId: 'payer', party: payer },
    payee: { accountId: 'payee', party: payee },
    amount,
    key: null,
    actor: { type: 'system', id: 'test' },
    onPosted(posted) {
      receipt = posted;
      return { reply: {} };
    },
  };
  const executed = await payments.execute(plan, await payments.policy(type));
  assert.ok(!(executed instanceof Refusal) && receipt && orders.length === 1);
  const { movement } = orders[0] as Order;
  const legOf = (id: string) => movement.legs.find(({ accountId }) => accountId === id)?.amount ?? 0;
  return { movement, receipt, debited: 0 - legOf('payer'), credited: legOf('payee'), income: legOf('sys_fees_03') };
}

describe('the legs of a payment', () => {
  test('a percentage fee of the sender is added on top, and the recipient gets the full amount', async () => {
    const payment: PaymentCase = { type: 'transfer_p2p', amount: 10_000, payer: 'sender', payee: 'recipient' };
    const { debited, credited, income, receipt } = await legsOf([], payment);
    assert.deepEqual({ debited, credited, income }, { debited: 10_150, credited: 10_000, income: 150 });
    assert.deepEqual([receipt.payerFee, receipt.payeeFee], [150, 0]);
  });

  test('an agent pays on top; a processor receives the amount less the fee', async () => {
    const cashIn = await legsOf([], { type: 'agent_cashin', amount: 10_000, payer: 'agent', payee: 'recipient' });
    assert.deepEqual([cashIn.debited, cashIn.credited, cashIn.income], [10_050, 10_000, 50]);
    const pos = await legsOf([], { type: 'pos_payment', amount: 10_000, payer: 'sender', payee: 'processor' });
    assert.deepEqual([pos.debited, pos.credited, pos.income], [10_000, 9_900, 100]);
  });

  test('a flat fee of the payee is capped at the amount', async () => {
    const flat: FeeSetting = {
      transactionType: 'pos_payment',
      party: 'processor',
      feeType: 'flat',
      value: 500,
      debitEnabled: true,
      creditEnabled: false,
    };
    const pos = await legsOf([flat], { type: 'pos_payment', amount: 300, payer: 'sender', payee: 'processor' });
    assert.deepEqual([pos.debited, pos.credited, pos.income, pos.movement.fee], [300, 0, 300, 300]);
  });

  test('a commission is paid from fee income, which may become negative', async () => {
    const earns: FeeSetting = {
      transactionType: 'agent_cashin',
      party: 'agent',
      feeType: 'percentage',
      value: 20_000,
      debitEnabled: false,
      creditEnabled: true,
    };
    const cashIn = await legsOf([earns], { type: 'agent_cashin', amount: 10_000, payer: 'agent', payee: 'recipient' });
    assert.deepEqual([cashIn.debited, cashIn.credited, cashIn.income], [9_800, 10_000, -200]);
  });

  test('the debit equals the credit plus fee income for any settings, and no credit is negative', async () => {
    const payments = fc.record({
      type: fc.constantFrom(...PRICED_TYPES, 'partner_settlement'),
      // A quarter of the range, so that amount plus fee is a safe integer.
      amount: amounts.map((amount) => Math.ceil(amount / 4)),
      payer: fc.constantFrom(...PARTIES),
      payee: fc.constantFrom(...PARTIES),
    });
    const property = fc.asyncProperty(settingsOfOperator, payments, async (settings, payment) => {
      const { movement, receipt, debited, credited, income } = await legsOf(settings, payment);
      assert.equal(debited, credited + income);
      assert.equal(
        movement.legs.reduce((sum, leg) => sum + BigInt(leg.amount), 0n),
        0n,
      );
      assert.ok(movement.legs.every(({ amount }) => Number.isSafeInteger(amount)));
      assert.ok(credited >= 0, `the recipient gets ${credited}`);
      assert.equal(movement.fee, receipt.payerFee + receipt.payeeFee);
      assert.ok(receipt.payeeFee <= payment.amount);
      assert.equal(movement.amount, payment.amount);
      const expected = DAILY_TYPES.includes(payment.type) ? payment.amount : undefined;
      assert.equal(movement.legs[0]?.dailyUse, expected, 'fees do not count against the daily limit');
    });
    await fc.assert(property, { numRuns: 1_000 });
  });
});

test('commissions round down for any amount and rate', () => {
  assert.deepEqual([shareOf(100, 5_000), shareOf(199, 5_000), shareOf(200, 5_000)], [0, 0, 1]);
  assert.deepEqual([shareOf(1, 999_999), shareOf(12_345, 1_000_000)], [0, 12_345]);
  const property = fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (amount, rate) => {
    const rest = BigInt(amount) * BigInt(rate) - BigInt(shareOf(amount, rate)) * 1_000_000n;
    assert.ok(rest >= 0n && rest < 1_000_000n);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('any series of refunds takes back the share of their sum, and a full refund all that was earned', () => {
  const slices = fc.array(fc.integer({ min: 1, max: MAX }), { minLength: 1, maxLength: 40 });
  const property = fc.property(amounts, amounts, slices, (whole, commission, parts) => {
    const earned = Math.min(commission, whole);
    let [refunded, returned] = [0, 0];
    // The last slice refunds what is left.
    for (const slice of [...parts, MAX]) {
      const part = Math.min(slice % Math.max(1, Math.floor(whole / 20)) || slice, whole - refunded);
      const share = commissionOn({ before: refunded, part, whole }, earned);
      assert.ok(share >= 0);
      refunded += part;
      returned += share;
      assert.equal(returned, commissionOn({ before: 0, part: refunded, whole }, earned));
    }
    assert.ok(returned <= earned && (refunded < whole || returned === earned));
  });
  fc.assert(property, { numRuns: 1_000 });
});

const setting = (changes: Partial<FeeSetting>): FeeSetting => ({
  transactionType: 'transfer_p2p',
  party: 'sender',
  feeType: 'percentage',
  value: 2_500,
  debitEnabled: true,
  creditEnabled: false,
  ...changes,
});
const CREDIT = { debitEnabled: false, creditEnabled: true };

describe('paymentFees', () => {
  const ofPayer = (settings: FeeSetting[], type: MovementType, payer: Party, amount = 10_000) =>
    paymentFees(settings, { type, payer, payee: payer === 'sender' ? 'recipient' : 'sender', amount }).payer;

  test('the documented defaults apply without settings', () => {
    const charged = PRICED_TYPES.map((type) => PARTIES.map((party) => ofPayer([], type, party).charged));
    //                        sender, recipient, agent, processor
    assert.deepEqual(charged, [
      [150, 0, 0, 0],
      [0, 0, 50, 0],
      [0, 0, 0, 100],
      [0, 0, 0, 0],
      [100, 0, 0, 0],
    ]);
    assert.ok(DEFAULT_FEES.every(({ creditEnabled }) => !creditEnabled));
  });

  test('a setting replaces only the default of its own type and party', () => {
    const settings = [setting({})];
    assert.deepEqual(ofPayer(settings, 'transfer_p2p', 'sender'), { charged: 25, earned: 0 });
    assert.deepEqual(ofPayer(settings, 'transfer_p2p', 'recipient'), { charged: 0, earned: 0 });
    assert.deepEqual(ofPayer(settings, 'wallet_withdraw', 'sender'), { charged: 100, earned: 0 });
  });

  test('debit charges, credit pays, both do both, and neither disables the default', () => {
    for (const terms of [{}, { feeType: 'flat', value: 25 } as const]) {
      const fees = (debitEnabled: boolean, creditEnabled: boolean) =>
        ofPayer([setting({ debitEnabled, creditEnabled, ...terms })], 'transfer_p2p', 'sender');
      assert.deepEqual(fees(true, false), { charged: 25, earned: 0 });
      assert.deepEqual(fees(false, true), { charged: 0, earned: terms.feeType === 'flat' ? 0 : 25 });
      assert.deepEqual(fees(true, true), { charged: 25, earned: 25 });
      assert.deepEqual(fees(false, false), { charged: 0, earned: 0 });
    }
  });

  test('an unpriced type has no fee', () => {
    assert.deepEqual(ofPayer([setting({})], 'partner_settlement', 'sender'), { charged: 0, earned: 0 });
  });
});

describe('a flat commission', () => {
  const flat = (changes: Partial<FeeSetting>) => setting({ feeType: 'flat', value: 50, ...CREDIT, ...changes });
  const earned = (settings: FeeSetting[], type: MovementType, [payer, payee]: [Party, Party], amount: number) => {
    const fees = paymentFees(settings, { type, payer, payee, amount });
    return [fees.payer.earned, fees.payee.earned];
  };

  test('is capped at the fees of the same payment', () => {
    const settings = [flat({ transactionType: 'pos_payment' })];
    // The processor is charged 1 %.
    const cashback = (amount: number) => earned(settings, 'pos_payment', ['sender', 'processor'], amount);
    assert.deepEqual([10_000, 5_000, 4_000, 50, 49].map(cashback), [
      [50, 0],
      [50, 0],
      [40, 0],
      [1, 0],
      [0, 0],
    ]);
    const free = setting({ transactionType: 'pos_payment', party: 'processor', debitEnabled: false });
    assert.deepEqual(earned([...settings, free], 'pos_payment', ['sender', 'processor'], 10_000), [0, 0]);
  });

  test('is paid after percentages, and the payer’s before the payee’s', () => {
    const type = 'transfer_p2p';
    const settings = [setting({ value: 5_000, debitEnabled: true, creditEnabled: true }), flat({ party: 'recipient' })];
    assert.deepEqual(earned(settings, type, ['sender', 'recipient'], 10_000), [50, 0], 'the percentage takes it all');
    const both = [flat({ debitEnabled: true }), flat({ party: 'recipient' })];
    assert.deepEqual(earned(both, type, ['sender', 'recipient'], 10_000), [50, 0]);
    const charged = [flat({ debitEnabled: true, value: 20 }), flat({ party: 'recipient', debitEnabled: true })];
    assert.deepEqual(earned(charged, type, ['sender', 'recipient'], 10_000), [20, 50]);
  });

  test('of a deposit may also use the net percentage fees of a withdrawal', () => {
    const commission = flat({ transactionType: 'agent_cashin', party: 'agent' });
    const cashIn = (amount: number, ...others: FeeSetting[]) =>
      earned([commission, ...others], 'agent_cashin', ['agent', 'recipient'], amount)[0];
    assert.deepEqual(
      [10_000, 5_000, 4_999, 100, 99, 50].map((amount) => cashIn(amount)),
      [50, 50, 49, 1, 0, 0],
    );
    const out = (changes: Partial<FeeSetting>) => setting({ transactionType: 'wallet_withdraw', ...changes });
    // A withdrawal charges 1 % and pays the agent 0.6 %. A flat commission may use all of it, and a flat fee may cover many
    // deposits, so both leave nothing for a deposit.
    assert.equal(cashIn(10_000, out({ party: 'agent', value: 6_000, ...CREDIT })), 40);
    assert.equal(cashIn(10_000, out({ party: 'agent', feeType: 'flat', value: 1, ...CREDIT })), 0);
    assert.equal(cashIn(10_000, out({ feeType: 'flat', value: 500 })), 0);
    assert.equal(cashIn(10_000, out({ party: 'agent', value: 20_000, ...CREDIT })), 0);
  });
});

describe('paysOutMore', () => {
  test('compares the percentages that are paid and charged, and counts withdrawal fees for deposits', () => {
    const costly = (...settings: FeeSetting[]) => PRICED_TYPES.filter((type) => paysOutMore(settings, type));
    assert.deepEqual(costly(), []);
    assert.deepEqual(costly(setting({ party: 'recipient', value: 15_000, ...CREDIT })), []);
    assert.deepEqual(costly(setting({ party: 'recipient', value: 15_001, ...CREDIT })), ['transfer_p2p']);
    assert.deepEqual(costly(setting({ party: 'agent', value: 15_001, ...CREDIT })), [], 'no agent takes part');
    const cashIn = setting({ transactionType: 'agent_cashin', party: 'agent', value: 10_000, ...CREDIT });
    assert.deepEqual(costly(cashIn), []);
    const out = setting({ transactionType: 'wallet_withdraw', value: 9_999 });
    assert.deepEqual(costly(cashIn, out), ['agent_cashin']);
    const toAgent = setting({
      transactionType: 'wallet_withdraw',
      party: 'agent',
      feeType: 'flat',
      value: 1,
      ...CREDIT,
    });
    assert.deepEqual(costly(cashIn, toAgent), ['agent_cashin']);
  });

  const incomeOf = async (settings: FeeSetting[], type: MovementType, payer: Party, payee: Party, amount: number) =>
    (await legsOf(settings, { type, amount, payer, payee })).income;
  const smallAmounts = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000_000 }));

  test('settings for which it is false cost the operator nothing, in one payment or in a deposit and withdrawal', async () => {
    const covered = settingsOfOperator.filter((settings) => PRICED_TYPES.every((type) => !paysOutMore(settings, type)));
    const property = fc.asyncProperty(covered, smallAmounts, async (settings, amount) => {
      const income = (type: MovementType, payer: Party, payee: Party) => incomeOf(settings, type, payer, payee, amount);
      assert.ok((await income('transfer_p2p', 'sender', 'recipient')) >= 0);
      assert.ok((await income('pos_payment', 'sender', 'processor')) >= 0);
      const out = await income('wallet_withdraw', 'sender', 'agent');
      assert.ok(out >= 0);
      assert.ok((await income('agent_cashin', 'agent', 'recipient')) + out >= 0);
      assert.ok((await income('vult_fund', 'sender', 'recipient')) + out >= 0);
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  test('flat commissions never cost the operator money, even if many deposits are withdrawn at once', async () => {
    const flatOnly = settingsOfOperator.map((all) =>
      all.map((one) => (one.creditEnabled ? { ...one, feeType: 'flat' as const, value: one.value } : one)),
    );
    const property = fc.asyncProperty(
      flatOnly,
      smallAmounts,
      fc.integer({ min: 1, max: 1_000 }),
      async (settings, amount, times) => {
        const into = await incomeOf(settings, 'agent_cashin', 'agent', 'recipient', amount);
        const out = await incomeOf(settings, 'wallet_withdraw', 'sender', 'agent', amount * times);
        assert.ok(into * times + out >= 0, `${times} × ${into} + ${out}`);
        assert.ok((await incomeOf(settings, 'pos_payment', 'sender', 'processor', amount)) >= 0);
      },
    );
    await fc.assert(property, { numRuns: 1_000 });
  });
});
