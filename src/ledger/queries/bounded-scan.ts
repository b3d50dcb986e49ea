// Scans a long list for matches, one range at a time, within a time limit. A page may end before it is full.
export interface Stretch<Place> {
  /** The positions of the matches, newest first. */
  found: Place[];
  /** Where the next range starts; null: this was the last one. */
  next: Place | null;
}

export interface SkipAhead<Place> {
  next: Place;
  /** The number of matches that were skipped. */
  passed: number;
}

export interface BoundedScan<Place, Step extends Stretch<Place>> {
  from: Place;
  /** Matches to skip, and matches wanted after them. */
  skip: number;
  want: number;
  /** Scans one range, and returns at most `limit` matches. */
  stretch(from: Place, most: number): Promise<Step>;
  /** After a range, skips further matches without scanning them. */
  leap?(step: Step, skip: number): Promise<SkipAhead<Place> | null>;
  isOver(): boolean;
}

export interface Walked<Place> {
  found: Place[];
  /** Where to continue; null: the end was reached. */
  next: Place | null;
}

/** Null: the time was over before all matches were skipped. At least one range is scanned, however little time there is. */
export async function boundedScan<Place, Step extends Stretch<Place>>(
  walk: BoundedScan<Place, Step>,
): Promise<Walked<Place> | null> {
  const found: Place[] = [];
  let { from: next, skip }: { from: Place | null; skip: number } = walk;
  while (next !== null && found.length < walk.want) {
    const step: Step = await walk.stretch(next, skip + walk.want - found.length);
    found.push(...step.found.slice(skip));
    skip -= Math.min(skip, step.found.length);
    next = step.next;
    if (next !== null && walk.isOver()) break;
    if (next === null || skip === 0 || !walk.leap) continue;
    const leap = await walk.leap(step, skip);
    next = leap?.next ?? next;
    skip -= leap?.passed ?? 0;
  }
  return next !== null && skip > 0 ? null : { found, next };
}
