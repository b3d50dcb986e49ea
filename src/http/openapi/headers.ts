// The reply headers that the OpenAPI document describes, and which operations send them.
import type { Endpoint, RouteGroup } from '../endpoint.ts';
import { reportsUnknownFields } from '../unknown-fields.ts';
import { headerReference, type Reference } from './components.ts';

const integer = { type: 'integer', minimum: 0 };

/** Components of the document, by header. */
export const HEADERS = {
  'X-Request-ID': {
    description:
      "This request's id: the one that was sent, if it has 1 to 128 visible ASCII characters, else a new one. Quote it when you report a problem.",
    schema: { type: 'string' },
    example: 'req_01M7F2YRPY19DBNWJG4554BZMM',
  },
  'X-RateLimit-Limit': {
    description: 'Requests per second that the API key or user may send. Absent if the caller was not authenticated.',
    schema: integer,
    example: 50,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current second.',
    schema: integer,
    example: 49,
  },
  'X-RateLimit-Reset': {
    description: 'When the allowance is renewed, in Unix seconds.',
    schema: integer,
    example: 1772366401,
  },
  'Retry-After': {
    description: 'Seconds after which a retry can succeed. Absent if waiting does not help.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'Idempotent-Replayed': {
    description:
      'Present if the payment was executed by an earlier request with the same id. This is its stored reply.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Kissi-Ignored-Fields': {
    description:
      'Fields of the body that this route does not know and ignored, at most 10, in letters, digits, `_`, `.` and `-`. Absent if there are none. Refusals can have it too.',
    schema: { type: 'string' },
    example: 'colour, notes',
  },
} as const;

type Header = keyof typeof HEADERS;

const RATE_LIMIT: Header[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const CALLERS_WITH_RATE_LIMIT = ['bearer', 'bearer-or-service', 'bearer-or-signed', 'pos', 'partner', 'inbound'];

/** API keys and users have a rate limit. Routes with a limit per IP address send no such headers. */
export function hasRateLimit({ authentication }: RouteGroup, { perIpLimit }: Endpoint): boolean {
  return CALLERS_WITH_RATE_LIMIT.includes(authentication.name) && perIpLimit === undefined;
}

/** A payment with this id is executed once. */
export function isIdempotent({ body, method }: Endpoint): boolean {
  const { properties = {} } = (body ?? {}) as { properties?: object };
  return method === 'POST' && ('request_id' in properties || ('reference' in properties && 'amount' in properties));
}

export function successHeaders(group: RouteGroup, endpoint: Endpoint): Record<string, Reference> {
  return references([
    'X-Request-ID',
    ...(hasRateLimit(group, endpoint) ? RATE_LIMIT : []),
    ...(isIdempotent(endpoint) ? (['Idempotent-Replayed'] as const) : []),
    ...(reportsUnknownFields(endpoint) ? (['Kissi-Ignored-Fields'] as const) : []),
  ]);
}

export function refusalHeaders(group: RouteGroup, endpoint: Endpoint, status: number): Record<string, Reference> {
  const endsByItself = status === 429 || status === 503;
  return references([
    'X-Request-ID',
    ...(hasRateLimit(group, endpoint) ? RATE_LIMIT : []),
    ...(endsByItself ? (['Retry-After'] as const) : []),
    ...(isStoredRefusal(group, endpoint, status) ? (['Idempotent-Replayed'] as const) : []),
  ]);
}

/** A credit's refusal is its outcome: a repeated request gets the same reply. */
export function isStoredRefusal({ envelope }: RouteGroup, endpoint: Endpoint, status: number): boolean {
  return envelope.name === 'inbound' && isIdempotent(endpoint) && (status === 404 || status === 422);
}

function references(names: Header[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, headerReference(name)]));
}
