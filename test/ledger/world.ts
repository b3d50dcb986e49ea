// The ledger's store in memory, around the very `decide` of production: what it writes is audited and held against the model.
import assert from 'node:assert/strict';
import type { decide } from '../../src/ledger/posting/decide.ts';
import { assertBalanced, requestMapKey } from '../../src/ledger/posting/decide.ts';
import type { Ledger, Order, Recorded, Result } from '../../src/ledger/posting/ledger.ts';
import type { Account, KnownRequest, Leg, Movement, Outcome, Posting } from '../../src/ledger/types.ts';
import { decodeActivityWindow, singleRun } from '../../src/ledger/velocity/activity-window.ts';
import { knownActivity } from '../../src/ledger/velocity/batch-activity.ts';
import { subjectOf } from '../../src/ledger/velocity/subject.ts';
import { type CountedPayment, windowFault } from '../../src/ledger/verification/activity-windows.ts';
import { type Demand, type Model, used, type Verdict } from './model.ts';

const DAY_MS = 86_400_000;

/** Whether a batch was written, and whether those who wait for it are told. */
export type Fate = 'answered' | 'lost before commit' | 'lost after commit';

interface Waiting {
  order: Order;
  resolve(result: Result): void;
  reject(reason: Error): void;
}

export class World implements Ledger {
  readonly accounts = new Map<string, Account>();
  readonly known = new Map<string, KnownRequest>();
  private readonly allowances = new Map<string, number>();
  /** All that was ever posted about each account, as the postings tell. */
  private readonly done = new Map<string, (CountedPayment & { seq: number })[]>();
  readonly tally: Record<string, number> = {};
  now = Date.parse('2026-03-01T12:00:00Z');
  queue: Waiting[] = [];
  /** What the model said of those decided, by their index. */
  readonly verdicts = new Map<number, Verdict>();
  private readonly model: Model;
  private readonly decide: typeof decide;
  private readonly demandOf: (movement: Movement) => Demand;

  constructor(model: Model, decider: typeof decide, demandOf: (movement: Movement) => Demand) {
    this.model = model;
    this.decide = decider;
    this.demandOf = demandOf;
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

  /** One batch, as the ledger makes it of its queue. */
  settle(size: number, fate: Fate): void {
    const batch = this.queue.splice(0, size);
    this.count(`batch ${fate}`);
    const results = fate === 'lost before commit' ? [] : this.commit(batch.map(({ order }) => order));
    this.compare();
    for (const [index, { resolve, reject }] of batch.entries()) {
      if (fate === 'answered') resolve(results[index] as Result);
      else reject(new Error('the connection was lost'));
    }
  }

  private commit(orders: Order[]): Result[] {
    const movements = orders.map(({ movement }) => movement);
    const { outcomes, changed, used: taken } = this.decide(this.stateFor(movements), movements);
    assert.equal(outcomes.length, orders.length, 'one outcome for each movement');
    const replies = new Map<string, string>();
    const results = outcomes.map((outcome, index): Result => {
      const order = orders[index] as Order;
      const { movement } = order;
      if (outcome.outcome === 'posted') {
        this.audit(movement, outcome.postings);
        const { reply } = order.onPosted(outcome);
        replies.set(movement.id, reply);
        this.remember(movement, reply);
        return { ...outcome, reply };
      }
      if (outcome.outcome === 'refused') {
        const reply = (movement.request && order.onRefused?.(outcome, this.now).reply) ?? null;
        if (reply === null) return { ...outcome, reply };
        replies.set(movement.id, reply);
        this.remember(movement, reply);
        return { ...outcome, reply };
      }
      if (outcome.outcome === 'conflict') return outcome;
      return { outcome: 'replayed', reply: outcome.reply ?? replies.get(outcome.movementId) ?? '' };
    });
    for (const { id, balance, dailyUsed, dailyOn, lastSeq, recent } of changed) {
      const account = this.accounts.get(id) as Account;
      assert.equal(account.balance, balance, `the balance of ${id} is that after its last posting`);
      assert.equal(account.lastSeq, lastSeq, `the last seq of ${id} is that of its last posting`);
      this.accounts.set(id, { ...account, dailyUsed, dailyOn, recent });
      // All that was ever posted takes long to go through: now and then is enough to find what is wrong.
      if ((this.tally['batch answered'] ?? 0) % 16 !== 0) continue;
      const known = windowFault(decodeActivityWindow({ recent, lastSeq }), this.done.get(id) ?? []);
      assert.equal(known, null, `what ${id} keeps of what it did: ${recent}`);
      assert.ok(recent.split(';').length <= 33, `what ${id} keeps is short`);
    }
    for (const [id, total] of taken) this.allowances.set(id, total);
    for (const [index, movement] of movements.entries()) {
      this.judge(movement, verdictOf(results[index] as Result));
      this.judgeRules(orders[index] as Order, outcomes[index] as Outcome);
    }
    return results;
  }

  /** Only what the store would have read for this batch. */
  private stateFor(movements: Movement[]) {
    const ids = new Set(movements.flatMap(({ legs }) => legs.map(({ accountId }) => accountId)));
    const accounts = new Map<string, Account>();
    for (const id of ids) {
      const account = this.accounts.get(id);
      if (account) accounts.set(id, { ...account });
    }
    const known = new Map<string, KnownRequest>();
    for (const { request } of movements) {
      const before = request && this.known.get(requestMapKey(request));
      if (request && before) known.set(requestMapKey(request), before);
    }
    const allowances = new Map<string, number>();
    for (const { id } of movements.flatMap((movement) => movement.allowances ?? [])) {
      const total = this.allowances.get(id);
      if (total !== undefined) allowances.set(id, total);
    }
    return { accounts, known, allowances, activity: this.windowsOf(accounts, movements), now: this.now };
  }

  /** What the rows do not tell is looked up in all that was posted. */
  private windowsOf(accounts: Map<string, Account>, movements: Movement[]) {
    const { windows, undecided, after } = knownActivity(accounts, movements, this.now);
    for (const { id } of undecided) {
      this.count('looked up');
      const done = this.doneAfter(id, after);
      windows.set(id, { since: after, runs: done.map(({ type, at, amount }) => singleRun(type, at, amount)) });
    }
    return windows;
  }

  private doneAfter(id: string, at: number) {
    const done = this.done.get(id) ?? [];
    return done.slice(done.findLastIndex(({ seq }) => seq <= at * 1_000) + 1);
  }

  /** Each posting by itself: it adds up, it goes on from the one before, and it stays inside what holds at this moment. */
  private audit(movement: Movement, postings: Posting[]): void {
    const { id, legs } = movement;
    assert.equal(postings.length, legs.length, `${id} has a posting for each leg`);
    let sum = 0n;
    for (const [index, { accountId, seq, amount, balanceAfter }] of postings.entries()) {
      const leg = legs[index] as Leg;
      const account = this.accounts.get(accountId) as Account;
      sum += BigInt(amount);
      assert.equal(accountId, leg.accountId);
      assert.equal(amount, leg.amount);
      assert.ok(seq > account.lastSeq, `seq of ${accountId} goes on`);
      assert.equal(BigInt(balanceAfter), BigInt(account.balance) + BigInt(amount), `the chain of ${accountId} holds`);
      const low = !leg.passFloor && amount < 0 && account.floor !== null && balanceAfter < account.floor;
      const high = !leg.passCeiling && amount > 0 && account.ceiling !== null && balanceAfter > account.ceiling;
      assert.ok(!low && !high && Number.isSafeInteger(balanceAfter), `${accountId} stays inside its bounds`);
      this.accounts.set(accountId, { ...account, balance: balanceAfter, lastSeq: seq });
    }
    assert.equal(sum, 0n, `the postings of ${id} sum to zero`);
    const subject = subjectOf(movement, this.accounts)?.id ?? '';
    const seq = postings.find(({ accountId }) => accountId === subject)?.seq ?? 0;
    const done = this.done.get(subject) ?? [];
    done.push({ type: movement.type, at: this.now, amount: movement.amount, seq });
    this.done.set(subject, done);
  }

  private remember({ id, request }: Movement, reply: string): void {
    if (!request) return;
    const key = requestMapKey(request);
    assert.ok(!this.known.has(key), `${key} has one effect`);
    this.known.set(key, { hash: request.hash, movementId: id, reply });
  }

  private judge(movement: Movement, verdict: Verdict): void {
    const expected = this.model.judge(this.demandOf(movement), this.now);
    this.count(expected.is);
    this.verdicts.set(movement.details.index as number, expected);
    assert.deepEqual(verdict, expected, `the outcome of ${movement.id}`);
  }

  /** The same rules triggered, by the same figures; and one alert if any did. */
  private judgeRules(order: Order, outcome: Outcome): void {
    const { movement } = order;
    const { over } = this.model;
    const triggered = ('triggered' in outcome && outcome.triggered) || [];
    assert.deepEqual(
      triggered.map(({ rule }) => rule.id),
      over.map(({ id }) => id),
      `the rules that ${movement.id} triggers`,
    );
    for (const [index, { found, atLeast }] of triggered.entries()) {
      const exact = over[index]?.found ?? 0n;
      assert.ok(BigInt(found) === exact || (atLeast && BigInt(found) < exact), `${found} is ${exact}`);
      if (atLeast) this.count('at least');
    }
    assert.equal(alertsOf(order, outcome, this.now).length, over.length > 0 ? 1 : 0, `the alerts about ${movement.id}`);
    if (over.length > 0 && outcome.outcome === 'posted') this.count('flagged');
  }

  private compare(): void {
    let total = 0n;
    for (const [id, account] of this.accounts) {
      const expected = this.model.accounts.get(id);
      assert.ok(expected, `${id} is in the model`);
      total += BigInt(account.balance);
      assert.equal(BigInt(account.balance), expected.balance, `the balance of ${id}`);
      const use = account.dailyOn >= this.day ? account.dailyUsed : 0;
      assert.equal(BigInt(use), used(expected, this.day), `the use of the day of ${id}`);
    }
    assert.equal(total, 0n, 'all balances together are zero');
  }

  count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }
}

function alertsOf(order: Order, outcome: Outcome, now: number): Recorded['rows'] {
  if (outcome.outcome === 'posted') return order.onPosted(outcome).rows;
  const isBlocked = outcome.outcome === 'refused' && outcome.reason === 'compliance';
  return (isBlocked && order.onRefused?.(outcome, now).rows) || [];
}

export function verdictOf(result: Result): Verdict {
  switch (result.outcome) {
    case 'posted':
      return { is: 'done', reply: result.reply };
    case 'replayed':
      return { is: 'repeated', reply: result.reply };
    case 'conflict':
      return { is: 'conflict' };
    case 'refused':
      return result.reply === null ? { is: result.reason } : { is: result.reason, reply: result.reply };
  }
}
