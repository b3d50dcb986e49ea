// Sends one webhook to an endpoint that is not trusted: it may hang, trickle, never end, redirect or resolve to a private address.
// Uses node:http because undici fails on an unsolicited 100 Continue and does not report reused connections (docs/decisions/webhooks.md).
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SECOND_MS } from '../kernel/clock.ts';
import { hostOf } from './address.ts';
import { assertPublic, guardedLookup, PrivateAddress, type Resolve } from './resolve.ts';

/** For the whole attempt: name resolution, connection, sending, and the head of the response. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

// Only the status matters. A short body is read to its end so that the connection can be reused.
const MAX_BODY_BYTES = 4_096;
const MAX_BODY_MS = SECOND_MS;
// Shorter than the usual idle timeout of servers, so that few requests meet a connection that is being closed.
const IDLE_CONNECTION_MS = 4 * SECOND_MS;
// Node's default of 250 ms per address is too short for intercontinental connections.
const PER_ADDRESS_MS = 3 * SECOND_MS;
// Servers send one or two interim responses (100, 102, 103). An endless stream of them would keep the process busy.
const MAX_INTERIM_RESPONSES = 8;

export interface WebhookRequest {
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
}

export interface PostResult {
  /** Null if there was no response. */
  status: number | null;
  /** For people; null if the status acknowledges the webhook. */
  error: string | null;
}

export interface Transport {
  /** Rejects with Interrupted after `close`, and never otherwise. */
  post(webhook: WebhookRequest): Promise<PostResult>;
  /** Ends requests in flight; they do not count as attempts. */
  close(): void;
}

export interface TransportOptions {
  allowPrivate: boolean;
  resolve: Resolve;
  timeoutMs?: number;
}

/** The service stopped during the request: neither a success nor a failure. */
export class Interrupted extends Error {}

class TimedOut extends Error {}

class TooManyInterimResponses extends Error {}

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
  const inFlight = new Set<ClientRequest>();

  function send({ url, headers, body }: WebhookRequest): ClientRequest {
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
    inFlight.add(request);
    request.once('close', () => inFlight.delete(request));
    limitInterimResponses(request);
    request.end(body);
    return request;
  }

  async function exchange(webhook: WebhookRequest, deadline: number, mayRepeat = true): Promise<number> {
    const request = send(webhook);
    const timer = setTimeout(() => request.destroy(new TimedOut()), deadline - performance.now());
    try {
      const response = await responseHead(request);
      await discard(response);
      return response.statusCode ?? 0;
    } catch (error) {
      // The server closed an idle connection while it was being reused; this is not a failure of the endpoint.
      if (mayRepeat && request.reusedSocket && isReset(error)) return exchange(webhook, deadline, false);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async post(webhook) {
      try {
        assertPublic(hostOf(webhook.url), { allowPrivate });
        const status = await exchange(webhook, performance.now() + timeoutMs);
        return { status, error: statusFault(status) };
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        return { status: null, error: failureMessage(error, timeoutMs) };
      }
    },
    close() {
      for (const request of inFlight) request.destroy(new Interrupted());
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function limitInterimResponses(request: ClientRequest): void {
  let interim = 0;
  request.on('information', () => {
    if (++interim > MAX_INTERIM_RESPONSES) request.destroy(new TooManyInterimResponses());
  });
}

function responseHead(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Not once(): a destroyed request may emit several errors.
    request.on('error', reject);
    // A response that switches protocols closes the request without an error.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** Reads a short body to its end; closes the connection if it is long or slow. */
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
  if (status >= 300 && status < 400) return `The endpoint responded with ${status}; redirects are not followed.`;
  return `The endpoint responded with ${status}.`;
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? 'unknown');

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

const FAILURES: { code: RegExp; message: string }[] = [
  {
    code: /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_\w+|EBAD\w+)$/,
    message: 'The host name could not be resolved',
  },
  { code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDR\w+)$/, message: 'The connection failed' },
  { code: /^(CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL|EPROTO)/, message: 'The TLS connection failed' },
  { code: /^HPE_/, message: 'The response is not HTTP' },
];

/** Contains the error code but not the error message, which may quote the request. */
function failureMessage(error: unknown, timeoutMs: number): string {
  if (error instanceof TimedOut) return `No response within ${timeoutMs / SECOND_MS} seconds.`;
  if (error instanceof TooManyInterimResponses)
    return `No final response after ${MAX_INTERIM_RESPONSES} interim responses.`;
  if (error instanceof PrivateAddress)
    return 'The address is loopback, private or link-local, and was not connected to.';
  const code = codeOf(error);
  const message = FAILURES.find((failure) => failure.code.test(code))?.message ?? 'The connection was lost';
  return `${message} (${code}).`;
}
