// What is left of an account's limits for a payment. Pure functions.
import type { Account, Leg, Shortfall } from '../types.ts';

export interface Instant {
  /** Milliseconds since 1970. */
  now: number;
  /** The UTC day, in days since 1970. */
  day: number;
}

/** If the clock goes back over midnight, the usage of the later day still counts. */
export function usedOn(account: Pick<Account, 'dailyOn' | 'dailyUsed'>, day: number): number {
  return account.dailyOn >= day ? account.dailyUsed : 0;
}

/** By the daily limit, or by the reduced limits after a PIN reset. */
export function dailyShortfall(account: Account, leg: Leg, { now, day }: Instant): Shortfall | null {
  const reducedUntil = account.reducedUntil !== null && account.reducedUntil > now ? account.reducedUntil : undefined;
  // A float has no daily limit. What the operator takes back is not limited.
  if (reducedUntil !== undefined && account.reducedFloor !== null && leg.amount < 0 && !leg.ignoresFrozen) {
    return shortfall(account.balance - account.held - account.reducedFloor, -leg.amount);
  }
  if (!leg.dailyUse) return null;
  const limit = account.dailyLimit ?? Number.MAX_SAFE_INTEGER;
  if (reducedUntil === undefined) return shortfall(limit - usedOn(account, day), leg.dailyUse);
  const found = shortfall(reducedLimit(limit) - usedOn(account, day), leg.dailyUse);
  return found && { ...found, reducedUntil };
}

/** After a PIN reset. */
export function reducedLimit(dailyLimit: number): number {
  return Math.floor(dailyLimit / 10);
}

export function shortfall(available: number, required: number): Shortfall | null {
  return required > available ? { available: Math.max(0, available), required } : null;
}
