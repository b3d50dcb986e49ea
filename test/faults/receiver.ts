// The partners' webhook receiver, which records events, checks signatures and sometimes answers 500, and a provider of SMS that never answers.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Journal } from '@kissi/testkit/journal';
import type { Random } from '@kissi/testkit/random';
import { type Headers, hookIsGenuine } from '@kissi/testkit/signing';

export interface HookReceiver {
  url: string;
  /** The webhook secrets of the partners; filled once the partners exist. */
  secrets: string[];
  close(): Promise<void>;
}

/** It takes every SMS and says nothing: no payment may wait for it. */
export async function startSilentProvider(): Promise<Pick<HookReceiver, 'url' | 'close'>> {
  const server = createServer(() => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`,
    close: () => closed(server),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

export async function startReceiver(journal: Journal, random: Random): Promise<HookReceiver> {
  const secrets: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The gateway was killed during its request.
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Headers;
    const id = String(headers['x-hook-event-id']);
    journal.received.push({ id, body, isGenuine: hookIsGenuine(secrets, headers, body) });
    response.writeHead(random.chance(0.02) ? 500 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secrets,
    close: () => closed(server),
  };
}
