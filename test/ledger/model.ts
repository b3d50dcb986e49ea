// A tiny model of the wallet's rules, written from the contract and sharing no code with the ledger: the simulator's judge.
export interface ModelAccount {
  balance: bigint;
  floor: bigint | null;
  ceiling: bigint | null;
  dailyLimit: bigint | null;
  frozen: boolean;
  disabled: Set<string>;
  /** Cards that are blocked. */
  blockedCards: Set<string>;
  /** What left it on its latest day; a clock that goes back does not bring an earlier day again. */
  latestDay: number;
  usedOnLatestDay: bigint;
}

/** What one account gives (below zero) or gets. */
export interface Part {
  account: string;
  change: bigint;
  counted: bigint;
  /** The card it takes part by. */
  card: string | undefined;
  /** An undoing part: neither bounds nor freezing stop it. */
  undoes: boolean;
}

export interface Demand {
  type: string;
  parts: Part[];
  request: { key: string; details: string } | null;
  /** Totals it is counted against: of each, this much may be taken by all together. */
  totals: { name: string; most: bigint; takes: bigint }[];
  /** A refusal is given again to the same request. */
  keepsRefusal: boolean;
  /** The amount without fees, and the rules that watch for it. */
  amount: bigint;
  rules: readonly ModelRule[];
  /** The reply, if this is the first time. */
  reply(balances: bigint[]): string;
}

export type Verdict =
  | { is: 'done'; reply: string }
  | { is: 'repeated'; reply: string }
  | { is: string; reply?: string };

export interface ModelRule {
  id: string;
  kind: string;
  types: readonly string[];
  threshold: bigint;
  windowMs: number;
  blocks: boolean;
}

/** A rule that found more than it lets pass. */
export interface Over {
  id: string;
  found: bigint;
}

// No balance leaves the range in which every whole number is exact.
const LARGEST = 2n ** 53n - 1n;

export class Model {
  readonly accounts = new Map<string, ModelAccount>();
  private readonly taken = new Map<string, bigint>();
  private readonly remembered = new Map<string, { details: string; reply: string }>();
  /** All that was ever carried out about each account. */
  private readonly done = new Map<string, { type: string; at: number; amount: bigint }[]>();
  /** The rules that the latest demand was over, if it came so far. */
  over: Over[] = [];

  open(id: string, terms: Partial<ModelAccount>): void {
    this.accounts.set(id, {
      balance: 0n,
      floor: 0n,
      ceiling: null,
      dailyLimit: null,
      frozen: false,
      disabled: new Set(),
      blockedCards: new Set(),
      latestDay: 0,
      usedOnLatestDay: 0n,
      ...terms,
    });
  }

  total(): bigint {
    let total = 0n;
    for (const { balance } of this.accounts.values()) total += balance;
    return total;
  }

  /** Decides and does it. The order of questions is that of the contract. */
  judge(demand: Demand, now: number): Verdict {
    const { request, parts } = demand;
    const day = Math.floor(now / 86_400_000);
    this.over = [];
    const answered = request && this.remembered.get(request.key);
    if (answered)
      return answered.details === request.details ? { is: 'repeated', reply: answered.reply } : { is: 'conflict' };
    const refusal = this.refusal(demand, day, now);
    if (refusal) {
      if (!demand.keepsRefusal || !request) return { is: refusal };
      const reply = JSON.stringify({ refused: refusal });
      this.remembered.set(request.key, { details: request.details, reply });
      return { is: refusal, reply };
    }
    for (const { name, takes } of demand.totals) this.taken.set(name, (this.taken.get(name) ?? 0n) + takes);
    const balances = parts.map((part) => this.carryOut(part, day));
    const about = aboutWhom(parts);
    const before = this.done.get(about) ?? [];
    before.push({ type: demand.type, at: now, amount: demand.amount });
    this.done.set(about, before);
    const reply = demand.reply(balances);
    if (request) this.remembered.set(request.key, { details: request.details, reply });
    return { is: 'done', reply };
  }

  private refusal(demand: Demand, day: number, now: number): string | null {
    const { parts, type, totals } = demand;
    const found = parts.map((part) => ({ part, account: this.accounts.get(part.account) }));
    if (found.some(({ account }) => !account)) return 'account_missing';
    const present = found as { part: Part; account: ModelAccount }[];
    const bound = present.filter(({ part }) => !part.undoes);
    if (bound.some(({ account }) => account.frozen)) return 'account_frozen';
    if (bound.some(({ account }) => account.disabled.has(type))) return 'type_disabled';
    if (present.some(({ part, account }) => account.blockedCards.has(part.card ?? ''))) return 'card_blocked';
    this.over = demand.rules.flatMap((rule) => this.overOf(rule, demand, now));
    if (this.over.some(({ id }) => demand.rules.some((rule) => rule.id === id && rule.blocks))) return 'compliance';
    const refusal = this.limitRefusal(present, totals, day);
    if (refusal) this.over = [];
    return refusal;
  }

  private limitRefusal(
    present: { part: Part; account: ModelAccount }[],
    totals: Demand['totals'],
    day: number,
  ): string | null {
    if (present.some(({ part, account }) => overLimit(part, account, day))) return 'daily_limit';
    if (totals.some(({ name, most, takes }) => (this.taken.get(name) ?? 0n) + takes > most)) return 'allowance';
    if (present.some(({ part, account }) => tooFull(part, account))) return 'ceiling';
    if (present.some(({ part, account }) => tooEmpty(part, account))) return 'floor';
    return null;
  }

  /** What the window holds with this one, if that is more than the rule lets pass. */
  private overOf({ id, kind, types, threshold, windowMs }: ModelRule, demand: Demand, now: number): Over[] {
    if (!types.includes(demand.type)) return [];
    let found = kind === 'velocity_count' ? 1n : demand.amount;
    if (kind !== 'amount') {
      for (const { type, at, amount } of this.done.get(aboutWhom(demand.parts)) ?? []) {
        if (types.includes(type) && at > now - windowMs) found += kind === 'velocity_count' ? 1n : amount;
      }
    }
    return found > threshold ? [{ id, found }] : [];
  }

  private carryOut({ account: id, change, counted }: Part, day: number): bigint {
    const account = this.accounts.get(id) as ModelAccount;
    account.balance += change;
    account.usedOnLatestDay = used(account, day) + counted;
    account.latestDay = Math.max(account.latestDay, day);
    return account.balance;
  }
}

/** The wallet that pays, or is paid; without one the agent or shop that pays; else who is paid. */
function aboutWhom([payer, payee]: Part[]): string {
  const is = (part: Part | undefined, ...kinds: string[]) => kinds.includes(part?.account.split('_')[0] ?? '');
  const pays = is(payer, 'sub') || (!is(payee, 'sub') && is(payer, 'agent', 'proc'));
  return (pays ? payer : payee)?.account ?? '';
}

export function used(account: ModelAccount, day: number): bigint {
  return day > account.latestDay ? 0n : account.usedOnLatestDay;
}

function overLimit({ counted }: Part, account: ModelAccount, day: number): boolean {
  return counted > 0n && account.dailyLimit !== null && used(account, day) + counted > account.dailyLimit;
}

function tooFull({ change, undoes }: Part, { balance, ceiling }: ModelAccount): boolean {
  if (change <= 0n) return false;
  return balance + change > LARGEST || (!undoes && ceiling !== null && balance + change > ceiling);
}

function tooEmpty({ change, undoes }: Part, { balance, floor }: ModelAccount): boolean {
  if (change >= 0n) return false;
  return balance + change < -LARGEST || (!undoes && floor !== null && balance + change < floor);
}

export interface ModelFee {
  type: string;
  party: string;
  percent: boolean;
  /** A percentage with its four decimals as a whole number, or minor units. */
  value: bigint;
  charges: boolean;
  pays: boolean;
}

/** interface.md 2.5: what is charged where the operator has set nothing. */
const USUAL: ModelFee[] = [
  ['transfer_p2p', 'sender', 15_000n],
  ['agent_cashin', 'agent', 5_000n],
  ['pos_payment', 'processor', 10_000n],
  ['vult_fund', 'sender', 0n],
  ['wallet_withdraw', 'sender', 10_000n],
].map(([type, party, value]) => ({ type, party, value, percent: true, charges: true, pays: false }) as ModelFee);

export interface ModelPrice {
  payerFee: bigint;
  payeeFee: bigint;
  payerEarns: bigint;
  payeeEarns: bigint;
}

const HUNDRED_PERCENT = 1_000_000n;

/** What both sides are charged and what they earn. */
export function feeFor(own: readonly ModelFee[], type: string, parties: [string, string], amount: bigint): ModelPrice {
  const find = (kind: string, party: string) =>
    [...own, ...USUAL].find((fee) => fee.type === kind && fee.party === party);
  const terms = parties.map((party) => find(type, party));
  // Charges: the nearest whole number, of two the upper one. Who receives is not charged more than what comes.
  const [payerFee = 0n, wanted = 0n] = terms.map((fee) => {
    if (!fee?.charges) return 0n;
    if (!fee.percent) return fee.value;
    const [whole, rest] = [(amount * fee.value) / HUNDRED_PERCENT, (amount * fee.value) % HUNDRED_PERCENT];
    return rest * 2n >= HUNDRED_PERCENT ? whole + 1n : whole;
  });
  const payeeFee = wanted > amount ? amount : wanted;
  // Commissions by percentage: what the operator says, without the broken rest.
  const earns = terms.map((fee) => (fee?.pays && fee.percent ? (amount * fee.value) / HUNDRED_PERCENT : 0n));
  // Flat ones out of what this payment leaves, and where money comes in also what its way out leaves of each unit.
  let purse = payerFee + payeeFee + wayOut(find, type, amount);
  for (const share of earns) purse -= share;
  for (const [side, fee] of terms.entries()) {
    if (!fee?.pays || fee.percent) continue;
    const most = [fee.value, amount, purse].reduce((low, each) => (each < low ? each : low));
    if (most <= 0n) continue;
    earns[side] = most;
    purse -= most;
  }
  const [payerEarns = 0n, payeeEarns = 0n] = earns;
  return { payerFee, payeeFee, payerEarns, payeeEarns };
}

/** Of a deposit: what a withdrawal by percentage brings the house, less what it costs; nothing if it has a flat cost. */
function wayOut(find: (type: string, party: string) => ModelFee | undefined, type: string, amount: bigint): bigint {
  if (type !== 'agent_cashin' && type !== 'vult_fund') return 0n;
  let rate = 0n;
  for (const fee of [find('wallet_withdraw', 'sender'), find('wallet_withdraw', 'agent')]) {
    if (fee?.pays && !fee.percent && fee.value > 0n) return 0n;
    if (fee?.percent && fee.charges) rate += fee.value;
    if (fee?.percent && fee.pays) rate -= fee.value;
  }
  return rate > 0n ? (amount * rate) / HUNDRED_PERCENT : 0n;
}
