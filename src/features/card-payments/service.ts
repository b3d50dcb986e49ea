// Card payments at terminals and in apps: payments, refunds, and checks of cards and accounts.
import { createAuthorizations } from './authorization.ts';
import { createCardChecks } from './card-lookup.ts';
import type { PaymentContext } from './context.ts';
import { createCardPayment } from './payment.ts';
import { createRefunds } from './refund.ts';

export { expiredPayment } from './authorization.ts';
export { inAppEvent, inAppPayment, inAppSides } from './in-app.ts';
export { lookupsObserved } from './lookup-notice.ts';

export type CardPayments = ReturnType<typeof createCardPayments>;

export function createCardPayments(context: PaymentContext) {
  return {
    ...createCardPayment(context),
    ...createRefunds(context),
    ...createAuthorizations(context),
    ...createCardChecks(context),
  };
}
