// The activity windows of a batch's accounts, updated while its movements are decided one after another.

import type { Account, BatchState, Movement } from '../types.ts';
import {
  type ActivityWindow,
  ALL_KNOWN,
  appendRuns,
  compacted,
  decodeActivityWindow,
  encodeActivityWindow,
  isCompact,
  type Run,
  singleRun,
  type Total,
} from './activity-window.ts';
import { type Incoming, undecided } from './rules.ts';
import { subjectOf } from './subject.ts';

interface PendingWindow {
  since: number;
  runs: Run[];
  total: Total;
  /** The encoded text so far, and the number of runs in it. */
  text: string;
  written: number;
}

export class BatchActivity {
  private readonly state: BatchState;
  /** How long activity is kept: the longest window of the batch's rules. Zero: no rule has a window. */
  private readonly keepMs: number;
  /** Windows of accounts with new postings. They are compacted only at the end, so that the batch itself is exact. */
  private readonly pending = new Map<string, PendingWindow>();
  private readonly unknown = new Set<string>();

  constructor(state: BatchState, batch: readonly Movement[]) {
    this.state = state;
    this.keepMs = keepMsOf(batch);
  }

  /** The window of the movement's subject, including earlier movements of the batch. */
  of(movement: Movement): ActivityWindow {
    const subject = this.subjectOf(movement);
    return this.pending.get(subject.id) ?? this.known(subject);
  }

  subjectOf(movement: Movement): Account {
    const subject = subjectOf(movement, this.state.accounts);
    if (!subject) throw new Error(`the accounts of movement ${movement.id} are not locked`);
    return subject;
  }

  private known(subject: Account): ActivityWindow {
    return this.state.activity?.get(subject.id) ?? decodeActivityWindow(subject);
  }

  /** Every movement is kept, whatever its type, while any rule has a window. Otherwise the window becomes incomplete. */
  posted(movement: Movement): void {
    const subject = this.subjectOf(movement);
    if (this.keepMs === 0) {
      this.unknown.add(subject.id);
      return;
    }
    let window = this.pending.get(subject.id);
    if (!window) {
      window = this.pendingWindow(subject);
      this.pending.set(subject.id, window);
    }
    window.runs.push(singleRun(movement.type, this.state.now, movement.amount));
    window.total.count += 1;
    window.total.sum += movement.amount;
  }

  private pendingWindow(subject: Account): PendingWindow {
    const { since, runs, text, total = totalOf(runs) } = this.known(subject);
    const asWritten = text === undefined ? { text: String(since), written: 0 } : { text, written: runs.length };
    return { since, runs: runs.slice(), total: { count: total.count, sum: total.sum }, ...asWritten };
  }

  /**
   * An account that was posted to, but is not the subject of a payment, keeps its window. If it were left empty, the
   * postings would have to be read when the account next pays, which for accounts that receive is nearly always.
   */
  writeTo(written: ReadonlyMap<string, Account>): void {
    for (const account of written.values()) {
      const before = this.state.accounts.get(account.id);
      if (account.recent === '' && before) account.recent = asKnown(before);
      const window = this.pending.get(account.id);
      if (window) account.recent = this.textOf(window);
      else if (this.unknown.has(account.id)) account.recent = '';
    }
  }

  private textOf({ since, runs, text, written }: PendingWindow): string {
    const oldest = this.state.now - this.keepMs;
    if (isCompact(runs, oldest)) return appendRuns(text, since, runs, written);
    return encodeActivityWindow(compacted({ since, runs }, oldest));
  }
}

function asKnown(account: Account): string {
  return account.lastSeq === 0 ? ALL_KNOWN : encodeActivityWindow(decodeActivityWindow(account));
}

function totalOf(runs: readonly Run[]): Total {
  const total = { count: 0, sum: 0 };
  for (const { count, sum } of runs) {
    total.count += count;
    total.sum += sum;
  }
  return total;
}

function keepMsOf(batch: readonly Movement[]): number {
  let keepMs = 0;
  for (const { velocityCheck } of batch)
    if (velocityCheck && velocityCheck.keepMs > keepMs) keepMs = velocityCheck.keepMs;
  return keepMs;
}

/** The windows on the account rows, and the accounts whose window does not decide the rules of the batch. */
export interface KnownActivity {
  windows: Map<string, ActivityWindow>;
  undecided: Account[];
  /** The start of the longest window. */
  after: number;
}

export function knownActivity(
  accounts: ReadonlyMap<string, Account>,
  batch: readonly Movement[],
  now: number,
): KnownActivity {
  const keepMs = keepMsOf(batch);
  const known: KnownActivity = { windows: new Map(), undecided: [], after: Math.max(0, now - keepMs) };
  if (keepMs === 0) return known;
  let movementsOf: Map<Account | undefined, Movement[]> | undefined;
  for (const movement of batch) {
    const subject = subjectOf(movement, accounts);
    if (!subject || known.windows.has(subject.id)) continue;
    const recent = decodeActivityWindow(subject);
    known.windows.set(subject.id, recent);
    if (isExact(recent, known.after)) continue;
    movementsOf ??= Map.groupBy(batch, (each) => subjectOf(each, accounts));
    if (isUndecided(recent, movementsOf.get(subject) ?? [], now)) known.undecided.push(subject);
  }
  return known;
}

/** Every payment is a separate run, back to the start of every window. */
function isExact({ since, runs, total }: ActivityWindow, oldest: number): boolean {
  return since <= oldest && runs.length === total?.count;
}

function isUndecided(recent: ActivityWindow, own: readonly Movement[], now: number): boolean {
  const incoming: Incoming = { count: own.length, sum: 0, smallest: Number.POSITIVE_INFINITY };
  for (const { amount } of own) {
    incoming.sum += amount;
    incoming.smallest = Math.min(incoming.smallest, amount);
  }
  return own.some(({ velocityCheck }) => velocityCheck?.rules.some((rule) => undecided(rule, recent, now, incoming)));
}
