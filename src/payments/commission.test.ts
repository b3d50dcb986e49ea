// Commission by tier: exact shares, who is scaled, where it is credited, and refunds that take it back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../kernel/clock.ts';
import { refuse } from '../kernel/refusal.ts';
import { PRICED_TYPES } from '../ledger/movement-types.ts';
import { decide } from '../ledger/posting/decide.ts';
import type { Account, Movement } from '../ledger/types.ts';
import { type CommissionTerms, type CommissionTiers, commissionPercent } from './commission.ts';
import { commissionOn, type FeeSetting, FULL_PERCENT, paymentFees, paysOutMore, shareOf } from './fees.ts';
import { movementOf } from './movement.ts';
import type { PaymentPlan } from './plan.ts';

const FEES = 'sys_fees_00';
const amounts = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000_000 }));
const rates = fc.integer({ min: 0, max: FULL_PERCENT });
const percents = fc.integer({ min: 0, max: 5 * FULL_PERCENT });

const setting = (transactionType: FeeSetting['transactionType'], changes: Partial<FeeSetting>): FeeSetting => ({
  ...{ transactionType, party: 'agent', feeType: 'percentage', value: 0, debitEnabled: false, creditEnabled: true },
  ...changes,
});

test('a share is the exact fraction, rounded down once', () => {
  const property = fc.property(amounts, rates, percents, (amount, rate, percent) => {
    const exact = (BigInt(amount) * BigInt(rate) * BigInt(percent)) / 10n ** 12n;
    assert.equal(BigInt(shareOf(amount, rate, percent)), exact);
  });
  fc.assert(property, { numRuns: 2_000 });
  assert.equal(shareOf(999, 3_333, 1_200_000), 3, '3.9956… and not 3.6 of the rounded 3');
});

test('only agents are scaled', () => {
  const fees = [setting('agent_cashin', { party: 'recipient', value: 10_000 })];
  const scaled = { payer: 2 * FULL_PERCENT, payee: 2 * FULL_PERCENT, highest: 2 * FULL_PERCENT };
  const priced = { type: 'agent_cashin', payer: 'agent', payee: 'recipient', amount: 10_000 } as const;
  assert.equal(paymentFees(fees, { ...priced, percents: scaled }).payee.earned, 100);
  fees.push(setting('agent_cashin', { value: 10_000 }));
  assert.equal(paymentFees(fees, { ...priced, percents: scaled }).payer.earned, 200);
});

test('a custom agent without a percentage has that of standard', () => {
  const tiers = { standard: 1, premium: 2 };
  const of = (tier: CommissionTerms['tier'], percent: number | null) => commissionPercent(tiers, { tier, percent });
  assert.deepEqual([of('standard', 9), of('premium', 9), of('custom', 9), of('custom', null)], [1, 2, 9, 1]);
});

test('percentages that are covered with the highest one cost the operator nothing for any depositing and paying agent', () => {
  const settings = fc
    .record({ into: rates, out: rates, flat: fc.boolean(), charged: rates })
    .map((each) => [
      setting('agent_cashin', { value: each.into, ...(each.flat ? { feeType: 'flat' as const } : {}) }),
      setting('wallet_withdraw', { value: each.out }),
      setting('wallet_withdraw', { party: 'sender', value: each.charged, debitEnabled: true, creditEnabled: false }),
    ]);
  const property = fc.property(settings, amounts, percents, percents, percents, (fees, amount, highest, one, other) => {
    fc.pre(PRICED_TYPES.every((type) => !paysOutMore(fees, type, highest)));
    const [payer, payee] = [Math.min(one, highest), Math.min(other, highest)];
    const into = paymentFees(fees, {
      ...{ type: 'agent_cashin', payer: 'agent', payee: 'recipient', amount },
      percents: { payer, payee: FULL_PERCENT, highest },
    });
    const out = paymentFees(fees, {
      ...{ type: 'wallet_withdraw', payer: 'sender', payee: 'agent', amount },
      percents: { payer: FULL_PERCENT, payee, highest },
    });
    const income = [into, out].flatMap((each) => [each.payer, each.payee]);
    assert.ok(income.reduce((sum, { charged, earned }) => sum + charged - earned, 0) >= 0);
  });
  fc.assert(property, { numRuns: 2_000 });
});

describe('the legs of a payment', () => {
  const TIERS: CommissionTiers = { standard: FULL_PERCENT, premium: 1_200_000, highest: 1_200_000 };
  const terms = (account: string | null): CommissionTerms => ({ tier: 'premium', percent: null, account });
  const plan = (changes: Partial<PaymentPlan> = {}): PaymentPlan => ({
    type: 'agent_cashin',
    actor: { type: 'system', id: 'test' },
    payer: { accountId: 'agent', party: 'agent', commission: terms('held') },
    payee: { accountId: 'wallet', party: 'recipient' },
    amount: 10_000,
    key: null,
    onPosted: () => ({ reply: {} }),
    ...changes,
  });
  const fees = [setting('agent_cashin', { value: 10_000 })];
  const legsOf = ({ legs }: Pick<Movement, 'legs'>) =>
    Object.fromEntries(legs.map((leg) => [leg.accountId, leg.amount]));
  const make = (planned: PaymentPlan, of = fees) => movementOf(planned, { fees: of, tiers: TIERS }, FEES, systemClock);

  test('credit the commission account instead of the float, and the details say so', () => {
    const movement = make(plan());
    assert.deepEqual(legsOf(movement), { agent: -10_000, wallet: 10_000, [FEES]: -120, held: 120 });
    assert.deepEqual(movement.details, { earned: { payer: 120, payee: 0 }, accrued: { payer: 120, payee: 0 } });
    const instant = make(plan({ payer: { accountId: 'agent', party: 'agent', commission: terms(null) } }));
    assert.deepEqual(legsOf(instant), { agent: -9_880, wallet: 10_000, [FEES]: -120 });
    assert.deepEqual(instant.details, { earned: { payer: 120, payee: 0 } });
    assert.equal(make(plan({ amount: 1 })).legs.length, 2, 'no leg without a commission');
  });

  /** A refund of the deposit, decided on accounts with these balances. */
  function refund(held: number, float: number, parts: number[]) {
    const account = (id: string, kind: Account['kind'], balance: number): Account => ({
      ...{
        id,
        kind,
        balance,
        held: 0,
        floor: kind === 'fee_income' ? null : 0,
        ceiling: null,
        dailyLimit: null,
        dailyUsed: 0,
      },
      ...{ dailyOn: 0, frozen: false, disabledTypes: [], blockedCards: [], lastSeq: 0, recent: '', received: '' },
      ...{ reducedUntil: null, reducedFloor: null },
    });
    const accounts = new Map(
      [
        account('wallet', 'wallet', 10_000),
        account('agent', 'agent_float', float),
        account('held', 'agent_commission', held),
        account(FEES, 'fee_income', 0),
      ].map((each) => [each.id, each]),
    );
    const limit = { id: 'refund:x', limit: 10_000, refusal: () => refuse('REFUND_EXCEEDS_PAYMENT', 'x') };
    const movements = parts.map((amount) =>
      make(
        plan({
          type: 'pos_refund',
          payer: { accountId: 'wallet', party: 'sender' },
          payee: { accountId: 'agent', party: 'agent', commission: terms('held') },
          amount,
          allowances: [limit],
          commissionReturned: (before) => ({
            payer: 0,
            payee: commissionOn({ before, part: amount, whole: 10_000 }, 120),
          }),
        }),
      ),
    );
    const decision = decide({ accounts, known: new Map(), allowances: new Map(), now: 1_000 }, movements);
    const balances = new Map([...accounts].map(([id, { balance }]) => [id, balance]));
    for (const { id, balance } of decision.changed) balances.set(id, balance);
    return { decision, balances: Object.fromEntries(balances) };
  }

  test('of a refund take the commission from the commission account first, and the rest from the float', () => {
    assert.deepEqual(refund(500, 0, [10_000]).balances, { wallet: 0, agent: 10_000, held: 380, [FEES]: 120 });
    const { balances, decision } = refund(50, 0, [10_000]);
    assert.deepEqual(balances, { wallet: 0, agent: 9_930, held: 0, [FEES]: 120 });
    const [movement] = decision.movements;
    assert.deepEqual([movement?.fee, movement?.details.accrued], [120, { payer: 0, payee: -50 }]);
    const settled = refund(0, 0, [10_000]);
    assert.deepEqual(settled.balances, { wallet: 0, agent: 9_880, held: 0, [FEES]: 120 });
    assert.equal(settled.decision.movements[0]?.details.accrued, undefined);
  });

  test('of any series of refunds take back what one refund of their sum would, and sum to zero', () => {
    const slices = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 12 });
    const property = fc.property(slices, fc.integer({ min: 0, max: 200 }), (parts, held) => {
      const { balances, decision } = refund(held, 0, parts);
      const refunded = decision.used.get('refund:x') ?? 0;
      assert.equal(balances[FEES], Math.floor((120 * refunded) / 10_000));
      assert.equal(balances.held, Math.max(0, held - (balances[FEES] ?? 0)), 'the commission account is used first');
      assert.equal(
        Object.values(balances).reduce((sum, balance) => sum + balance, 0),
        10_000 + held,
      );
    });
    fc.assert(property, { numRuns: 500 });
  });
});
