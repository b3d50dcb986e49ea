// What the payment page needs of payment requests.
import type { Refusal } from '../../kernel/refusal.ts';

export type EndedStatus = 'paid' | 'declined' | 'expired' | 'cancelled';

/** A payment request as everybody with its link sees it. */
export interface PaymentView {
  id: string;
  /** One that many pay stays open. */
  status: 'open' | EndedStatus;
  /** Minor units; null: the payer chooses. */
  amount: number | null;
  currency: string;
  payee_name: string;
  description: string;
  reference: string | null;
  code: string;
  ussd: string | null;
  /** The text of an EMVCo QR code. */
  qr: string | null;
  url: string;
  single_use: boolean;
  return_url: string | null;
  /** Empty if many can pay: nobody learns of the others' payments. */
  transaction_ids: readonly string[];
  expires_at: string;
}

export interface PayablePayments {
  byToken(token: string): Promise<PaymentView | Refusal>;
  /** Sends the request to a number. Null if it was accepted, whoever has the number. `visitor`: the address. */
  notifyPayer(notice: { request: string; phone: string; visitor: string }): Promise<Refusal | null>;
}
