// The activity windows of a batch's accounts, updated while its movements are decided one after another.
import { NO_ACCOUNT } from '../account-kinds.ts';
import type { ActiveHolds, BatchState } from '../batch-state.ts';
import type { Account, Movement } from '../types.ts';
import {
  type ActivityWindow,
  ALL_KNOWN,
  appendRuns,
  compacted,
  decodeActivityWindow,
  encodeActivityWindow,
  isCompact,
  MAX_RUNS,
  type Run,
  singleRun,
  type Total,
} from './activity-window.ts';
import { type Incoming, type SideCheck, undecided } from './rules.ts';
import { receivingWallet, subjectOf } from './subject.ts';

/** One of the two windows of an account: which payments it contains, and the rules that are decided with it. */
export interface WindowKind {
  column: 'recent' | 'received';
  /** More runs decide more rules exactly, but every payment decodes them. */
  maxRuns: number;
  /** The account in whose window the payment is. */
  subjectOf(movement: Movement, accounts: ReadonlyMap<string, Account>): Account | undefined;
  checkOf(movement: Movement): SideCheck | undefined;
}

/** Payments that count for the account. */
export const RECENT: WindowKind = {
  column: 'recent',
  maxRuns: MAX_RUNS,
  subjectOf,
  checkOf: ({ velocityCheck }) => velocityCheck,
};
/** Payments that a wallet received. */
export const RECEIVED: WindowKind = {
  column: 'received',
  // Half the cost of twelve runs. A wallet that receives close to a threshold has its postings read more often.
  maxRuns: 4,
  subjectOf: receivingWallet,
  checkOf: ({ velocityCheck }) => velocityCheck?.payee,
};

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
  private readonly recent: WindowsOfKind;
  private readonly received: WindowsOfKind;
  /** By account, then by hold. Absent: no account of the batch has any. */
  private held: Map<string, Map<string, Run>> | undefined;

  constructor(state: BatchState, batch: readonly Movement[]) {
    this.state = state;
    this.recent = new WindowsOfKind(RECENT, state, state.activity, batch);
    this.received = new WindowsOfKind(RECEIVED, state, state.received, batch);
    if (state.activeHolds) this.held = new Map([...state.activeHolds].map(([id, holds]) => [id, new Map(holds)]));
  }

  /** The window that rules of the side payer are decided with, including earlier movements of the batch and active holds. */
  ofPayer(movement: Movement): ActivityWindow {
    const window = this.recent.of(movement);
    if (!window) throw new Error(`the accounts of movement ${movement.id} are not locked`);
    const holds = this.held?.get(subjectOf(movement, this.state.accounts)?.id ?? '');
    return holds ? withHolds(window, holds) : window;
  }

  /** The same for rules of the side payee. Null if a business is paid. */
  ofPayee(movement: Movement): ActivityWindow | null {
    return this.received.of(movement);
  }

  subjectsOf(movement: Movement): { payer: Account; payee: Account } {
    const payer = subjectOf(movement, this.state.accounts);
    // A hold may leave open who is paid.
    const payee = movement.toAccount === NO_ACCOUNT ? payer : this.state.accounts.get(movement.toAccount);
    if (!payer || !payee) throw new Error(`the accounts of movement ${movement.id} are not locked`);
    return { payer, payee };
  }

  posted(movement: Movement): void {
    this.recent.posted(movement);
    this.received.posted(movement);
  }

  /** Until it ends, a hold counts for the rules like a payment. It is in no window: windows are made from postings. */
  reserved(movement: Movement): void {
    this.held ??= new Map();
    const holds = this.held.get(movement.fromAccount) ?? new Map<string, Run>();
    holds.set(movement.id, singleRun(movement.type, this.state.now, movement.amount));
    this.held.set(movement.fromAccount, holds);
  }

  released(accountId: string, holdId: string): void {
    this.held?.get(accountId)?.delete(holdId);
  }

  writeTo(written: ReadonlyMap<string, Account>): void {
    for (const account of written.values()) {
      this.recent.writeTo(account);
      if (account.kind === 'wallet') this.received.writeTo(account);
    }
  }
}

function withHolds({ since, runs }: ActivityWindow, holds: ReadonlyMap<string, Run>): ActivityWindow {
  return { since, runs: [...runs, ...holds.values()] };
}

class WindowsOfKind {
  private readonly kind: WindowKind;
  private readonly state: BatchState;
  private readonly knownWindows: ReadonlyMap<string, ActivityWindow> | undefined;
  /** How long activity is kept: the longest window of the batch's rules. Zero: no rule has a window. */
  private readonly keepMs: number;
  /** Windows of accounts with new postings. They are compacted only at the end, so that the batch itself is exact. */
  private readonly pending = new Map<string, PendingWindow>();
  private readonly unknown = new Set<string>();

  constructor(
    kind: WindowKind,
    state: BatchState,
    known: ReadonlyMap<string, ActivityWindow> | undefined,
    batch: readonly Movement[],
  ) {
    this.kind = kind;
    this.state = state;
    this.knownWindows = known;
    this.keepMs = keepMsOf(kind, batch);
  }

  of(movement: Movement): ActivityWindow | null {
    const subject = this.kind.subjectOf(movement, this.state.accounts);
    return subject ? (this.pending.get(subject.id) ?? this.known(subject)) : null;
  }

  private known(subject: Account): ActivityWindow {
    return this.knownWindows?.get(subject.id) ?? decoded(this.kind, subject);
  }

  /** Every movement is kept, whatever its type, while any rule has a window. Otherwise the window becomes incomplete. */
  posted(movement: Movement): void {
    const subject = this.kind.subjectOf(movement, this.state.accounts);
    if (!subject) return;
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
  writeTo(account: Account): void {
    const { column } = this.kind;
    const before = this.state.accounts.get(account.id);
    if (account[column] === '' && before) account[column] = asKnown(this.kind, before);
    const window = this.pending.get(account.id);
    if (window) account[column] = this.textOf(window);
    else if (this.unknown.has(account.id)) account[column] = '';
  }

  private textOf({ since, runs, text, written }: PendingWindow): string {
    const oldest = this.state.now - this.keepMs;
    const { maxRuns } = this.kind;
    if (isCompact(runs, oldest, maxRuns)) return appendRuns(text, since, runs, written);
    return encodeActivityWindow(compacted({ since, runs }, oldest, maxRuns));
  }
}

function decoded({ column }: WindowKind, account: Account): ActivityWindow {
  return decodeActivityWindow({ recent: account[column], lastSeq: account.lastSeq });
}

function asKnown(kind: WindowKind, account: Account): string {
  return account.lastSeq === 0 ? ALL_KNOWN : encodeActivityWindow(decoded(kind, account));
}

function totalOf(runs: readonly Run[]): Total {
  const total = { count: 0, sum: 0 };
  for (const { count, sum } of runs) {
    total.count += count;
    total.sum += sum;
  }
  return total;
}

function keepMsOf(kind: WindowKind, batch: readonly Movement[]): number {
  let keepMs = 0;
  for (const movement of batch) {
    const check = kind.checkOf(movement);
    if (check && check.keepMs > keepMs) keepMs = check.keepMs;
  }
  return keepMs;
}

/** The windows on the account rows, and the accounts whose window does not decide the batch's rules. */
export interface KnownActivity {
  windows: Map<string, ActivityWindow>;
  undecided: Account[];
  /** The start of the longest window. */
  after: number;
}

export function knownActivity(
  kind: WindowKind,
  accounts: ReadonlyMap<string, Account>,
  batch: readonly Movement[],
  now: number,
  holds: ActiveHolds = NO_HOLDS,
): KnownActivity {
  const keepMs = keepMsOf(kind, batch);
  const known: KnownActivity = { windows: new Map(), undecided: [], after: Math.max(0, now - keepMs) };
  if (keepMs === 0) return known;
  let movementsOf: Map<Account | undefined, Movement[]> | undefined;
  for (const movement of batch) {
    const subject = kind.subjectOf(movement, accounts);
    if (!subject || known.windows.has(subject.id)) continue;
    const recent = decoded(kind, subject);
    known.windows.set(subject.id, recent);
    if (isExact(recent, known.after)) continue;
    movementsOf ??= Map.groupBy(batch, (each) => kind.subjectOf(each, accounts));
    const held = holds.get(subject.id)?.values() ?? [];
    if (isUndecided(kind, recent, movementsOf.get(subject) ?? [], held, now)) known.undecided.push(subject);
  }
  return known;
}

/** Every payment is a separate run, back to the start of every window. */
function isExact({ since, runs, total }: ActivityWindow, oldest: number): boolean {
  return since <= oldest && runs.length === total?.count;
}

const NO_HOLDS: ActiveHolds = new Map();

function isUndecided(
  kind: WindowKind,
  recent: ActivityWindow,
  own: readonly Movement[],
  held: Iterable<Run>,
  now: number,
): boolean {
  const incoming: Incoming = { count: own.length, sum: 0, smallest: Number.POSITIVE_INFINITY };
  for (const { amount } of own) {
    incoming.sum += amount;
    incoming.smallest = Math.min(incoming.smallest, amount);
  }
  for (const { sum } of held) {
    incoming.count += 1;
    incoming.sum += sum;
  }
  return own.some((movement) => kind.checkOf(movement)?.rules.some((rule) => undecided(rule, recent, now, incoming)));
}
