// What was sent to partners and what became of it; and sending it again.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database, Transact } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import {
  type Delivery,
  type DeliveryFilter,
  type DeliveryRow,
  listDeliveries,
  lockDelivery,
  restartDelivery,
  withAttempts,
} from './store.ts';

export interface WebhookDeliveriesDependencies {
  database: Database;
  audit: AuditLog;
  webhooks: Pick<Webhooks, 'wake'>;
  clock: Clock;
}

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;

export function createWebhookDeliveries({ database, audit, webhooks, clock }: WebhookDeliveriesDependencies) {
  async function restart(trx: Transact, actor: Actor, id: string): Promise<Delivery | Refusal> {
    const before = await lockDelivery(trx, id);
    if (!before) return refuse('NOT_FOUND', 'There is no such webhook delivery.');
    if (isUnderWay(before)) {
      return refuse('DELIVERY_IN_PROGRESS', 'An attempt to deliver it is under way; see what comes of it first.');
    }
    const [delivery] = await withAttempts(trx, [await restartDelivery(trx, id, new Date(clock.now()))]);
    await audit.record(trx, actor, {
      action: 'webhook_delivery.replay',
      resourceType: 'webhook_delivery',
      resourceId: id,
      details: { partner_id: before.partner_id, status_before: before.status, attempts_before: before.attempts },
    });
    return delivery as Delivery;
  }

  function isUnderWay({ leased_until }: DeliveryRow): boolean {
    return leased_until !== null && leased_until.getTime() > clock.now();
  }

  return {
    list(filter: DeliveryFilter, page: Page): Promise<{ deliveries: Delivery[]; total: number }> {
      return listDeliveries(database.queries, filter, page);
    },
    /** The same event, on a new schedule that begins now; one that still waits for its next attempt gets it now. */
    async replay(actor: Actor, id: string): Promise<Delivery | Refusal> {
      const delivery = await database.transact((trx) => restart(trx, actor, id));
      if (!(delivery instanceof Refusal)) webhooks.wake();
      return delivery;
    },
  };
}
