// Divides the slots for delivery attempts among partners, so that a slow endpoint does not delay the others.
export interface Limits {
  /** The most attempts in flight in this process. */
  total: number;
  /** The most attempts in flight to one partner. */
  perPartner: number;
}

/**
 * Round-robin, one slot each. Besides its own limit, a partner never holds more slots than are left free. A slot is
 * therefore available for another partner, however many endpoints hang until their attempts time out.
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

/** Rotates the list to begin after the partner served last, so that all have a turn when slots are scarce. */
export function beginningAfter(last: string, sorted: readonly string[]): string[] {
  const start = sorted.findIndex((partnerId) => partnerId > last);
  return start <= 0 ? [...sorted] : [...sorted.slice(start), ...sorted.slice(0, start)];
}
