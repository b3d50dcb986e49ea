// The tables of payment requests that the ledger writes in its batches, and their rows. The seals cover them.
import { OutboxTable } from '../../db/outbox-table.ts';
import type { MovementActor } from '../../ledger/types.ts';

export const REQUESTS = new OutboxTable('payment_requests', {
  sealed: {
    id: 'text',
    payee_kind: 'text',
    payee_id: 'text',
    amount: 'text',
    description: 'text',
    reference: 'text',
    metadata: 'text',
    payer_phone: 'text',
    payer_id: 'text',
    single_use: 'text',
    return_url: 'text',
    code: 'text',
    expires_at: 'timestamp',
    request_id: 'text',
    actor_type: 'text',
    actor_id: 'text',
    created_at: 'timestamp',
    token_hash: 'text',
  },
});

export const PAYMENTS = new OutboxTable('payment_request_payments', {
  sealed: { id: 'text', request_id: 'text', payer_id: 'text', amount: 'text', at: 'timestamp' },
});

export const ENDS = new OutboxTable('payment_request_ends', {
  sealed: {
    request_id: 'text',
    outcome: 'text',
    used: 'text',
    payer_id: 'text',
    actor_type: 'text',
    actor_id: 'text',
    at: 'timestamp',
  },
});

/** More payments than any link gets: an end uses up a link's running total by this many. */
export const MOST_PAYMENTS = 2 ** 40;

export const OUTCOMES = ['paid', 'declined', 'expired', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const STATUSES = ['open', ...OUTCOMES] as const;
export type Status = (typeof STATUSES)[number];

export const PAYEE_KINDS = ['processor', 'subscriber'] as const;
export type PayeeKind = (typeof PAYEE_KINDS)[number];

interface Payment {
  id: string;
  requestId: string;
  payerId: string;
  amount: number;
  at: number;
}

export function paymentRow({ id, requestId, payerId, amount, at }: Payment) {
  return { table: PAYMENTS, row: { id, request_id: requestId, payer_id: payerId, amount, at: new Date(at) } };
}

interface End {
  requestId: string;
  outcome: Outcome;
  used: number;
  /** Who paid or declined. */
  payerId: string | null;
  actor: MovementActor;
  at: number;
}

export function endRow({ requestId, outcome, used, payerId, actor, at }: End) {
  const by = { actor_type: actor.type, actor_id: actor.id, at: new Date(at) };
  return { table: ENDS, row: { request_id: requestId, outcome, used, payer_id: payerId, ...by } };
}
