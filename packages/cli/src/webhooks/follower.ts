// Follows the deliveries of a partner with the rights of staff, for services that cannot reach this machine.
import { setTimeout as delay } from 'node:timers/promises';
import { operation } from '../command-table.ts';
import { EXIT, exitCodeOf, UsageError } from '../errors.ts';
import type { Connection } from '../session/connection.ts';
import { type EventSource, hookHeaders, type Listener, type WebhookEvent } from './event.ts';

const POLL_MS = 1_000;
const PAGE = 100;

export interface FollowerOptions {
  connection: Connection;
  partnerId: string;
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
    const query = { partner_id: partnerId, limit: String(PAGE), offset: String(offset) };
    return (
      (await connection.call(operation('listWebhookDeliveries'), { query })) as unknown as { deliveries: Delivery[] }
    ).deliveries;
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
    description: `Following the deliveries to ${partnerId}. Its webhook_url is not changed.`,
    async start({ onEvent, onFailure }) {
      handle = onEvent;
      await assertHasUrl(connection, partnerId);
      for (const { id } of await page(0)) seen.add(id);
      poll().catch(onFailure);
    },
    async replay(id) {
      for (let offset = 0; ; offset += PAGE) {
        const deliveries = await page(offset);
        const found = deliveries.find((delivery) => delivery.id === id);
        const event = found && eventOf(found, secret);
        if (event) return void (await handle(event));
        if (found || deliveries.length < PAGE) throw new UsageError(`The partner has no delivery ${id} to replay.`);
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
