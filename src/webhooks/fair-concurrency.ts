// Who gets how much of the room there is for attempts: enough for everybody, whatever one endpoint does.
export interface Limits {
  /** Attempts under way in this process. */
  total: number;
  /** Of them, those to one partner. */
  perPartner: number;
}

/**
 * In turns, one each. Besides its own limit, a partner never holds more than what is left free: however many endpoints
 * hang, and hold on to what they have for as long as an attempt may last, the next one still finds room.
 */
export function shareOut(
  due: readonly string[],
  held: ReadonlyMap<string, number>,
  { total, perPartner }: Limits,
): Map<string, number> {
  let free = total;
  for (const count of held.values()) free -= count;
  const shares = new Map<string, number>();
  for (let asking = [...due]; asking.length > 0; ) {
    asking = asking.filter((partnerId) => {
      const has = (held.get(partnerId) ?? 0) + (shares.get(partnerId) ?? 0);
      if (has >= perPartner || has >= free) return false;
      shares.set(partnerId, (shares.get(partnerId) ?? 0) + 1);
      free -= 1;
      return true;
    });
  }
  return shares;
}

/** The list begun elsewhere each time, so that when there is not room for all, it is not always the same who wait. */
export function beginningAfter(last: string, sorted: readonly string[]): string[] {
  const start = sorted.findIndex((partnerId) => partnerId > last);
  return start <= 0 ? [...sorted] : [...sorted.slice(start), ...sorted.slice(0, start)];
}
