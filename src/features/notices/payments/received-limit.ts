// Bounds the notices of what a customer receives: somebody else can send many tiny payments. What a customer pays is always told.
import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../kernel/clock.ts';

/** Of a customer in a clock hour, on a channel. One more says that there are others. */
export const MOST_RECEIVED = 30;
/** Customers who received payments in the last hour or so. Those who are forgotten are told again. */
const REMEMBERED = 50_000;

export type ReceivedLimit = ReturnType<typeof createReceivedLimit>;

export function createReceivedLimit() {
  const told = new LRUCache<string, number>({ max: REMEMBERED });
  return {
    /** For one page, which may have to be told again: which notice of the hour each would be, from 1 on. */
    page() {
      const before = new Map<string, number>();
      return (hour: string): number => {
        const place = (before.get(hour) ?? told.get(hour) ?? 0) + 1;
        before.set(hour, place);
        return place;
      };
    },
    /** A notice of the hour was told. */
    count(hour: string): void {
      told.set(hour, (told.get(hour) ?? 0) + 1);
    },
  };
}

export function hourOf(accountId: string, at: number): string {
  return `${accountId} ${Math.floor(at / HOUR_MS)}`;
}

/** HH:MM; Sierra Leone is on UTC. */
export function endOfHour(at: number): string {
  return new Date((Math.floor(at / HOUR_MS) + 1) * HOUR_MS).toISOString().slice(11, 16);
}
