// Lists webhook deliveries with their attempts, shows what one sent and received, and replays them.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { Page } from '../../../http/paging.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { PartnerEndpoint } from '../../../webhooks/attempt.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import { type DeliveryDetails, withVerdict } from './details.ts';
import * as store from './store.ts';

export interface WebhookDeliveriesDependencies extends ChangeContext {
  webhooks: Pick<Webhooks, 'wake'>;
  endpointOf(partnerId: string): Promise<PartnerEndpoint | null>;
  pep: PepGuard;
}

/** What the caller sees of a delivery about a person it may not see. */
export type HiddenDelivery = Pick<store.DeliveryRow, 'id' | 'status'>;

export interface ListedDeliveries {
  deliveries: (store.Delivery | HiddenDelivery)[];
  total: number;
}

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;

export function createWebhookDeliveries(dependencies: WebhookDeliveriesDependencies) {
  const { database, audit, webhooks, endpointOf, pep, clock } = dependencies;
  async function restart(trx: DatabaseTransaction, actor: Actor, id: string): Promise<store.Delivery | Refusal> {
    const before = await store.lockDelivery(trx, id);
    if (!before) return unknownDelivery();
    const pepRefusal = await pep.refusalOf(actor, subscriberOf(before), 'webhook', trx);
    if (pepRefusal) return pepRefusal;
    if (isInProgress(before)) {
      return refuse('DELIVERY_IN_PROGRESS', 'A delivery attempt is in progress. Wait for its result.');
    }
    const [delivery] = await store.withAttempts(trx, [await store.restartDelivery(trx, id, new Date(clock.now()))]);
    await audit.record(trx, actor, {
      action: 'webhook_delivery.replay',
      resourceType: 'webhook_delivery',
      resourceId: id,
      details: { partner_id: before.partner_id, status_before: before.status, attempts_before: before.attempts },
    });
    return delivery as store.Delivery;
  }

  function isInProgress({ leased_until }: store.DeliveryRow): boolean {
    return leased_until !== null && leased_until.getTime() > clock.now();
  }

  return {
    /** A key lists those of its own partner: it has received them. */
    async list(actor: Actor, filter: store.DeliveryFilter, page: Page): Promise<ListedDeliveries> {
      const { caller } = actor;
      if (caller.kind === 'key') {
        const partner_id = caller.partnerId;
        return partner_id === null ? NONE : store.listDeliveries(database.queries, { ...filter, partner_id }, page);
      }
      // A hit would confirm a payment's reference.
      const hides = filter.reference !== undefined && !(await pep.hasAccess(caller));
      const except = hides ? await pep.all() : [];
      const { deliveries, total } = await store.listDeliveries(database.queries, { ...filter, except }, page);
      const hidden = await pep.hidden(actor, deliveries.map(subscriberOf));
      const isHidden = (row: store.DeliveryRow) => hidden.has(subscriberOf(row) ?? '');
      const listed = deliveries.map((row) => (isHidden(row) ? { id: row.id, status: row.status } : row));
      return { deliveries: listed, total };
    },
    /** With what the latest attempts sent and received, and whether their signatures are valid now. */
    async get(actor: Actor, id: string): Promise<DeliveryDetails | Refusal> {
      const delivery = await store.findDelivery(database.queries, id);
      const { caller } = actor;
      if (!delivery || (caller.kind === 'key' && delivery.partner_id !== caller.partnerId)) return unknownDelivery();
      const pepRefusal = caller.kind === 'key' ? null : await pep.refusalOf(actor, subscriberOf(delivery), 'webhook');
      if (pepRefusal) return pepRefusal;
      const rows = await store.attemptDetails(database.queries, id);
      const endpoint = await endpointOf(delivery.partner_id);
      const attempts = rows.map((row) => withVerdict(row, delivery.body, endpoint?.secrets ?? []));
      return { ...delivery, attemptRows: attempts };
    },
    /** Restarts the retry schedule of the event now, even if its next attempt is still pending. */
    async replay(actor: Actor, id: string): Promise<store.Delivery | Refusal> {
      const delivery = await database.transact((trx) => restart(trx, actor, id));
      if (!(delivery instanceof Refusal)) webhooks.wake();
      return delivery;
    },
  };
}

const NONE: ListedDeliveries = { deliveries: [], total: 0 };

function unknownDelivery(): Refusal {
  return refuse('NOT_FOUND', 'There is no such webhook delivery.');
}

/** Null if the credit had no beneficiary. */
function subscriberOf({ body }: store.DeliveryRow): string | null {
  return (JSON.parse(body) as { subscriber_id?: string | null }).subscriber_id ?? null;
}
