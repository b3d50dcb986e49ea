// Registrations whose phone number is not verified yet: they can be replaced, hold nothing, and end after a day.
import { DAY_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** How long the code can be entered. */
export const UNVERIFIED_MS = DAY_MS;

/** The status of a registration that was replaced or not verified in time. For callers it does not exist. */
export const ENDED = 'ENDED';

interface Registered {
  status: string;
  phone_verified: boolean;
  created_at: Date;
}

/** An ACTIVE subscriber whose changed number is not verified is not one. */
export function isUnverified({ status, phone_verified }: Omit<Registered, 'created_at'>): boolean {
  return status === 'PENDING' && !phone_verified;
}

/** The background task writes that a registration has ended some time after it did. */
export function hasEnded(row: Registered, now: number): boolean {
  return row.status === ENDED || (isUnverified(row) && row.created_at.getTime() + UNVERIFIED_MS <= now);
}

export function notVerified(sentence: string): Refusal {
  return refuse('PHONE_NOT_VERIFIED', `The phone number is not verified yet. ${sentence}`);
}
