// The shape every way of authenticating has: a request as it came over the wire in, a caller or a refusal out.
import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Caller } from '../caller.ts';

export interface WireRequest {
  method: string;
  /** The path exactly as sent, with the query string when there is one. */
  target: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body; empty when there is none or it has not been read. */
  rawBody: Buffer;
  ip: string;
  /** Where the route takes X-Idempotency-Key; elsewhere the header means nothing. */
  takesIdempotencyKey?: boolean;
}

export interface Authentication {
  name: 'none' | 'bearer' | 'bearer-or-service' | 'pos' | 'partner' | 'inbound' | 'webhook' | 'metrics' | 'hub';
  /** Signature schemes cover the body, so they wait until it is read; the others refuse before reading it. */
  needsBody: boolean;
  authenticate(request: WireRequest): Promise<Caller | Refusal>;
}

export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
