// Webhook endpoints of merchants and partners: up to five each, with the events that they chose and a secret of their own.
import { randomBytes } from 'node:crypto';
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Vault } from '../../auth/vault.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchPartner } from '../../parties/partner.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import { type UrlRules, webhookUrlFault } from '../../webhooks/address.ts';
import { CREDIT_EVENTS, type DeliveryRow } from '../../webhooks/event.ts';
import { eventRow, type MerchantEventType, TEST_EVENT } from '../../webhooks/merchant-event.ts';
import { isPartnerId, webhookOwnerOf } from '../../webhooks/owner.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { exampleOf } from './examples.ts';
import { type EndpointChanges, type NewEndpoint, OVERLAP_SECONDS } from './schemas.ts';
import * as store from './store.ts';

export { createTargetLoader } from './targets.ts';

export interface EndpointsDependencies extends ChangeContext {
  vault: Vault;
  webhooks: Pick<Webhooks, 'wake'>;
  webhookUrls: UrlRules;
  /** Whether examples of events may be sent: a shop could take one for a payment. */
  allowExamples: boolean;
}

export interface WithSecret {
  endpoint: store.WebhookEndpoint;
  /** Shown once. */
  secret: string;
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

const MAX_ENDPOINTS = 5;
const SECRET_BYTES = 32;

export function createWebhookEndpoints(dependencies: EndpointsDependencies) {
  const { database, audit, vault, webhooks, webhookUrls, allowExamples, clock } = dependencies;
  const now = () => new Date(clock.now());

  async function insert(trx: DatabaseTransaction, actor: Actor, ownerId: string, body: NewEndpoint) {
    if (!(await store.lockOwner(trx, ownerId))) return noSuchOwner(ownerId);
    if ((await store.countEndpoints(trx, ownerId)) >= MAX_ENDPOINTS) return tooMany();
    const id = newId('whe', clock);
    const secret = newSecret();
    const endpoint = await store.insertEndpoint(trx, {
      id,
      processor_id: isPartnerId(ownerId) ? null : ownerId,
      partner_id: isPartnerId(ownerId) ? ownerId : null,
      url: body.url,
      events: body.events,
      sealed_secret: vault.seal(secret, id),
      previous_secret: null,
      previous_valid_until: null,
      created_by: String(actor.caller.id),
      created_at: now(),
      updated_at: now(),
    });
    await record(trx, actor, 'create', endpoint, { url: body.url, events: body.events });
    return { endpoint, secret };
  }

  /** Runs a change on the endpoint, whose owner is locked. */
  function change<Result>(
    actor: Actor,
    id: string,
    run: (trx: DatabaseTransaction, endpoint: store.WebhookEndpoint) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    return database.transact(async (trx) => {
      const seen = await store.findEndpoint(trx, id);
      if (!seen || !isVisible(actor.caller, seen)) return noSuchEndpoint();
      await store.lockOwner(trx, ownerOf(seen));
      // It may have been deleted while this waited.
      const endpoint = await store.findEndpoint(trx, id);
      return endpoint ? run(trx, endpoint) : noSuchEndpoint();
    });
  }

  function record(
    trx: DatabaseTransaction,
    actor: Actor,
    action: string,
    endpoint: store.WebhookEndpoint,
    details: Record<string, unknown> = {},
  ) {
    return audit.record(trx, actor, {
      action: `webhook_endpoint.${action}`,
      resourceType: 'webhook_endpoint',
      resourceId: endpoint.id,
      details: { owner_id: ownerOf(endpoint), ...details },
    });
  }

  function fieldsRefusal({ url, events }: EndpointChanges, ownerId: string): Refusal | null {
    const fault = url === undefined ? null : webhookUrlFault(url, webhookUrls);
    if (fault !== null) return refuse('INVALID_REQUEST', `url ${fault}.`);
    const credits: readonly string[] = isPartnerId(ownerId) ? [] : CREDIT_EVENTS;
    const foreign = events?.find((event) => credits.includes(event));
    return foreign === undefined
      ? null
      : refuse('INVALID_REQUEST', `events contains ${foreign}, which only partners get.`);
  }

  return {
    async create(actor: Actor, body: NewEndpoint): Promise<WithSecret | Refusal> {
      const ownerId = ownerOfNew(actor.caller, body);
      if (ownerId instanceof Refusal) return ownerId;
      const refusal = fieldsRefusal(body, ownerId);
      return refusal ?? database.transact((trx) => insert(trx, actor, ownerId, body));
    },

    list({ caller }: Actor, { processor_id, partner_id }: store.EndpointFilter, page: Page) {
      const own = webhookOwnerOf(caller);
      const asked = { ...(processor_id ? { processor_id } : {}), ...(partner_id ? { partner_id } : {}) };
      if (own === null) return store.listEndpoints(database.queries, asked, page);
      const ofOwner = isPartnerId(own) ? { partner_id: own } : { processor_id: own };
      const isForeign = Object.values(asked).some((id) => id !== own);
      return isForeign ? { rows: [], total: 0 } : store.listEndpoints(database.queries, ofOwner, page);
    },

    async get({ caller }: Pick<Actor, 'caller'>, id: string): Promise<store.WebhookEndpoint | Refusal> {
      const endpoint = await store.findEndpoint(database.queries, id);
      return endpoint && isVisible(caller, endpoint) ? endpoint : noSuchEndpoint();
    },

    update(actor: Actor, id: string, changes: EndpointChanges): Promise<store.WebhookEndpoint | Refusal> {
      return change(actor, id, async (trx, endpoint) => {
        const refusal = fieldsRefusal(changes, ownerOf(endpoint));
        if (refusal || Object.keys(changes).length === 0) return refusal ?? endpoint;
        const updated = await store.updateEndpoint(trx, id, { ...changes, updated_at: now() });
        await record(trx, actor, 'update', endpoint, changes);
        return updated;
      });
    },

    remove(actor: Actor, id: string): Promise<null | Refusal> {
      return change(actor, id, async (trx, endpoint) => {
        await store.deleteEndpoint(trx, id);
        await store.abandonDeliveries(trx, id, now());
        await record(trx, actor, 'delete', endpoint, { url: endpoint.url });
        return null;
      });
    },

    rotate(actor: Actor, id: string, overlapSeconds = OVERLAP_SECONDS): Promise<WithSecret | Refusal> {
      return change(actor, id, async (trx, before) => {
        const secret = newSecret();
        const previousUntil = overlapSeconds === 0 ? null : new Date(clock.now() + overlapSeconds * SECOND_MS);
        const sealed = vault.seal(secret, id);
        const endpoint = await store.replaceSecret(trx, id, { sealed, previousUntil, now: now() });
        await record(trx, actor, 'rotate_secret', before, { overlap_seconds: overlapSeconds });
        return { endpoint, secret };
      });
    },

    /** Sends the endpoint an event about itself, or an example; returns the delivery's id. */
    async test(actor: Actor, id: string, type?: MerchantEventType): Promise<string | Refusal> {
      if (type !== undefined && !allowExamples) {
        return refuse('INVALID_REQUEST', 'type: examples of events are not sent in production, only endpoint.test.');
      }
      const sent = await change(actor, id, async (trx, endpoint) => {
        const target = { ownerId: ownerOf(endpoint), endpointId: id };
        const object = type === undefined ? { webhook_endpoint_id: id } : exampleOf(type, target.ownerId);
        const event = { type: type ?? TEST_EVENT, reference: id, subscriberId: null, turn: 0, object };
        const { row } = eventRow(target, event, clock);
        await store.insertDelivery(trx, row as DeliveryRow);
        await record(trx, actor, 'test', endpoint, { type: event.type });
        return (row as DeliveryRow).id;
      });
      if (!(sent instanceof Refusal)) webhooks.wake();
      return sent;
    },
  };
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function ownerOf({ partner_id, processor_id }: Pick<store.WebhookEndpoint, 'partner_id' | 'processor_id'>): string {
  return partner_id ?? processor_id ?? '';
}

function isVisible(caller: Caller, endpoint: store.WebhookEndpoint): boolean {
  const own = webhookOwnerOf(caller);
  return own === null || own === ownerOf(endpoint);
}

/** Staff name the owner; others may, and it must be themselves. */
function ownerOfNew(caller: Caller, { processor_id, partner_id }: NewEndpoint): string | Refusal {
  const own = webhookOwnerOf(caller);
  const named = [processor_id, partner_id].filter((id) => id !== undefined);
  if (own !== null) {
    const isForeign = named.some((id) => id !== own);
    return isForeign ? refuse('FORBIDDEN', 'The endpoint would belong to another owner.') : own;
  }
  const [ownerId, second] = named;
  if (ownerId === undefined || second !== undefined) {
    return refuse('INVALID_REQUEST', 'Either processor_id or partner_id is required: the owner.');
  }
  return isPartnerId(ownerId) === (partner_id !== undefined) ? ownerId : noSuchOwner(ownerId);
}

function noSuchOwner(ownerId: string): Refusal {
  return isPartnerId(ownerId) ? noSuchPartner() : noSuchProcessor();
}

function noSuchEndpoint(): Refusal {
  return refuse('NOT_FOUND', 'There is no such webhook endpoint.');
}

function tooMany(): Refusal {
  return refuse('WEBHOOK_ENDPOINT_LIMIT', `An owner has at most ${MAX_ENDPOINTS} webhook endpoints: delete one first.`);
}
