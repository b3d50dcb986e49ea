// Follows the deliveries of a partner with the rights of staff, or one's own, for services that cannot reach this machine.
import { setTimeout as delay } from 'node:timers/promises';
import { operation } from '../command-table.ts';
import { EXIT, exitCodeOf, UsageError } from '../errors.ts';
import type { Connection } from '../session/connection.ts';
import { type EventSource, hookHeaders, type Listener, type WebhookEvent } from './event.ts';
import { ownEndpoints } from './own.ts';

const POLL_MS = 1_000;
const PAGE = 100;

export interface FollowerOptions {
  connection: Connection;
  /** Null: the deliveries of the merchant or partner who follows. */
  partnerId: string | null;
  secret: string | undefined;
}

interface Delivery {
  id: string;
  /** Absent if the delivery concerns a politically exposed person. */
  payload?: object;
}

export function createFollower({ connection, partnerId, secret }: FollowerOptions): EventSource {
  const stopped = new AbortController();
  const seen = new Set<string>();
  let handle: Listener['onEvent'] = async () => 200;

  async function page(offset: number): Promise<Delivery[]> {
    const list = operation(partnerId === null ? 'listOwnWebhookDeliveries' : 'listWebhookDeliveries');
    const owner = partnerId === null ? {} : { partner_id: partnerId };
    const reply = await connection.call(list, { query: { ...owner, limit: String(PAGE), offset: String(offset) } });
    return (reply as unknown as { deliveries: Delivery[] }).deliveries;
  }

  /** Newer than everything seen, the oldest first. */
  async function newDeliveries(): Promise<Delivery[]> {
    const found: Delivery[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const deliveries = await page(offset);
      const fresh = deliveries.filter(({ id }) => !seen.has(id));
      found.push(...fresh);
      if (fresh.length < deliveries.length || deliveries.length < PAGE) return found.reverse();
    }
  }

  async function poll(): Promise<void> {
    while (!stopped.signal.aborted) {
      for (const delivery of await newDeliveries().catch(noneIfUnavailable)) {
        seen.add(delivery.id);
        const event = eventOf(delivery, secret);
        if (event) await handle(event);
      }
      await delay(POLL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  return {
    description:
      partnerId === null
        ? 'Following your deliveries. Nothing is changed.'
        : `Following the deliveries to ${partnerId}. Its webhook_url is not changed.`,
    async start({ onEvent, onFailure }) {
      handle = onEvent;
      await (partnerId === null ? assertHasEndpoints(connection) : assertHasUrl(connection, partnerId));
      for (const { id } of await page(0)) seen.add(id);
      poll().catch(onFailure);
    },
    async replay(id) {
      for (let offset = 0; ; offset += PAGE) {
        const deliveries = await page(offset);
        const found = deliveries.find((delivery) => delivery.id === id);
        const event = found && eventOf(found, secret);
        if (event) return void (await handle(event));
        if (found || deliveries.length < PAGE) throw new UsageError(`There is no delivery ${id} to replay.`);
      }
    },
    async stop() {
      stopped.abort();
    },
  };
}

/** A service that restarts is asked again. */
function noneIfUnavailable(error: unknown): Delivery[] {
  if (exitCodeOf(error) === EXIT.connection || exitCodeOf(error) === EXIT.unavailable) return [];
  throw error;
}

async function assertHasEndpoints(connection: Connection): Promise<void> {
  // A partner may have its webhook_url, which only staff see.
  if (connection.profile.partnerId || (await ownEndpoints(connection)).length > 0) return;
  throw new UsageError('You have no webhook endpoint, so the service writes no events: kissi webhook-endpoints create');
}

/** Without an address the service writes no events. */
async function assertHasUrl(connection: Connection, id: string): Promise<void> {
  const reply = (await connection.call(operation('getPartner'), { path: { id } })) as unknown as {
    partner: { webhook_url: string | null };
  };
  if (reply.partner.webhook_url) return;
  throw new UsageError(
    `Partner ${id} has no webhook_url, so the service writes no events. Set one: kissi partners update ${id} --webhook-url URL`,
  );
}

/** The service stores the body as compact JSON, so that writing it again gives the same bytes. */
function eventOf({ id, payload }: Delivery, secret: string | undefined): WebhookEvent | null {
  if (!payload) return null;
  const body = Buffer.from(JSON.stringify(payload));
  return { id, body, headers: hookHeaders(id, body, secret), signature: secret === undefined ? 'none' : 'made here' };
}
