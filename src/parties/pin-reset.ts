// After a PIN reset outgoing payments are reduced for a day. The ledger enforces it; this is what records show of it.
import { DAY_MS } from '../kernel/clock.ts';

export const REDUCED_MS = DAY_MS;

/** Null if outgoing payments are not reduced now. */
export function reducedUntil({ pin_reset_at }: { pin_reset_at: Date | null }, now: number): Date | null {
  const until = pin_reset_at && new Date(pin_reset_at.getTime() + REDUCED_MS);
  return until && until.getTime() > now ? until : null;
}
