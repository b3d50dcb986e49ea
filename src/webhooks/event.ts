// Webhook events: the outcomes of inbound credits. Each is an outbox row, written in the commit of its credit.
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import type { NewRow } from '../db/schema/tables.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';

interface CreditDetails {
  /** As of the decision on the credit. Without a webhook_url no event is written. */
  partner: { id: string; webhook_url: string | null };
  reference: string;
  inboundId: string;
  amount: number;
  fee: number;
  /** As the partner sent it, even if the credit was refused because of it. */
  currency: string;
  /** Null if no beneficiary was found. */
  subscriberId: string | null;
  /** The time of this outcome. */
  occurredAt: number;
}

export interface CreditCompleted extends CreditDetails {
  event: 'credit.completed';
  transactionId: string;
}

export interface CreditFailed extends CreditDetails {
  event: 'credit.failed';
  status: 'REJECTED' | 'FAILED';
  failureCode: string;
}

export interface CreditReversed extends CreditDetails {
  event: 'credit.reversed';
  /** The credit's transaction, not of the reversal: partners know the former. */
  transactionId: string;
  reason: string;
}

export type CreditEvent = CreditCompleted | CreditFailed | CreditReversed;

export type DeliveryRow = NewRow<'webhook_deliveries'>;

// A reversal is delivered after its credit, even if the clocks of two gateways differ.
const TURNS = { 'credit.completed': 0, 'credit.failed': 0, 'credit.reversed': 1 } as const;

const WEBHOOK_DELIVERIES = new OutboxTable('webhook_deliveries');

/** The event as a row for the payment's commit; none if the partner has no endpoint. */
export function webhookRows(event: CreditEvent, clock: Clock): OutboxRow[] {
  if (event.partner.webhook_url === null) return [];
  return [{ table: WEBHOOK_DELIVERIES, row: rowOf(event, clock) }];
}

function rowOf(event: CreditEvent, clock: Clock): DeliveryRow {
  const now = new Date(clock.now());
  return {
    id: newId('evt', clock),
    partner_id: event.partner.id,
    event: event.event,
    reference: event.reference,
    inbound_id: event.inboundId,
    turn: TURNS[event.event],
    // Serialized once, so that every attempt sends the same bytes.
    body: JSON.stringify(payloadOf(event)),
    status: 'pending',
    attempts: 0,
    step: 0,
    next_attempt_at: now,
    lease: null,
    leased_until: null,
    created_at: now,
    finished_at: null,
  };
}

function payloadOf(event: CreditEvent): object {
  return {
    event: event.event,
    reference: event.reference,
    inbound_id: event.inboundId,
    status: statusOf(event),
    operation: 'credit',
    amount: event.amount,
    fee: event.fee,
    currency: event.currency,
    subscriber_id: event.subscriberId,
    transaction_id: event.event === 'credit.failed' ? null : event.transactionId,
    occurred_at: iso(event.occurredAt),
    ...(event.event === 'credit.failed' ? { failure_code: event.failureCode } : {}),
    ...(event.event === 'credit.reversed' ? { reason: event.reason } : {}),
  };
}

function statusOf(event: CreditEvent): string {
  if (event.event === 'credit.failed') return event.status;
  return event.event === 'credit.completed' ? 'COMPLETED' : 'REVERSED';
}
