// Whether the holder's PIN opens the wallet.
import { pinRefusal } from '../../auth/pin-refusals.ts';
import type { Pins } from '../../auth/pins.ts';
import type { Refusal } from '../../kernel/refusal.ts';

export async function holderPinRefusal(pins: Pins, ownerId: string, pin: string): Promise<Refusal | null> {
  const verdict = await pins.verify(ownerId, pin);
  return verdict.outcome === 'right' ? null : pinRefusal(verdict);
}
