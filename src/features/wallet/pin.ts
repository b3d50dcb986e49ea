// Whether the holder's PIN opens the wallet.
import { pinRefusal } from '../../auth/pin-refusals.ts';
import type { PinOutcome } from '../../auth/pins.ts';
import type { Refusal } from '../../kernel/refusal.ts';

export async function holderPinRefusal(verifying: Promise<PinOutcome>): Promise<Refusal | null> {
  const verdict = await verifying;
  return verdict.outcome === 'right' ? null : pinRefusal(verdict);
}
