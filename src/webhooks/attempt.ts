// One delivery attempt: reads the partner's current endpoint, signs the webhook, sends it and returns the result.
import { signOutboundWebhook } from '@kissi/signatures/node';
import { type Clock, iso } from '../kernel/clock.ts';
import type { Claimed } from './outbox.ts';
import { type AttemptRequest, Interrupted, type PostResult, type Transport } from './transport.ts';

/** A partner's current endpoint. */
export interface PartnerEndpoint {
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
  endpointOf(partnerId: string): Promise<PartnerEndpoint | null>;
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
  const { endpointOf, transport, requireHttps, clock, report } = dependencies;
  /** Partners whose secret cannot be decrypted and was reported. */
  const reported = new Set<string>();
  return async (claimed, beginBefore) => {
    const endpoint = await endpointOf(claimed.partnerId);
    const at = clock.now();
    const startedAt = performance.now();
    if (startedAt > beginBefore) throw new Interrupted();
    const result = await send(claimed, endpoint, at);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...result };
  };

  /** A webhook that cannot be sent counts as a failed attempt: the cause may be fixed before the next one. */
  async function send(claimed: Claimed, endpoint: PartnerEndpoint | null, at: number): Promise<Sent> {
    const url = endpoint?.url ? URL.parse(endpoint.url) : null;
    if (!endpoint || !url) return notSent('The partner has no webhook_url.');
    if (requireHttps && url.protocol !== 'https:') return notSent("The partner's webhook_url is not https.");
    if (reportDecryptionError(claimed.partnerId, endpoint)) return notSent('The webhook secret cannot be decrypted.');
    if (endpoint.secrets.length === 0) return notSent('The partner has no webhook secret.');
    const headers = headersOf(claimed, endpoint.secrets, iso(at));
    const result = await transport.post({ url, headers, body: claimed.body });
    return { ...result, request: { url: url.href, headers } };
  }

  /** Returns whether there is an error. Reports it once per partner, and again only after it was fixed in between. */
  function reportDecryptionError(partner: string, { decryptionError: error }: PartnerEndpoint): boolean {
    if (error === undefined) {
      reported.delete(partner);
      return false;
    }
    if (!reported.has(partner)) report('a webhook secret cannot be decrypted', { partner, error });
    reported.add(partner);
    return true;
  }
}

/** The result of an attempt without a request. */
export function notSent(error: string): Sent {
  return { status: null, error, reply: null, request: null };
}

/** After a rotation the receiver may not have the new secret yet: the old signature is sent in its own header. */
function headersOf({ id, event, body }: Claimed, secrets: string[], timestamp: string): Record<string, string> {
  const [signature = '', previous] = secrets.map((secret) => signOutboundWebhook(secret, timestamp, body));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Kissi',
    'X-Hook-Event': event,
    'X-Hook-Event-Id': id,
    'X-Hook-Timestamp': timestamp,
    'X-Hook-Signature': signature,
    ...(previous === undefined ? {} : { 'X-Hook-Signature-Previous': previous }),
  };
}
