// An HTTP server on this machine that reads webhooks and checks their signatures.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isKissiError, UsageError } from '../errors.ts';
import type { Listener, WebhookEvent } from './event.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** `secret` is asked for each event: it may be known only after the server has started. */
export async function startHookServer(
  port: number,
  secret: () => string | undefined,
  onEvent: Listener['onEvent'],
): Promise<Server> {
  const server = createServer(async (request, response) => {
    // Anybody who reaches the address can send requests: none of them may end the command.
    const status = await answer(request, secret(), onEvent).catch(() => 500);
    response.writeHead(status).end();
  });
  await listening(server, port);
  return server;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`Port ${port} cannot be used: ${error.message}`)));
    server.listen(port, '127.0.0.1', resolve);
  });
}

export function addressOf(server: Server | null): string {
  return `http://127.0.0.1:${(server?.address() as AddressInfo | null)?.port ?? 0}/`;
}

export function closeServer(server: Server | null): void {
  server?.close();
  server?.closeAllConnections();
}

async function answer(
  request: IncomingMessage,
  secret: string | undefined,
  onEvent: Listener['onEvent'],
): Promise<number> {
  const event = await readEvent(request, secret);
  if (event === null) return 400;
  const status = await onEvent(event);
  return event.signature === 'invalid' ? 401 : status;
}

async function readEvent(request: IncomingMessage, secret: string | undefined): Promise<WebhookEvent | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const id = request.headers['x-hook-event-id'];
  if (request.method !== 'POST' || typeof id !== 'string') return null;
  const headers = Object.fromEntries(
    Object.entries(request.headersDistinct).flatMap(([name, [value = ''] = []]) =>
      /^(x-hook|webhook)-/.test(name) ? [[name, value]] : [],
    ),
  );
  return { id, body, headers, ...(await checked(body, headers, secret)) };
}

async function checked(
  body: Buffer,
  headers: Record<string, string>,
  secret: string | undefined,
): Promise<Pick<WebhookEvent, 'signature' | 'fault'>> {
  if (secret === undefined) return { signature: 'unchecked' };
  const { verifyWebhook } = await import('@kissi/client');
  try {
    await verifyWebhook(new Uint8Array(body), { headers, secrets: secret });
    return { signature: 'valid' };
  } catch (error) {
    if (!isKissiError(error)) throw error;
    return { signature: 'invalid', fault: error.message };
  }
}
