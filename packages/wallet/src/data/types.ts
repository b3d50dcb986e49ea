// What the replies of /me contain, as far as the wallet shows it.
import type { Language } from '../language.ts';

export interface Me {
  profile: {
    phone_number: string;
    account_number: string;
    first_name: string;
    last_name: string;
    kyc_level: number;
  };
  limits: { daily: { limit: number; used: number; remaining: number } };
  device_id: string;
  new_device: { restricted_until: string; limit: number; used: number } | null;
  other_new_devices: Device[];
}

export interface Balance {
  balance: number;
  held: number;
  available: number;
}

export interface Transaction {
  transaction_id: string;
  type: string;
  direction: 'debit' | 'credit';
  amount: number;
  fee: number;
  balance_after: number | null;
  payer_name?: string | null;
  payee_name?: string | null;
  narration: string | null;
  created_at: string;
}

export interface TransactionDetails extends Transaction {
  receipt_url: string | null;
  payer: { name: string | null };
  payee: { name: string | null };
}

export interface Quote {
  id: string;
  type: 'transfer' | 'merchant' | 'payment_request';
  recipient_name: string;
  amount: number;
  fee: number;
  total: number;
  payment_request_id: string | null;
  expires_at: string;
}

export interface PaymentRequest {
  id: string;
  status: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
  amount: number | null;
  payee_name: string;
  description: string;
  code: string;
  ussd: string | null;
  qr: string;
  url: string;
  expires_at: string;
}

export interface CashOutCode {
  id: string;
  status: 'active' | 'redeemed' | 'cancelled' | 'expired';
  amount: number;
  fee: number;
  total: number;
  /** The digits: only in the reply to the request with the PIN. */
  code?: string | null;
  expires_at: string;
}

export type CashOutPrice = Pick<CashOutCode, 'amount' | 'fee' | 'total'>;

export interface Card {
  serial: string;
  status: string;
  label: string | null;
  blocked_by_you: boolean;
}

export interface Device {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string;
  restricted_until: string | null;
}

export interface Notifications {
  language: Language;
  channels: string[];
  /** Whether payments are told. Notices about security always are. */
  payments: boolean;
  show_balance: boolean;
}
