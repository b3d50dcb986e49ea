// One delivery attempt: reads the endpoint's current address, signs the webhook, sends it and returns the result.
import { signOutboundWebhook, signStandardWebhook } from '@kissi/signatures/node';
import { type Clock, iso, SECOND_MS } from '../kernel/clock.ts';
import { currentTrace, inTrace, type Tracing } from '../kernel/tracing.ts';
import type { Claimed } from './outbox.ts';
import { type AttemptRequest, Interrupted, type PostResult, type Transport } from './transport.ts';

/** Which endpoint a delivery is for. */
export type DeliveryAddress = Pick<Claimed, 'ownerId' | 'endpointId'>;

/** The current address and secrets of a partner's webhook_url, or of an endpoint. */
export interface WebhookTarget {
  url: string | null;
  /** The secret that signs, then the previous one if its signature is still sent. */
  secrets: string[];
  /** The error if a stored secret cannot be decrypted; then nothing can be signed. */
  decryptionError?: unknown;
}

export interface Attempt extends PostResult {
  at: number;
  durationMs: number;
  /** Null if the attempt failed before there was anything to send. */
  request: AttemptRequest | null;
}

export interface AttemptDependencies {
  /** Null: there is none any more. */
  targetOf(delivery: DeliveryAddress): Promise<WebhookTarget | null>;
  transport: Transport;
  /** A URL may have been stored when http was still allowed. */
  requireHttps: boolean;
  clock: Clock;
  /** Logs an event that operators should see. */
  report(message: string, details: Record<string, unknown>): void;
}

type Sent = Pick<Attempt, keyof PostResult | 'request'>;

/** Rejects with Interrupted if it cannot begin before `beginBefore`, a `performance.now()` time. */
export type MakeAttempt = (claimed: Claimed, beginBefore: number) => Promise<Attempt>;

export function createAttempt(dependencies: AttemptDependencies): MakeAttempt {
  const { targetOf, transport, requireHttps, clock, report } = dependencies;
  /** Endpoints whose secret cannot be decrypted and was reported. */
  const reported = new Set<string>();
  return async (claimed, beginBefore) => {
    const target = await targetOf(claimed);
    const at = clock.now();
    const startedAt = performance.now();
    if (startedAt > beginBefore) throw new Interrupted();
    const result = await send(claimed, target, at);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...result };
  };

  /** A webhook that cannot be sent counts as a failed attempt: the cause may be fixed before the next one. */
  async function send(claimed: Claimed, target: WebhookTarget | null, at: number): Promise<Sent> {
    const { endpointId, ownerId } = claimed;
    const url = target?.url ? URL.parse(target.url) : null;
    if (!target || !url) return notSent(endpointId ? 'The endpoint was deleted.' : 'The partner has no webhook_url.');
    if (requireHttps && url.protocol !== 'https:') {
      return notSent(endpointId ? "The endpoint's url is not https." : "The partner's webhook_url is not https.");
    }
    if (reportDecryptionError(endpointId ?? ownerId, target)) return notSent('The webhook secret cannot be decrypted.');
    if (target.secrets.length === 0) return notSent('The partner has no webhook secret.');
    const headers = { ...webhookHeaders(claimed, target.secrets, at), ...traceHeader() };
    const result = await transport.post({ url, headers, body: claimed.body });
    return { ...result, request: { url: url.href, headers } };
  }

  /** Returns whether there is an error. Reports it once per endpoint, and again only after it was fixed in between. */
  function reportDecryptionError(endpoint: string, { decryptionError: error }: WebhookTarget): boolean {
    if (error === undefined) {
      reported.delete(endpoint);
      return false;
    }
    if (!reported.has(endpoint)) report('a webhook secret cannot be decrypted', { endpoint, error });
    reported.add(endpoint);
    return true;
  }
}

/** The header is not signed: it only says to which trace the receiver's own work belongs. */
function traceHeader(): Record<string, string> {
  const trace = currentTrace();
  return trace ? { traceparent: trace.traceparent } : {};
}

/** Each attempt is a span in the trace of the work that caused the event. */
export function tracedAttempt(attempt: MakeAttempt, tracing: Tracing): MakeAttempt {
  return async (claimed, beginBefore) => {
    const { event, attempts, traceparent } = claimed;
    const trace = tracing.delivery({ event, number: attempts + 1, traceparent });
    let status: number | null = null;
    let isAcknowledged = false;
    try {
      const made = await inTrace(trace, () => attempt(claimed, beginBefore));
      status = made.status;
      isAcknowledged = made.error === null;
      return made;
    } finally {
      trace.end({ status, isAcknowledged });
    }
  };
}

/** The result of an attempt without a request. */
export function notSent(error: string): Sent {
  return { status: null, error, reply: null, request: null };
}

/** After a rotation the receiver may not have the new secret yet: the old signature is sent in its own header. */
function webhookHeaders({ id, event, body }: Claimed, secrets: string[], at: number): Record<string, string> {
  const timestamp = iso(at);
  const seconds = String(Math.floor(at / SECOND_MS));
  const [signature = '', previous] = secrets.map((secret) => signOutboundWebhook(secret, timestamp, body));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Kissi',
    'X-Hook-Event': event,
    'X-Hook-Event-Id': id,
    'X-Hook-Timestamp': timestamp,
    'X-Hook-Signature': signature,
    ...(previous === undefined ? {} : { 'X-Hook-Signature-Previous': previous }),
    // Standard Webhooks (standardwebhooks.com), for libraries that verify it.
    'Webhook-Id': id,
    'Webhook-Timestamp': seconds,
    'Webhook-Signature': secrets
      .map((secret) => signStandardWebhook(secret, { id, timestamp: seconds }, body))
      .join(' '),
  };
}
