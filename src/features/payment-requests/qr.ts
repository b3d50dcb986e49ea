// The text of a request's QR code.
import { requestQr as codeOf, type QrScheme } from '../../qr/payment-codes.ts';
import type { PaymentRequest } from './store.ts';

type CodedRequest = Pick<PaymentRequest, 'code' | 'amount' | 'merchant_number'>;

export function requestQr(scheme: QrScheme, { code, amount, merchant_number }: CodedRequest, name: string): string {
  return codeOf(scheme, { code, amount, payee: { name, merchantNumber: merchant_number } });
}
