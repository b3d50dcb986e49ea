// Events for the endpoints of merchants and partners: one outbox row for each endpoint that chose the event.
import type { OutboxRow } from '../db/outbox-table.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { deliveryRow, type EventOwner, endpointsFor } from './event.ts';
import type { Webhooks } from './webhooks.ts';

// Events about the same thing are delivered in this order, even if the clocks of two gateways differ.
const TURNS = {
  'payment.authorized': 0,
  'payment.completed': 0,
  'payment.captured': 1,
  'payment.voided': 1,
  'payment.expired': 1,
  'payment.refunded': 2,
  'payment_request.paid': 0,
  'payment_request.declined': 0,
  'payment_request.expired': 0,
  'payment_request.cancelled': 0,
  'payout.sent': 0,
  'payout.returned': 1,
  'bulk_payment.checked': 0,
  'bulk_payment.completed': 1,
} as const;

export type MerchantEventType = keyof typeof TURNS;

export const MERCHANT_EVENTS = Object.keys(TURNS) as MerchantEventType[];

/** What an endpoint gets to try it out. It cannot be chosen. */
export const TEST_EVENT = 'endpoint.test';

export interface MerchantEvent {
  type: MerchantEventType;
  /** The id of what the event is about: an endpoint gets the events about the same thing one after the other. */
  about: string;
  /** The customer, whose record staff may not be allowed to see; null: none. */
  subscriberId: string | null;
  /** Called only if an endpoint chose the event. */
  object(): object;
}

/** Rows for the commit of what happened; none if no endpoint chose the event. */
export function merchantEventRows(owner: EventOwner, event: MerchantEvent, clock: Clock): OutboxRow[] {
  const { type, about: reference, subscriberId } = event;
  const endpoints = endpointsFor(owner, type);
  if (endpoints.length === 0) return [];
  const text = { type, reference, subscriberId, turn: TURNS[type], object: event.object() };
  return endpoints.map((endpointId) => eventRow({ ownerId: owner.id, endpointId }, text, clock));
}

interface EventText {
  type: string;
  reference: string;
  subscriberId: string | null;
  turn: number;
  object: object;
}

export function eventRow(
  target: { ownerId: string; endpointId: string },
  { type, reference, subscriberId, turn, object }: EventText,
  clock: Clock,
): OutboxRow {
  const id = newId('evt', clock);
  const body = JSON.stringify({ id, type, created_at: iso(clock.now()), data: { object } });
  return deliveryRow({ id, ...target, event: type, reference, inboundId: null, subscriberId, turn, body }, clock);
}

/** The event's object: what the API replied, without what is for the caller alone. */
export function replied(reply: object): object {
  const { success, message, receipt, balance, ...object } = reply as Record<string, unknown>;
  return object;
}

/** As `merchantEventRows`. */
export type EventRows = (owner: EventOwner, event: MerchantEvent) => OutboxRow[];

/** Makes a payment that may write events, and delivers them once it is committed. */
export type Notifying = <Result>(pay: (eventRows: EventRows) => Promise<Result>) => Promise<Result>;

export function createNotifying(webhooks: Pick<Webhooks, 'wake'>, clock: Clock): Notifying {
  return async (pay) => {
    let isWritten = false;
    const result = await pay((owner, event) => {
      const rows = merchantEventRows(owner, event, clock);
      isWritten ||= rows.length > 0;
      return rows;
    });
    if (isWritten) webhooks.wake();
    return result;
  };
}
