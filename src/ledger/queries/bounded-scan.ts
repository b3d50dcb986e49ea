// Walks down a long list stretch by stretch after what matches, and stops in time: a page may end before it is full.
export interface Stretch<Place> {
  /** The places of what matches, newest first. */
  found: Place[];
  /** Where the next stretch begins; null: this was the last one. */
  next: Place | null;
}

export interface SkipAhead<Place> {
  next: Place;
  /** How many that match lie between. */
  passed: number;
}

export interface BoundedScan<Place, Step extends Stretch<Place>> {
  from: Place;
  /** How many that match are passed over, and how many are wanted after them. */
  skip: number;
  want: number;
  /** Looks at so much that one statement can; finds at most so many. */
  stretch(from: Place, most: number): Promise<Step>;
  /** Where a stretch has ended, passes over some of those that are still to be skipped without looking at them. */
  leap?(step: Step, skip: number): Promise<SkipAhead<Place> | null>;
  isOver(): boolean;
}

export interface Walked<Place> {
  found: Place[];
  /** Where to go on; null: there is nothing more. */
  next: Place | null;
}

/** Null: it was over before all that had to be was passed over. However little time there is, one stretch is looked at. */
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
