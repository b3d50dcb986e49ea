// Scans a long list for matches, one range at a time, within a time limit. A page may end before it is full.
export interface ScannedRange<Position> {
  /** The positions of the matches, newest first. */
  found: Position[];
  /** Where the next range starts; null: this was the last one. */
  next: Position | null;
}

export interface SkipAhead<Position> {
  next: Position;
  /** The number of matches that were skipped. */
  skipped: number;
}

export interface BoundedScan<Position, Step extends ScannedRange<Position>> {
  from: Position;
  /** Matches to skip, and matches wanted after them. */
  skip: number;
  want: number;
  /** Scans one range, and returns at most `limit` matches. */
  scanRange(from: Position, limit: number): Promise<Step>;
  /** After a range, skips further matches without scanning them. */
  skipAhead?(step: Step, skip: number): Promise<SkipAhead<Position> | null>;
  isOver(): boolean;
}

export interface ScanResult<Position> {
  found: Position[];
  /** Where to continue; null: the end was reached. */
  next: Position | null;
}

/** Null: the time ended before all matches were skipped. At least one range is scanned, however short the time limit. */
export async function boundedScan<Position, Step extends ScannedRange<Position>>(
  scan: BoundedScan<Position, Step>,
): Promise<ScanResult<Position> | null> {
  const found: Position[] = [];
  let { from: next, skip }: { from: Position | null; skip: number } = scan;
  while (next !== null && found.length < scan.want) {
    const step: Step = await scan.scanRange(next, skip + scan.want - found.length);
    found.push(...step.found.slice(skip));
    skip -= Math.min(skip, step.found.length);
    next = step.next;
    if (next !== null && scan.isOver()) break;
    if (next === null || skip === 0 || !scan.skipAhead) continue;
    const ahead = await scan.skipAhead(step, skip);
    next = ahead?.next ?? next;
    skip -= ahead?.skipped ?? 0;
  }
  return next !== null && skip > 0 ? null : { found, next };
}
