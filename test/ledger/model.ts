// A small model of the wallet's rules, written from the specification without the ledger's code; the simulator compares with it.
export interface ModelAccount {
  balance: bigint;
  /** What holds reserve of it. */
  held: bigint;
  floor: bigint | null;
  ceiling: bigint | null;
  dailyLimit: bigint | null;
  frozen: boolean;
  disabled: Set<string>;
  blockedCards: Set<string>;
  /** The latest day with a movement, and the total sent on it. A clock that goes back does not return to an earlier day. */
  latestDay: number;
  usedOnLatestDay: bigint;
}

/** The change of one account; negative when it pays. */
export interface ModelLeg {
  account: string;
  change: bigint;
  dailyUse: bigint;
  /** The card used by this side, if any. */
  card: string | undefined;
  /** A leg of a reversal ignores bounds and freezing. */
  isReversal: boolean;
  /** The payer of a hold that ends. */
  ignoresFrozen?: boolean;
}

export interface ModelMovement {
  type: string;
  /** Empty: it moves nothing and uses its totals. */
  legs: ModelLeg[];
  request: { key: string; details: string } | null;
  /** Shared totals that it counts against, each with its limit. */
  totals: { name: string; limit: bigint; amount: bigint }[];
  /** A refusal is stored and replayed for the same request. */
  storesRefusal: boolean;
  /** The amount without fees, and the compliance rules that apply. */
  amount: bigint;
  rules: readonly ModelRule[];
  /** The reply to the first request. */
  reply(balances: bigint[]): string;
  /** The payment reserves what its payer would pay, under this id. */
  reserves?: { id: string };
  /** The hold that it ends. A capture of zero releases it, and has one leg without a change. */
  ends?: { id: string; captured: bigint };
  /** From this instant on it is refused. */
  until?: number;
}

/** A hold, and what ending it gives back to the day. */
interface ModelHold {
  account: string;
  reserved: bigint;
  dailyUse: bigint;
  day: number;
  ended: boolean;
  /** It counts for rules like a payment. */
  one: { type: string; at: number; amount: bigint };
}

export type ModelOutcome =
  | { kind: 'posted'; reply: string }
  | { kind: 'replayed'; reply: string }
  | { kind: string; reply?: string };

export interface ModelRule {
  id: string;
  kind: string;
  types: readonly string[];
  threshold: bigint;
  windowMs: number;
  blocks: boolean;
  /** Whether it applies to the payee instead of the subject. */
  ofPayee: boolean;
}

/** A rule whose threshold is exceeded, and the value found. */
export interface ModelTrigger {
  id: string;
  found: bigint;
}

/** What a refund takes back: from the commission account up to its balance. */
export interface ModelReturn {
  commission: bigint;
  account: string;
}

// Balances stay within the safe integers.
const LARGEST = 2n ** 53n - 1n;

export class Model {
  readonly accounts = new Map<string, ModelAccount>();
  private readonly usedTotals = new Map<string, bigint>();
  private readonly storedReplies = new Map<string, { details: string; reply: string }>();
  readonly holds = new Map<string, ModelHold>();
  /** All posted movements of each subject. */
  private readonly posted = new Map<string, { type: string; at: number; amount: bigint }[]>();
  /** All movements that each account received. */
  private readonly received = new Map<string, { type: string; at: number; amount: bigint }[]>();
  /** The rules that the latest movement triggered, if it was evaluated that far. */
  triggered: ModelTrigger[] = [];

  open(id: string, overrides: Partial<ModelAccount>): void {
    this.accounts.set(id, {
      balance: 0n,
      held: 0n,
      floor: 0n,
      ceiling: null,
      dailyLimit: null,
      frozen: false,
      disabled: new Set(),
      blockedCards: new Set(),
      latestDay: 0,
      usedOnLatestDay: 0n,
      ...overrides,
    });
  }

  total(): bigint {
    let total = 0n;
    for (const { balance } of this.accounts.values()) total += balance;
    return total;
  }

  totalUsed(name: string): bigint {
    return this.usedTotals.get(name) ?? 0n;
  }

  /** Decides the movement and applies it. The order of the checks is that of the specification. */
  apply(movement: ModelMovement, now: number): ModelOutcome {
    const { request } = movement;
    const day = Math.floor(now / 86_400_000);
    this.triggered = [];
    const answered = request && this.storedReplies.get(request.key);
    if (answered)
      return answered.details === request.details ? { kind: 'replayed', reply: answered.reply } : { kind: 'conflict' };
    const refusal = this.refusal(movement, day, now);
    if (refusal) {
      if (!movement.storesRefusal || !request) return { kind: refusal };
      const reply = JSON.stringify({ refused: refusal });
      this.storedReplies.set(request.key, { details: request.details, reply });
      return { kind: refusal, reply };
    }
    for (const { name, amount } of movement.totals) this.usedTotals.set(name, this.totalUsed(name) + amount);
    this.endHold(movement);
    const one = { type: movement.type, at: now, amount: movement.amount };
    const balances = this.moved(movement, one, day);
    const reply = movement.reply(balances);
    if (request) this.storedReplies.set(request.key, { details: request.details, reply });
    return { kind: 'posted', reply };
  }

  /** The balances afterwards. A hold changes none, and no window of activity. */
  private moved({ legs, reserves, ends }: ModelMovement, one: ModelHold['one'], day: number): bigint[] {
    if (reserves) {
      this.reserve(reserves.id, legs[0] as ModelLeg, one, day);
      return legs.map(({ account }) => this.accounts.get(account)?.balance ?? 0n);
    }
    if (ends?.captured === 0n || legs.length === 0) return [];
    const balances = legs.map((leg) => this.post(leg, day));
    append(this.posted, subjectOf(legs), one);
    append(this.received, legs[1]?.account ?? '', one);
    return balances;
  }

  private reserve(
    id: string,
    { account: holder, change, dailyUse }: ModelLeg,
    one: ModelHold['one'],
    day: number,
  ): void {
    const account = this.accounts.get(holder) as ModelAccount;
    account.held -= change;
    account.usedOnLatestDay = used(account, day) + dailyUse;
    account.latestDay = Math.max(account.latestDay, day);
    this.holds.set(id, { account: holder, reserved: -change, dailyUse, day: account.latestDay, ended: false, one });
  }

  private endHold({ ends }: ModelMovement): void {
    const hold = ends && this.holds.get(ends.id);
    if (!hold) return;
    const account = this.accounts.get(hold.account) as ModelAccount;
    account.held -= hold.reserved;
    if (hold.dailyUse > 0n && account.latestDay === hold.day) account.usedOnLatestDay -= hold.dailyUse - ends.captured;
    hold.ended = true;
  }

  private refusal(movement: ModelMovement, day: number, now: number): string | null {
    const { legs, type } = movement;
    const found = legs.map((leg) => ({ leg, account: this.accounts.get(leg.account) }));
    if (found.some(({ account }) => !account)) return 'account_missing';
    const present = found as { leg: ModelLeg; account: ModelAccount }[];
    const restricted = present.filter(({ leg }) => !leg.isReversal && !leg.ignoresFrozen);
    if (restricted.some(({ account }) => account.frozen)) return 'account_frozen';
    if (restricted.some(({ account }) => account.disabled.has(type))) return 'type_disabled';
    if (present.some(({ leg, account }) => account.blockedCards.has(leg.card ?? ''))) return 'card_blocked';
    if (movement.ends && this.holds.get(movement.ends.id)?.ended) return 'hold_ended';
    if (movement.until !== undefined && now >= movement.until) return 'expired';
    // The payer's rules are reported before the payee's.
    const rules = [false, true].flatMap((ofPayee) => movement.rules.filter((rule) => rule.ofPayee === ofPayee));
    this.triggered = rules.flatMap((rule) => this.triggerOf(rule, movement, now));
    if (this.triggered.some(({ id }) => movement.rules.some((rule) => rule.id === id && rule.blocks)))
      return 'compliance';
    const refusal = this.limitRefusal(present, movement, day);
    if (refusal) this.triggered = [];
    return refusal;
  }

  private limitRefusal(
    present: { leg: ModelLeg; account: ModelAccount }[],
    { totals, ends }: ModelMovement,
    day: number,
  ): string | null {
    if (present.some(({ leg, account }) => exceedsDailyLimit(leg, account, day))) return 'daily_limit';
    if (totals.some(({ name, limit, amount }) => this.totalUsed(name) + amount > limit)) return 'allowance';
    if (present.some(({ leg, account }) => exceedsCeiling(leg, account))) return 'ceiling';
    const own = this.holds.get(ends?.id ?? '');
    const heldOf = ({ account }: ModelLeg, held: bigint) => (own?.account === account ? held - own.reserved : held);
    if (present.some(({ leg, account }) => fallsBelowFloor(leg, account, heldOf(leg, account.held)))) return 'floor';
    return null;
  }

  /** The count or sum of the window with this movement, if it exceeds the threshold. */
  private triggerOf(
    { id, kind, types, threshold, windowMs, ofPayee }: ModelRule,
    movement: ModelMovement,
    now: number,
  ): ModelTrigger[] {
    if (!types.includes(movement.type)) return [];
    let found = kind === 'velocity_count' ? 1n : movement.amount;
    const payee = movement.legs[1]?.account ?? '';
    if (kind !== 'amount') {
      // What businesses receive is not counted.
      if (ofPayee && !payee.startsWith('sub')) return [];
      const subject = subjectOf(movement.legs);
      const before = ofPayee ? (this.received.get(payee) ?? []) : this.counted(subject);
      for (const { type, at, amount } of before) {
        if (types.includes(type) && at > now - windowMs) found += kind === 'velocity_count' ? 1n : amount;
      }
    }
    return found > threshold ? [{ id, found }] : [];
  }

  /** What counts for rules of the side payer: payments, and holds that have not ended. */
  private counted(subject: string): ModelHold['one'][] {
    const active = [...this.holds.values()].filter(({ account, ended }) => account === subject && !ended);
    return [...(this.posted.get(subject) ?? []), ...active.map(({ one }) => one)];
  }

  private post({ account: id, change, dailyUse }: ModelLeg, day: number): bigint {
    const account = this.accounts.get(id) as ModelAccount;
    account.balance += change;
    account.usedOnLatestDay = used(account, day) + dailyUse;
    account.latestDay = Math.max(account.latestDay, day);
    return account.balance;
  }
}

function append<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

/** The paying wallet, else the paid wallet, else the paying agent or processor, else the payee. */
function subjectOf([payer, payee]: ModelLeg[]): string {
  const isOneOf = (leg: ModelLeg | undefined, ...kinds: string[]) => kinds.includes(leg?.account.split('_')[0] ?? '');
  const isPayer = isOneOf(payer, 'sub') || (!isOneOf(payee, 'sub') && isOneOf(payer, 'agent', 'proc'));
  return (isPayer ? payer : payee)?.account ?? '';
}

export function used(account: ModelAccount, day: number): bigint {
  return day > account.latestDay ? 0n : account.usedOnLatestDay;
}

function exceedsDailyLimit({ dailyUse }: ModelLeg, account: ModelAccount, day: number): boolean {
  return dailyUse > 0n && account.dailyLimit !== null && used(account, day) + dailyUse > account.dailyLimit;
}

function exceedsCeiling({ change, isReversal }: ModelLeg, { balance, ceiling }: ModelAccount): boolean {
  if (change <= 0n) return false;
  return balance + change > LARGEST || (!isReversal && ceiling !== null && balance + change > ceiling);
}

/** `held` can be spent by nothing else. */
function fallsBelowFloor({ change, isReversal }: ModelLeg, { balance, floor }: ModelAccount, held: bigint): boolean {
  if (change >= 0n) return false;
  const left = balance - held + change;
  return left < -LARGEST || (!isReversal && floor !== null && left < floor);
}

export interface ModelFee {
  type: string;
  party: string;
  percent: boolean;
  /** A percentage in units of 0.0001 %, or minor units. */
  value: bigint;
  charges: boolean;
  pays: boolean;
}

/** The default fees, charged where the operator has set none. */
const DEFAULT_FEES: ModelFee[] = [
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

/** Percentages of the commissions of agents, in units of 0.0001 %: of the payer, of the payee, and the highest of any agent. */
export interface ModelPercents {
  sides: [bigint, bigint];
  highest: bigint;
}

/** The fee and the commission of each side. */
export function feeFor(
  own: readonly ModelFee[],
  type: string,
  parties: [string, string],
  amount: bigint,
  percents: ModelPercents,
): ModelPrice {
  const scaleOf = (side: number) => (parties[side] === 'agent' ? (percents.sides[side] as bigint) : HUNDRED_PERCENT);
  const find = (kind: string, party: string) =>
    [...own, ...DEFAULT_FEES].find((fee) => fee.type === kind && fee.party === party);
  const settings = parties.map((party) => find(type, party));
  // Fees round half up. The payee is never charged more than the amount.
  const [payerFee = 0n, uncapped = 0n] = settings.map((fee) => {
    if (!fee?.charges) return 0n;
    if (!fee.percent) return fee.value;
    const [whole, rest] = [(amount * fee.value) / HUNDRED_PERCENT, (amount * fee.value) % HUNDRED_PERCENT];
    return rest * 2n >= HUNDRED_PERCENT ? whole + 1n : whole;
  });
  const payeeFee = uncapped > amount ? amount : uncapped;
  // Percentage commissions are scaled and round down once.
  const earns = settings.map((fee, side) =>
    fee?.pays && fee.percent ? (amount * fee.value * scaleOf(side)) / (HUNDRED_PERCENT * HUNDRED_PERCENT) : 0n,
  );
  // Flat commissions are capped by the net fees of this payment and, for a deposit, of a later withdrawal.
  let available = payerFee + payeeFee + withdrawalMargin(find, type, amount, percents.highest);
  for (const share of earns) available -= share;
  for (const [side, fee] of settings.entries()) {
    if (!fee?.pays || fee.percent) continue;
    const scaled = (fee.value * scaleOf(side)) / HUNDRED_PERCENT;
    const commission = [scaled, amount, available].reduce((low, each) => (each < low ? each : low));
    if (commission <= 0n) continue;
    earns[side] = commission;
    available -= commission;
  }
  const [payerEarns = 0n, payeeEarns = 0n] = earns;
  return { payerFee, payeeFee, payerEarns, payeeEarns };
}

/** For a deposit: percentage fees less commissions of withdrawing it later; zero when a withdrawal has a flat commission. */
function withdrawalMargin(
  find: (type: string, party: string) => ModelFee | undefined,
  type: string,
  amount: bigint,
  highestPercent: bigint,
): bigint {
  if (type !== 'agent_cashin' && type !== 'vult_fund') return 0n;
  let rate = 0n;
  for (const fee of [find('wallet_withdraw', 'sender'), find('wallet_withdraw', 'agent')]) {
    if (fee?.pays && !fee.percent && fee.value > 0n) return 0n;
    if (fee?.percent && fee.charges) rate += fee.value;
    if (!fee?.percent || !fee.pays) continue;
    const scale = fee.party === 'agent' ? highestPercent : HUNDRED_PERCENT;
    // Rounded up: less is left.
    rate -= (fee.value * scale + HUNDRED_PERCENT - 1n) / HUNDRED_PERCENT;
  }
  return rate > 0n ? (amount * rate) / HUNDRED_PERCENT : 0n;
}
