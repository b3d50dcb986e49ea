// Whoever replaced a forgotten password with a code approves nothing for a day.
import { DAY_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

const APPROVES_AFTER_MS = DAY_MS;

/** A thief with the user's phone who replaced the password must not approve before the user has noticed. Null: never replaced. */
export function recoveryRefusal(recoveredAt: Date | null, now: number): Refusal | null {
  if (recoveredAt === null || recoveredAt.getTime() <= now - APPROVES_AFTER_MS) return null;
  const message = 'You replaced a forgotten password less than 24 hours ago. Somebody else must approve.';
  return refuse('FORBIDDEN', message);
}
