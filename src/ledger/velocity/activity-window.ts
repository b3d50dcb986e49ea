// What an account lately did as the one its payments are about: a few lines of text on its row, from which rules that look
// at a window know how often and how much, without a look at the postings.
//
// `since` is an instant after which nothing is missing; the runs are what was posted after it, each of one type: single
// payments, or several that were put together when there were too many. So what a window holds is known exactly, or
// between two bounds: a run that only partly lies in it counts for one payment at least and for all of them at most, and a
// window that begins before `since` may hold anything. Where the bounds do not decide, the batch reads the
// postings, and so every answer is exact. An account whose text is empty, or was written before its
// last posting (by a gateway that does not know of it), knows nothing of the time up to that posting.

/** Payments of one type, from the first to the last. */
export interface Run {
  type: string;
  /** Milliseconds since 1970. */
  first: number;
  last: number;
  count: number;
  sum: number;
}

export interface ActivityWindow {
  since: number;
  /** In the order they were posted; those of one type follow each other. */
  runs: readonly Run[];
  /** Of all runs together, where it was counted: nearly always so little that no rule need look at them. */
  total?: Total;
  /** As it was read. */
  text?: string;
}

export interface Total {
  count: number;
  sum: number;
}

/** Of what a window holds. */
export interface Bounds {
  count: number;
  sum: number;
  mostCount: number;
  mostSum: number;
}

export const MOST_RUNS = 32;

/** Nothing was ever posted on it, so nothing is missing. */
export const ALL_KNOWN = '0';

export function singleRun(type: string, at: number, amount: number): Run {
  return { type, first: at, last: at, count: 1, sum: amount };
}

/** Whether nothing after the instant is missing; before 1970 nothing was. */
export function isComplete(since: number, after: number): boolean {
  return since <= Math.max(0, after);
}

/** Of the payments of these types after the instant. */
export function boundsOf({ since, runs }: ActivityWindow, types: readonly string[], after: number): Bounds {
  const bounds = { count: 0, sum: 0, mostCount: 0, mostSum: 0 };
  for (const { type, first, last, count, sum } of runs) {
    if (last <= after || !types.includes(type)) continue;
    bounds.mostCount += count;
    bounds.mostSum += sum;
    bounds.count += first > after ? count : 1;
    if (first > after) bounds.sum += sum;
  }
  if (isComplete(since, after)) return bounds;
  return { ...bounds, mostCount: Number.POSITIVE_INFINITY, mostSum: Number.POSITIVE_INFINITY };
}

/** Whether there is nothing to shorten. */
export function isShort(runs: readonly Run[], oldest: number): boolean {
  const [first] = runs;
  return runs.length <= MOST_RUNS && (first === undefined || first.last > oldest);
}

/** Without what no window reaches any more, and in not too many runs. */
export function shortened({ since, runs }: ActivityWindow, oldest: number): ActivityWindow {
  let known = since;
  let from = 0;
  for (let run = runs[0]; run && run.last <= oldest; run = runs[++from]) known = Math.max(known, run.last);
  let kept = runs.slice(from);
  if (kept.length <= MOST_RUNS) return { since: known, runs: kept };
  // The smallest first, so that no run is large beside what a window holds.
  for (let most = 2; kept.length > FEWER_RUNS && most < MOST_TOGETHER; most *= 2) kept = together(kept, most);
  while (kept.length > MOST_RUNS) known = Math.max(known, kept.shift()?.last ?? 0);
  return { since: known, runs: kept };
}

/** Some room is made at once, so that the next few payments are only added. */
const FEWER_RUNS = 24;
const MOST_TOGETHER = 2 ** 40;

/** Runs of one type that follow each other become one where that holds at most so many, the oldest first. */
function together(runs: readonly Run[], most: number): Run[] {
  let spare = runs.length - FEWER_RUNS;
  const kept: (Run | null)[] = [];
  const before = new Map<string, number>();
  for (const run of runs) {
    const index = before.get(run.type);
    const earlier = index === undefined ? null : kept[index];
    const one = spare > 0 && earlier ? asOne(earlier, run, most) : null;
    if (one && index !== undefined) {
      kept[index] = null;
      spare -= 1;
    }
    before.set(run.type, kept.push(one ?? run) - 1);
  }
  return kept.filter((run) => run !== null);
}

function asOne(a: Run, b: Run, most: number): Run | null {
  const [count, sum] = [a.count + b.count, a.sum + b.sum];
  if (count > most || !Number.isSafeInteger(sum)) return null;
  return { type: a.type, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last), count, sum };
}

// since;run;run… with since in decimal and the numbers of runs in base 36. A run: type: where it is another than the one before, its last instant as a
// difference to the one before, its sum; and, of several, how many they are and how long before the last the first was.

export function encodeActivityWindow({ since, runs }: ActivityWindow): string {
  return appended(String(since), since, runs, 0);
}

/** The text of all runs, from that of the first few of them. */
export function appended(text: string, since: number, runs: readonly Run[], from: number): string {
  let longer = text;
  let before = runs[from - 1];
  for (let index = from; index < runs.length; index++) {
    const run = runs[index] as Run;
    const type = run.type === before?.type ? '' : `${run.type}:`;
    longer += `;${type}${(run.last - (before?.last ?? since)).toString(36)},${run.sum.toString(36)}`;
    if (run.count > 1) longer += `,${run.count.toString(36)},${(run.last - run.first).toString(36)}`;
    before = run;
  }
  return longer;
}

export function decodeActivityWindow({ recent, lastSeq }: { recent: string; lastSeq: number }): ActivityWindow {
  // Its seq is never before the instant of a movement, in microseconds.
  if (recent === '') return { since: Math.floor(lastSeq / 1_000), runs: [], total: NOTHING };
  return new Reading(recent).recent();
}

const NOTHING = { count: 0, sum: 0 };
const [COLON, SEMICOLON, COMMA, MINUS] = [58, 59, 44, 45];

/** By hand, character by character: it is read for every payment. */
class Reading {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  recent(): ActivityWindow {
    const since = this.number(10);
    const runs: Run[] = [];
    const total = { count: 0, sum: 0 };
    let [type, last] = ['', since];
    while (this.at < this.text.length) {
      this.at += 1;
      type = this.type() ?? type;
      last += this.number(36);
      const run = this.run(type, last);
      total.count += run.count;
      total.sum += run.sum;
      runs.push(run);
    }
    return { since, runs, total, text: this.text };
  }

  private run(type: string, last: number): Run {
    const sum = this.next();
    if (this.text.charCodeAt(this.at) !== COMMA) return { type, first: last, last, count: 1, sum };
    const count = this.next();
    return { type, first: last - this.next(), last, count, sum };
  }

  /** Null: as the one before. */
  private type(): string | null {
    const from = this.at;
    for (let end = from; end < this.text.length; end++) {
      const code = this.text.charCodeAt(end);
      if (code === SEMICOLON || code === COMMA) return null;
      if (code !== COLON) continue;
      this.at = end + 1;
      return this.text.slice(from, end);
    }
    return null;
  }

  private next(): number {
    this.at += 1;
    return this.number(36);
  }

  private number(base: number): number {
    const negative = this.text.charCodeAt(this.at) === MINUS;
    if (negative) this.at += 1;
    let value = 0;
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === SEMICOLON || code === COMMA) break;
      value = value * base + (code < COLON ? code - 48 : code - 87);
    }
    return negative ? -value : value;
  }
}
