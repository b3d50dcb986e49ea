// CardPayments by card, at terminals and in apps: paid, refunded, and what is asked before either.
import { checking } from './card-lookup.ts';
import type { PaymentContext } from './context.ts';
import { paying } from './payment.ts';
import { refunding } from './refund.ts';

export type CardPayments = ReturnType<typeof createCardPayments>;

export function createCardPayments(context: PaymentContext) {
  return { ...paying(context), ...refunding(context), ...checking(context) };
}
