// Verifies webhooks from the service on their raw body.
import { type Bytes, isHookSigned, isStandardSigned, utf8 } from '@kissi/signatures';
import { KissiWebhookError } from './errors.ts';
import type { WebhookPayload } from './generated/traits.gen.ts';

/** An event about a partner's credit. Narrow it by `event`: each has its own fields. */
export type WebhookEvent = Extract<WebhookPayload, { event: string }> & {
  /** The same for all attempts to deliver an event: process each id once. */
  id: string;
};

/** An event that a webhook endpoint chose. Narrow it by `type`: `data.object` is what it is about. */
export type EndpointEvent = Exclude<WebhookPayload, { event: string }>;

/** Headers of any server: a Headers object, or the `headers` of a Node.js request. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface WebhookOptions {
  headers: WebhookHeaders;
  /** The endpoint's or partner's webhook secret; around a rotation, both the old and the new one. */
  secrets: string | readonly string[];
  /** How far the timestamp may be from now; 5 minutes by default. */
  toleranceMs?: number;
  /** Milliseconds since 1970; Date.now() by default. */
  now?: number;
}

const FIVE_MINUTES_MS = 5 * 60 * 1000;

/**
 * Returns the event if the service signed exactly these bytes within the tolerance; throws a KissiWebhookError
 * otherwise. Pass the body as it arrived: parsing and writing it again changes the bytes. For webhook endpoints:
 * `verifyWebhook<EndpointEvent>(…)`.
 */
export async function verifyWebhook<Event extends WebhookEvent | EndpointEvent = WebhookEvent>(
  body: string | Uint8Array | ArrayBuffer,
  options: WebhookOptions,
): Promise<Event> {
  const { headers, toleranceMs = FIVE_MINUTES_MS, now = Date.now() } = options;
  const secrets = typeof options.secrets === 'string' ? [options.secrets] : options.secrets;
  if (secrets.length === 0 || secrets.includes(''))
    throw refused('CREDENTIALS_MISSING', 'No webhook secret was given.');
  const bytes = bytesOf(body);
  const isHook = header(headers, 'x-hook-signature') !== '';
  const { id, at } = await (isHook ? verifyHook : verifyStandard)(bytes, headers, secrets);
  if (!(Math.abs(now - at) <= toleranceMs)) {
    throw refused('EXPIRED_TIMESTAMP', `${isHook ? 'X-Hook' : 'Webhook'}-Timestamp is outside the tolerance.`);
  }
  return { ...(JSON.parse(new TextDecoder().decode(bytes)) as Event), id };
}

/** The id of the event, and when it was signed. */
interface Verified {
  id: string;
  at: number;
}

async function verifyHook(body: Bytes, headers: WebhookHeaders, secrets: readonly string[]): Promise<Verified> {
  const timestamp = header(headers, 'x-hook-timestamp');
  const id = header(headers, 'x-hook-event-id');
  // For a day after a rotation the second one is made with the old secret.
  const signatures = [header(headers, 'x-hook-signature'), header(headers, 'x-hook-signature-previous')];
  if (!timestamp || !id) throw refused('INVALID_SIGNATURE', 'The X-Hook headers are missing.');
  if (!(await isHookSigned({ timestamp, body }, secrets, signatures))) {
    throw refused('INVALID_SIGNATURE', "X-Hook-Signature is not this body's signature.");
  }
  return { id, at: Date.parse(timestamp) };
}

/** By Standard Webhooks: for receivers behind something that keeps only its headers. */
async function verifyStandard(body: Bytes, headers: WebhookHeaders, secrets: readonly string[]): Promise<Verified> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signature = header(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) throw refused('INVALID_SIGNATURE', 'The X-Hook headers are missing.');
  if (!(await isStandardSigned({ id, timestamp, body }, secrets, signature))) {
    throw refused('INVALID_SIGNATURE', "Webhook-Signature is not this body's signature.");
  }
  return { id, at: /^\d+$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN };
}

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
  return typeof body === 'string' ? utf8(body) : new Uint8Array(body);
}

function refused(code: string, message: string): KissiWebhookError {
  return new KissiWebhookError({ code, message });
}
