// Decides the outcome of a batch of movements from the locked accounts. A pure function.
import { DAY_MS } from '../../kernel/clock.ts';
import type { BatchState } from '../batch-state.ts';
import type {
  Account,
  AllowanceUse,
  EndedHold,
  KnownRequest,
  Leg,
  Movement,
  Outcome,
  Posted,
  Posting,
  Refused,
} from '../types.ts';
import { BatchActivity } from '../velocity/batch-activity.ts';
import { evaluate, isBlocked, NONE_TRIGGERED, type Triggered } from '../velocity/rules.ts';
import { BOUNDS, drawn, LIMIT, NOTHING, type Reason, STATUS } from './leg-checks.ts';
import { type Instant, shortfall, usedOn } from './limits.ts';

/** Whether the movement and its postings are written. */
export function isWritten(outcome: Outcome | undefined): outcome is Posted {
  return outcome?.outcome === 'posted' && !outcome.isUnposted;
}

export interface Decision {
  /** One for each movement, in order. */
  outcomes: Outcome[];
  /** The batch's movements, in order, with the terms that were decided. */
  movements: readonly Movement[];
  /** The accounts that changed, as they are after the batch. */
  changed: Account[];
  /** The new totals of the allowances that changed. */
  used: ReadonlyMap<string, number>;
}

/** Deterministic: no I/O, no clock, no randomness. */
export function decide(state: BatchState, batch: readonly Movement[]): Decision {
  const book = new BatchDecider(state, batch);
  const movements: Movement[] = [];
  const outcomes = batch.map((planned) => {
    const movement = planned.termsAt ? book.withTerms(planned) : planned;
    movements.push(movement);
    return book.decideOne(movement);
  });
  return { outcomes, movements, changed: book.changed(), used: book.used };
}

class BatchDecider {
  private readonly state: BatchState;
  private readonly at: Instant;
  /** Copies of the accounts that changed. */
  private readonly written = new Map<string, Account>();
  readonly used = new Map<string, number>();
  private readonly requestsOfBatch = new Map<string, KnownRequest>();
  /** The holds that earlier movements of the batch end. */
  private readonly endedInBatch = new Set<string>();
  private readonly activity: BatchActivity;

  constructor(state: BatchState, batch: readonly Movement[]) {
    this.state = state;
    this.activity = new BatchActivity(state, batch);
    this.at = { now: state.now, day: Math.floor(state.now / DAY_MS) };
  }

  changed(): Account[] {
    this.activity.writeTo(this.written);
    return [...this.written.values()];
  }

  withTerms(planned: Movement): Movement {
    const [allowance] = planned.allowances ?? NONE;
    const balanceOf = (accountId: string) => this.account(accountId)?.balance ?? 0;
    const movement = { ...planned, ...planned.termsAt?.(allowance ? this.usedOf(allowance.id) : 0, balanceOf) };
    assertBalanced(movement);
    return movement;
  }

  decideOne(movement: Movement): Outcome {
    const before = this.knownRequest(movement);
    if (before) return sameRequest(movement, before);
    if (movement.isRefused) {
      this.remember(movement);
      return { outcome: 'refused', reason: 'refused_before', subject: movement.id, ...NOTHING, balances: [] };
    }
    const status = this.legRefusal(movement, STATUS) ?? this.endRefusal(movement);
    const triggered = status ? NONE_TRIGGERED : this.triggeredBy(movement);
    const refusal = status ?? this.refusalOf(movement, triggered);
    if (!refusal && movement.checkOnly) return this.checked(movement);
    const stored = refusal !== null && isStored(movement, refusal);
    if (!refusal || stored) this.remember(movement);
    if (!refusal) return this.post(movement, triggered);
    return stored ? { ...refusal, balances: this.balancesOf(movement) } : refusal;
  }

  private remember({ id, request }: Movement): void {
    if (request) this.requestsOfBatch.set(requestMapKey(request), { hash: request.hash, movementId: id, reply: null });
  }

  private knownRequest({ request }: Movement): KnownRequest | undefined {
    if (!request) return undefined;
    const key = requestMapKey(request);
    return this.state.known.get(key) ?? this.requestsOfBatch.get(key);
  }

  private account(id: string): Account | undefined {
    return this.written.get(id) ?? this.state.accounts.get(id);
  }

  private checked(movement: Movement): Refused {
    const balances = this.balancesOf(movement);
    return { outcome: 'refused', reason: 'check_only', subject: movement.id, ...NOTHING, balances };
  }

  private balancesOf({ legs }: Movement): number[] {
    return legs.map((leg) => this.account(leg.accountId)?.balance ?? 0);
  }

  private usedOf(allowanceId: string): number {
    return this.used.get(allowanceId) ?? this.state.allowances.get(allowanceId) ?? 0;
  }

  private triggeredBy(movement: Movement): readonly Triggered[] {
    const { velocityCheck, amount } = movement;
    if (velocityCheck === undefined) return NONE_TRIGGERED;
    const { now } = this.state;
    const { rules, payee } = velocityCheck;
    const ofPayer =
      rules.length === 0
        ? NONE_TRIGGERED
        : evaluate(rules, { amount, now, recent: () => this.activity.ofPayer(movement) });
    if (payee === undefined || payee.rules.length === 0) return ofPayer;
    const ofPayee = evaluate(payee.rules, { amount, now, recent: () => this.activity.ofPayee(movement) });
    return ofPayee.length === 0 ? ofPayer : [...ofPayer, ...ofPayee];
  }

  /** The checks after account status: compliance, limits, balance. */
  private refusalOf(movement: Movement, triggered: readonly Triggered[]): Refused | null {
    return (
      this.complianceRefusal(movement, triggered) ??
      this.legRefusal(movement, LIMIT) ??
      this.allowanceRefusal(movement) ??
      this.legRefusal(movement, BOUNDS)
    );
  }

  /** Checks one reason over all legs before the next, so that the order of precedence holds for every leg. */
  private legRefusal(movement: Movement, reasons: readonly Reason[]): Refused | null {
    for (const reason of reasons) {
      for (const leg of movement.legs) {
        const found = reason.check(this.account(leg.accountId), leg, movement, this.at);
        if (found) return { outcome: 'refused', reason: reason.name, subject: leg.accountId, ...found };
      }
    }
    return null;
  }

  private hasEnded(holdId: string): boolean {
    return this.state.endedHolds?.has(holdId) === true || this.endedInBatch.has(holdId);
  }

  /** What it ends or draws from has ended before, or it comes too late. */
  private endRefusal({ id, validUntil, endsHold, drawsFrom }: Movement): Refused | null {
    const ended = [endsHold?.id, drawsFrom?.holdId].find((hold) => hold !== undefined && this.hasEnded(hold));
    if (ended !== undefined) return { outcome: 'refused', reason: 'hold_ended', subject: ended, ...NOTHING };
    if (validUntil === undefined || this.at.now < validUntil) return null;
    return { outcome: 'refused', reason: 'expired', subject: id, ...NOTHING };
  }

  private allowanceRefusal({ allowances = NONE }: Movement): Refused | null {
    for (const { id, amount, limit } of allowances) {
      const found = shortfall(limit - this.usedOf(id), amount);
      if (found) return { outcome: 'refused', reason: 'allowance', subject: id, ...found };
    }
    return null;
  }

  private post(movement: Movement, triggered: readonly Triggered[]): Posted {
    const { legs, allowances = NONE, opensHold, endsHold, drawsFrom } = movement;
    if (endsHold) this.endHold(endsHold);
    if (drawsFrom) this.toWrite(drawsFrom.accountId).held -= drawn(movement, drawsFrom.accountId);
    const isUnposted = opensHold !== undefined || legs.length < 2;
    const postings = opensHold
      ? this.reserve(movement, opensHold.reserved)
      : isUnposted
        ? []
        : legs.map((leg) => this.apply(leg));
    if (!isUnposted) this.activity.posted(movement);
    const used = allowances.map(({ id, amount }) => {
      const total = this.usedOf(id) + amount;
      this.used.set(id, total);
      return total;
    });
    const posted: Posted = { outcome: 'posted', at: this.state.now, postings, used };
    if (isUnposted) posted.isUnposted = true;
    if (opensHold) posted.day = this.account(movement.fromAccount)?.dailyOn ?? this.at.day;
    if (triggered.length > 0) Object.assign(posted, { triggered, triggeredFor: this.activity.subjectsOf(movement) });
    return posted;
  }

  private complianceRefusal(movement: Movement, triggered: readonly Triggered[]): Refused | null {
    if (triggered.length === 0 || !isBlocked(triggered)) return null;
    const triggeredFor = this.activity.subjectsOf(movement);
    const refused = {
      reason: 'compliance',
      subject: triggeredFor.payer.id,
      available: 0,
      required: movement.amount,
    } as const;
    return { outcome: 'refused', ...refused, triggered, triggeredFor };
  }

  private apply(leg: Leg): Posting {
    const account = this.toWrite(leg.accountId);
    account.balance += leg.amount;
    this.countDaily(account, leg.dailyUse ?? 0);
    account.lastSeq = Math.max(this.state.now * 1_000, account.lastSeq + 1);
    return postingOf(account, leg);
  }

  /** Reserves a part of the payer's balance, and returns what a capture would post. */
  private reserve(movement: Movement, reserved: number): Posting[] {
    const account = this.toWrite(movement.fromAccount);
    account.held += reserved;
    const own = movement.legs.find(({ accountId }) => accountId === account.id);
    this.countDaily(account, own?.dailyUse ?? 0);
    if (!movement.opensHold?.countsWhenDrawn) this.activity.reserved(movement);
    return movement.legs.map((leg) => postingOf(this.account(leg.accountId) as Account, leg));
  }

  /** What is given back counts for the hold's day, which may have passed. */
  private endHold({ id, accountId, reserved, draws, givenBack, day }: EndedHold): void {
    const account = this.toWrite(accountId);
    account.held -= reserved - (draws === undefined ? 0 : this.usedOf(draws));
    if (account.dailyOn === day) account.dailyUsed -= givenBack;
    this.endedInBatch.add(id);
    this.activity.released(accountId, id);
  }

  private toWrite(id: string): Account {
    const account = this.written.get(id) ?? { ...(this.state.accounts.get(id) as Account) };
    this.written.set(id, account);
    return account;
  }

  private countDaily(account: Account, use: number): void {
    account.dailyUsed = usedOn(account, this.at.day) + use;
    account.dailyOn = Math.max(account.dailyOn, this.at.day);
  }
}

function postingOf({ id, lastSeq, balance }: Account, { amount, fee = 0 }: Leg): Posting {
  return { accountId: id, seq: lastSeq, amount, fee, balanceAfter: balance };
}

function sameRequest({ request }: Movement, before: KnownRequest): Outcome {
  if (before.hash !== request?.hash) return { outcome: 'conflict' };
  return { outcome: 'replayed', movementId: before.movementId, reply: before.reply };
}

const NONE: readonly AllowanceUse[] = [];

/** Throws for a malformed movement, which is a defect, before it can join a batch. */
export function assertBalanced(movement: Movement): void {
  const { id, legs, allowances = NONE, isRefused, isRecord, opensHold, endsHold } = movement;
  if ((isRefused || isRecord) && legs.length === 0) return;
  // The payee is not known before the capture.
  if (opensHold && legs.length === 1) return;
  if (endsHold && legs.length === 1 && legs[0]?.amount === 0) return;
  let sum = 0;
  for (const { amount } of legs) {
    if (!Number.isSafeInteger(amount)) throw new Error(`movement ${id} has a leg of ${amount}`);
    sum += amount;
  }
  if (sum !== 0 || legs.length < 2) throw new Error(`the legs of movement ${id} do not sum to zero`);
  if (new Set(legs.map((leg) => leg.accountId)).size !== legs.length) {
    throw new Error(`movement ${id} has two legs on one account`);
  }
  if (new Set(allowances.map((allowance) => allowance.id)).size !== allowances.length) {
    throw new Error(`movement ${id} uses one allowance twice`);
  }
}

function isStored({ storesRefusal = false, legs }: Movement, { reason, subject }: Refused): boolean {
  if (!storesRefusal || reason !== 'account_frozen') return storesRefusal;
  return !legs.some(({ accountId, retryWhenFrozen }) => accountId === subject && retryWhenFrozen);
}

/** Requests in one batch are compared by credential and request id. */
export function requestMapKey(request: { scope: string; id: string }): string {
  return `${request.scope}\n${request.id}`;
}
