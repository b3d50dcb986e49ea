// A seeded random walk through the ledger's `decide` and the pricing of movements, judged by an independent model.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Refusal, refuse } from '../../src/kernel/refusal.ts';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import { type MovementType, PARTIES, type Party, PRICED_TYPES } from '../../src/ledger/movement-types.ts';
import { decide } from '../../src/ledger/posting/decide.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import type { Account, Leg, Movement } from '../../src/ledger/types.ts';
import { KINDS, type VelocityRule } from '../../src/ledger/velocity/rules.ts';
import { checksByType } from '../../src/payments/compliance-rules.ts';
import type { FeeSetting } from '../../src/payments/fees.ts';
import { idempotencyKey, type PaymentPlan } from '../../src/payments/payment.ts';
import { createPayments, type Payments } from '../../src/payments/payments.ts';
import {
  type Demand,
  feeFor,
  Model,
  type ModelAccount,
  type ModelFee,
  type ModelRule,
  type Part,
  used,
  type Verdict,
} from './model.ts';
import { verdictOf, World } from './world.ts';

export interface SimulationOptions {
  seed: number;
  movements: number;
  /** Another one than production's, to see that the simulator notices. */
  decide?: typeof decide;
}

export type Tally = Record<string, number>;

/** Runs it; when something does not hold, throws with the seed and the shortest prefix that fails. */
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
  const walk = new Walk(options.seed, options.decide ?? decide);
  try {
    return await walk.run(movements);
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\nafter\n  ${walk.trail.join('\n  ')}`;
  }
}

/** mulberry32: small, and the same everywhere. */
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
const PROCESSORS = named('proc', 2);
const BANKS = named('ptn', 2);
const FEES = 'sys_fees_00';
/** Unbounded, for amounts near the largest there are. */
const WHALES = named('whale', 3);
const NOBODY = 'sub_nobody';
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
  { type: 'processor_transfer', from: WALLETS, payer: 'sender', to: WALLETS, payee: 'recipient', daily: true },
  { type: 'agent_cashin', from: AGENTS, payer: 'agent', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'pos_payment', from: WALLETS, payer: 'sender', to: PROCESSORS, payee: 'processor', daily: true },
  { type: 'vult_fund', from: BANKS, payer: 'sender', to: WALLETS, payee: 'recipient', daily: false },
  { type: 'agent_fund', from: BANKS, payer: 'sender', to: AGENTS, payee: 'agent', daily: false },
  { type: 'wallet_withdraw', from: WALLETS, payer: 'sender', to: AGENTS, payee: 'agent', daily: true },
];

const FUNDING = ROUTES.filter(({ from }) => from === BANKS);

/** What a client wants, to be sent once or, when it got no answer, again. */
interface Wish {
  type: MovementType;
  from: string;
  to: string;
  amount: number;
  route: Route | null;
  /** The legs, where there is no route that prices them. */
  legs: Leg[];
  /** The cards by which they pay and are paid. */
  cards: [string | undefined, string | undefined];
  /** A total that it is counted against, and what all may take of it together. */
  total: { name: string; most: number } | null;
  /** A refusal is kept, and given again. */
  keepsRefusal: boolean;
  request: { scope: string; id: string } | null;
  fees: readonly ModelFee[];
  rules: readonly ModelRule[];
}

class Walk {
  readonly trail: string[] = [];
  private readonly random: () => number;
  private readonly model = new Model();
  private readonly world: World;
  private readonly payments: Payments;
  private settings: readonly FeeSetting[] = [];
  private fees: readonly ModelFee[] = [];
  private watches = checksByType([]);
  private rules: readonly ModelRule[] = [];
  private readonly sent: Wish[] = [];
  private readonly unanswered: Wish[] = [];
  private readonly recent: Wish[] = [];
  private requests = 0;
  /** How many have not been answered yet, and the first answer that was not what the model expected. */
  private waiting = 0;
  private mismatch: string | null = null;

  constructor(seed: number, decider: typeof decide) {
    this.random = randomNumbers(seed);
    this.world = new World(this.model, decider, (movement) => this.demandOf(movement));
    this.payments = createPayments({
      ledger: this.world,
      clock: { now: () => this.world.now },
      answered: async () => null,
      rules: async (type) => this.watches.byType.get(type) ?? this.watches.unnamed,
      feeSettings: async () => this.settings,
      stripe: 0,
    });
    for (const id of WALLETS) this.open(id, 'wallet', { floor: 0, ceiling: 50_000, dailyLimit: 20_000 });
    for (const id of AGENTS) this.open(id, 'agent_float', { floor: 0, ceiling: null, dailyLimit: null });
    for (const id of PROCESSORS) this.open(id, 'processor', { floor: 0, ceiling: null, dailyLimit: null });
    for (const id of BANKS) this.open(id, 'partner_clearing', { floor: null, ceiling: null, dailyLimit: null });
    for (const id of WHALES) this.open(id, 'treasury', { floor: null, ceiling: null, dailyLimit: null });
    this.open(FEES, 'fee_income', { floor: null, ceiling: null, dailyLimit: null });
  }

  private open(id: string, kind: AccountKind, terms: Record<'floor' | 'ceiling' | 'dailyLimit', number | null>): void {
    const rest = {
      balance: 0,
      dailyUsed: 0,
      dailyOn: 0,
      frozen: false,
      disabledTypes: [],
      blockedCards: [],
      lastSeq: 0,
      recent: '',
    };
    this.world.accounts.set(id, { id, kind, ...terms, ...rest });
    const [floor, ceiling, dailyLimit] = [big(terms.floor), big(terms.ceiling), big(terms.dailyLimit)];
    this.model.open(id, { floor, ceiling, dailyLimit });
  }

  async run(movements: number): Promise<Tally> {
    while (this.sent.length < movements) {
      await this.step();
      if (this.chance(0.1)) await this.settle(1 + this.below(this.world.queue.length + 4));
    }
    while (this.world.queue.length > 0) await this.settle(256);
    assert.equal(this.waiting, 0, 'everybody is answered');
    return this.world.tally;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  private say(line: string): void {
    this.trail.push(line);
    if (this.trail.length > 12) this.trail.shift();
  }

  private async step(): Promise<void> {
    const choice = this.below(100);
    if (choice < 62) return this.send(this.newWish());
    if (choice < 70 && this.recent.length > 0) return this.send(this.one(this.recent));
    if (choice < 74 && this.recent.length > 0) return this.send(this.otherWish(this.one(this.recent)));
    if (choice < 82 && this.unanswered.length > 0) {
      return this.send(this.unanswered.splice(this.below(this.unanswered.length), 1)[0] as Wish);
    }
    if (choice < 86) return this.send(this.undoing());
    if (choice < 88) return this.send(this.huge());
    if (choice < 94) return this.changeTerms();
    if (choice < 95) return this.chance(0.5) ? this.changeFees() : this.changeRules();
    this.moveClock();
  }

  private newWish(): Wish {
    // What was spent comes back from the banks, or soon nobody could pay.
    const route = this.chance(0.3) ? this.one(FUNDING) : this.one(ROUTES);
    const from = this.chance(0.005) ? NOBODY : this.one(route.from);
    let to = this.chance(0.005) ? NOBODY : this.one(route.to);
    while (to === from) to = this.one(route.to);
    const amount = this.chance(0.08) ? this.edge(from, to) : 1 + this.below(this.chance(0.1) ? 40_000 : 1_000);
    const total = this.chance(0.2) ? { name: `total_${this.below(40)}`, most: 9_000 } : null;
    const request = this.newRequest();
    const card = () => (this.chance(0.3) ? this.one(CARDS) : undefined);
    const cards: Wish['cards'] = [card(), card()];
    const keepsRefusal = request !== null && this.chance(0.2);
    return {
      type: route.type,
      from,
      to,
      amount,
      route,
      legs: [],
      cards,
      total,
      keepsRefusal,
      request,
      fees: this.fees,
      rules: this.rules,
    };
  }

  /** Just what there is, or what there is room for, or one more. */
  private edge(from: string, to: string): number {
    const [payer, payee] = [this.model.accounts.get(from), this.model.accounts.get(to)];
    const room = this.one([
      payer && payer.balance - (payer.floor ?? 0n),
      payer && (payer.dailyLimit ?? 0n) - used(payer, this.world.day),
      payee && (payee.ceiling ?? 0n) - payee.balance,
    ]);
    return Math.max(1, Number(room ?? 0n) + this.below(2));
  }

  private newRequest(): Wish['request'] {
    if (this.chance(0.1)) return null;
    this.requests += 1;
    // Two credentials that number their requests alike.
    return { scope: this.one(['key_1', 'key_2']), id: `r${this.requests >> 1}` };
  }

  /** The same request id for something else. */
  private otherWish(wish: Wish): Wish {
    return { ...this.newWish(), request: wish.request };
  }

  /** A reversal: whatever the accounts have become, it goes through. */
  private undoing(): Wish {
    const [from, to] = [this.one(WALLETS), this.one([...AGENTS, ...BANKS])];
    const amount = 1 + this.below(5_000);
    const passes = { passFrozen: true, passFloor: true, passCeiling: true };
    const [a, b] = this.chance(0.5) ? [from, to] : [to, from];
    return this.unpriced('inbound_reversal', amount, [
      { accountId: a, amount: -amount, ...passes },
      { accountId: b, amount, ...passes },
    ]);
  }

  private huge(): Wish {
    const amount = Number.MAX_SAFE_INTEGER - this.below(3);
    const from = this.below(WHALES.length);
    const to = (from + 1 + this.below(WHALES.length - 1)) % WHALES.length;
    return this.unpriced('partner_settlement', amount, [
      { accountId: WHALES[from] as string, amount: -amount },
      { accountId: WHALES[to] as string, amount },
    ]);
  }

  private unpriced(type: MovementType, amount: number, legs: [Leg, Leg]): Wish {
    const [from, to] = [legs[0].accountId, legs[1].accountId];
    const plain = { route: null, cards: NO_CARDS, total: null, keepsRefusal: false, fees: [], rules: [] };
    return { type, from, to, amount, legs, request: this.newRequest(), ...plain };
  }

  /** Sends it, and waits only until it stands in the queue. */
  private async send(wish: Wish): Promise<void> {
    // What holds now is asked for now, also by a client that sends it again.
    const index = this.sent.push({ ...wish, fees: this.fees, rules: wish.route ? this.rules : [] }) - 1;
    const { type, from, to, amount, request } = wish;
    this.say(
      `${index} ${type} ${from} → ${to} ${amount} as ${request ? `${request.scope}/${request.id}` : 'no request'}`,
    );
    if (request) this.recent[this.recent.length < 500 ? this.recent.length : index % 500] = wish;
    const before = this.world.queue.length;
    const answer = wish.route
      ? this.pay(wish, wish.route, index)
      : this.world.post(orderOf(wish, index)).then(verdictOf);
    this.waiting += 1;
    answer.then(
      (verdict) => this.answered(index, verdict),
      () => this.lost(wish),
    );
    for (let turns = 0; this.world.queue.length === before; turns++) {
      assert.ok(turns < 100, `movement ${index} reaches the ledger`);
      await null;
    }
  }

  /** The client is told what the model expected when it was decided. */
  private answered(index: number, verdict: Verdict): void {
    this.waiting -= 1;
    const expected = this.world.verdicts.get(index);
    this.world.verdicts.delete(index);
    if (isDeepStrictEqual(verdict, expected)) return;
    this.mismatch ??= `${index} was answered ${JSON.stringify(verdict)} instead of ${JSON.stringify(expected)}`;
  }

  private lost(wish: Wish): void {
    this.waiting -= 1;
    if (wish.request) this.unanswered.push(wish);
  }

  private async pay(wish: Wish, route: Route, index: number): Promise<Verdict> {
    const { type, from, to, amount, cards, total, keepsRefusal, request } = wish;
    const plan: PaymentPlan = {
      type,
      payer: { accountId: from, party: route.payer, card: cards[0] },
      payee: { accountId: to, party: route.payee, card: cards[1] },
      amount,
      countsDaily: route.daily,
      key: request && idempotencyKey(type, request.scope, request.id, [from, to, amount]),
      details: { index },
      ...(total ? { allowances: [{ id: total.name, limit: total.most, refusal: overTotal }] } : {}),
      ...(keepsRefusal ? { onRefused: ({ code }) => ({ reply: { refused: REASONS[code] } }) } : {}),
      onPosted: ({ transactionId: id, payerFee, payeeFee, payerBalance, payeeBalance }) => ({
        reply: { id, fees: [payerFee, payeeFee], balances: [payerBalance, payeeBalance] },
      }),
    };
    const result = await this.payments.execute(plan, await this.payments.policy(type));
    if (result instanceof Refusal) return { is: REASONS[result.code] ?? result.code };
    if (result.refused) return { is: REASONS[result.refused.code] ?? '', reply: result.json };
    return { is: result.replayed ? 'repeated' : 'done', reply: result.json };
  }

  private demandOf(movement: Movement): Demand {
    const index = movement.details.index as number;
    const wish = this.sent[index] as Wish;
    const { type, from, to, amount, route, cards, total, keepsRefusal, request, fees, rules } = wish;
    const sum = BigInt(amount);
    const price = feeFor(fees, type, route ? [route.payer, route.payee] : ['', ''], sum);
    const { payerFee, payeeFee, payerEarns, payeeEarns } = price;
    const undoes = route === null && type === 'inbound_reversal';
    const counted = route?.daily ? sum : 0n;
    const parts: Part[] = [
      { account: from, change: payerEarns - sum - payerFee, counted, card: cards[0], undoes },
      { account: to, change: sum - payeeFee + payeeEarns, counted: 0n, card: cards[1], undoes },
      {
        account: FEES,
        change: payerFee + payeeFee - payerEarns - payeeEarns,
        counted: 0n,
        card: undefined,
        undoes: false,
      },
    ];
    return {
      type,
      totals: total ? [{ name: total.name, most: BigInt(total.most), takes: sum }] : [],
      keepsRefusal,
      amount: sum,
      rules: rules.filter(({ types }) => types.includes(type)),
      parts: parts.filter(({ account, change }) => account !== FEES || change !== 0n),
      request: request && { key: `${request.scope}/${request.id}`, details: `${type}/${from}/${to}/${amount}` },
      reply: ([payer, payee]) =>
        `{"id":"${movement.id}","fees":[${payerFee},${payeeFee}],"balances":[${payer},${payee}]}`,
    };
  }

  private async settle(size: number): Promise<void> {
    if (this.world.queue.length === 0) return;
    const luck = this.random();
    const fate = luck < 0.9 ? 'answered' : luck < 0.94 ? 'lost before commit' : 'lost after commit';
    this.say(`batch of up to ${size}, ${fate}, at ${new Date(this.world.now).toISOString()}`);
    const settled = this.waiting - Math.min(size, this.world.queue.length);
    this.world.settle(size, fate);
    for (let turns = 0; this.waiting > settled; turns++) {
      assert.ok(turns < 100, 'everybody in the batch is answered');
      await null;
    }
    assert.equal(this.mismatch, null);
  }

  private changeTerms(): void {
    const id = this.one(this.chance(0.9) ? WALLETS : [...AGENTS, ...PROCESSORS, ...BANKS]);
    const account = this.world.accounts.get(id);
    const model = this.model.accounts.get(id);
    assert.ok(account && model);
    const bound = this.chance(0.05) ? null : this.below(80_000);
    const types = this.chance(0.2) ? [this.one(ROUTES).type] : [];
    const barred = this.chance(0.5) ? [this.one(CARDS)] : [];
    const floor = this.chance(0.7) ? 0 : this.below(2_000) - 1_000;
    // More often opened than closed, so that most of the time most of them work.
    const frozen = this.chance(0.05);
    const [change, modelled] = this.one<[Partial<Account>, Partial<ModelAccount>]>([
      [{ frozen }, { frozen }],
      [{ disabledTypes: types }, { disabled: new Set(types) }],
      [{ blockedCards: barred }, { blockedCards: new Set(barred) }],
      [{ ceiling: bound }, { ceiling: big(bound) }],
      [{ dailyLimit: bound }, { dailyLimit: big(bound) }],
      [{ floor }, { floor: BigInt(floor) }],
    ]);
    this.say(`${id} ${JSON.stringify(change)}`);
    this.world.accounts.set(id, { ...account, ...change });
    Object.assign(model, modelled);
  }

  private changeFees(): void {
    const settings = Array.from({ length: this.below(16) }, (): FeeSetting => {
      const feeType = this.one(['percentage', 'flat'] as const);
      const value = feeType === 'flat' ? this.below(400) : this.below(200_000);
      const [debitEnabled, creditEnabled] = [this.chance(0.7), this.chance(0.4)];
      const [transactionType, party] = [this.one(PRICED_TYPES), this.one(PARTIES)];
      return { transactionType, party, feeType, value, debitEnabled, creditEnabled };
    });
    this.say(`fees ${JSON.stringify(settings)}`);
    this.settings = settings;
    this.fees = settings.map((each) => ({
      type: each.transactionType,
      party: each.party,
      percent: each.feeType === 'percentage',
      value: BigInt(each.value),
      charges: each.debitEnabled,
      pays: each.creditEnabled,
    }));
  }

  /** Rules that bite now and then, some of them never or always, sometimes none at all. */
  private changeRules(): void {
    const rules = Array.from({ length: this.chance(0.2) ? 0 : this.below(7) }, (_, n): VelocityRule => {
      const kind = this.one(KINDS);
      const windowMs = kind === 'amount' ? 0 : this.one([1, 60_000, 3_600_000, 86_400_000, 604_800_000]);
      const most = {
        amount: 40_000,
        velocity_count: this.one([6, 40, 200]),
        velocity_amount: this.one([20_000, 400_000]),
      };
      const types = ROUTES.map(({ type }) => type).filter(() => this.chance(0.4));
      const outcome = this.chance(0.75) ? 'flag' : 'block';
      const threshold = 1 + this.below(most[kind]);
      const named = { id: `rule_${n}`, version: 1, name: 'A rule', severity: 'HIGH' } as const;
      return { ...named, kind, types, threshold, windowMs, outcome };
    });
    this.say(`rules ${JSON.stringify(rules)}`);
    this.watches = checksByType(rules);
    this.rules = rules.map(({ threshold, outcome, id, kind, types, windowMs }) => {
      return { id, kind, types, windowMs, threshold: BigInt(threshold), blocks: outcome === 'block' };
    });
  }

  private moveClock(): void {
    const step = this.one([1, 1, 50, 1_000, 60_000, 3_600_000, 21_600_000, 86_400_000, -1, -500, -7_200_000]);
    this.world.now += step;
    this.say(`the clock moves by ${step} ms`);
  }
}

/** An order as it is, without a price. */
function orderOf({ type, from, to, amount, legs, request }: Wish, index: number): Order {
  const id = `raw_${index}`;
  const hash = Buffer.from(`${type}/${from}/${to}/${amount}`).toString('hex');
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
      details: { index },
    },
    onPosted: ({ postings: [a, b] }) => ({
      reply: `{"id":"${id}","fees":[0,0],"balances":[${a?.balanceAfter},${b?.balanceAfter}]}`,
      rows: [],
    }),
  };
}

const overTotal = () => refuse('REFUND_EXCEEDS_PAYMENT', 'The total does not allow it.');

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
};
