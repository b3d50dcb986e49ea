// The steps of a payment that a party confirms with its PIN.
import { once } from '../kernel/once.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { PaymentSteps } from './run-payment.ts';

interface Confirmation {
  /** Why what was sent cannot be a PIN. */
  formRefusal: Refusal | null;
  /** Why the caller may not act for the party, or that there is none: the id may be that of another kind of party. */
  refusal(): Promise<Refusal | null>;
  /** Verifies the PIN, and counts the attempt. It is called at most once. */
  verify(): Promise<Refusal | null>;
}

/** Another credential of the party gets the stored reply only with the PIN. */
export function confirmedByPin({ formRefusal, refusal, verify }: Confirmation) {
  const check = once(verify);
  return {
    mayAct: async () => (await refusal()) ?? check(),
    pin: { formRefusal, refusal: check },
  } satisfies Pick<PaymentSteps<unknown>, 'mayAct' | 'pin'>;
}
