// Ends payment requests without a payment: cancelled by the payee, declined by the payer, expired. Exactly one of them and a payment wins.
import type { Actor } from '../../audit/log.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MovementActor } from '../../ledger/types.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import { untilNoneDue } from '../../payments/expiry.ts';
import { movementActor } from '../../payments/plan.ts';
import type { EventRows } from '../../webhooks/merchant-event.ts';
import { noSuchRequest, type RequestContext } from './context.ts';
import { PAYMENT_TYPE } from './creation.ts';
import { requestEvent } from './events.ts';
import { endedRefusal, endUse, hasExpired, howItEnded } from './state.ts';
import { findDue, noteRecorded, type PaymentRequest } from './store.ts';
import { endRow, type Outcome } from './tables.ts';

const EXPIRY: MovementActor = { type: 'system', id: 'payment-request-expiry' };

interface Ending {
  outcome: Exclude<Outcome, 'paid'>;
  by: MovementActor;
  /** Of a change that somebody requested. */
  actor?: Actor;
  payerId?: string | null;
}

interface Decline {
  payer: string;
  /** The request's id. */
  request: string;
}

export function createEnding(context: RequestContext) {
  const { database, lookups, audit, payments, notifying, holders, findProcessor, pep, clock } = context;
  const { queries } = database;

  /** Null: it has ended so. Otherwise how it had ended before. */
  async function end(request: PaymentRequest, { outcome, by, actor, payerId = null }: Ending) {
    const used = endUse(request);
    const { id } = request;
    const event = {
      action: `payment_request.${VERBS[outcome]}`,
      ...{ resourceType: 'payment_request', resourceId: id, details: { payee: request.payee_id } },
    };
    const processor = request.payee_kind === 'processor' ? await findProcessor(request.payee_id) : null;
    const eventsAt = (at: number, total: number, eventRows: EventRows) => {
      const change = { outcome, at, payerId, used: total };
      return processor ? eventRows(processor, requestEvent(request, change, processor.business_name, context)) : [];
    };
    const recorded = await notifying((eventRows) =>
      payments.record({
        ...{
          type: PAYMENT_TYPE[request.payee_kind],
          actor: by,
          key: null,
          account: request.payee_id,
          allowances: [used],
        },
        // From then on it has expired, whether that is recorded yet or not.
        ...(outcome === 'expired' ? {} : { validUntil: { at: request.expires_at.getTime(), refusal: hasExpired } }),
        onRecorded: (at, [total = 0]) => ({
          reply: {},
          rows: [
            endRow({ requestId: id, outcome, used: used.use, payerId, actor: by, at }),
            ...(actor ? [audit.outboxRow(actor, event)] : []),
            ...eventsAt(at, total, eventRows),
          ],
        }),
      }),
    );
    return recorded instanceof Refusal ? howItEnded(context, id, recorded) : null;
  }

  const endDue = untilNoneDue(
    (most) => findDue(queries, new Date(clock.now()), most),
    (request) => end(request, { outcome: 'expired', by: EXPIRY }),
  );

  async function expireDue(stopping?: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    await endDue(stopping);
    if (!stopping?.aborted) await noteRecorded(queries, new Date(startedAt - HOUR_MS));
  }

  /** `isAsked`: whether the request asks this payer. Otherwise others can still pay it. */
  async function declineBy(
    actor: Actor,
    { payer, request: id }: Decline,
    isAsked: (request: PaymentRequest) => boolean,
  ): Promise<Refusal | null> {
    const [request, holder] = await Promise.all([lookups.byId(id), holders.statusById(payer)]);
    if (!request) return noSuchRequest();
    if (!holder) return noSuchSubscriber('payer');
    const notPermitted = await pep.staffRefusal(actor, payer, 'payment');
    if (notPermitted) return notPermitted;
    const before = endedRefusal(request, clock.now());
    if (before) return hasDeclined(request, payer) ? null : before;
    if (request.single_use && isAsked(request)) {
      const refused = await end(request, { outcome: 'declined', by: movementActor(actor), actor, payerId: payer });
      return refused && hasDeclined(await lookups.byId(id), payer) ? null : refused;
    }
    await noteDecline(actor, request, payer);
    return null;
  }

  async function noteDecline(actor: Actor, { id, payee_id }: PaymentRequest, payer: string): Promise<void> {
    const declined = { request_id: id, payer_id: payer, payee_id, at: new Date(clock.now()) };
    await database.transact(async (trx) => {
      const inserted = trx.insertInto('payment_request_declines').values(declined);
      const { numInsertedOrUpdatedRows: count } = await inserted
        .onConflict((row) => row.doNothing())
        .executeTakeFirst();
      const event = { action: 'payment_request.decline', resourceType: 'payment_request', resourceId: id };
      if (count) await audit.record(trx, actor, event);
    });
  }

  return {
    /** By the payee or for it. A request that is cancelled already stays so. */
    async cancel(actor: Actor, request: PaymentRequest): Promise<Refusal | null> {
      const before = endedRefusal(request, clock.now());
      const refusal = before ?? (await end(request, { outcome: 'cancelled', by: movementActor(actor), actor }));
      return refusal?.code === 'CANCELLED' ? null : refusal;
    },

    /** Ends the request if it asks this payer for one payment. Otherwise others can still pay it. */
    decline: (actor: Actor, decline: Decline) =>
      declineBy(actor, decline, ({ payer_id }) => payer_id === decline.payer),

    /** For the lab, whose customer answers requests that name nobody. */
    declineAsAsked: (actor: Actor, decline: Decline) => declineBy(actor, decline, () => true),

    expireDue,
  };
}

/** A repeated decline is no refusal; that of another payer is. */
function hasDeclined(request: PaymentRequest | null, payer: string): boolean {
  return request?.outcome === 'declined' && request.ended_by === payer;
}

const VERBS = { cancelled: 'cancel', declined: 'decline', expired: 'expire' } as const;
