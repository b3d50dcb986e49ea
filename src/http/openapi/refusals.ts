// An operation's refusals: one reply per status, with the codes that it can have and their additional fields.
import type { TSchema } from 'typebox';
import { USER_RESTRICTIONS } from '../../auth/caller.ts';
import { CATALOGUE, type Code } from '../../kernel/refusal.ts';
import type { Endpoint, RouteGroup } from '../endpoint.ts';
import { fieldsOfCodes, REFUSAL_FIELDS } from '../refusal-fields.ts';
import type { Components, Reference } from './components.ts';
import { hasRateLimit, isStoredRefusal, refusalHeaders } from './headers.ts';
import { pascalCase } from './schema.ts';

const STATUS_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'AccessDenied',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'Failed',
};

export function refusalResponses(
  group: RouteGroup,
  endpoint: Endpoint,
  components: Components,
): Record<number, Reference> {
  const general = codesByStatus(generalRefusals(group, endpoint));
  const all = codesByStatus([...generalRefusals(group, endpoint), ...(endpoint.refusals ?? [])]);
  const responses: Record<number, Reference> = {};
  for (const [status, codes] of all) {
    const named = nameOf(group, endpoint, { status, codes, general: general.get(status) ?? [] });
    const name = `${ENVELOPE_PREFIXES[group.envelope.name]}${named}`;
    const response = {
      description: describe(group, codes),
      headers: refusalHeaders(group, endpoint, status),
      content: {
        'application/json': { schema: components.body(refusalSchema(group, codes), `${name}Refusal`) },
        ...(group.refusalPage ? { 'text/html': { schema: PAGE } } : {}),
      },
    };
    const forBrowsers = group.refusalPage ? 'Page' : '';
    responses[status] = components.response(response, `${headersPrefix(group, endpoint, status)}${forBrowsers}${name}`);
  }
  return responses;
}

const PAGE = { type: 'string', description: 'A page for people, in English or Krio.' };

/** Replies with the same schema can differ by their headers. */
function headersPrefix(group: RouteGroup, endpoint: Endpoint, status: number): string {
  if (isStoredRefusal(group, endpoint, status)) return 'Stored';
  return group.envelope.name === 'legacy' && !hasRateLimit(group, endpoint) ? 'Public' : '';
}

const ENVELOPE_PREFIXES = { legacy: '', inbound: 'Inbound', webhook: 'Webhook', bridge: 'Bridge' };

function codesByStatus(refusals: readonly (Code | { code: Code; status: number })[]): Map<number, Code[]> {
  const byStatus = new Map<number, Code[]>();
  for (const refusal of refusals) {
    const { code, status } = typeof refusal === 'string' ? { code: refusal, ...CATALOGUE[refusal] } : refusal;
    const codes = byStatus.get(status) ?? [];
    if (!codes.includes(code)) byStatus.set(status, [...codes, code]);
  }
  return byStatus;
}

/** Restrictions apply to users, who have bearer tokens. */
function restrictionsOf({ authentication }: RouteGroup, { openDuring = [] }: Endpoint): Code[] {
  return authentication.name.startsWith('bearer') ? USER_RESTRICTIONS.filter((each) => !openDuring.includes(each)) : [];
}

/** The refusals of a key whose owner is suspended, or whose partner allows only some addresses or certificates. */
const KEY_OWNER_REFUSALS: Code[] = [
  'PARTNER_SUSPENDED',
  'PROCESSOR_SUSPENDED',
  'IP_NOT_ALLOWED',
  'CERTIFICATE_REQUIRED',
];
const OWNER_REFUSALS: Partial<Record<RouteGroup['authentication']['name'], Code[]>> = {
  bearer: KEY_OWNER_REFUSALS,
  'bearer-or-service': [...KEY_OWNER_REFUSALS, 'INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP'],
  'bearer-or-signed': [...KEY_OWNER_REFUSALS, 'INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP'],
  pos: KEY_OWNER_REFUSALS,
  partner: KEY_OWNER_REFUSALS,
  inbound: KEY_OWNER_REFUSALS,
};

/** Refusals that follow from the route's definition, not from its handler. */
function generalRefusals(group: RouteGroup, endpoint: Endpoint): Code[] {
  const failure = endpoint.failure?.code ?? 'INTERNAL_ERROR';
  const codes: Code[] = ['INVALID_REQUEST', failure, 'SERVICE_UNAVAILABLE'];
  if (endpoint.body || endpoint.upload) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (group.authentication.name === 'path-secret') codes.push('UNAUTHORIZED', 'NOT_FOUND', 'IP_NOT_ALLOWED');
  else if (group.authentication.name !== 'none') codes.push('UNAUTHORIZED', 'RATE_LIMITED');
  if (endpoint.perIpLimit) codes.push('RATE_LIMITED');
  // The router refuses a parameter that is longer than any id.
  if (endpoint.params) codes.push('NOT_FOUND');
  if (endpoint.permission !== 'anyone') codes.push(withoutPermission(group), ...restrictionsOf(group, endpoint));
  codes.push(...(OWNER_REFUSALS[group.authentication.name] ?? []));
  return codes;
}

/** For a caller without the role or scope. */
function withoutPermission({ envelope }: RouteGroup): Code {
  return envelope.name === 'inbound' ? 'SCOPE_DENIED' : 'FORBIDDEN';
}

interface Codes {
  status: number;
  codes: Code[];
  /** Codes that follow from the route's definition. */
  general: Code[];
}

const MAX_OWN_CODES = 2;

/**
 * Follows from the codes, so that operations with the same refusals share a component: SubscriberNotFound, AccessDenied
 * (what any route can refuse), AccessDeniedOrPepAccessRequired. With more codes it is named after the operation.
 */
function nameOf(group: RouteGroup, endpoint: Endpoint, { status, codes, general }: Codes): string {
  const own = codes.filter((code) => !general.includes(code));
  if (own.length > MAX_OWN_CODES) return `${pascalCase(endpoint.id)}${STATUS_NAMES[status]}`;
  const base =
    general.length > 1 ? [`${variantOf(group, endpoint, status)}${STATUS_NAMES[status]}`] : general.map(pascalCase);
  const isUsual = codes.some((code) => CATALOGUE[code].status === status);
  return `${[...base, ...own.map(pascalCase)].join('Or')}${isUsual ? '' : status}`;
}

/** The general refusals of a status differ by authentication, and where restricted users may call a route. */
function variantOf({ authentication: { name } }: RouteGroup, { openDuring = [] }: Endpoint, status: number): string {
  if (openDuring.length > 0) return openDuring.length === USER_RESTRICTIONS.length ? 'OwnAccount' : 'Enrolment';
  const isUsual = name === 'bearer' || name === 'inbound' || (name.startsWith('bearer-or-') && status === 403);
  return isUsual ? '' : pascalCase(name);
}

/** An envelope without codes has one schema, under its own title. */
function refusalSchema({ envelope: { name, schema } }: RouteGroup, codes: Code[]): TSchema {
  if (!('code' in schema.properties)) return schema;
  const { title: _title, ...rest } = schema as typeof schema & { title?: string };
  const fields = name === 'legacy' ? fieldsOfCodes(codes) : {};
  const code = { type: 'string', enum: codes };
  return { ...rest, properties: { ...schema.properties, code, ...fields } } as unknown as TSchema;
}

function describe({ envelope: { schema } }: RouteGroup, codes: Code[]): string {
  const hasCode = 'code' in schema.properties;
  return codes.map((code) => (hasCode ? line(code) : `- ${CATALOGUE[code].meaning}`)).join('\n');
}

function line(code: Code): string {
  const fields = Object.keys(REFUSAL_FIELDS[code] ?? {}).map((field) => `\`${field}\``);
  return `- \`${code}\`: ${CATALOGUE[code].meaning}${fields.length > 0 ? ` Fields: ${fields.join(', ')}.` : ''}`;
}
