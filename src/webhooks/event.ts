// Webhook events: the outcomes of inbound credits. Each is an outbox row, written in the commit of its credit.
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import type { NewRow } from '../db/schema/tables.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { currentTrace } from '../kernel/tracing.ts';
import { isPartnerId } from './owner.ts';

/** A partner or processor with its endpoints, as its look-ups read them: `EndpointEvents[]`, or null for none. */
export interface EventOwner {
  id: string;
  webhook_endpoints?: unknown;
}

/** An endpoint with the events that it chose. */
export interface EndpointEvents {
  id: string;
  events: readonly string[];
}

interface CreditDetails {
  /** As of the decision on the credit. Without a webhook_url and endpoints no event is written. */
  partner: EventOwner & { webhook_url: string | null };
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

export const CREDIT_EVENTS = Object.keys(TURNS) as CreditEvent['event'][];

const WEBHOOK_DELIVERIES = new OutboxTable('webhook_deliveries');

/** The event as rows for the payment's commit: for the partner's webhook_url, and for each endpoint that chose it. */
export function webhookRows(event: CreditEvent, clock: Clock): OutboxRow[] {
  const { partner, reference, inboundId } = event;
  const endpoints = endpointsFor(partner, event.event);
  const targets = partner.webhook_url === null ? endpoints : [null, ...endpoints];
  if (targets.length === 0) return [];
  const body = JSON.stringify(payloadOf(event));
  return targets.map((endpointId) => {
    const target = { id: newId('evt', clock), ownerId: partner.id, endpointId };
    return deliveryRow(
      { ...target, event: event.event, reference, inboundId, subscriberId: null, turn: TURNS[event.event], body },
      clock,
    );
  });
}

/** Whether commits can have deliveries to it. */
export function hasWebhooks({ webhook_url, webhook_endpoints }: CreditDetails['partner']): boolean {
  return webhook_url !== null || webhook_endpoints != null;
}

/** The owner's endpoints that chose the event. */
export function endpointsFor({ webhook_endpoints }: EventOwner, event: string): string[] {
  if (webhook_endpoints == null) return NONE;
  const chosen = (webhook_endpoints as EndpointEvents[]).filter(({ events }) => events.includes(event));
  return chosen.map(({ id }) => id);
}

const NONE: string[] = [];

interface NewDelivery {
  id: string;
  ownerId: string;
  endpointId: string | null;
  event: string;
  reference: string;
  inboundId: string | null;
  /** Null: of a credit, which has it in the body; or the event is about no customer. */
  subscriberId: string | null;
  turn: number;
  /** Serialized once, so that every attempt sends the same bytes. */
  body: string;
}

export function deliveryRow(delivery: NewDelivery, clock: Clock): OutboxRow {
  return { table: WEBHOOK_DELIVERIES, row: newDelivery(delivery, clock) };
}

export function newDelivery(
  { id, ownerId, endpointId, inboundId, subscriberId, ...rest }: NewDelivery,
  clock: Clock,
): DeliveryRow {
  const now = new Date(clock.now());
  const isPartner = isPartnerId(ownerId);
  const trace = currentTrace();
  return {
    id,
    partner_id: isPartner ? ownerId : null,
    processor_id: isPartner ? null : ownerId,
    endpoint_id: endpointId,
    inbound_id: inboundId,
    subscriber_id: subscriberId,
    ...rest,
    status: 'pending',
    attempts: 0,
    step: 0,
    next_attempt_at: now,
    lease: null,
    leased_until: null,
    created_at: now,
    finished_at: null,
    ...(trace ? { traceparent: trace.traceparent } : {}),
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
