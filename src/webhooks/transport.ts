// One POST over the network to an endpoint that may do anything: hang, drip, never end, redirect, lie about its address.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SECOND_MS } from '../kernel/clock.ts';
import { hostOf } from './address.ts';
import { assertPublic, guardedLookup, RefusedAddress, type Resolve } from './resolve.ts';

/** For the whole attempt: name, connection, sending, and the head of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

// The status alone is the acknowledgement. A body is read so that the connection can be used again, if it is short.
const MAX_BODY_BYTES = 4_096;
const MAX_BODY_MS = SECOND_MS;
// Shorter than servers keep an idle connection: what is sent is not lost on one that is just being closed.
const IDLE_CONNECTION_MS = 4 * SECOND_MS;
// Node gives each of several addresses a quarter of a second, which is too short for the other side of an ocean.
const PER_ADDRESS_MS = 3 * SECOND_MS;
// Of 100 Continue, 103 Early Hints and the like a server sends one or two; an endless stream of them keeps us busy.
const MAX_INTERIM_ANSWERS = 8;

export interface Sending {
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Answer {
  /** Null when there was none. */
  status: number | null;
  /** A sentence for people; null when the status acknowledges. */
  error: string | null;
}

export interface Transport {
  /** Rejects only when it is broken off by `close`. */
  post(sending: Sending): Promise<Answer>;
  /** Breaks off what is under way, as if it had not been begun. */
  close(): void;
}

export interface TransportOptions {
  allowPrivate: boolean;
  resolve: Resolve;
  timeoutMs?: number;
}

/** What was under way when the service stopped: no attempt, neither good nor bad. */
export class BrokenOff extends Error {}

class TimedOut extends Error {}

class NeverAnswers extends Error {}

export function createTransport({
  allowPrivate,
  resolve,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
}: TransportOptions): Transport {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
  };
  const lookup = guardedLookup(resolve, { allowPrivate });
  const underWay = new Set<ClientRequest>();

  function begin({ url, headers, body }: Sending): ClientRequest {
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(body.length) },
      lookup,
      autoSelectFamilyAttemptTimeout: PER_ADDRESS_MS,
    };
    const secure = url.protocol === 'https:';
    const request = secure
      ? httpsRequest(url, { ...options, agent: agents['https:'] })
      : httpRequest(url, { ...options, agent: agents['http:'] });
    underWay.add(request);
    request.once('close', () => underWay.delete(request));
    limitInterim(request);
    request.end(body);
    return request;
  }

  async function exchange(sending: Sending, deadline: number, mayRepeat = true): Promise<number> {
    const request = begin(sending);
    const timer = setTimeout(() => request.destroy(new TimedOut()), deadline - performance.now());
    try {
      const response = await head(request);
      await discard(response);
      return response.statusCode ?? 0;
    } catch (error) {
      // An idle connection that the receiver closed in the moment it was used again says nothing about the receiver.
      if (mayRepeat && request.reusedSocket && isReset(error)) return exchange(sending, deadline, false);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async post(sending) {
      try {
        assertPublic(hostOf(sending.url), { allowPrivate });
        const status = await exchange(sending, performance.now() + timeoutMs);
        return { status, error: statusFault(status) };
      } catch (error) {
        if (error instanceof BrokenOff) throw error;
        return { status: null, error: sentenceFor(error, timeoutMs) };
      }
    },
    close() {
      for (const request of underWay) request.destroy(new BrokenOff());
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function limitInterim(request: ClientRequest): void {
  let interim = 0;
  request.on('information', () => {
    if (++interim > MAX_INTERIM_ANSWERS) request.destroy(new NeverAnswers());
  });
}

function head(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // For good: a request that is cut off may fail more than once.
    request.on('error', reject);
    // Not every end is an error: one that switches to another protocol is just closed.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** Reads the body to its end if that comes soon, and closes the connection otherwise. */
function discard(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => response.destroy(), MAX_BODY_MS);
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) response.destroy();
    });
    response.on('error', () => undefined);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function statusFault(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The endpoint answered ${status}; redirects are not followed.`;
  return `The endpoint answered ${status}.`;
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? 'unknown');

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

const KINDS: { code: RegExp; sentence: string }[] = [
  { code: /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_\w+|EBAD\w+)$/, sentence: 'The name was not resolved' },
  { code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDR\w+)$/, sentence: 'The connection failed' },
  { code: /^(CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL|EPROTO)/, sentence: 'The TLS connection failed' },
  { code: /^HPE_/, sentence: 'The answer is not HTTP' },
];

/** In our words and with the system's code: what an error says of itself may quote what we sent. */
function sentenceFor(error: unknown, timeoutMs: number): string {
  if (error instanceof TimedOut) return `There was no answer within ${timeoutMs / SECOND_MS} seconds.`;
  if (error instanceof NeverAnswers) return `There was no answer after ${MAX_INTERIM_ANSWERS} interim ones.`;
  if (error instanceof RefusedAddress)
    return 'The address is loopback, private or link-local, and was not connected to.';
  const code = codeOf(error);
  const kind = KINDS.find((known) => known.code.test(code))?.sentence ?? 'The connection broke';
  return `${kind} (${code}).`;
}
