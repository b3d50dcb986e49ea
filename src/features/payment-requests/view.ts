// Payment requests as their readers see them: the payee and staff, and the payer.
import type { Vault } from '../../auth/vault.ts';
import { iso } from '../../kernel/clock.ts';
import { ussdString } from '../../kernel/config/payment-codes.ts';
import { CURRENCY } from '../../kernel/money.ts';
import type { QrScheme } from '../../qr/payment-codes.ts';
import { requestQr } from './qr.ts';
import { statusAt } from './state.ts';
import type { PaymentRequest, RequestRefusal } from './store.ts';

export interface ViewSettings {
  vault: Vault;
  publicUrl: string;
  ussdServiceCode: string;
  qr: QrScheme;
}

/** What the payee and the payer see. */
function shared(request: PaymentRequest, payeeName: string, now: number, settings: ViewSettings) {
  const { id, amount, description, reference, code, sealed_token, single_use, return_url, transaction_ids } = request;
  return {
    id,
    status: statusAt(request, now),
    ...{ amount, currency: CURRENCY, payee_name: payeeName, description, reference, code },
    ussd: ussdString(settings.ussdServiceCode, code),
    qr: requestQr(settings.qr, request, payeeName),
    url: `${settings.publicUrl}/pay/${settings.vault.open(sealed_token, id)}`,
    ...{ single_use, return_url, transaction_ids },
    expires_at: iso(request.expires_at),
  };
}

/** For the payee and for staff. */
export function requestView(request: PaymentRequest, payeeName: string, now: number, settings: ViewSettings) {
  const { payee_kind, payee_id, payer_phone, request_id, metadata, payments, ended_at, created_at } = request;
  return {
    ...shared(request, payeeName, now, settings),
    processor_id: payee_kind === 'processor' ? payee_id : null,
    subscriber_id: payee_kind === 'subscriber' ? payee_id : null,
    ...{ payer_phone, request_id },
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
    failure: failureOf(request, now),
    payment_count: payments,
    ended_at: ended_at && iso(ended_at),
    created_at: iso(created_at),
  };
}

export const FAILURES = ['DECLINED', 'EXPIRED', 'FAILED'] as const;

/** All that the payee learns of why it was not paid. */
function failureOf(request: PaymentRequest, now: number): (typeof FAILURES)[number] | null {
  const status = statusAt(request, now);
  if (status === 'declined') return 'DECLINED';
  if (request.payments > 0) return null;
  if (status === 'expired') return 'EXPIRED';
  return status === 'open' && request.failed ? 'FAILED' : null;
}

export type PayerView = ReturnType<typeof payerView>;

/** For whoever has the link or the code. Of a request that many pay, nobody learns what others paid. */
export function payerView(request: PaymentRequest, payeeName: string, now: number, settings: ViewSettings) {
  const view = shared(request, payeeName, now, settings);
  return { ...view, transaction_ids: request.single_use ? view.transaction_ids : [] };
}

export function refusalView({ payer_id, code, count, at }: RequestRefusal) {
  return { payer_id, code, count, at: iso(at) };
}
