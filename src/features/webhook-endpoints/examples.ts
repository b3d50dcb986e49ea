// Examples of events, to try out an endpoint. Their ids are of no payment.
import { CURRENCY } from '../../kernel/money.ts';
import type { MerchantEventType } from '../../webhooks/merchant-event.ts';

const ID = 'txn_00000000000000000000000000';
const STATUS = {
  'payment.completed': 'APPROVED',
  'payment.authorized': 'AUTHORIZED',
  'payment.captured': 'CAPTURED',
  'payment.voided': 'VOIDED',
  'payment.expired': 'EXPIRED',
  'payment.refunded': 'REFUNDED',
  'payment_request.paid': 'paid',
  'payment_request.declined': 'declined',
  'payment_request.expired': 'expired',
  'payment_request.cancelled': 'cancelled',
  'payout.sent': 'IN_TRANSIT',
  'payout.returned': 'RETURNED',
} as const satisfies Record<MerchantEventType, string>;

export function exampleOf(type: MerchantEventType, ownerId: string): object {
  const id = type.startsWith('payment_request') ? { id: 'prq_00000000000000000000000000' } : { transaction_id: ID };
  return { example: true, ...id, processor_id: ownerId, status: STATUS[type], amount: 125_000, currency: CURRENCY };
}
