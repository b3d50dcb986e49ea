// An in-memory ledger that uses the production `decide`, checks each posting and compares all results with the model.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { ActiveHolds } from '../../src/ledger/batch-state.ts';
import type { decide } from '../../src/ledger/posting/decide.ts';
import { assertBalanced, requestMapKey } from '../../src/ledger/posting/decide.ts';
import type { Ledger, Order, Recorded, Result } from '../../src/ledger/posting/ledger.ts';
import type { Account, KnownRequest, Leg, Movement, Outcome, Posting } from '../../src/ledger/types.ts';
import { decodeActivityWindow, singleRun } from '../../src/ledger/velocity/activity-window.ts';
import { knownActivity, RECEIVED, RECENT, type WindowKind } from '../../src/ledger/velocity/batch-activity.ts';
import { type CountedPayment, windowFault } from '../../src/ledger/verification/activity-windows.ts';
import { type Model, type ModelMovement, type ModelOutcome, used } from './model.ts';
import { HeldMoney } from './simulated-holds.ts';

/** Whether a batch was committed, and whether its reply arrived. */
export type CommitOutcome = 'answered' | 'lost before commit' | 'lost after commit';

interface Waiting {
  order: Order;
  resolve(result: Result): void;
  reject(reason: Error): void;
}

export class SimulatedLedger implements Ledger {
  readonly accounts = new Map<string, Account>();
  readonly storedRequests = new Map<string, KnownRequest>();
  private readonly allowances = new Map<string, number>();
  /** All movements in each kind of window of each account, in the order of their postings. */
  private readonly posted = {
    recent: new Map<string, (CountedPayment & { seq: number })[]>(),
    received: new Map<string, (CountedPayment & { seq: number })[]>(),
  };
  readonly holds = new HeldMoney();
  readonly tally: Record<string, number> = {};
  now = Date.parse('2026-03-01T12:00:00Z');
  queue: Waiting[] = [];
  /** The model's outcomes of decided movements, by index. */
  readonly expectedOutcomes = new Map<number, ModelOutcome>();
  private readonly model: Model;
  private readonly decide: typeof decide;
  private readonly modelMovementOf: (movement: Movement) => ModelMovement;

  constructor(model: Model, decider: typeof decide, modelMovementOf: (movement: Movement) => ModelMovement) {
    this.model = model;
    this.decide = decider;
    this.modelMovementOf = modelMovementOf;
  }

  get day(): number {
    return Math.floor(this.now / DAY_MS);
  }

  post(order: Order): Promise<Result> {
    assertBalanced(order.movement);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.queue.push({ order, resolve, reject });
    return promise;
  }

  /** The fast path needs a database: every payment takes the careful one. */
  async postDraft(): Promise<null> {
    return null;
  }

  /** Decides and commits one batch from the queue. */
  commitBatch(size: number, commitOutcome: CommitOutcome): void {
    const batch = this.queue.splice(0, size);
    this.count(`batch ${commitOutcome}`);
    const results = commitOutcome === 'lost before commit' ? [] : this.commit(batch.map(({ order }) => order));
    this.compareBalances();
    for (const [index, { resolve, reject }] of batch.entries()) {
      if (commitOutcome === 'answered') resolve(results[index] as Result);
      else reject(new Error('the connection was lost'));
    }
  }

  private commit(orders: Order[]): Result[] {
    const movements = orders.map(({ movement }) => movement);
    const decision = this.decide(this.stateFor(movements), movements);
    const { outcomes, changed, used: usedAllowances } = decision;
    assert.equal(outcomes.length, orders.length, 'one outcome per movement');
    const replies = new Map<string, string>();
    const results = outcomes.map((outcome, index): Result => {
      const order = orders[index] as Order;
      const { movement } = order;
      if (outcome.outcome === 'posted') {
        if (!outcome.isUnposted) this.applyPostings(decision.movements[index] ?? movement, outcome.postings);
        const { reply, rows } = order.onPosted(outcome);
        for (const what of this.holds.record(rows)) this.count(what);
        if (movement.isRecord) this.count('recorded');
        replies.set(movement.id, reply);
        this.storeReply(movement, reply);
        return { ...outcome, reply };
      }
      if (outcome.outcome === 'refused') {
        const reply = (movement.request && order.onRefused?.(outcome, this.now).reply) ?? null;
        if (reply === null) return { ...outcome, reply };
        replies.set(movement.id, reply);
        this.storeReply(movement, reply);
        return { ...outcome, reply };
      }
      if (outcome.outcome === 'conflict') return outcome;
      const { movementId } = outcome;
      return { outcome: 'replayed', movementId, reply: outcome.reply ?? replies.get(movementId) ?? '' };
    });
    for (const { id, kind, balance, held, dailyUsed, dailyOn, lastSeq, recent, received } of changed) {
      const account = this.accounts.get(id) as Account;
      assert.equal(account.balance, balance, `the balance of ${id} equals the balance after its last posting`);
      assert.equal(account.lastSeq, lastSeq, `the last seq of ${id} equals that of its last posting`);
      this.accounts.set(id, { ...account, held, dailyUsed, dailyOn, recent, received });
      // Comparing with the full history is slow, so only one batch in 16 is checked.
      if ((this.tally['batch answered'] ?? 0) % 16 !== 0) continue;
      const windows = { recent, ...(kind === 'wallet' ? { received } : {}) };
      for (const [column, text] of Object.entries(windows) as [WindowKind['column'], string][]) {
        const posted = this.posted[column].get(id) ?? [];
        const fault = windowFault(decodeActivityWindow({ recent: text, lastSeq }), posted);
        assert.equal(fault, null, `the window ${column} of ${id}: ${text}`);
        assert.ok(text.split(';').length <= 33, `the window ${column} of ${id} is bounded`);
      }
    }
    for (const [id, total] of usedAllowances) this.allowances.set(id, total);
    for (const [index, movement] of movements.entries()) {
      this.compareOutcome(movement, modelOutcomeOf(results[index] as Result));
      this.compareRules(orders[index] as Order, outcomes[index] as Outcome);
    }
    return results;
  }

  /** The state that the store would have read for this batch, and nothing else. */
  private stateFor(movements: Movement[]) {
    const ids = new Set(movements.flatMap(({ legs }) => legs.map(({ accountId }) => accountId)));
    const accounts = new Map<string, Account>();
    for (const id of ids) {
      const account = this.accounts.get(id);
      if (account) accounts.set(id, { ...account });
    }
    const known = new Map<string, KnownRequest>();
    for (const { request } of movements) {
      const stored = request && this.storedRequests.get(requestMapKey(request));
      if (request && stored) known.set(requestMapKey(request), stored);
    }
    const allowances = new Map<string, number>();
    for (const { id } of movements.flatMap((movement) => movement.allowances ?? [])) {
      const total = this.allowances.get(id);
      if (total !== undefined) allowances.set(id, total);
    }
    const activeHolds = this.holds.activeOf(accounts);
    const [activity, received] = [RECENT, RECEIVED].map((kind) =>
      this.windowsOf(kind, accounts, movements, activeHolds),
    );
    const windows = activity && received ? { activity, received } : {};
    const endedHolds = this.holds.endedOf(movements);
    return { accounts, known, allowances, ...windows, endedHolds, activeHolds, now: this.now };
  }

  /** Rebuilds a window from the full history if the window stored on the account is too short to decide the rules. */
  private windowsOf(kind: WindowKind, accounts: Map<string, Account>, movements: Movement[], activeHolds: ActiveHolds) {
    const held = kind === RECENT ? activeHolds : undefined;
    const { windows, undecided, after } = knownActivity(kind, accounts, movements, this.now, held);
    for (const { id } of undecided) {
      this.count('looked up');
      const posted = this.postedAfter(kind, id, after);
      windows.set(id, { since: after, runs: posted.map(({ type, at, amount }) => singleRun(type, at, amount)) });
    }
    return windows;
  }

  private postedAfter({ column }: WindowKind, id: string, at: number) {
    const posted = this.posted[column].get(id) ?? [];
    return posted.slice(posted.findLastIndex(({ seq }) => seq <= at * 1_000) + 1);
  }

  /** Checks each posting (amount, balance chain, seq and bounds of the account) and applies it to its account. */
  private applyPostings(movement: Movement, postings: Posting[]): void {
    const { id, legs, details, type } = movement;
    const { accrued } = details as { accrued?: { payer: number; payee: number } };
    if (accrued) this.count(accrued.payer + accrued.payee > 0 ? 'accrued' : 'taken back');
    if (type === 'commission_settlement') this.count('settled');
    assert.equal(postings.length, legs.length, `${id} has a posting for each leg`);
    let sum = 0n;
    for (const [index, { accountId, seq, amount, balanceAfter }] of postings.entries()) {
      const leg = legs[index] as Leg;
      const account = this.accounts.get(accountId) as Account;
      sum += BigInt(amount);
      assert.equal(accountId, leg.accountId);
      assert.equal(amount, leg.amount);
      assert.ok(seq > account.lastSeq, `seq of ${accountId} increases`);
      assert.equal(
        BigInt(balanceAfter),
        BigInt(account.balance) + BigInt(amount),
        `the balance chain of ${accountId} is intact`,
      );
      const isBelowFloor = !leg.ignoresFloor && amount < 0 && account.floor !== null && balanceAfter < account.floor;
      const isAboveCeiling =
        !leg.ignoresCeiling && amount > 0 && account.ceiling !== null && balanceAfter > account.ceiling;
      assert.ok(
        !isBelowFloor && !isAboveCeiling && Number.isSafeInteger(balanceAfter),
        `${accountId} stays within its bounds`,
      );
      this.accounts.set(accountId, { ...account, balance: balanceAfter, lastSeq: seq });
    }
    assert.equal(sum, 0n, `the postings of ${id} sum to zero`);
    for (const { column, subjectOf } of [RECENT, RECEIVED]) {
      const subject = subjectOf(movement, this.accounts)?.id;
      if (subject === undefined) continue;
      const seq = postings.find(({ accountId }) => accountId === subject)?.seq ?? 0;
      const posted = this.posted[column].get(subject) ?? [];
      posted.push({ type: movement.type, at: this.now, amount: movement.amount, seq });
      this.posted[column].set(subject, posted);
    }
  }

  private storeReply({ id, request }: Movement, reply: string): void {
    if (!request) return;
    const key = requestMapKey(request);
    assert.ok(!this.storedRequests.has(key), `${key} has one effect`);
    this.storedRequests.set(key, { hash: request.hash, movementId: id, reply });
  }

  private compareOutcome(movement: Movement, actual: ModelOutcome): void {
    const expected = this.model.apply(this.modelMovementOf(movement), this.now);
    this.count(expected.kind);
    this.expectedOutcomes.set(movement.details.index as number, expected);
    assert.deepEqual(actual, expected, `the outcome of ${movement.id}`);
  }

  /** Checks that the same rules triggered with the same values, and that one alert exists if any did. */
  private compareRules(order: Order, outcome: Outcome): void {
    const { movement } = order;
    const { triggered: expected } = this.model;
    const triggered = ('triggered' in outcome && outcome.triggered) || [];
    assert.deepEqual(
      triggered.map(({ rule }) => rule.id),
      expected.map(({ id }) => id),
      `the rules that ${movement.id} triggers`,
    );
    for (const [index, { found, atLeast }] of triggered.entries()) {
      const exact = expected[index]?.found ?? 0n;
      assert.ok(BigInt(found) === exact || (atLeast && BigInt(found) < exact), `${found} equals ${exact}`);
      if (atLeast) this.count('at least');
    }
    assert.equal(
      alertsOf(order, outcome, this.now).length,
      expected.length > 0 ? 1 : 0,
      `the alerts of ${movement.id}`,
    );
    if (expected.length > 0 && outcome.outcome === 'posted') this.count('flagged');
  }

  private compareBalances(): void {
    let total = 0n;
    for (const [id, account] of this.accounts) {
      const expected = this.model.accounts.get(id);
      assert.ok(expected, `${id} is in the model`);
      total += BigInt(account.balance);
      assert.equal(BigInt(account.balance), expected.balance, `the balance of ${id}`);
      assert.equal(BigInt(account.held), expected.held, `what is held of ${id}`);
      const use = account.dailyOn >= this.day ? account.dailyUsed : 0;
      assert.equal(BigInt(use), used(expected, this.day), `the daily use of ${id}`);
    }
    assert.equal(total, 0n, 'all balances sum to zero');
  }

  count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }
}

function alertsOf(order: Order, outcome: Outcome, now: number): Recorded['rows'] {
  if (outcome.outcome === 'posted') return HeldMoney.without(order.onPosted(outcome).rows);
  const isBlocked = outcome.outcome === 'refused' && outcome.reason === 'compliance';
  return (isBlocked && order.onRefused?.(outcome, now).rows) || [];
}

export function modelOutcomeOf(result: Result): ModelOutcome {
  switch (result.outcome) {
    case 'posted':
      return { kind: 'posted', reply: result.reply };
    case 'replayed':
      return { kind: 'replayed', reply: result.reply };
    case 'conflict':
      return { kind: 'conflict' };
    case 'refused':
      return result.reply === null ? { kind: result.reason } : { kind: result.reason, reply: result.reply };
  }
}
