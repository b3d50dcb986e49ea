// The PIN of a wallet's holder as what confirms a payment, on the fast path and on the careful one.
import type { Caller } from '../auth/caller.ts';
import type { GuardedPins } from '../auth/pins/guarded-pins.ts';
import { pinFormRefusal, pinRefusal } from '../auth/pins/refusals.ts';
import type { Rows } from '../db/keyed-lookup.ts';
import { once } from '../kernel/once.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { PaymentPin } from './run-payment.ts';

export type HolderPin = Required<
  Pick<PaymentPin<unknown>, 'formRefusal' | 'read' | 'isRight' | 'countRight' | 'end'>
> & {
  /** Verifies it, and counts the attempt: once, however often it is called. */
  refusal(): Promise<Refusal | null>;
};

export function holderPin(
  pins: Pick<GuardedPins, 'attemptBySubscriber'>,
  caller: Caller,
  holderId: string,
  pin: string,
): HolderPin {
  const attempt = pins.attemptBySubscriber(caller, holderId);
  return {
    formRefusal: pinFormRefusal(pin),
    refusal: once(async () => {
      const verdict = await attempt.verify(holderId, pin);
      return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
    }),
    read: attempt.read,
    isRight: (_found: unknown, rows: Rows) => attempt.isRight(pin, rows.get(attempt.read)),
    countRight: attempt.countRight,
    end: attempt.end,
  };
}
