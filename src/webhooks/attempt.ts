// One attempt: where the partner wants it now, signed with what it knows, and what came of it.
import { signOutboundWebhook } from '../auth/schemes/webhook.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import type { Claimed } from './outbox.ts';
import { Interrupted, type PostResult, type Transport } from './transport.ts';

/** A partner's endpoint as it is at this moment. */
export interface PartnerEndpoint {
  url: string | null;
  /** Those in force, newest first. */
  secrets: string[];
  /** One of them is kept in a form that cannot be read: nothing can be signed. */
  unreadable?: unknown;
}

export interface Attempt extends PostResult {
  at: number;
  durationMs: number;
}

export interface AttemptParts {
  endpointOf(partnerId: string): Promise<PartnerEndpoint | null>;
  transport: Transport;
  clock: Clock;
  /** What an operator should know of. */
  report(message: string, details: Record<string, unknown>): void;
}

/** Broken off rather than begun later than `beginBefore`, a time of `performance.now()`. */
export type MakeAttempt = (claimed: Claimed, beginBefore: number) => Promise<Attempt>;

export function attempts({ endpointOf, transport, clock, report }: AttemptParts): MakeAttempt {
  const unreadable = new Set<string>();
  return async (claimed, beginBefore) => {
    const endpoint = await endpointOf(claimed.partnerId);
    const at = clock.now();
    const begun = performance.now();
    if (begun > beginBefore) throw new Interrupted();
    const answer = await send(claimed, endpoint, at);
    return { at, durationMs: Math.round(performance.now() - begun), ...answer };
  };

  /** What cannot be sent is an attempt that failed: it may be mended before the next. */
  async function send(claimed: Claimed, endpoint: PartnerEndpoint | null, at: number): Promise<PostResult> {
    const url = endpoint?.url ? URL.parse(endpoint.url) : null;
    if (!endpoint || !url) return { status: null, error: 'The partner has no webhook_url.' };
    if (isUnreadable(claimed.partnerId, endpoint)) {
      return { status: null, error: 'The webhook secret cannot be opened.' };
    }
    if (endpoint.secrets.length === 0) return { status: null, error: 'The partner has no webhook secret.' };
    return transport.post({ url, headers: headersOf(claimed, endpoint.secrets, iso(at)), body: claimed.body });
  }

  /** Said once, and not for each of the partner's events; again only after it was mended. */
  function isUnreadable(partner: string, { unreadable: error }: PartnerEndpoint): boolean {
    if (error === undefined) {
      unreadable.delete(partner);
      return false;
    }
    if (!unreadable.has(partner)) report('a webhook secret cannot be opened', { partner, error });
    unreadable.add(partner);
    return true;
  }
}

/**
 * While a rotation is under way the old secret signs, because the receiver surely has it; the new one it can only have
 * been given since. X-Hook-Signatures then has the signatures of all secrets in force, for receivers that have changed over.
 */
function headersOf({ id, event, body }: Claimed, secrets: string[], timestamp: string): Record<string, string> {
  const signatures = secrets.map((secret) => signOutboundWebhook(secret, timestamp, body));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Kissi',
    'X-Hook-Event': event,
    'X-Hook-Event-Id': id,
    'X-Hook-Timestamp': timestamp,
    'X-Hook-Signature': signatures.at(-1) ?? '',
    ...(signatures.length > 1 ? { 'X-Hook-Signatures': signatures.join(',') } : {}),
  };
}
