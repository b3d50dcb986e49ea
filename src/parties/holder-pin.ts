// The PIN of a wallet's holder as what confirms a payment, on the fast path and on the careful one.
import type { Caller } from '../auth/caller.ts';
import type { GuardedPins } from '../auth/pins/guarded-pins.ts';
import { pinFormRefusal, pinRefusal } from '../auth/pins/refusals.ts';
import type { Read, Rows } from '../db/keyed-lookup.ts';
import { once } from '../kernel/once.ts';
import type { Refusal } from '../kernel/refusal.ts';

export interface HolderPin {
  formRefusal: Refusal | null;
  /** Verifies it, and counts the attempt: once, however often it is called. */
  refusal(): Promise<Refusal | null>;
  /** For the fast path: the stored PIN, and what it is compared with. */
  read: Read<unknown>;
  isRight(found: unknown, rows: Rows): boolean;
  countRight(): void;
  end(): void;
}

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
