// Verifies webhooks from the service on their raw body.
import { type Bytes, isHookSigned, utf8 } from '@kissi/signatures';
import { KissiWebhookError } from './errors.ts';
import type { WebhookPayload } from './generated/traits.gen.ts';

/** Narrow it by `event`: each has its own fields. */
export type WebhookEvent = WebhookPayload & {
  /** The same for all attempts to deliver an event: process each id once. */
  id: string;
};

/** Headers of any server: a Headers object, or the `headers` of a Node.js request. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface WebhookOptions {
  headers: WebhookHeaders;
  /** The partner's webhook secret; around a rotation, both the old and the new one. */
  secrets: string | readonly string[];
  /** How far the timestamp may be from now; 5 minutes by default. */
  toleranceMs?: number;
  /** Milliseconds since 1970; Date.now() by default. */
  now?: number;
}

const FIVE_MINUTES_MS = 5 * 60 * 1000;

/**
 * Returns the event if the service signed exactly these bytes within the tolerance; throws a KissiWebhookError
 * otherwise. Pass the body as it arrived: parsing and writing it again changes the bytes.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  options: WebhookOptions,
): Promise<WebhookEvent> {
  const { headers, toleranceMs = FIVE_MINUTES_MS, now = Date.now() } = options;
  const secrets = typeof options.secrets === 'string' ? [options.secrets] : options.secrets;
  if (secrets.length === 0 || secrets.includes(''))
    throw refused('CREDENTIALS_MISSING', 'No webhook secret was given.');
  const timestamp = header(headers, 'x-hook-timestamp');
  const id = header(headers, 'x-hook-event-id');
  const bytes = bytesOf(body);
  // For a day after a rotation the second one is made with the old secret.
  const signatures = [header(headers, 'x-hook-signature'), header(headers, 'x-hook-signature-previous')];
  if (!timestamp || !id || !signatures[0]) throw refused('INVALID_SIGNATURE', 'The X-Hook headers are missing.');
  if (!(await isHookSigned({ timestamp, body: bytes }, secrets, signatures))) {
    throw refused('INVALID_SIGNATURE', "X-Hook-Signature is not this body's signature.");
  }
  if (!(Math.abs(now - Date.parse(timestamp)) <= toleranceMs)) {
    throw refused('EXPIRED_TIMESTAMP', 'X-Hook-Timestamp is outside the tolerance.');
  }
  return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookPayload), id };
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
