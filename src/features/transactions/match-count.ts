// How many records match a list: exact, a lower bound, or what the pages so far have shown.
import type { Cursor } from './cursor.ts';
import type { Selection } from './selection.ts';

/** The number of records that match. */
export interface MatchCount {
  total: number;
  isMinimum: boolean;
  /** The number of records after the offset, if known. */
  left?: number | undefined;
  /** Only postings with a lower seq were counted. */
  before?: number;
}

export function countFromCursor({ total, isMinimum = false, left }: Cursor, offset: number): MatchCount {
  return { total, isMinimum, left: left === undefined ? undefined : Math.max(0, left - offset) };
}

/** A lower bound is never less than the number of records already shown. */
export function atLeast(matches: MatchCount, seen: number): MatchCount {
  return matches.isMinimum ? { ...matches, total: Math.max(matches.total, seen) } : matches;
}

/** Searches are not counted, which would take longer than the page: the total is what the pages up to this one showed. */
export function countSeen({ cursor, limit, offset }: Selection, shown: number, next: string | null): MatchCount {
  const before = cursor?.total ?? 0;
  // Nothing was found after the offset, so that the number of skipped records is unknown.
  if (shown === 0 && offset > 0) return { total: before, isMinimum: true };
  return { total: before + offset + shown, isMinimum: next !== null || limit === 0 };
}
