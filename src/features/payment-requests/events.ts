// What merchants are told about their requests, in the commit of the change. No rows until merchants have webhook endpoints.
import type { OutboxRow } from '../../db/outbox-table.ts';
import type { PaymentRequest } from './store.ts';

export interface RequestEvent {
  type: 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled';
  at: number;
  /** Of a payment. */
  payment?: { transactionId: string; amount: number; fee: number };
}

export function requestRows(_request: PaymentRequest, _event: RequestEvent): readonly OutboxRow[] {
  return [];
}
