// Generated from docs/openapi.json by npm run docs. Do not edit.
import type { Traits } from '../traits.ts';
import type { CreditCompletedEvent, CreditFailedEvent, CreditReversedEvent, PaymentCompletedEvent, PaymentAuthorizedEvent, PaymentCapturedEvent, PaymentVoidedEvent, PaymentExpiredEvent, PaymentRefundedEvent, PaymentRequestPaidEvent, PaymentRequestDeclinedEvent, PaymentRequestExpiredEvent, PaymentRequestCancelledEvent, PayoutSentEvent, PayoutReturnedEvent, BulkPaymentCheckedEvent, BulkPaymentCompletedEvent } from './types.gen.ts';

/** By method and path. */
export const TRAITS: Record<string, Traits> = {
  'GET /health': { schemes: [] },
  'GET /health/ready': { schemes: [] },
  'GET /health/live': { schemes: [] },
  'GET /api/v1/status': { schemes: [] },
  'GET /metrics': { schemes: ['metrics'] },
  'POST /api/v1/admin/login': { schemes: [] },
  'POST /api/v1/admin/login/second-factor': { schemes: [] },
  'POST /api/v1/admin/refresh': { schemes: [] },
  'POST /api/v1/admin/logout': { schemes: [] },
  'POST /api/v1/admin/forgot-password': { schemes: [] },
  'POST /api/v1/admin/recover-password': { schemes: [] },
  'POST /api/v1/admin/lab/payment-requests': { key: 'request_id' },
  'POST /api/v1/admin/lab/payment-requests/{id}/confirm': { key: 'request_id' },
  'POST /console/session': { schemes: [] },
  'POST /console/session/second-factor': { schemes: [] },
  'POST /console/session/refresh': { schemes: [] },
  'POST /console/session/logout': { schemes: [] },
  'POST /api/v1/me/login': { schemes: [] },
  'POST /api/v1/me/login/verify': { schemes: [] },
  'POST /api/v1/me/login/device': { schemes: [] },
  'POST /api/v1/me/refresh': { schemes: [] },
  'POST /api/v1/me/logout': { schemes: [] },
  'POST /api/v1/me/transfers': { key: 'request_id' },
  'POST /api/v1/me/payments': { key: 'request_id' },
  'POST /api/v1/me/cash-out-codes': { key: 'request_id' },
  'POST /api/v1/me/payment-requests/{id}/approve': { key: 'request_id' },
  'POST /api/v1/me/payment-requests': { key: 'request_id' },
  'POST /api/v1/agents/cashout-code': { key: 'request_id' },
  'POST /api/v1/me/cases/{id}/accept': { key: 'request_id' },
  'POST /api/v1/cases/{id}/legal-order': { key: 'request_id' },
  'POST /api/v1/public/subscribers': { schemes: [], key: 'request_id' },
  'POST /api/v1/public/subscribers/{id}/verify': { schemes: [] },
  'POST /api/v1/public/subscribers/{id}/resend-code': { schemes: [] },
  'GET /api/v1/subscribers/{id}': { schemes: ['bearer','service'] },
  'POST /api/v1/subscribers': { key: 'request_id' },
  'POST /api/v1/subscribers/{id}/request-level': { key: 'request_id' },
  'POST /api/v1/public/pin-reset': { schemes: [] },
  'POST /api/v1/wallet/transfer': { key: 'request_id' },
  'POST /api/v1/wallet/transfer-p2p': { key: 'request_id' },
  'POST /api/v1/wallet/fund-from-partner': { key: 'request_id' },
  'POST /api/v1/wallet/withdraw': { key: 'request_id' },
  'GET /api/v1/transactions': { schemes: ['bearer','signed'] },
  'GET /api/v1/transactions/sums': { schemes: ['bearer','signed'] },
  'GET /api/v1/transactions/{id}': { schemes: ['bearer','signed'] },
  'GET /api/v1/transactions/{id}/evidence': { schemes: ['bearer','signed'] },
  'GET /api/v1/holds': { schemes: ['bearer','signed'] },
  'GET /api/v1/holds/{id}': { schemes: ['bearer','signed'] },
  'GET /api/v1/requests/{request_id}': { schemes: ['bearer','signed'] },
  'POST /api/v1/wallet/account-statement': { reads: true },
  'POST /api/v1/agents/{id}/fund': { key: 'request_id' },
  'POST /api/v1/agents/{id}/return-float': { key: 'request_id' },
  'POST /api/v1/agents/cashin': { key: 'request_id' },
  'POST /api/v1/agents/transfer': { key: 'request_id' },
  'POST /api/v1/agents/{id}/float-requests': { key: 'request_id' },
  'POST /api/v1/compliance/alerts': { schemes: ['bearer','service'] },
  'POST /api/v1/compliance/check': { key: 'request_id' },
  'POST /api/v1/admin/partners/{id}/settle': { key: 'request_id' },
  'GET /api/v1/processors/{id}': { schemes: ['bearer','signed'] },
  'GET /api/v1/processors/{id}/qr': { schemes: ['bearer','signed'] },
  'POST /api/v1/processors/{id}/transfer': { key: 'request_id' },
  'POST /api/v1/processors/{id}/payout': { key: 'request_id' },
  'POST /api/v1/processors/{id}/payouts/{transaction_id}/return': { key: 'request_id' },
  'GET /api/v1/processors/{id}/transactions': { schemes: ['bearer','signed'] },
  'GET /api/v1/processors/{id}/takings': { schemes: ['bearer','signed'] },
  'GET /api/v1/processors/{id}/refusals': { schemes: ['bearer','signed'] },
  'POST /api/v1/processors/{id}/refunds': { key: 'request_id' },
  'POST /api/v1/payment-requests': { schemes: ['bearer','signed'], key: 'request_id' },
  'GET /api/v1/payment-requests': { schemes: ['bearer','signed'] },
  'GET /api/v1/payment-requests/{id}': { schemes: ['bearer','signed'] },
  'POST /api/v1/payment-requests/{id}/cancel': { schemes: ['bearer','signed'] },
  'POST /api/v1/bulk-payments': { schemes: ['bearer','signed'] },
  'GET /api/v1/bulk-payments': { schemes: ['bearer','signed'] },
  'GET /api/v1/bulk-payments/{id}': { schemes: ['bearer','signed'] },
  'GET /api/v1/bulk-payments/{id}/rows': { schemes: ['bearer','signed'] },
  'GET /api/v1/bulk-payments/{id}/report.csv': { schemes: ['bearer','signed'] },
  'GET /api/v1/bulk-payments/{id}/report.pdf': { schemes: ['bearer','signed'] },
  'POST /api/v1/bulk-payments/{id}/cancel': { schemes: ['bearer','signed'] },
  'POST /api/v1/bulk-payments/{id}/stop': { schemes: ['bearer','signed'] },
  'POST /api/v1/bulk-payments/{id}/retry-failed': { schemes: ['bearer','signed'] },
  'GET /api/v1/request-log': { schemes: ['bearer','signed'] },
  'GET /api/v1/webhook-endpoints': { schemes: ['bearer','signed'] },
  'POST /api/v1/webhook-endpoints': { schemes: ['bearer','signed'] },
  'GET /api/v1/webhook-endpoints/{id}': { schemes: ['bearer','signed'] },
  'PUT /api/v1/webhook-endpoints/{id}': { schemes: ['bearer','signed'] },
  'DELETE /api/v1/webhook-endpoints/{id}': { schemes: ['bearer','signed'] },
  'POST /api/v1/webhook-endpoints/{id}/rotate-secret': { schemes: ['bearer','signed'] },
  'POST /api/v1/webhook-endpoints/{id}/test': { schemes: ['bearer','signed'] },
  'GET /api/v1/webhook-deliveries': { schemes: ['bearer','signed'] },
  'GET /api/v1/webhook-deliveries/{id}': { schemes: ['bearer','signed'] },
  'POST /api/v1/webhook-deliveries/{id}/replay': { schemes: ['bearer','signed'] },
  'POST /api/v1/pos/payment': { schemes: ['signed'], key: 'request_id', encryptsPin: true },
  'POST /api/v1/payment': { schemes: ['signed'], key: 'request_id', encryptsPin: true },
  'POST /api/v1/pos/refund': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/pos/payment/{transaction_id}/capture': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/pos/payment/{transaction_id}/void': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/pos/verify-card': { schemes: ['signed'], reads: true },
  'POST /api/v1/pos/verify-account': { schemes: ['signed'], reads: true },
  'POST /api/v1/pos/lookup-card': { schemes: ['signed'], reads: true },
  'POST /api/v1/payment/refund': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/payment/{transaction_id}/capture': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/payment/{transaction_id}/void': { schemes: ['signed'], key: 'request_id' },
  'POST /api/v1/payment/verify-card': { schemes: ['signed'], reads: true },
  'POST /api/v1/payment/verify-account': { schemes: ['signed'], reads: true },
  'POST /api/v1/payment/lookup-card': { schemes: ['signed'], reads: true },
  'POST /api/v1/inbound/name-enquiry': { schemes: ['inbound'], reads: true },
  'POST /api/v1/inbound/credit': { schemes: ['inbound'], key: 'reference', keyHeader: true },
  'GET /api/v1/inbound/transactions/{reference}': { schemes: ['inbound'] },
  'POST /api/v1/admin/inbound/{inbound_id}/reverse': { key: 'request_id' },
  'POST /api/v1/admin/suspense/{transaction_id}/resolve': { key: 'request_id' },
  'GET /.well-known/kissi-keys.json': { schemes: [] },
  'GET /r/{token}': { schemes: [] },
  'GET /pay/{token}': { schemes: [] },
  'POST /pay/{token}/notify': { schemes: [] },
  'GET /api/v1/transactions/{id}/receipt': { schemes: ['bearer','signed'] },
  'POST /api/v1/partner/account-status': { schemes: ['partner'], reads: true },
  'POST /api/v1/partner/cashin': { schemes: ['partner'], key: 'reference' },
  'POST /api/v1/partner/transaction-history': { schemes: ['partner'], reads: true },
  'POST /webhooks/partner/cashin': { schemes: ['cash-in'], key: 'reference' },
  'POST /ussd/africastalking/{secret}': { schemes: [] },
  'POST /ussd/africastalking/{secret}/ended': { schemes: [] },
  'POST /ussd/json/{secret}': { schemes: [] },
  'POST /api/v1/external/messaging': { schemes: [] },
  'GET /api/v1/webhooks/messaging': { schemes: [] },
  'POST /api/v1/webhooks/messaging': { schemes: ['hub'] },
  'POST /external/messaging': { schemes: [] },
  'GET /webhooks/messaging': { schemes: [] },
  'POST /webhooks/messaging': { schemes: ['hub'] },
};

/** The codes of docs/errors.md. */
export type ErrorCode =
  | 'ACCOUNT_LOCKED'
  | 'AGENT_SUSPENDED'
  | 'AGENT_TERMINATED'
  | 'ALREADY_BLOCKED'
  | 'ALREADY_CAPTURED'
  | 'ALREADY_CLOSED'
  | 'ALREADY_DECIDED'
  | 'ALREADY_MATCHED'
  | 'ALREADY_PAID'
  | 'ALREADY_RESOLVED'
  | 'ALREADY_RETURNED'
  | 'ALREADY_REVERSED'
  | 'ALREADY_SUSPENDED'
  | 'ALREADY_UNDONE'
  | 'ALREADY_VOIDED'
  | 'AMOUNT_MISMATCH'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'APPROVAL_REQUIRED'
  | 'ARCHIVED'
  | 'BENEFICIARY_BLOCKED'
  | 'BENEFICIARY_MISMATCH'
  | 'BENEFICIARY_NOT_FOUND'
  | 'BULK_PAYMENT_EXISTS'
  | 'BULK_PAYMENT_STATE'
  | 'BULK_ROW_LIMIT_EXCEEDED'
  | 'CANCELLED'
  | 'CAPTURE_EXCEEDS_AUTHORIZATION'
  | 'CARD_ALREADY_LINKED'
  | 'CARD_BLOCKED'
  | 'CARD_HAS_CHILDREN'
  | 'CARD_NOT_ASSIGNED'
  | 'CARD_NOT_FOUND'
  | 'CASE_CLOSED'
  | 'CASE_EXISTS'
  | 'CERTIFICATE_REQUIRED'
  | 'CERTIFICATION_RUNNING'
  | 'CHILD_CARD_LIMIT'
  | 'CLOSE_OUT_OF_ORDER'
  | 'COMMISSION_EXCEEDS_FEES'
  | 'COMPLIANCE_BLOCKED'
  | 'CREDIT_BEFORE_PAYOUT'
  | 'CURRENCY_MISMATCH'
  | 'DAILY_LIMIT_EXCEEDED'
  | 'DAY_NOT_OVER'
  | 'DECLINED'
  | 'DELIVERY_IN_PROGRESS'
  | 'DUPLICATE_BANK_ACCOUNT'
  | 'DUPLICATE_EMAIL'
  | 'DUPLICATE_IDENTITY'
  | 'DUPLICATE_MERCHANT_ID'
  | 'DUPLICATE_PHONE'
  | 'EXECUTION_REFUSED'
  | 'EXPIRED'
  | 'EXPIRED_TIMESTAMP'
  | 'FILE_LIMIT'
  | 'FILE_MISMATCH'
  | 'FLOAT_NOT_EMPTY'
  | 'FLOAT_REQUEST_OPEN'
  | 'FORBIDDEN'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_FLOAT'
  | 'INTERNAL_ERROR'
  | 'INVALID_AMOUNT'
  | 'INVALID_CODE'
  | 'INVALID_OTP'
  | 'INVALID_PIN'
  | 'INVALID_PIN_FORMAT'
  | 'INVALID_REQUEST'
  | 'INVALID_SECOND_FACTOR'
  | 'INVALID_SIGNATURE'
  | 'IP_NOT_ALLOWED'
  | 'KEY_LIMIT_EXCEEDED'
  | 'KYC_REQUIREMENT_MISSING'
  | 'LAST_ADMIN'
  | 'LEVEL_REQUEST_OPEN'
  | 'MATCH_DOES_NOT_BALANCE'
  | 'MAX_BALANCE_EXCEEDED'
  | 'MERCHANT_MISMATCH'
  | 'METHOD_NOT_ALLOWED'
  | 'MISSING_PARENT'
  | 'NEW_DEVICE'
  | 'NOT_ACTIVE'
  | 'NOT_BLOCKED'
  | 'NOT_ERASABLE'
  | 'NOT_FOUND'
  | 'NOT_INDEPENDENT'
  | 'NOT_LOCKED'
  | 'NOT_PENDING'
  | 'NOT_RECONCILABLE'
  | 'NOT_REFUNDABLE'
  | 'NOT_REVERSIBLE'
  | 'NOT_SUSPENDED'
  | 'NO_PHONE_NUMBER'
  | 'NO_RECALL'
  | 'NO_SECRETS'
  | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED'
  | 'PARTNER_MISMATCH'
  | 'PARTNER_SUSPENDED'
  | 'PARTNER_WALLET_TAKEN'
  | 'PASSKEYS_NOT_CONFIGURED'
  | 'PASSWORD_CHANGE_REQUIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'PAYOUT_CLEARED'
  | 'PAYOUT_NOT_WRITTEN_OFF'
  | 'PEP_ACCESS_REQUIRED'
  | 'PERSONAL_DATA_ERASED'
  | 'PHONE_NOT_VERIFIED'
  | 'POLICY_LOCKED'
  | 'PROCESSING_FAILED'
  | 'PROCESSOR_SUSPENDED'
  | 'QUOTE_CHANGED'
  | 'QUOTE_USED'
  | 'RATE_LIMITED'
  | 'RECALL_ENDED'
  | 'RECALL_OPEN'
  | 'RECONCILIATION_RUNNING'
  | 'RECORD_CHANGED'
  | 'REFERENCE_CONFLICT'
  | 'REFUND_EXCEEDS_PAYMENT'
  | 'REPLAYED_REQUEST'
  | 'REQUESTER_NOT_PERMITTED'
  | 'REQUEST_CONFLICT'
  | 'ROWS_INVALID'
  | 'RULE_LIMIT'
  | 'SAME_ACCOUNT'
  | 'SAVED_VIEW_EXISTS'
  | 'SAVED_VIEW_LIMIT'
  | 'SCOPE_DENIED'
  | 'SECOND_FACTOR_ENROLMENT_REQUIRED'
  | 'SECOND_FACTOR_EXISTS'
  | 'SECOND_FACTOR_NOT_ENROLLED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SERVICE_UNAVAILABLE'
  | 'SETTLEMENT_EXCEEDS_OUTSTANDING'
  | 'STALE_REQUEST'
  | 'STATEMENT_INVALID'
  | 'SUBSCRIBER_BLOCKED'
  | 'SUBSCRIBER_NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_MANY_LOOKUPS'
  | 'TRANSACTION_FAILED'
  | 'TRANSACTION_TYPE_DISABLED'
  | 'TREASURY_LIMIT_EXCEEDED'
  | 'TRUST_ACCOUNT_CLOSED'
  | 'TRUST_ACCOUNT_EXISTS'
  | 'TRUST_ACCOUNT_IN_USE'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'USER_EXISTS'
  | 'USER_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_LIMIT';

/** A webhook's body; `event` tells which. */
export type WebhookPayload = CreditCompletedEvent | CreditFailedEvent | CreditReversedEvent | PaymentCompletedEvent | PaymentAuthorizedEvent | PaymentCapturedEvent | PaymentVoidedEvent | PaymentExpiredEvent | PaymentRefundedEvent | PaymentRequestPaidEvent | PaymentRequestDeclinedEvent | PaymentRequestExpiredEvent | PaymentRequestCancelledEvent | PayoutSentEvent | PayoutReturnedEvent | BulkPaymentCheckedEvent | BulkPaymentCompletedEvent;
