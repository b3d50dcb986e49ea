// A webhook event as kissi listen handles it, from whichever source it came.
import { signOutboundWebhook } from '@kissi/signatures/node';

export interface WebhookEvent {
  id: string;
  /** The raw bytes that the signature covers. */
  body: Buffer;
  /** X-Hook headers as they are forwarded. */
  headers: Record<string, string>;
  signature: 'valid' | 'invalid' | 'unchecked' | 'made here' | 'none';
  /** Why the signature is invalid. */
  fault?: string;
}

export interface Listener {
  /** The returned status answers the service; sources that only read ignore it. */
  onEvent(event: WebhookEvent): Promise<number>;
  /** The source has ended. */
  onFailure(error: unknown): void;
}

/** Where events come from. */
export interface EventSource {
  /** A sentence that says how events arrive. */
  readonly description: string;
  /** It knows the secret by itself. */
  readonly checksSignatures?: true;
  start(listener: Listener): Promise<void>;
  /** Sends an event to `onEvent` again. */
  replay(id: string): Promise<void>;
  /** Undoes what `start` changed. */
  stop(): Promise<void>;
}

/** A webhook's headers, signed as the service does. Without a secret there is no signature. */
export function hookHeaders(
  id: string,
  body: Buffer,
  secret: string | undefined,
  now = Date.now(),
): Record<string, string> {
  const timestamp = new Date(now).toISOString();
  const headers = { 'X-Hook-Event-Id': id, 'X-Hook-Timestamp': timestamp };
  if (secret === undefined) return headers;
  return { ...headers, 'X-Hook-Signature': signOutboundWebhook(secret, timestamp, body) };
}
