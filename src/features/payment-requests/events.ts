// What merchants are told about their requests: the request as the API shows it, at the instant of the change.
import type { PaidProcessor } from '../../parties/processor.ts';
import type { Receipt } from '../../payments/plan.ts';
import type { MerchantEvent } from '../../webhooks/merchant-event.ts';
import { inAppEvent, inAppPayment } from '../card-payments/service.ts';
import { type PaymentRequest, SHOWN_PAYMENTS } from './store.ts';
import { MOST_PAYMENTS, type Outcome } from './tables.ts';
import { requestView, type ViewSettings } from './view.ts';

interface Change {
  outcome: Outcome;
  at: number;
  /** The customer who paid or declined, if one did. */
  payerId: string | null;
  /** The request's running total with this change: the request was read before others paid it. */
  used: number;
  /** Of a payment. */
  receipt?: Receipt;
}

export function requestEvent(
  request: PaymentRequest,
  change: Change,
  payeeName: string,
  settings: ViewSettings,
): MerchantEvent {
  const { outcome, at, payerId, receipt } = change;
  return {
    type: `payment_request.${outcome}`,
    // Payments of a link need no order among themselves.
    about: receipt && !request.single_use ? receipt.transactionId : request.id,
    subscriberId: payerId ?? request.payer_id,
    object: () => ({
      ...requestView(changed(request, change), payeeName, at, settings),
      ...(receipt ? { payment: inAppPayment(receipt) } : {}),
    }),
  };
}

/** A request that many can pay stays open when one of them pays. */
function changed(request: PaymentRequest, { outcome, at, payerId, used, receipt }: Change): PaymentRequest {
  const ended = outcome === 'paid' && !request.single_use ? {} : { outcome, ended_at: new Date(at) };
  // Staff may see a delivery by who paid; somebody else may have been asked.
  const asked = payerId === null || payerId === request.payer_id ? {} : { payer_phone: null };
  const { single_use, transaction_ids: before } = request;
  const payments = single_use ? Number(outcome === 'paid') : used % MOST_PAYMENTS;
  const transaction_ids = receipt ? [receipt.transactionId, ...before].slice(0, SHOWN_PAYMENTS) : before;
  return { ...request, ...ended, ...asked, payments, transaction_ids };
}

/** The payment of a request is a payment like any other too. */
export function paymentEvent(
  request: PaymentRequest,
  processor: PaidProcessor,
  payerId: string,
  receipt: Receipt,
): MerchantEvent {
  const { id, reference, metadata } = request;
  return inAppEvent(processor, payerId, receipt, {
    ...{ payment_request_id: id, reference },
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
  });
}
