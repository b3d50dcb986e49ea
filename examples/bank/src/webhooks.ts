// Receives webhooks: verifies the signature on the raw body, processes each event once, and only then answers 200.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { KissiWebhookError, verifyWebhook, type WebhookEvent } from '@kissi/client';
import type { Ledger } from './ledger.ts';

const MAX_BODY_BYTES = 64 * 1024;

interface Options {
  ledger: Ledger;
  /** During a rotation the old and the new one. */
  secrets: string[];
  /** For each delivery of a genuine event. */
  onEvent(event: WebhookEvent, isNew: boolean): void;
}

export function createReceiver({ ledger, secrets, onEvent }: Options): Server {
  async function answer(request: IncomingMessage): Promise<number> {
    if (request.method !== 'POST' || request.url !== '/webhooks') return 404;
    const body = await rawBody(request);
    if (!body) return 413;
    try {
      const event = await verifyWebhook(body, { headers: request.headers, secrets });
      onEvent(event, ledger.receive(event));
      return 200;
    } catch (error) {
      if (error instanceof KissiWebhookError) return 401;
      // Kissi delivers again what is not answered with 2xx.
      process.stderr.write(`${error}\n`);
      return 500;
    }
  }

  return createServer(async (request, response) => void response.writeHead(await answer(request)).end());
}

/** The signature covers the exact bytes. Null if there are too many of them. */
async function rawBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
