// Changes of a holder's phone number: who made the last one, who may therefore not reset the PIN, and the notice to the holder.
import type { Actor } from '../audit/log.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** Columns of subscribers and agents. */
export interface PhoneChange {
  phone_changed_at: Date | null;
  /** The user or key; under an approval policy, the requester. */
  phone_changed_by: string | null;
}

const SEPARATED_MS = DAY_MS;

export function phoneChange({ caller }: Actor, at: Date): PhoneChange {
  return { phone_changed_at: at, phone_changed_by: caller.id };
}

/** Separation of duties: one person could otherwise have the code sent to a phone of their own. */
export function ownPhoneChangeRefusal({ caller }: Actor, change: PhoneChange, now: number): Refusal | null {
  const { phone_changed_at: at, phone_changed_by: by } = change;
  if (at === null || by !== caller.id || at.getTime() + SEPARATED_MS <= now) return null;
  return refuse(
    'FORBIDDEN',
    'You changed this phone number less than 24 hours ago: another user must request the PIN reset.',
  );
}

/** For the old number. Without the new one: the old phone may be in other hands. */
export function phoneChangedNotice(oldNumber: string) {
  const text =
    'Your Kissi phone number was changed. Messages and codes are sent to the new number from now on. If you did not ask for this, call us at once.';
  return { to: oldNumber, kind: 'phone_changed', text };
}
