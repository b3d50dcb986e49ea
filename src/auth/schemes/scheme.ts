// The interface of authentication schemes: each maps a raw request to a caller or a refusal.
import type { IncomingHttpHeaders } from 'node:http';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Caller } from '../caller.ts';

export interface WireRequest {
  method: string;
  /** The path exactly as sent, with the query string. */
  target: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body; empty if there is none or it has not been read. */
  rawBody: Buffer;
  ip: string;
  /** Whether the route uses X-Idempotency-Key; other routes ignore the header. */
  takesIdempotencyKey?: boolean;
}

export interface Authentication {
  name:
    | 'none'
    | 'bearer'
    | 'bearer-or-service'
    | 'bearer-or-signed'
    | 'pos'
    | 'partner'
    | 'inbound'
    | 'webhook'
    | 'metrics'
    | 'hub'
    | 'same-origin'
    | 'path-secret';
  /** Signature schemes run after the body is read, which they cover; the others run before. */
  needsBody: boolean;
  authenticate(request: WireRequest): MaybePromise<Caller | Refusal>;
}

export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
