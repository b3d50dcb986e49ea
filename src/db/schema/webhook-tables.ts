// The tables of the outbox of webhooks as the code sees them.
export interface WebhookDeliveriesTable {
  id: string;
  partner_id: string;
  event: string;
  reference: string;
  inbound_id: string;
  turn: number;
  body: string;
  status: 'pending' | 'delivered' | 'abandoned';
  attempts: number;
  step: number;
  next_attempt_at: Date | null;
  lease: string | null;
  leased_until: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface WebhookAttemptsTable {
  delivery_id: string;
  number: number;
  at: Date;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}
