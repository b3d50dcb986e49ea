// Simulates random movements through the ledger's `decide` and pricing, and compares each outcome with an independent model.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { fixedTable, type TableReader } from '../../src/db/keyed-lookup.ts';
import { Refusal, refuse } from '../../src/kernel/refusal.ts';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import type { Hold } from '../../src/ledger/holds/lookup.ts';
import type { HoldOutcome } from '../../src/ledger/holds/tables.ts';
import { type MovementType, PARTIES, type Party, PRICED_TYPES } from '../../src/ledger/movement-types.ts';
import { decide } from '../../src/ledger/posting/decide.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import type { Account, Leg, Movement } from '../../src/ledger/types.ts';
import { KINDS, SIDES, type VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { type CommissionTerms, type CommissionTiers, commissionPercent } from '../../src/payments/commission.ts';
import { checksByType } from '../../src/payments/compliance-rules.ts';
import { createPayments, type Payments } from '../../src/payments/execute.ts';
import type { FeeSetting } from '../../src/payments/fees.ts';
import { allowancesOfHold, endingOrder, policyOfCapture } from '../../src/payments/holds.ts';
import { idempotencyKey, type PaymentPlan } from '../../src/payments/plan.ts';
import { recordOrder } from '../../src/payments/records.ts';
import { TEST_ACTOR } from '../support/ledger.ts';
import {
  feeFor,
  Model,
  type ModelAccount,
  type ModelFee,
  type ModelLeg,
  type ModelMovement,
  type ModelOutcome,
  type ModelPercents,
  type ModelReturn,
  type ModelRule,
  used,
} from './model.ts';
import { modelOutcomeOf, SimulatedLedger } from './simulated-ledger.ts';

export interface SimulationOptions {
  seed: number;
  movements: number;
  /** Replaces the production function, to show that the simulator detects defects. */
  decide?: typeof decide;
}

export type Tally = Record<string, number>;

/** Runs the simulation. On a mismatch it throws with the seed and the shortest failing prefix. */
export async function simulate(options: SimulationOptions): Promise<Tally> {
  const failure = await failureOf(options, options.movements);
  if (typeof failure === 'object') return failure;
  let [passes, fails] = [0, options.movements];
  while (fails - passes > 1) {
    const middle = Math.floor((passes + fails) / 2);
    if (typeof (await failureOf(options, middle)) === 'string') fails = middle;
    else passes = middle;
  }
  const shortest = await failureOf(options, fails);
  throw new Error(`seed ${options.seed}, movements ${fails} (the shortest prefix that fails):\n${shortest}`);
}

async function failureOf(options: SimulationOptions, movements: number): Promise<string | Tally> {
  const simulation = new Simulation(options.seed, options.decide ?? decide);
  try {
    return await simulation.run(movements);
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\nafter\n  ${simulation.trail.join('\n  ')}`;
  }
}

/** mulberry32: a small generator with the same sequence on every platform. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}_${n}`);
const WALLETS = named('sub', 24);
const AGENTS = named('agent', 3);
/** In the order of AGENTS. */
const COMMISSIONS = AGENTS.map((id) => `commission_${id}`);
const PROCESSORS = named('proc', 2);
const BANKS = named('ptn', 2);
const SUSPENSE = ['sys_suspense'];
const IN_TRANSIT = ['sys_payouts_in_transit'];
const TREASURY = ['sys_treasury_00'];
const FEES = 'sys_fees_00';
/** Accounts without bounds, for amounts near the largest safe integer. */
const UNBOUNDED = named('unbounded', 3);
const MISSING_ACCOUNT = 'sub_missing';
const CARDS = ['CARD_1', 'CARD_2'];
const NO_CARDS: [undefined, undefined] = [undefined, undefined];

interface Route {
  type: MovementType;
  from: readonly string[];
  payer: Party;
  to: readonly string[];
  payee: Party;
  daily: boolean;
}

const ROUTES: Route[] = [
  { type: 'transfer_p2p', from: WALLETS, payer: 'sender', to: WALLETS, payee: 'recipient', daily: true },
  { type: 'processor_transfer', from: WALLETS, payer: 'sender', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'agent_cashin', from: AGENTS, payer: 'agent', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'pos_payment', from: WALLETS, payer: 'sender', to: PROCESSORS, payee: 'processor', daily: true },
  { type: 'vult_fund', from: BANKS, payer: 'sender', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'agent_fund', from: BANKS, payer: 'sender', to: AGENTS, payee: 'agent', daily: false },
  { type: 'wallet_withdraw', from: WALLETS, payer: 'sender', to: AGENTS, payee: 'agent', daily: true },
  { type: 'commission_settlement', from: COMMISSIONS, payer: 'agent', to: AGENTS, payee: 'agent', daily: false },
  { type: 'partner_cashin', from: SUSPENSE, payer: 'sender', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'suspense_refund', from: WALLETS, payer: 'sender', to: SUSPENSE, payee: 'recipient', daily: false },
  { type: 'suspense_resolution', from: BANKS, payer: 'sender', to: SUSPENSE, payee: 'recipient', daily: false },
  { type: 'processor_payout', from: PROCESSORS, payer: 'processor', to: IN_TRANSIT, payee: 'recipient', daily: false },
  { type: 'payout_returned', from: IN_TRANSIT, payer: 'sender', to: PROCESSORS, payee: 'processor', daily: false },
  { type: 'payout_cleared', from: IN_TRANSIT, payer: 'sender', to: TREASURY, payee: 'recipient', daily: false },
  { type: 'payout_uncleared', from: TREASURY, payer: 'sender', to: IN_TRANSIT, payee: 'recipient', daily: false },
];

/** A refund by an agent, which gives its commission back. */
const REFUND: Route = {
  type: 'pos_refund',
  from: AGENTS,
  payer: 'agent',
  to: WALLETS,
  payee: 'recipient',
  daily: false,
};

const CARD_PAYMENT = ROUTES.find(({ type }) => type === 'pos_payment') as Route;
const FUNDING = ROUTES.filter(({ from, to }) => from === BANKS && to !== SUSPENSE);

/** A client's payment, sent again when it gets no reply. */
interface PaymentSpec {
  type: MovementType;
  from: string;
  to: string;
  amount: number;
  route: Route | null;
  /** The legs of an unpriced movement; empty when the route prices it. */
  legs: Leg[];
  /** The cards of the payer and the payee. */
  cards: [string | undefined, string | undefined];
  /** A shared total that it counts against, and its limit. */
  total: { name: string; limit: number } | null;
  /** A refusal is stored and replayed. */
  storesRefusal: boolean;
  request: { scope: string; id: string } | null;
  fees: readonly ModelFee[];
  rules: readonly ModelRule[];
  /** The terms of the sides that are agents, and the tiers, when it was sent. */
  commission: [CommissionTerms | null, CommissionTerms | null];
  tiers: CommissionTiers;
  /** Commission that the payer gives back. */
  returned: number;
  /** It reserves its amount until this instant. */
  heldUntil?: number;
  /** It captures this much of a hold; nothing: it releases it. */
  ends?: { hold: Hold; captured: number; outcome: HoldOutcome };
  /** It moves nothing, and uses its amount of its total before this instant. */
  recordedBefore?: number;
}

const NO_TERMS: PaymentSpec['commission'] = [null, null];
/** 100 %. */
const FULL = 1_000_000;
const AS_STANDARD: CommissionTerms = { tier: 'standard', percent: null, account: null };

class Simulation {
  readonly trail: string[] = [];
  private readonly random: () => number;
  private readonly model = new Model();
  private readonly ledger: SimulatedLedger;
  private readonly payments: Payments;
  private settings: readonly FeeSetting[] = [];
  private fees: readonly ModelFee[] = [];
  private tiers: CommissionTiers = { standard: FULL, premium: FULL, highest: FULL };
  private readonly terms = new Map<string, CommissionTerms>(
    AGENTS.slice(1).map((id) => [id, { ...AS_STANDARD, account: `commission_${id}` }]),
  );
  private checks = checksByType([]);
  private rules: readonly ModelRule[] = [];
  private readonly sent: PaymentSpec[] = [];
  private readonly unanswered: PaymentSpec[] = [];
  private readonly recent: PaymentSpec[] = [];
  private requests = 0;
  /** The number of unanswered payments, and the first answer that differs from the model. */
  private waiting = 0;
  private mismatch: string | null = null;

  constructor(seed: number, decider: typeof decide) {
    this.random = randomNumbers(seed);
    this.ledger = new SimulatedLedger(this.model, decider, (movement) => this.modelMovementOf(movement));
    this.payments = createPayments({
      ledger: this.ledger,
      clock: { now: () => this.ledger.now },
      answered: async () => null,
      rules: async (type) => this.checks.byType.get(type) ?? this.checks.unnamed,
      feeSettings: tableNow(() => this.settings),
      commissionTiers: tableNow(() => this.tiers),
      stripe: 0,
    });
    for (const id of WALLETS) this.open(id, 'wallet', { floor: 0, ceiling: 50_000, dailyLimit: 20_000 });
    for (const id of AGENTS) this.open(id, 'agent_float', { floor: 0, ceiling: null, dailyLimit: null });
    for (const id of COMMISSIONS) this.open(id, 'agent_commission', { floor: 0, ceiling: null, dailyLimit: null });
    for (const id of PROCESSORS) this.open(id, 'processor', { floor: 0, ceiling: null, dailyLimit: null });
    for (const id of BANKS) this.open(id, 'partner_clearing', { floor: null, ceiling: null, dailyLimit: null });
    for (const id of SUSPENSE) this.open(id, 'suspense', { floor: null, ceiling: null, dailyLimit: null });
    for (const id of IN_TRANSIT) this.open(id, 'payouts_in_transit', { floor: null, ceiling: null, dailyLimit: null });
    for (const id of TREASURY) this.open(id, 'treasury', { floor: null, ceiling: null, dailyLimit: null });
    for (const id of UNBOUNDED) this.open(id, 'treasury', { floor: null, ceiling: null, dailyLimit: null });
    this.open(FEES, 'fee_income', { floor: null, ceiling: null, dailyLimit: null });
  }

  private open(id: string, kind: AccountKind, bounds: Record<'floor' | 'ceiling' | 'dailyLimit', number | null>): void {
    const rest = {
      balance: 0,
      held: 0,
      dailyUsed: 0,
      dailyOn: 0,
      frozen: false,
      disabledTypes: [],
      blockedCards: [],
      lastSeq: 0,
      recent: '',
      received: '',
      reducedUntil: null,
      reducedFloor: null,
    };
    this.ledger.accounts.set(id, { id, kind, ...bounds, ...rest });
    const [floor, ceiling, dailyLimit] = [big(bounds.floor), big(bounds.ceiling), big(bounds.dailyLimit)];
    this.model.open(id, { floor, ceiling, dailyLimit });
  }

  async run(movements: number): Promise<Tally> {
    while (this.sent.length < movements) {
      await this.step();
      if (this.chance(0.1)) await this.settle(1 + this.below(this.ledger.queue.length + 4));
    }
    while (this.ledger.queue.length > 0) await this.settle(256);
    assert.equal(this.waiting, 0, 'every payment is answered');
    return this.ledger.tally;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private log(line: string): void {
    this.trail.push(line);
    if (this.trail.length > 12) this.trail.shift();
  }

  private async step(): Promise<void> {
    const choice = this.below(100);
    if (choice < 62) return this.send(this.newPayment());
    if (choice < 70 && this.recent.length > 0) return this.send(this.pick(this.recent));
    if (choice < 74 && this.recent.length > 0) return this.send(this.conflictingPayment(this.pick(this.recent)));
    if (choice < 82 && this.unanswered.length > 0) {
      return this.send(this.unanswered.splice(this.below(this.unanswered.length), 1)[0] as PaymentSpec);
    }
    if (choice < 84) return this.send(this.reversal());
    if (choice < 86) return this.send(this.agentRefund());
    if (choice < 87) return this.send(this.hugePayment());
    if (choice < 89 && this.ledger.holds.latest.length > 0) return this.send(this.endOfHold());
    if (choice < 90) return this.send(this.record());
    if (choice < 94) return this.changeAccount();
    if (choice < 95) return this.chance(0.5) ? this.changeFees() : this.changeRules();
    if (choice < 96 && this.chance(0.5)) return this.changeCommission();
    this.moveClock();
  }

  private newPayment(): PaymentSpec {
    // Banks return spent money to the wallets, so that payments do not stop for lack of funds.
    const route = this.chance(0.3) ? this.pick(FUNDING) : this.chance(0.1) ? CARD_PAYMENT : this.pick(ROUTES);
    const isHeld = route === CARD_PAYMENT && this.chance(0.7);
    // Few wallets have many holds, so that these decide rules.
    const from = this.chance(0.005) ? MISSING_ACCOUNT : this.pick(isHeld ? route.from.slice(0, 4) : route.from);
    let to = this.chance(0.005) ? MISSING_ACCOUNT : this.pick(route.to);
    while (to === from) to = this.pick(route.to);
    const amount = this.chance(0.08)
      ? this.boundaryAmount(from, to)
      : 1 + this.below(this.chance(0.1) ? 40_000 : 1_000);
    const total = this.chance(0.2) ? { name: `total_${this.below(40)}`, limit: 9_000 } : null;
    const request = this.newRequest();
    const card = () => (this.chance(0.3) ? this.pick(CARDS) : undefined);
    const cards: PaymentSpec['cards'] = [card(), card()];
    const storesRefusal = request !== null && this.chance(0.2);
    return {
      ...(isHeld ? { heldUntil: this.ledger.now + this.pick([1, 604_800_000, 2_592_000_000]) } : {}),
      type: route.type,
      from,
      to,
      amount,
      route,
      legs: [],
      cards,
      total,
      storesRefusal,
      request,
      fees: this.fees,
      rules: this.rules,
      ...this.commissionOf(from, to),
      returned: 0,
    };
  }

  /** As the payment finds them when it is sent. A settlement earns nothing. */
  private commissionOf(from: string, to: string): Pick<PaymentSpec, 'commission' | 'tiers'> {
    const of = (id: string) => this.terms.get(id) ?? (AGENTS.includes(id) ? AS_STANDARD : null);
    return { commission: [of(from), of(to)], tiers: this.tiers };
  }

  private agentRefund(): PaymentSpec {
    const [from, to] = [this.pick(AGENTS), this.pick(WALLETS)];
    const { heldUntil: _, ...payment } = this.newPayment();
    const plain = { ...payment, ...{ type: REFUND.type, from, to, route: REFUND, cards: NO_CARDS } };
    const account = `commission_${from}`;
    const returned = this.below(400);
    // The first allowance is the refundable amount.
    const total = { name: `total_${this.below(40)}`, limit: 9_000 };
    return { ...plain, total, returned, commission: [{ ...AS_STANDARD, account }, null] };
  }

  /** An amount exactly at a bound of either account, or one above it. */
  private boundaryAmount(from: string, to: string): number {
    const [payer, payee] = [this.model.accounts.get(from), this.model.accounts.get(to)];
    const room = this.pick([
      payer && payer.balance - (payer.floor ?? 0n),
      payer && (payer.dailyLimit ?? 0n) - used(payer, this.ledger.day),
      payee && (payee.ceiling ?? 0n) - payee.balance,
    ]);
    return Math.max(1, Number(room ?? 0n) + this.below(2));
  }

  private newRequest(): PaymentSpec['request'] {
    if (this.chance(0.1)) return null;
    this.requests += 1;
    // Two credentials that use the same request ids.
    return { scope: this.pick(['key_1', 'key_2']), id: `r${this.requests >> 1}` };
  }

  /** A different payment with the same request id. */
  private conflictingPayment(spec: PaymentSpec): PaymentSpec {
    return { ...this.newPayment(), request: spec.request };
  }

  /** A reversal, which passes whatever the state of the accounts. */
  private reversal(): PaymentSpec {
    const [from, to] = [this.pick(WALLETS), this.pick([...AGENTS, ...BANKS])];
    const amount = 1 + this.below(5_000);
    const passes = { ignoresFrozen: true, ignoresFloor: true, ignoresCeiling: true };
    const [a, b] = this.chance(0.5) ? [from, to] : [to, from];
    return this.unpriced('inbound_reversal', amount, [
      { accountId: a, amount: -amount, ...passes },
      { accountId: b, amount, ...passes },
    ]);
  }

  /** Of a recent hold, whether it has ended or not. */
  private endOfHold(): PaymentSpec {
    const hold = this.pick(this.ledger.holds.latest);
    const outcome = this.pick(['captured', 'captured', 'released', 'expired'] as const);
    const captured = outcome !== 'captured' ? 0 : this.chance(0.4) ? hold.amount : 1 + this.below(hold.amount);
    const legs: [Leg, Leg] = [
      { accountId: hold.account_id, amount: 0 },
      { accountId: hold.payee_id, amount: 0 },
    ];
    const plain = this.unpriced(hold.type, captured, legs);
    return { ...plain, route: captured > 0 ? CARD_PAYMENT : null, ends: { hold, captured, outcome } };
  }

  /** Of a total that payments may use too: a part of it, or all of it, as the end of a payment request does. */
  private record(): PaymentSpec {
    const total = { name: `total_${this.below(400)}`, limit: 9_000 };
    const amount = this.pick([1, 500, total.limit]);
    const plain = this.unpriced('pos_payment', amount, [
      { accountId: 'nobody', amount: 0 },
      { accountId: total.name, amount: 0 },
    ]);
    return { ...plain, legs: [], total, recordedBefore: this.ledger.now + this.pick([0, 1, 60_000]) };
  }

  private hugePayment(): PaymentSpec {
    const amount = Number.MAX_SAFE_INTEGER - this.below(3);
    const from = this.below(UNBOUNDED.length);
    const to = (from + 1 + this.below(UNBOUNDED.length - 1)) % UNBOUNDED.length;
    return this.unpriced('partner_settlement', amount, [
      { accountId: UNBOUNDED[from] as string, amount: -amount },
      { accountId: UNBOUNDED[to] as string, amount },
    ]);
  }

  private unpriced(type: MovementType, amount: number, legs: [Leg, Leg]): PaymentSpec {
    const [from, to] = [legs[0].accountId, legs[1].accountId];
    const plain = { route: null, cards: NO_CARDS, total: null, storesRefusal: false, fees: [], rules: [] };
    const unearned = { commission: NO_TERMS, tiers: this.tiers, returned: 0 };
    return { type, from, to, amount, legs, request: this.newRequest(), ...plain, ...unearned };
  }

  /** Sends the payment and waits until it is in the ledger's queue, not until it is answered. */
  private async send(spec: PaymentSpec): Promise<void> {
    // A payment that is sent again gets the fees and rules of the second attempt, with the terms that the client found.
    const rules = spec.route && !spec.ends ? this.rules : [];
    const current = { fees: spec.ends ? feesOf(spec.ends.hold) : this.fees, rules, tiers: this.tiers };
    const index = this.sent.push({ ...spec, ...current }) - 1;
    const { type, from, to, amount, request } = spec;
    this.log(
      `${index} ${type} ${from} → ${to} ${amount} as ${request ? `${request.scope}/${request.id}` : 'no request'}`,
    );
    if (request) this.recent[this.recent.length < 500 ? this.recent.length : index % 500] = spec;
    const before = this.ledger.queue.length;
    const outcome = spec.route
      ? this.pay(spec, spec.route, index)
      : this.ledger.post(this.orderOf(spec, index)).then(modelOutcomeOf);
    this.waiting += 1;
    outcome.then(
      (actual) => this.answered(index, actual),
      () => this.lost(spec),
    );
    for (let turns = 0; this.ledger.queue.length === before; turns++) {
      assert.ok(turns < 100, `movement ${index} reaches the ledger`);
      await null;
    }
  }

  /** Checks that the client gets the outcome that the model predicted at the time of the decision. */
  private answered(index: number, actual: ModelOutcome): void {
    this.waiting -= 1;
    const expected = this.ledger.expectedOutcomes.get(index);
    this.ledger.expectedOutcomes.delete(index);
    if (isDeepStrictEqual(actual, expected)) return;
    this.mismatch ??= `${index} was answered ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
  }

  private lost(spec: PaymentSpec): void {
    this.waiting -= 1;
    if (spec.request) this.unanswered.push(spec);
  }

  private orderOf(spec: PaymentSpec, index: number): Order {
    if (spec.recordedBefore !== undefined) return this.recordOf(spec, spec.recordedBefore, index);
    return spec.ends ? this.endingOf(spec, spec.ends, index) : orderOf(spec, index);
  }

  private endingOf({ type, request }: PaymentSpec, { hold, outcome }: Ends, index: number): Order {
    const key = request && idempotencyKey(type, request.scope, request.id, ['end', hold.id, outcome]);
    const record = () => ({ reply: { ended: hold.id } });
    const ending = { actor: TEST_ACTOR, request: key, outcome: outcome as 'released' | 'expired', record };
    const order = endingOrder(hold, ending, { now: () => this.ledger.now });
    order.movement.details = { index };
    return order;
  }

  private recordOf({ type, from, to, amount, total, request }: PaymentSpec, at: number, index: number): Order {
    const order = recordOrder(
      {
        ...{ type, actor: TEST_ACTOR, validUntil: { at, refusal: totalExceeded } },
        key: request && idempotencyKey(type, request.scope, request.id, [from, to, amount]),
        allowances: total ? [{ id: total.name, use: amount, limit: total.limit, refusal: totalExceeded }] : [],
        onRecorded: (_at, used) => ({ reply: { recorded: used } }),
      },
      { now: () => this.ledger.now },
    );
    order.movement.details = { index };
    return order;
  }

  private async pay(spec: PaymentSpec, route: Route, index: number): Promise<ModelOutcome> {
    const { type, from, to, amount, cards, total, storesRefusal, request, returned, heldUntil, ends } = spec;
    const [payerTerms, payeeTerms] = spec.commission;
    const plan: PaymentPlan = {
      type,
      payer: {
        ...{ accountId: from, party: route.payer, card: cards[0] },
        ...(payerTerms ? { commission: payerTerms } : {}),
        ...(ends ? { exempt: { frozen: true } } : {}),
      },
      payee: { accountId: to, party: route.payee, card: cards[1], ...(payeeTerms ? { commission: payeeTerms } : {}) },
      amount,
      actor: TEST_ACTOR,
      key:
        request &&
        idempotencyKey(type, request.scope, request.id, [from, to, amount, heldUntil ?? null, ends?.hold.id ?? null]),
      details: { index },
      ...(returned > 0 ? { commissionReturned: () => ({ payer: returned, payee: 0 }) } : {}),
      ...(total ? { allowances: [{ id: total.name, limit: total.limit, refusal: totalExceeded }] } : {}),
      ...(heldUntil === undefined ? {} : { hold: { purpose: 'card_payment', expiresAt: heldUntil } }),
      ...(ends ? captureOf(ends) : {}),
      ...(storesRefusal ? { onRefused: ({ code }) => ({ reply: { refused: REASONS[code] } }) } : {}),
      onPosted: ({ transactionId: id, payerFee, payeeFee, payerBalance, payeeBalance }) => ({
        reply: { id, fees: [payerFee, payeeFee], balances: [payerBalance, payeeBalance] },
      }),
    };
    const policy = await this.payments.policy(type);
    const result = await this.payments.execute(plan, ends ? policyOfCapture(ends.hold, policy) : policy);
    if (result instanceof Refusal) return { kind: REASONS[result.code] ?? result.code };
    if (result.refused) return { kind: REASONS[result.refused.code] ?? '', reply: result.json };
    return { kind: result.replayed ? 'replayed' : 'posted', reply: result.json };
  }

  private modelMovementOf(movement: Movement): ModelMovement {
    const index = movement.details.index as number;
    const spec = this.sent[index] as PaymentSpec;
    const { type, from, to, amount, route, cards, total, storesRefusal, request, fees, rules } = spec;
    const { commission, returned, heldUntil, ends } = spec;
    if (ends && ends.captured === 0) return this.modelEnding(spec, ends);
    if (spec.recordedBefore !== undefined) return this.modelRecord(spec, spec.recordedBefore);
    const sum = BigInt(amount);
    const parties: [string, string] = route ? [route.payer, route.payee] : ['', ''];
    const { payerFee: charged, payeeFee, payerEarns, payeeEarns } = feeFor(fees, type, parties, sum, percentsOf(spec));
    const taken = this.takenFrom({ commission: BigInt(returned), account: commission[0]?.account ?? '' });
    const payerFee = charged + BigInt(returned) - taken;
    const [payerAccrues, payeeAccrues] = [
      commission[0]?.account ? payerEarns : 0n,
      commission[1]?.account ? payeeEarns : 0n,
    ];
    const isReversal = route === null && type === 'inbound_reversal';
    const ofEnd = ends ? { ignoresFrozen: true } : {};
    const dailyUse = route?.daily && !ends ? sum : 0n;
    const further = (account: string, change: bigint): ModelLeg[] =>
      change === 0n ? [] : [{ account, change, dailyUse: 0n, card: undefined, isReversal: false }];
    const legs: ModelLeg[] = [
      {
        account: from,
        change: payerEarns - payerAccrues - sum - payerFee,
        dailyUse,
        card: cards[0],
        isReversal,
        ...ofEnd,
      },
      { account: to, change: sum - payeeFee + payeeEarns - payeeAccrues, dailyUse: 0n, card: cards[1], isReversal },
      ...further(FEES, payerFee + payeeFee + taken - payerEarns - payeeEarns),
      ...further(commission[0]?.account ?? '', payerAccrues - taken),
      ...further(commission[1]?.account ?? '', payeeAccrues),
    ];
    return {
      type,
      totals: total ? [{ name: total.name, limit: BigInt(total.limit), amount: sum }] : ends ? givenBackOf(ends) : [],
      storesRefusal,
      amount: sum,
      rules: rules.filter(({ types }) => types.includes(type)),
      legs,
      request: request && { key: `${request.scope}/${request.id}`, details: detailsOf(spec) },
      reply: ([payer, payee]) =>
        `{"id":"${movement.id}","fees":[${payerFee},${payeeFee}],"balances":[${payer},${payee}]}`,
      ...(heldUntil === undefined ? {} : { reserves: { id: movement.id } }),
      ...(ends ? { ends: { id: ends.hold.id, captured: sum }, until: ends.hold.expires_at.getTime() } : {}),
    };
  }

  private modelEnding(spec: PaymentSpec, ends: Ends): ModelMovement {
    const { type, from, request } = spec;
    const { hold, outcome } = ends;
    const none = { change: 0n, dailyUse: 0n, card: undefined, isReversal: false, ignoresFrozen: true };
    return {
      ...{ type, totals: givenBackOf(ends), storesRefusal: false, amount: 0n, rules: [] },
      legs: [{ account: from, ...none }],
      request: request && { key: `${request.scope}/${request.id}`, details: detailsOf(spec) },
      reply: () => JSON.stringify({ ended: hold.id }),
      ends: { id: hold.id, captured: 0n },
      ...(outcome === 'released' ? { until: hold.expires_at.getTime() } : {}),
    };
  }

  private modelRecord(spec: PaymentSpec, until: number): ModelMovement {
    const { type, amount, total, request } = spec;
    const totals = total ? [{ name: total.name, limit: BigInt(total.limit), amount: BigInt(amount) }] : [];
    return {
      ...{ type, totals, until, storesRefusal: false, amount: 0n, rules: [], legs: [] },
      request: request && { key: `${request.scope}/${request.id}`, details: detailsOf(spec) },
      reply: () => JSON.stringify({ recorded: totals.map(({ name }) => Number(this.model.totalUsed(name))) }),
    };
  }

  private takenFrom({ commission, account }: ModelReturn): bigint {
    const held = this.model.accounts.get(account)?.balance ?? 0n;
    return commission < held ? commission : held > 0n ? held : 0n;
  }

  private async settle(size: number): Promise<void> {
    if (this.ledger.queue.length === 0) return;
    const draw = this.random();
    const commitOutcome = draw < 0.9 ? 'answered' : draw < 0.94 ? 'lost before commit' : 'lost after commit';
    this.log(`batch of up to ${size}, ${commitOutcome}, at ${new Date(this.ledger.now).toISOString()}`);
    const settled = this.waiting - Math.min(size, this.ledger.queue.length);
    this.ledger.commitBatch(size, commitOutcome);
    for (let turns = 0; this.waiting > settled; turns++) {
      assert.ok(turns < 100, 'every payment of the batch is answered');
      await null;
    }
    assert.equal(this.mismatch, null);
  }

  private changeAccount(): void {
    const id = this.pick(this.chance(0.9) ? WALLETS : [...AGENTS, ...PROCESSORS, ...BANKS]);
    const account = this.ledger.accounts.get(id);
    const model = this.model.accounts.get(id);
    assert.ok(account && model);
    const bound = this.chance(0.05) ? null : this.below(80_000);
    const types = this.chance(0.2) ? [this.pick(ROUTES).type] : [];
    const blockedCards = this.chance(0.5) ? [this.pick(CARDS)] : [];
    const floor = this.chance(0.7) ? 0 : this.below(2_000) - 1_000;
    // Unfrozen more often than frozen, so that most accounts work most of the time.
    const frozen = this.chance(0.05);
    const [change, modelled] = this.pick<[Partial<Account>, Partial<ModelAccount>]>([
      [{ frozen }, { frozen }],
      [{ disabledTypes: types }, { disabled: new Set(types) }],
      [{ blockedCards }, { blockedCards: new Set(blockedCards) }],
      [{ ceiling: bound }, { ceiling: big(bound) }],
      [{ dailyLimit: bound }, { dailyLimit: big(bound) }],
      [{ floor }, { floor: BigInt(floor) }],
    ]);
    this.log(`${id} ${JSON.stringify(change)}`);
    this.ledger.accounts.set(id, { ...account, ...change });
    Object.assign(model, modelled);
  }

  private changeFees(): void {
    const settings = Array.from({ length: this.below(16) }, (): FeeSetting => {
      const feeType = this.pick(['percentage', 'flat'] as const);
      const value = feeType === 'flat' ? this.below(400) : this.below(200_000);
      const [debitEnabled, creditEnabled] = [this.chance(0.7), this.chance(0.4)];
      const [transactionType, party] = [this.pick(PRICED_TYPES), this.pick(PARTIES)];
      return { transactionType, party, feeType, value, debitEnabled, creditEnabled };
    });
    // Agents often earn. The first setting of a type and party counts.
    if (this.chance(0.7)) {
      const type = this.pick(['agent_cashin', 'wallet_withdraw'] as const);
      const earns = { party: 'agent', debitEnabled: false, creditEnabled: true } as const;
      settings.unshift({ transactionType: type, ...earns, feeType: 'percentage', value: this.below(100_000) });
    }
    this.log(`fees ${JSON.stringify(settings)}`);
    this.settings = settings;
    this.fees = settings.map(modelFee);
  }

  /** New percentages of the tiers, and new terms of one agent. */
  private changeCommission(): void {
    const percent = () => this.pick([0, 500_000, FULL, 1_200_000, this.below(5_000_001)]);
    const id = this.pick(AGENTS);
    const account = this.chance(0.6) ? `commission_${id}` : null;
    const tier = this.pick(['standard', 'premium', 'custom'] as const);
    this.terms.set(id, { tier, percent: tier === 'custom' && this.chance(0.8) ? percent() : null, account });
    const [standard, premium] = [percent(), percent()];
    const used = AGENTS.map((agent) => commissionPercent({ standard, premium }, this.terms.get(agent) ?? AS_STANDARD));
    this.tiers = { standard, premium, highest: Math.max(standard, ...used) };
    this.log(`commission ${JSON.stringify([this.tiers, [...this.terms]])}`);
  }

  /** Rules that trigger sometimes, never or always; sometimes no rules. */
  private changeRules(): void {
    const rules = Array.from({ length: this.chance(0.2) ? 0 : this.below(7) }, (_, n): VelocityRule => {
      const kind = this.pick(KINDS);
      const windowMs = kind === 'amount' ? 0 : this.pick([1, 60_000, 3_600_000, 86_400_000, 604_800_000]);
      const maxThreshold = {
        amount: 40_000,
        velocity_count: this.pick([6, 40, 200]),
        velocity_amount: this.pick([20_000, 400_000]),
      };
      const types = ROUTES.map(({ type }) => type).filter(() => this.chance(0.4));
      const outcome = this.chance(0.75) ? 'flag' : 'block';
      const threshold = 1 + this.below(maxThreshold[kind]);
      const named = { id: `rule_${n}`, version: 1, name: 'A rule', severity: 'HIGH' } as const;
      return { ...named, kind, side: this.pick(SIDES), types, threshold, windowMs, outcome };
    });
    this.log(`rules ${JSON.stringify(rules)}`);
    this.checks = checksByType(rules);
    this.rules = rules.map(({ threshold, outcome, id, kind, side, types, windowMs }) => {
      const effect = { blocks: outcome === 'block', ofPayee: side === 'payee' };
      return { id, kind, types, windowMs, threshold: BigInt(threshold), ...effect };
    });
  }

  private moveClock(): void {
    const step = this.pick([1, 1, 50, 1_000, 60_000, 3_600_000, 21_600_000, 86_400_000, -1, -500, -7_200_000]);
    this.ledger.now += step;
    this.log(`the clock moves by ${step} ms`);
  }
}

function percentsOf({ commission, tiers }: PaymentSpec): ModelPercents {
  const of = (terms: CommissionTerms | null) => {
    if (!terms) return FULL;
    if (terms.tier === 'custom') return terms.percent ?? tiers.standard;
    return terms.tier === 'premium' ? tiers.premium : tiers.standard;
  };
  const [payer, payee] = commission;
  return { sides: [BigInt(of(payer)), BigInt(of(payee))], highest: BigInt(tiers.highest) };
}

type Ends = NonNullable<PaymentSpec['ends']>;

/** The parts of a plan that make it a capture. */
function captureOf({ hold, captured }: Ends): Partial<PaymentPlan> {
  const allowances = allowancesOfHold(hold).map((id) => ({
    ...{ id, use: captured - hold.amount, limit: Number.MAX_SAFE_INTEGER, refusal: totalExceeded },
  }));
  const hasExpired = () => refuse('EXPIRED', 'It has expired.');
  return { captures: hold, validUntil: { at: hold.expires_at.getTime(), refusal: hasExpired }, allowances };
}

function givenBackOf({ hold, captured }: Ends): ModelMovement['totals'] {
  const [amount, limit] = [BigInt(captured - hold.amount), BigInt(Number.MAX_SAFE_INTEGER)];
  return allowancesOfHold(hold).map((name) => ({ name, limit, amount }));
}

/** The fees at which it was authorised, of its type. */
function feesOf({ prices }: Hold): ModelFee[] {
  return (prices as { fees: FeeSetting[] }).fees.map(modelFee);
}

function modelFee({ transactionType, party, feeType, value, debitEnabled, creditEnabled }: FeeSetting): ModelFee {
  const percent = feeType === 'percentage';
  return { type: transactionType, party, percent, value: BigInt(value), charges: debitEnabled, pays: creditEnabled };
}

/** What a repeated request must match. */
function detailsOf({ type, from, to, amount, heldUntil, ends }: PaymentSpec): string {
  return [type, from, to, amount, heldUntil, ends?.hold.id, ends?.outcome].join('/');
}

/** An order without pricing. */
function orderOf(spec: PaymentSpec, index: number): Order {
  const { type, from, to, amount, legs, request } = spec;
  const id = `raw_${index}`;
  const hash = Buffer.from(detailsOf(spec)).toString('hex');
  return {
    movement: {
      id,
      type,
      fromAccount: from,
      toAccount: to,
      amount,
      fee: 0,
      legs,
      request: request && { ...request, hash },
      reference: null,
      narration: null,
      metadata: null,
      relatedId: null,
      actor: TEST_ACTOR,
      details: { index },
    },
    onPosted: ({ postings: [a, b] }) => ({
      reply: `{"id":"${id}","fees":[0,0],"balances":[${a?.balanceAfter},${b?.balanceAfter}]}`,
      rows: [],
    }),
  };
}

const totalExceeded = () => refuse('REFUND_EXCEEDS_PAYMENT', 'The total does not allow it.');

const big = (value: number | null) => (value === null ? null : BigInt(value));

const REASONS: Record<string, string> = {
  REQUEST_CONFLICT: 'conflict',
  SUBSCRIBER_NOT_FOUND: 'account_missing',
  SUBSCRIBER_BLOCKED: 'account_frozen',
  TRANSACTION_TYPE_DISABLED: 'type_disabled',
  CARD_BLOCKED: 'card_blocked',
  COMPLIANCE_BLOCKED: 'compliance',
  DAILY_LIMIT_EXCEEDED: 'daily_limit',
  REFUND_EXCEEDS_PAYMENT: 'allowance',
  MAX_BALANCE_EXCEEDED: 'ceiling',
  INSUFFICIENT_BALANCE: 'floor',
  ALREADY_CAPTURED: 'hold_ended',
  EXPIRED: 'expired',
};

/** A table whose value is read when it is needed. */
function tableNow<Table>(read: () => Table): TableReader<Table> {
  return { ...fixedTable(read()), load: async () => read() };
}
