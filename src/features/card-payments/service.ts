// Payments by card, at terminals and in apps: paid, refunded, and what is asked before either.
import { checking } from './card-lookup.ts';
import type { PaymentParts } from './context.ts';
import { paying } from './payment.ts';
import { refunding } from './refund.ts';

export type Payments = ReturnType<typeof createPayments>;

export function createPayments(parts: PaymentParts) {
  return { ...paying(parts), ...refunding(parts), ...checking(parts) };
}
