// Sends one webhook to an endpoint that is not trusted: it may hang, trickle, never end, redirect or resolve to a private address.
// Uses node:http because undici fails on an unsolicited 100 Continue and does not report reused connections (docs/decisions/webhooks.md).
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SECOND_MS } from '../kernel/clock.ts';
import { hostOf } from './address.ts';
import { type Reply, readReply } from './reply.ts';
import { assertPublic, guardedLookup, PrivateAddress, type Resolve } from './resolve.ts';

/** For the whole attempt: name resolution, connection, sending, and the head of the response. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

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

/** What is sent besides the body, which is the same in all attempts. */
export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
}

export interface PostResult {
  /** Null if there was no response. */
  status: number | null;
  /** For people; null if the status acknowledges the webhook. */
  error: string | null;
  /** The start of the response; null if there was none. */
  reply: Reply | null;
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

  async function exchange(webhook: WebhookRequest, deadline: number, mayRepeat = true): Promise<PostResult> {
    const request = send(webhook);
    const timer = setTimeout(() => request.destroy(new TimedOut()), deadline - performance.now());
    try {
      const response = await responseHead(request);
      const status = response.statusCode ?? 0;
      return { status, error: statusFault(status), reply: await readReply(response) };
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
        return await exchange(webhook, performance.now() + timeoutMs);
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        return { status: null, error: failureMessage(error, timeoutMs), reply: null };
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
