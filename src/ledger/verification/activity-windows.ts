// Verifies activity windows: each run matches the postings, and nothing is missing.
import type { Connection } from '../../db/driver/connection.ts';
import {
  type ActivityWindow,
  ALL_KNOWN,
  decodeActivityWindow,
  encodeActivityWindow,
  type Run,
} from '../velocity/activity-window.ts';
import { JOIN_BUSINESSES, SUBJECT } from '../velocity/subject.ts';
import { type Findings, rowsOf } from './findings.ts';

/** One payment with the account as its subject. */
export interface CountedPayment {
  type: string;
  at: number;
  amount: number;
}

/** The text of each window, and the payments that must be in it. */
interface WindowSource {
  rule: 'recent_differs' | 'received_differs';
  /** Selects id and window. A window that is older than the last posting is ignored. */
  windows: string;
  payments: string;
}

const SOURCES: readonly WindowSource[] = [
  {
    rule: 'recent_differs',
    windows: 'select id, recent as text from accounts where recent_seq = last_seq',
    payments: `from postings p join movements m on m.id = p.movement_id ${JOIN_BUSINESSES}
      where p.account_id = ${SUBJECT}`,
  },
  {
    rule: 'received_differs',
    windows: `select id, received as text from accounts where received_seq = last_seq and kind = 'wallet'`,
    payments: `from postings p join movements m on m.id = p.movement_id where p.account_id = m.to_account`,
  },
];

export async function verifyActivityWindows(connection: Connection, findings: Findings): Promise<void> {
  for (const source of SOURCES) await verifyWindows(connection, findings, source);
}

async function verifyWindows(connection: Connection, findings: Findings, source: WindowSource): Promise<void> {
  const { rule, windows, payments } = source;
  const malformed = `select id, text from (${windows}) a where text <> '' and text !~ '^[0-9]{1,15}(;|$)'`;
  const done = `select a.id, a.text, d.type, d.amount, d.at
    from (select id, text from (${windows}) b where text ~ '^[0-9]{1,15}(;|$)') a
    left join (select p.account_id, p.seq, m.type, m.amount, (extract(epoch from m.at) * 1000)::bigint as at
      ${payments}) d on d.account_id = a.id
    order by a.id, d.seq`;
  for await (const [id, text] of rowsOf(connection, `malformed_${rule}`, malformed)) {
    findings.fault(rule, id as string, `malformed: ${text}`);
  }
  let [current, verifier] = ['', new WindowVerifier(ALL_KNOWN)];
  const close = () => {
    const fault = verifier.startsBefore(findings.archivedBefore) ? null : verifier.fault();
    if (fault) findings.fault(rule, current, fault);
  };
  for await (const [id, recent, type, amount, at] of rowsOf(connection, `windows_${rule}`, done)) {
    if (id !== current) {
      close();
      [current, verifier] = [id as string, new WindowVerifier(recent as string)];
    }
    if (type != null) verifier.follow({ type, at: Number(at), amount: Number(amount) });
  }
  close();
}

/** Compares one account's window with its payments, which arrive in order. */
class WindowVerifier {
  private readonly text: string;
  private readonly recent: ActivityWindow;
  private readonly runs: Map<string, Run[]>;
  private readonly done = new Map<string, CountedPayment[]>();
  private missing: string | null = null;

  constructor(text: string) {
    this.text = text;
    this.recent = decodeActivityWindow({ recent: text, lastSeq: 0 });
    this.runs = Map.groupBy(this.recent.runs, ({ type }) => type);
  }

  follow(done: CountedPayment): void {
    const { type } = done;
    const before = this.done.get(type) ?? [];
    before.push(done);
    // Only the most recent payments can be in the runs, so only those are kept in memory.
    const kept = countOf(this.runs.get(type) ?? []);
    if (before.length > kept + MANY) this.missing ??= missingOf(this.recent.since, before.splice(0, MANY));
    this.done.set(type, before);
  }

  /** Whether some of its payments have been archived. */
  startsBefore(instant: number | null): boolean {
    return instant !== null && this.recent.runs.some(({ first }) => first < instant);
  }

  fault(): string | null {
    if (encodeActivityWindow(this.recent) !== this.text) return `not canonical: ${this.text}`;
    return this.missing ?? windowFault(this.recent, [...this.done.values()].flat());
  }
}

const MANY = 1_000;

function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

function missingOf(since: number, done: readonly CountedPayment[]): string | null {
  const missing = done.find(({ at }) => at > since);
  return missing ? `${missing.type}: ${missing.amount} at ${missing.at} is missing` : null;
}

/** `done`: the account's payments, in order. */
export function windowFault({ since, runs }: ActivityWindow, done: readonly CountedPayment[]): string | null {
  const runsOf = Map.groupBy(runs, ({ type }) => type);
  const doneOf = Map.groupBy(done, ({ type }) => type);
  for (const type of new Set([...runsOf.keys(), ...doneOf.keys()])) {
    const fault = typeFault(since, runsOf.get(type) ?? [], doneOf.get(type) ?? []);
    if (fault) return fault;
  }
  return null;
}

/** A type's runs must cover its most recent payments, in order. */
function typeFault(since: number, runs: readonly Run[], done: readonly CountedPayment[]): string | null {
  let from = done.length - countOf(runs);
  if (from < 0) return `${runs[0]?.type}: ${-from} more payments than were posted`;
  const missing = missingOf(since, done.slice(0, from));
  if (missing) return missing;
  for (const run of runs) {
    const those = done.slice(from, from + run.count);
    const times = those.map(({ at }) => at);
    const sum = those.reduce((total, { amount }) => total + BigInt(amount), 0n);
    if (sum !== BigInt(run.sum)) return `${run.type}: ${run.sum} at ${run.last}, by the postings ${sum}`;
    if (Math.min(...times) !== run.first || Math.max(...times) !== run.last) return `${run.type}: not of ${run.last}`;
    from += run.count;
  }
  return null;
}
