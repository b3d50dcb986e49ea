// The tables of inbound credits as the code sees them.
export interface InboundTransactionsTable {
  id: string;
  partner_id: string;
  reference: string;
  key_id: string;
  idempotency_key: string;
  status: 'COMPLETED' | 'REJECTED' | 'FAILED';
  failure_code: string | null;
  transaction_id: string | null;
  identified_by: string;
  identifier: string;
  subscriber_id: string | null;
  account_number: string | null;
  account_name: string | null;
  amount: number;
  fee: number;
  net_credited: number;
  currency: string;
  partner_outstanding: number;
  narration: string | null;
  payer_name: string | null;
  payer_account_masked: string | null;
  payer_bank_code: string | null;
  completed_at: Date;
}

export interface InboundReversalsTable {
  inbound_id: string;
  transaction_id: string;
  reason: string;
  allow_negative: boolean;
  reversed_by: string;
  reversed_at: Date;
}
