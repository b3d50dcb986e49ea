// What the replies of /me contain: types of the generated client, of which nothing is in the script.
import type { IncomingPaymentRequest, IssuedCashOutCode, PaymentRequest as SentPaymentRequest } from '@kissi/client';

export type {
  Balance,
  BlockedPayee,
  CashOutPrice,
  CustomerDevice as Device,
  CustomerQuote as Quote,
  GetOwnPaymentRequestReply as FoundRequest,
  Me,
  NotificationSettings as Notifications,
  OwnCard as Card,
  OwnCase,
  OwnCaseDetails,
  Transaction,
  TransactionDetails,
} from '@kissi/client';

export type SentRequest = SentPaymentRequest;
export type PaymentRequest = IncomingPaymentRequest | SentRequest;
/** The digits: only in the reply to the request with the PIN. */
export type CashOutCode = Omit<IssuedCashOutCode, 'code'> & { code?: string | null };
