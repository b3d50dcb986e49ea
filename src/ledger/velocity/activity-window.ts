// Activity windows: a summary of an account's recent payments, stored as text on its row. Velocity rules count and sum
// payments with it, without reading the postings.
//
// The summary is complete after the instant `since`. It consists of runs: single payments, or several payments of one
// type that were merged to limit the number of runs. The count and sum in a rule's window are therefore known exactly or
// within bounds: a run that lies partly in the window counts as at least one and at most all of its payments, and a
// window that begins before `since` has no upper bound. If the bounds do not decide a rule, the batch reads the postings,
// so every decision is exact. If the text is empty or older than the last posting (an older gateway does not update it),
// nothing is known about the time up to that posting.

/** One payment, or several merged payments of one type. */
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
  /** The runs of each type are in posting order. */
  runs: readonly Run[];
  /** The total of all runs, if known: nearly always below every threshold, so that the runs need no inspection. */
  total?: Total;
  /** The encoded text that it was decoded from. */
  text?: string;
}

export interface Total {
  count: number;
  sum: number;
}

/** Bounds of the count and the sum in a window. */
export interface Bounds {
  minCount: number;
  minSum: number;
  maxCount: number;
  maxSum: number;
}

export const MAX_RUNS = 32;

/** The text of an account without postings: complete, and empty. */
export const ALL_KNOWN = '0';

export function singleRun(type: string, at: number, amount: number): Run {
  return { type, first: at, last: at, count: 1, sum: amount };
}

/** Whether the summary is complete after the instant. There are no payments before 1970. */
export function isComplete(since: number, after: number): boolean {
  return since <= Math.max(0, after);
}

/** The bounds for payments of these types after the instant. */
export function boundsOf({ since, runs }: ActivityWindow, types: readonly string[], after: number): Bounds {
  const bounds = { minCount: 0, minSum: 0, maxCount: 0, maxSum: 0 };
  for (const { type, first, last, count, sum } of runs) {
    if (last <= after || !types.includes(type)) continue;
    bounds.maxCount += count;
    bounds.maxSum += sum;
    bounds.minCount += first > after ? count : 1;
    if (first > after) bounds.minSum += sum;
  }
  if (isComplete(since, after)) return bounds;
  return { ...bounds, maxCount: Number.POSITIVE_INFINITY, maxSum: Number.POSITIVE_INFINITY };
}

/** Whether there is nothing to remove or merge. */
export function isCompact(runs: readonly Run[], oldest: number, maxRuns = MAX_RUNS): boolean {
  const [first] = runs;
  return runs.length <= maxRuns && (first === undefined || first.last > oldest);
}

/** Removes runs that are older than every window, and merges runs if there are too many. */
export function compacted({ since, runs }: ActivityWindow, oldest: number, maxRuns = MAX_RUNS): ActivityWindow {
  let known = since;
  let from = 0;
  for (let run = runs[0]; run && run.last <= oldest; run = runs[++from]) known = Math.max(known, run.last);
  let kept = runs.slice(from);
  if (kept.length <= maxRuns) return { since: known, runs: kept };
  // Merges the smallest runs first, so that no run is large compared with the content of a window.
  const target = Math.floor(maxRuns * TARGET_SHARE);
  for (let most = 2; kept.length > target && most < MAX_MERGED_PAYMENTS; most *= 2) {
    kept = mergeRuns(kept, most, target);
  }
  while (kept.length > maxRuns) known = Math.max(known, kept.shift()?.last ?? 0);
  return { since: known, runs: kept };
}

/** Merging leaves some room, so that the next payments can be appended without merging. */
const TARGET_SHARE = 0.75;
const MAX_MERGED_PAYMENTS = 2 ** 40;

/** Merges successive runs of one type, oldest first, if the merged run has at most `most` payments. */
function mergeRuns(runs: readonly Run[], most: number, target: number): Run[] {
  let spare = runs.length - target;
  const kept: (Run | null)[] = [];
  const before = new Map<string, number>();
  for (const run of runs) {
    const index = before.get(run.type);
    const earlier = index === undefined ? null : kept[index];
    const one = spare > 0 && earlier ? mergedRun(earlier, run, most) : null;
    if (one && index !== undefined) {
      kept[index] = null;
      spare -= 1;
    }
    before.set(run.type, kept.push(one ?? run) - 1);
  }
  return kept.filter((run) => run !== null);
}

function mergedRun(a: Run, b: Run, most: number): Run | null {
  const [count, sum] = [a.count + b.count, a.sum + b.sum];
  if (count > most || !Number.isSafeInteger(sum)) return null;
  return { type: a.type, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last), count, sum };
}

// Format: since;run;run… with `since` in decimal and the numbers of runs in base 36. A run is
// [type:]last,sum[,count,span]. The type is omitted if it equals the previous run's, `last` is relative to the
// previous run, and count and span are present only for merged runs.

export function encodeActivityWindow({ since, runs }: ActivityWindow): string {
  return appendRuns(String(since), since, runs, 0);
}

/** Appends the runs from index `from` to the text of the runs before it. */
export function appendRuns(text: string, since: number, runs: readonly Run[], from: number): string {
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
  // The seq is in microseconds and never earlier than its movement's time.
  if (recent === '') return { since: Math.floor(lastSeq / 1_000), runs: [], total: NOTHING };
  return new Decoder(recent).recent();
}

const NOTHING = { count: 0, sum: 0 };
const [COLON, SEMICOLON, COMMA, MINUS] = [58, 59, 44, 45];

/** Decodes character by character, for speed: every payment decodes a window. */
class Decoder {
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

  /** Null: the type of the previous run. */
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
