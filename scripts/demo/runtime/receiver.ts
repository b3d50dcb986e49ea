// The webhook receiver of the demo's banks: verifies each signature, counts the events, and fails now and then on purpose.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Headers, hookIsGenuine } from '@kissi/testkit/signing';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { DemoClock } from './clock.ts';

export interface ReceivingBank {
  webhookSecret: string;
  /** Share of the first attempts that are answered with 503. */
  errors: number;
}

export interface WebhookReceiver {
  url: string;
  port: number;
  /** Requests to /CODE belong to this bank. */
  addBank(code: string, bank: ReceivingBank): void;
  /** The same for a merchant. Its events are not counted: nobody waits for them. */
  addMerchant(code: string, webhookSecret: string): void;
  /** Until this time all requests to the bank are answered with 503. */
  breakDown(code: string, until: number): void;
  /** `events` counts each event once, however often it is sent. */
  counts: { events: number; delivered: number; failed: number; forged: number };
  close(): Promise<void>;
}

const REPLIES: Record<number, object> = {
  200: { received: true },
  401: { error: 'The signature is not valid.' },
  503: { error: 'Core banking is being maintained. Try again later.' },
};
const MAX_AGE_MS = 5 * MINUTE_MS;

/** `port` is the one an earlier start used; a free one is taken if it is in use. */
export async function startReceiver(clock: DemoClock, port = 0): Promise<WebhookReceiver> {
  const banks = new Map<string, ReceivingBank>();
  const merchants = new Map<string, string>();
  const seen = new Set<string>();
  const brokenUntil = new Map<string, number>();
  const counts = { events: 0, delivered: 0, failed: 0, forged: 0 };

  function answer(request: IncomingMessage, body: Buffer): number {
    const code = (request.url ?? '').slice(1);
    const secret = merchants.get(code);
    if (secret !== undefined) return isSigned(request, body, secret, clock) ? 200 : 401;
    const bank = banks.get(code);
    if (!bank || !isSigned(request, body, bank.webhookSecret, clock)) {
      counts.forged++;
      return 401;
    }
    const event = String(request.headers['x-hook-event-id']);
    const isRetry = seen.has(event);
    if (!isRetry) counts.events++;
    seen.add(event);
    const isBroken = clock.now() < (brokenUntil.get(code) ?? 0);
    if (isBroken || (!isRetry && isUnlucky(event, bank.errors))) {
      counts.failed++;
      return 503;
    }
    counts.delivered++;
    return 200;
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = answer(request, Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(REPLIES[status]));
  });
  await listen(server, port);
  const chosen = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${chosen}`,
    port: chosen,
    addBank: (code, bank) => void banks.set(code, bank),
    addMerchant: (code, webhookSecret) => void merchants.set(code, webhookSecret),
    breakDown: (code, until) => void brokenUntil.set(code, until),
    counts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listen(server, 0);
  }
}

/** On the exact bytes, as docs/guides describe it. */
function isSigned({ headers }: IncomingMessage, body: Buffer, secret: string, clock: DemoClock): boolean {
  const timestamp = String(headers['x-hook-timestamp'] ?? '');
  const isFresh = clock.isStanding() || Math.abs(clock.now() - Date.parse(timestamp)) <= MAX_AGE_MS;
  return isFresh && hookIsGenuine([secret], headers as Headers, body);
}

/** Decided by the event, so that a run is repeatable in shape. */
function isUnlucky(event: string, share: number): boolean {
  const sum = [...event].reduce((total, char) => (total * 31 + char.charCodeAt(0)) % 1_000, 0);
  return sum < share * 1_000;
}
