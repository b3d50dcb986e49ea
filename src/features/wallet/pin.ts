// Turns the verdict on a holder's PIN into a refusal.

import type { PinVerdict } from '../../auth/pins/guarded-pins.ts';
import { pinRefusal } from '../../auth/pins/refusals.ts';
import type { Refusal } from '../../kernel/refusal.ts';

export async function holderPinRefusal(verifying: Promise<PinVerdict>): Promise<Refusal | null> {
  const verdict = await verifying;
  return verdict.outcome === 'right' ? null : pinRefusal(verdict);
}
