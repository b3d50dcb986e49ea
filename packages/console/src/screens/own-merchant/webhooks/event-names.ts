// The events that a merchant's endpoint can get, in words.
import type { CreateWebhookEndpointRequest } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';

export type EventName = Exclude<CreateWebhookEndpointRequest['events'][number], `credit.${string}`>;

/** In the order of a payment's life. */
export function useEventNames(): Record<EventName, string> {
  const { t } = useLingui();
  return {
    'payment.completed': t`A payment was made`,
    'payment.refunded': t`A payment was refunded`,
    'payment.authorized': t`An amount is held on a card`,
    'payment.captured': t`A held amount was taken`,
    'payment.voided': t`A held amount was released`,
    'payment.expired': t`A hold expired`,
    'payment_request.paid': t`A request was paid`,
    'payment_request.declined': t`A request was declined`,
    'payment_request.expired': t`A request expired`,
    'payment_request.cancelled': t`A request was cancelled`,
    'payout.sent': t`A pay-out was sent`,
    'payout.returned': t`A pay-out came back`,
    'bulk_payment.checked': t`A bulk payment was checked`,
    'bulk_payment.completed': t`A bulk payment was completed`,
  };
}
