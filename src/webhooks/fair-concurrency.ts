// Divides the slots for delivery attempts among partners and merchants, so that one with a slow endpoint delays no other.
export interface Limits {
  /** The most attempts in flight in this process. */
  total: number;
  /** The most attempts in flight to one owner. */
  perOwner: number;
}

/**
 * Round-robin, one slot each. In addition to its own limit, an owner never holds more slots than are left free. A slot
 * is therefore available for another owner, however many endpoints hang until their attempts time out.
 */
export function allocateSlots(
  due: readonly string[],
  held: ReadonlyMap<string, number>,
  { total, perOwner }: Limits,
): Map<string, number> {
  let free = total;
  for (const count of held.values()) free -= count;
  const slots = new Map<string, number>();
  for (let candidates = [...due]; candidates.length > 0; ) {
    candidates = candidates.filter((ownerId) => {
      const used = (held.get(ownerId) ?? 0) + (slots.get(ownerId) ?? 0);
      if (used >= perOwner || used >= free) return false;
      slots.set(ownerId, (slots.get(ownerId) ?? 0) + 1);
      free -= 1;
      return true;
    });
  }
  return slots;
}

/** Rotates the list to begin after the owner served last, so that every owner gets slots when they are scarce. */
export function rotatedAfter(last: string, sorted: readonly string[]): string[] {
  const start = sorted.findIndex((ownerId) => ownerId > last);
  return start <= 0 ? [...sorted] : [...sorted.slice(start), ...sorted.slice(0, start)];
}
