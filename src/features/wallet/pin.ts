// The holder's PIN, with one counter of failures for all routes that ask for it.
import type { Pins } from '../../auth/pins.ts';
import { PIN_FORM } from '../../http/fields.ts';
import { iso } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

/** What is not four digits is no attempt: it is a fault of the body. */
export function pinFormRefusal(pin: string, code: 'INVALID_PIN' | 'INVALID_PIN_FORMAT'): Refusal | null {
  return PIN_FORM.test(pin) ? null : refuse(code, 'pin must be exactly 4 digits.', { status: 400 });
}

export async function pinRefusal(pins: Pins, ownerId: string, pin: string): Promise<Refusal | null> {
  const verdict = await pins.verify(ownerId, pin);
  switch (verdict.outcome) {
    case 'right':
      return null;
    case 'wrong':
      return wrongPin(verdict.attemptsRemaining);
    case 'locked':
      return refuse('ACCOUNT_LOCKED', 'Too many wrong PINs: the account is locked for a while.', {
        details: { locked_until: iso(verdict.lockedUntil) },
      });
    case 'unknown':
      // A subscriber and its PIN are made in one transaction.
      throw new Error('a subscriber has no PIN');
  }
}

function wrongPin(left: number): Refusal {
  const more = `${left} more ${left === 1 ? 'attempt' : 'attempts'} before the account is locked.`;
  const message = left > 0 ? `The PIN is wrong; ${more}` : 'The PIN is wrong; the account is now locked.';
  return refuse('INVALID_PIN', message, { details: { attempts_remaining: left } });
}
