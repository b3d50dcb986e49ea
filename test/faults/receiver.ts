// The partners' webhook receiver: keeps what it got, checks the signature, and sometimes does not acknowledge.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Book } from './book.ts';
import type { Random } from './random.ts';
import { type Headers, hookIsGenuine } from './signing.ts';

export interface HookReceiver {
  url: string;
  /** Of the partners, once they are known. */
  secrets: string[];
  close(): Promise<void>;
}

export async function startReceiver(book: Book, random: Random): Promise<HookReceiver> {
  const secrets: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The gateway was killed in the middle of its request.
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Headers;
    const id = String(headers['x-hook-event-id']);
    book.received.push({ id, body, isGenuine: hookIsGenuine(secrets, headers, body) });
    response.writeHead(random.chance(0.02) ? 500 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secrets,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
