// Divides the slots for delivery attempts among partners, so that a slow endpoint does not delay the others.
export interface Limits {
  /** The most attempts in flight in this process. */
  total: number;
  /** The most attempts in flight to one partner. */
  perPartner: number;
}

/**
 * Round-robin, one slot each. In addition to its own limit, a partner never holds more slots than are left free. A slot
 * is therefore available for another partner, however many endpoints hang until their attempts time out.
 */
export function allocateSlots(
  due: readonly string[],
  held: ReadonlyMap<string, number>,
  { total, perPartner }: Limits,
): Map<string, number> {
  let free = total;
  for (const count of held.values()) free -= count;
  const slots = new Map<string, number>();
  for (let candidates = [...due]; candidates.length > 0; ) {
    candidates = candidates.filter((partnerId) => {
      const used = (held.get(partnerId) ?? 0) + (slots.get(partnerId) ?? 0);
      if (used >= perPartner || used >= free) return false;
      slots.set(partnerId, (slots.get(partnerId) ?? 0) + 1);
      free -= 1;
      return true;
    });
  }
  return slots;
}

/** Rotates the list to begin after the partner served last, so that every partner gets slots when they are scarce. */
export function rotatedAfter(last: string, sorted: readonly string[]): string[] {
  const start = sorted.findIndex((partnerId) => partnerId > last);
  return start <= 0 ? [...sorted] : [...sorted.slice(start), ...sorted.slice(0, start)];
}
