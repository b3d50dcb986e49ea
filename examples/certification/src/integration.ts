// What a bank does to pass the certification of the lab: sends the credits of the steps, and answers webhooks.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Kissi, KissiWebhookError, verifyWebhook } from '@kissi/client';

/** The amounts of the steps, in minor units. The lab reverses the last credit after a minute. */
const AMOUNTS = [9_101, 9_102, 9_103, 9_104, 9_105, 9_107, 9_108] as const;
const MAX_BODY_BYTES = 64 * 1024;

export interface Credits {
  kissi: Kissi;
  /** Who is credited. */
  msisdn: string;
  /** Makes the references unique. A bank stores each reference before it sends the credit. */
  prefix: string;
  report(line: string): void;
}

/** The client repeats lost and postponed requests with the same reference, a new nonce and a new signature. */
export async function sendCredits({ kissi, msisdn, prefix, report }: Credits): Promise<void> {
  for (const amount of AMOUNTS) {
    const reference = `${prefix}-${amount}`;
    const { data, lastResponse } = await kissi.inbound.credit({
      reference,
      amount,
      msisdn,
      narration: 'Certification',
    });
    report(`credit   ${reference}  ${data.status}, attempts: ${lastResponse.attempts}`);
  }
}

/** A bank reads the status of its credits, because a webhook can be late. */
export async function isReversed({ kissi, prefix, report }: Omit<Credits, 'msisdn'>): Promise<boolean> {
  const { data } = await kissi.inbound.get(`${prefix}-${AMOUNTS.at(-1)}`);
  if (data.status === 'REVERSED') report(`status   ${data.reference}  ${data.status}`);
  return data.status === 'REVERSED';
}

/** The lines that `kissi lab certify --json` prints: a run's steps, again whenever the state of one changes. */
export type RunLines = AsyncIterator<string>;

/** Waits for the run: credits that are sent before it do not count. False if it did not start. */
export async function runStarts(lines: RunLines): Promise<boolean> {
  return (await lines.next()).done !== true;
}

/** Waits for the end of the run; true if no step has failed or was left out. */
export async function runPasses(lines: RunLines, report: Credits['report']): Promise<boolean> {
  const states = new Map<string, string>();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const { id, title, state } = JSON.parse(line.value) as { id: string; title: string; state: string };
    states.set(id, state);
    if (state !== 'waiting') report(`step     ${state}: ${title}`);
  }
  return states.size > 0 && [...states.values()].every((state) => state === 'passed');
}

export interface ReceiverOptions {
  secret: string;
  report(line: string): void;
  /** Milliseconds since 1970; default: the time of the system. */
  now?: () => number;
}

/** Answers genuine events with 200, including those that come again, and forged ones with 401. */
export function createReceiver({ secret, report, now = Date.now }: ReceiverOptions): Server {
  // In production a table, written in the transaction that processes the event.
  const processed = new Set<string>();
  return createServer(async (request, response) => {
    try {
      const body = await rawBody(request);
      const event = await verifyWebhook(body, { headers: request.headers, secrets: [secret], now: now() });
      report(`webhook  ${event.reference}  ${event.event}${processed.has(event.id) ? ', again' : ''}`);
      processed.add(event.id);
      response.writeHead(200).end();
    } catch (error) {
      report(`webhook  refused: ${(error as Error).message}`);
      response.writeHead(error instanceof KissiWebhookError ? 401 : 400).end();
    }
  });
}

/** The signature covers the exact bytes. */
async function rawBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
