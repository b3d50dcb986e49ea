// Lists webhook deliveries with their attempts, shows what one sent and received, and replays them.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { isStaff } from '../../../auth/caller.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { Page } from '../../../http/paging.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { DeliveryAddress, WebhookTarget } from '../../../webhooks/attempt.ts';
import { isPartnerId, webhookOwnerOf } from '../../../webhooks/owner.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import { type DeliveryDetails, withVerdict } from './details.ts';
import * as store from './store.ts';

export interface WebhookDeliveriesDependencies extends ChangeContext {
  webhooks: Pick<Webhooks, 'wake'>;
  targetOf(delivery: DeliveryAddress): Promise<WebhookTarget | null>;
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
  const { database, audit, webhooks, targetOf, pep, clock } = dependencies;
  async function restart(trx: DatabaseTransaction, actor: Actor, id: string): Promise<store.Delivery | Refusal> {
    const before = await store.lockDelivery(trx, id);
    if (!before || isForeign(actor, before)) return unknownDelivery();
    const pepRefusal = await concealed(actor, before, trx);
    if (pepRefusal) return pepRefusal;
    if (isInProgress(before)) {
      return refuse('DELIVERY_IN_PROGRESS', 'A delivery attempt is in progress. Wait for its result.');
    }
    const [delivery] = await store.withAttempts(trx, [await store.restartDelivery(trx, id, new Date(clock.now()))]);
    const { partner_id, processor_id } = before;
    const owner = partner_id === null ? { processor_id } : { partner_id };
    await audit.record(trx, actor, {
      action: 'webhook_delivery.replay',
      resourceType: 'webhook_delivery',
      resourceId: id,
      details: { ...owner, status_before: before.status, attempts_before: before.attempts },
    });
    return delivery as store.Delivery;
  }

  /** Owners have received what they read. */
  async function concealed(actor: Actor, delivery: store.DeliveryRow, trx?: DatabaseTransaction) {
    return isStaff(actor.caller) ? pep.refusalOf(actor, subscriberOf(delivery), 'webhook', trx) : null;
  }

  function isInProgress({ leased_until }: store.DeliveryRow): boolean {
    return leased_until !== null && leased_until.getTime() > clock.now();
  }

  return {
    /** Partners and merchants list their own: they have received them. */
    async list(actor: Actor, filter: store.DeliveryFilter, page: Page): Promise<ListedDeliveries> {
      const { caller } = actor;
      const own = webhookOwnerOf(caller);
      if (own !== null) {
        const owner = isPartnerId(own) ? { partner_id: own } : { processor_id: own };
        return store.listDeliveries(database.queries, { ...filter, ...owner }, page);
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
      if (!delivery || isForeign(actor, delivery)) return unknownDelivery();
      const pepRefusal = await concealed(actor, delivery);
      if (pepRefusal) return pepRefusal;
      const rows = await store.attemptDetails(database.queries, id);
      const target = await targetOf({ ownerId: ownerOf(delivery), endpointId: delivery.endpoint_id });
      const attempts = rows.map((row) => withVerdict(row, delivery.body, target?.secrets ?? []));
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

function ownerOf({ partner_id, processor_id }: store.DeliveryRow): string {
  return partner_id ?? processor_id ?? '';
}

function isForeign({ caller }: Actor, delivery: store.DeliveryRow): boolean {
  const own = webhookOwnerOf(caller);
  return own !== null && own !== ownerOf(delivery);
}

function unknownDelivery(): Refusal {
  return refuse('NOT_FOUND', 'There is no such webhook delivery.');
}

/** Null if the credit had no beneficiary, or the event is about no customer. */
function subscriberOf({ subscriber_id, body }: store.DeliveryRow): string | null {
  return subscriber_id ?? (JSON.parse(body) as { subscriber_id?: string | null }).subscriber_id ?? null;
}
