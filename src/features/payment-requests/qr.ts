// The text of a request's QR code. Null until QR codes are made.
import type { PaymentRequest } from './store.ts';

export function requestQr(_request: Pick<PaymentRequest, 'id' | 'code' | 'amount' | 'payee_id'>): string | null {
  return null;
}
