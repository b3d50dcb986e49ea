// Examples of events with the fields of real ones, to try out an endpoint. Their ids are of no payment.
import { CURRENCY } from '../../kernel/money.ts';
import type { MerchantEventType } from '../../webhooks/merchant-event.ts';

const ID = 'txn_00000000000000000000000000';
const SECOND_ID = 'txn_00000000000000000000000001';
const AT = '2026-01-05T09:30:00.000Z';
const CODE = '0123456789';
const MONEY = { amount: 125_000, currency: CURRENCY };
const SENT = { request_id: 'example-1' };

const AUTHORIZATION = { authorization_code: '000000', ...MONEY, fee: 1_250, merchant_id: 'EXAMPLE-01' };
const CARD = { card_serial: '04A1B2C3D4E5F6', channel: 'pos', terminal_id: 'T-1' };
const PAYMENT = { transaction_id: ID, ...AUTHORIZATION, ...CARD, created_at: AT, ...SENT };
const PAYOUT = { transaction_id: ID, ...SENT, ...MONEY, fee: 0, created_at: AT, reference: 'PO0000000000' };

const REQUEST = {
  id: 'prq_00000000000000000000000000',
  ...MONEY,
  ...{ payee_name: 'Example Shop', subscriber_id: null, description: 'Two school books', reference: 'example-1' },
  ...{
    code: CODE,
    ussd: null,
    qr: '000201',
    url: 'https://example.com/pay/example',
    single_use: true,
    return_url: null,
  },
  ...{ transaction_ids: [] as string[], expires_at: '2026-01-05T10:00:00.000Z', payer_phone: null, ...SENT },
  ...{ metadata: { order: 1 }, failure: null as string | null, payment_count: 0, ended_at: AT, created_at: AT },
};

const BULK_PAYMENT = {
  ...{ id: 'bulk_00000000000000000000000000', name: 'Nurses, November', status: 'checked', payer_name: 'Example Shop' },
  ...{ partner_id: null, treasury: false, file_format: 'csv', file_sha256: '0'.repeat(64) },
  ...{ repeat_of: null, retry_of: null, unclaimed: null, mode: null, progress: 100 },
  ...{ row_count: 3, checked_count: 3, valid_count: 2, invalid_count: 1, code_count: 0, name_mismatch_count: 1 },
  ...{ repeated_count: 0, compliance_count: null, paid_count: 0, failed_count: 0, unclaimed_count: 0 },
  ...{
    returned_count: 0,
    cancelled_count: 0,
    currency: CURRENCY,
    amount: 375_000,
    valid_amount: 250_000,
    valid_fees: 0,
  },
  ...{ total_amount: 250_000, invalid_amount: 125_000, paid_amount: 0, paid_fees: 0, failed_amount: 0 },
  ...{ unclaimed_amount: 0, returned_amount: 0, cancelled_amount: 0, available_amount: 1_000_000, covered: true },
  ...{ uploaded_by: 'usr_00000000000000000000000000', uploaded_by_type: 'user', created_at: AT, checked_at: AT },
  ...{ approved_by: null, approved_at: null, starts_at: null, started_at: null, ended_by: null, ended_at: null },
};

const OBJECTS = {
  'payment.completed': { ...PAYMENT, status: 'APPROVED' },
  'payment.authorized': { ...PAYMENT, status: 'AUTHORIZED', expires_at: '2026-01-12T09:30:00.000Z' },
  'payment.captured': {
    ...{ transaction_id: SECOND_ID, authorization_transaction_id: ID, status: 'CAPTURED' },
    ...{ authorization_code: '000000', ...MONEY, released: 0, fee: 1_250, created_at: AT, ...SENT },
  },
  'payment.voided': { transaction_id: ID, status: 'VOIDED', ...MONEY, voided_at: AT, ...SENT },
  'payment.expired': { transaction_id: ID, status: 'EXPIRED', ...MONEY, expired_at: AT, ...SENT },
  'payment.refunded': {
    ...{ transaction_id: SECOND_ID, original_transaction_id: ID, amount: 125_000, refunded_total: 125_000 },
    ...{ remaining: 0, status: 'REFUNDED', ...SENT },
  },
  'payment_request.paid': {
    ...{ ...REQUEST, status: 'paid', transaction_ids: [ID], payment_count: 1 },
    payment: { transaction_id: ID, ...MONEY, fee: 1_250, created_at: AT },
  },
  'payment_request.declined': { ...REQUEST, status: 'declined', failure: 'DECLINED' },
  'payment_request.expired': { ...REQUEST, status: 'expired', failure: 'EXPIRED' },
  'payment_request.cancelled': { ...REQUEST, status: 'cancelled' },
  'payout.sent': { ...PAYOUT, status: 'IN_TRANSIT', total_debited: 125_000, bank_account: 'EXAMPLE-ACCOUNT' },
  'payout.returned': { ...PAYOUT, status: 'RETURNED', total_debited: 125_000, original_transaction_id: SECOND_ID },
  'bulk_payment.checked': BULK_PAYMENT,
  'bulk_payment.completed': {
    ...{ ...BULK_PAYMENT, status: 'completed', mode: 'continue', paid_count: 2, paid_amount: 250_000 },
    ...{ approved_by: 'usr_00000000000000000000000001', approved_at: AT, started_at: AT, ended_at: AT },
  },
} as const satisfies Record<MerchantEventType, object>;

export function exampleOf(type: MerchantEventType, ownerId: string): object {
  return { example: true, ...OBJECTS[type], processor_id: ownerId };
}
