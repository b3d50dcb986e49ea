// Refusals of PIN attempts: the same codes, messages and fields on every route that takes a PIN.
import { iso } from '../../kernel/clock.ts';
import { CATALOGUE, type Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import { isCommonPin } from './common-pins.ts';
import type { PinVerdict } from './guarded-pins.ts';

export type RightPin = Extract<PinVerdict, { outcome: 'right' }>;

const PIN_FORM = /^[0-9]{4}$/;

/** A malformed PIN is an invalid request and does not count as an attempt. */
export function pinFormRefusal(
  pin: string,
  { field = 'pin', code = 'INVALID_PIN' }: { field?: string; code?: 'INVALID_PIN' | 'INVALID_PIN_FORMAT' } = {},
): Refusal | null {
  return PIN_FORM.test(pin) ? null : refuse(code, `${field} must be exactly 4 digits.`, { status: 400 });
}

/** For a PIN that is to be set. Names the field, never the PIN. */
export function newPinRefusal(pin: string, { field = 'pin', refuseCommon }: { field?: string; refuseCommon: boolean }) {
  const refusal = pinFormRefusal(pin, { field });
  if (refusal || !refuseCommon || !isCommonPin(pin)) return refusal;
  return refuse('INVALID_PIN', `${field} is too common: choose one that is not easy to guess.`, { status: 400 });
}

/** Whose PIN it is: a payment may need the customer's PIN or the agent's. */
type PinHolder = 'customer' | 'agent';

/** `wrong`: the status of a wrong PIN, if it differs from the catalogue's. */
export function pinRefusal(
  outcome: Exclude<PinVerdict, RightPin>,
  holder: PinHolder,
  { wrong = CATALOGUE.INVALID_PIN.status }: { wrong?: number } = {},
): Refusal {
  switch (outcome.outcome) {
    case 'wrong':
      return wrongPin(outcome.attemptsRemaining, wrong);
    case 'locked':
      return locked(holder, outcome.lockedUntil);
    case 'too_many':
      return tooMany(outcome.retryAfterMs);
    case 'unknown':
      // An account and its PIN are created in one transaction.
      throw new Error('an account has no PIN');
  }
}

/** `until` null: only the holder's own channels are locked, until the PIN is reset. */
function locked(holder: PinHolder, until: Date | null): Refusal {
  if (until === null) return ownChannelsLocked();
  return refuse('ACCOUNT_LOCKED', `Too many wrong PINs: the ${holder}'s account is locked until ${iso(until)}.`, {
    details: { locked_until: iso(until) },
  });
}

/** Nine wrong PINs on the holder's own channels. */
export function ownChannelsLocked(): Refusal {
  const sentence = 'Too many wrong PINs: the app and the USSD menu are locked until the PIN is reset. Call support.';
  return refuse('ACCOUNT_LOCKED', sentence, { details: { locked_until: null } });
}

function wrongPin(left: number, status: number): Refusal {
  const more = `${left} more ${left === 1 ? 'attempt' : 'attempts'} before the account is locked.`;
  const message = left > 0 ? `The PIN is wrong; ${more}` : 'The PIN is wrong; the account is now locked.';
  return refuse('INVALID_PIN', message, { status, details: { attempts_remaining: left } });
}

function tooMany(retryAfterMs: number): Refusal {
  return refuseForNow('TOO_MANY_ATTEMPTS', 'Too many wrong PINs with this credential.', retryAfterMs);
}
