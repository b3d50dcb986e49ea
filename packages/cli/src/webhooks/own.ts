// Webhooks of the merchant or partner whose login or key the profile has: it needs nobody's help to try them out.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { operation } from '../command-table.ts';
import { isKissiError, UsageError } from '../errors.ts';
import type { Connection } from '../session/connection.ts';
import { configFolder } from '../session/profile.ts';
import type { EventSource } from './event.ts';
import { addressOf, closeServer, startHookServer } from './hook-server.ts';
import { UrlRefused } from './receiver.ts';

export const CREDIT_EVENTS = ['credit.completed', 'credit.failed', 'credit.reversed'] as const;

/** The events of which the service sends examples. */
export function exampleEvents(): string[] {
  return operation('testWebhookEndpoint').body.find(({ name }) => name === 'type')?.values ?? [];
}

/** Whether the credentials are a merchant's or partner's own; staff name the partner. */
export async function isOwner(connection: Connection): Promise<boolean> {
  const { apiKey, tokens, keyId } = connection.profile;
  if (!apiKey && !tokens) return keyId !== undefined;
  try {
    const user = (await connection.call(operation('getCurrentUser'))) as unknown as { role: string };
    return user.role === 'processor';
  } catch (error) {
    // A key has no account of its own.
    if (isKissiError(error) && error.code === 'FORBIDDEN') return true;
    throw error;
  }
}

export interface OwnReceiverOptions {
  connection: Connection;
  events: string[];
  /** 0 for any free port. */
  port: number;
  publicUrl: string | undefined;
}

interface Created {
  webhook_endpoint: { id: string };
  secret: string;
}

/** Receives on this machine, as a webhook endpoint that exists while the command runs. */
export function createOwnReceiver({ connection, events, port, publicUrl }: OwnReceiverOptions): EventSource {
  const file = join(configFolder(), `listen-endpoint-${connection.file.name}.json`);
  let server: Server | null = null;
  let endpoint: Created | null = null;

  async function removeEndpoint(id: string): Promise<void> {
    try {
      await connection.call(operation('deleteWebhookEndpoint'), { path: { id } });
    } catch (error) {
      if (!isKissiError(error) || error.code !== 'NOT_FOUND') throw error;
    }
    rmSync(file, { force: true });
  }

  async function create(): Promise<Created> {
    // A run that was killed left its endpoint behind.
    const left = readLeft(file, connection.url);
    if (left !== null) await removeEndpoint(left);
    const body = { url: publicUrl ?? addressOf(server), events };
    try {
      const made = await connection.call(operation('createWebhookEndpoint'), { body });
      return made as unknown as Created;
    } catch (error) {
      if (!isKissiError(error) || !/^url /.test(error.message)) throw error;
      throw new UrlRefused(
        `${error.message} Use --follow, or allow private addresses with WEBHOOK_ALLOW_PRIVATE=true.`,
      );
    }
  }

  return {
    checksSignatures: true,
    get description() {
      return `Receiving your events at ${publicUrl ?? addressOf(server)}, as the webhook endpoint ${endpoint?.webhook_endpoint.id}. It is deleted at the end.`;
    },
    async start({ onEvent }) {
      server = await startHookServer(port, () => endpoint?.secret, onEvent);
      try {
        endpoint = await create();
      } catch (error) {
        // An open server would keep the command running.
        server.close();
        throw error;
      }
      writeLeft(file, connection.url, endpoint.webhook_endpoint.id);
    },
    replay: (id) => replayOwn(connection, id),
    async stop() {
      if (endpoint) await removeEndpoint(endpoint.webhook_endpoint.id);
      closeServer(server);
    },
  };
}

async function replayOwn(connection: Connection, id: string): Promise<void> {
  await connection.call(operation('replayOwnWebhookDelivery'), { path: { id } });
}

function readLeft(file: string, url: string): string | null {
  try {
    const left = JSON.parse(readFileSync(file, 'utf8')) as { url: string; id: string };
    return left.url === url ? left.id : null;
  } catch {
    return null;
  }
}

function writeLeft(file: string, url: string, id: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ url, id }), { mode: 0o600 });
}

interface Endpoint {
  id: string;
  events: string[];
}

export async function ownEndpoints(connection: Connection): Promise<Endpoint[]> {
  const reply = await connection.call(operation('listWebhookEndpoints'));
  return (reply as unknown as { webhook_endpoints: Endpoint[] }).webhook_endpoints;
}

/** Sends an example of the event to the endpoint, or to all own ones that chose it; returns the deliveries' ids. */
export async function sendExamples(connection: Connection, type: string, endpointId?: string): Promise<string[]> {
  const all = endpointId === undefined ? await ownEndpoints(connection) : [{ id: endpointId, events: [type] }];
  const chosen = all.filter(({ events }) => events.includes(type));
  if (chosen.length === 0) {
    throw new UsageError(
      `No webhook endpoint has chosen ${type}. Create one, or run kissi listen: kissi webhook-endpoints create`,
    );
  }
  const sent: string[] = [];
  for (const { id } of chosen) {
    const reply = await connection.call(operation('testWebhookEndpoint'), { path: { id }, body: { type } });
    sent.push((reply as unknown as { delivery_id: string }).delivery_id);
  }
  return sent;
}
