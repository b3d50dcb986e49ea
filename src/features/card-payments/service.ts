// Card payments at terminals and in apps: payments, refunds, and checks of cards and accounts.
import { checking } from './card-lookup.ts';
import type { PaymentContext } from './context.ts';
import { paying } from './payment.ts';
import { refunding } from './refund.ts';

export type CardPayments = ReturnType<typeof createCardPayments>;

export function createCardPayments(context: PaymentContext) {
  return { ...paying(context), ...refunding(context), ...checking(context) };
}
