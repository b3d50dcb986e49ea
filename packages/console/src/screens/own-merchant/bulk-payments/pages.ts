// The merchant's screens for bulk payments in one bundle, with their Krio texts.
export { BulkPaymentScreen } from './bulk-payment.tsx';
export { BulkPayments } from './bulk-payments.tsx';
