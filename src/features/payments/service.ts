// Payments by card, at terminals and in apps: paid, refunded, and what is asked before either.
import { checking } from './checking.ts';
import type { PaymentParts } from './parts.ts';
import { paying } from './paying.ts';
import { refunding } from './refunding.ts';

export type Payments = ReturnType<typeof createPayments>;

export function createPayments(parts: PaymentParts) {
  return { ...paying(parts), ...refunding(parts), ...checking(parts) };
}
