// The OpenAPI document, generated from the endpoint definitions that are served.
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { USER_RESTRICTIONS } from '../auth/caller.ts';
import { CATALOGUE, type Code } from '../kernel/refusal.ts';
import { accessText } from './access.ts';
import { exportedList } from './csv/list.ts';
import type { Endpoint, RouteGroup } from './endpoint.ts';
import { fieldsOfCodes } from './refusal-fields.ts';
import type { Upload } from './upload.ts';

export const DOCUMENT_PATH = '/openapi.json';

const SECURITY: Record<RouteGroup['authentication']['name'], Record<string, string[]>[]> = {
  none: [],
  bearer: [{ bearer: [] }],
  'bearer-or-service': [{ bearer: [] }, { serviceName: [], serviceTimestamp: [], serviceSignature: [] }],
  pos: [{ keyId: [], timestamp: [], signature: [] }],
  partner: [{ keyId: [], partnerId: [], timestamp: [], signature: [] }],
  inbound: [{ keyId: [], timestamp: [], nonce: [], signature: [] }],
  webhook: [{ webhookSignature: [] }],
  metrics: [{}, { metricsToken: [] }],
  hub: [{ hubSignature: [] }],
};

const INTRODUCTION = `Wallets, cards, agents, merchants and partner banks.

**Amounts** are integers in minor units: 12500 is 125.00 SLE.

**Authentication.** Users log in with POST /api/v1/admin/login and send the token as a bearer token. Integrators send
their API key as a bearer token, or sign requests with its secret. A signature is the hexadecimal HMAC-SHA256 of these
parts, joined by line feeds; the path includes the query string:

- terminals, apps and partners: method, path, X-Timestamp, raw body
- inbound API: method, path, X-Timestamp, X-Nonce, X-Idempotency-Key (or nothing), hexadecimal SHA-256 of the raw body

**Permissions.** Each operation says which roles and scopes may call it. Users of agents and processors, and keys of a
partner or processor, act for their own account only.

**Input.** null for an optional field of a body means that the field is absent; in metadata, null is a value. Unknown
fields of a body are ignored; unknown query parameters are refused with 400. In narrations, descriptions and reasons,
control characters and line breaks become a single space, and blank text means absent. PUT accepts the record that GET
returned: read-only fields may be sent while they are unchanged.

**Idempotency.** A payment that is sent again with the same request_id (inbound API: reference) returns the first reply
and moves no money. The reply then has the header Idempotent-Replayed: true.

**CSV.** Every list is also a CSV file: send Accept: text/csv. The file has all records of the filter; limit, offset and
cursor do not apply. It is UTF-8 with CRLF line ends (RFC 4180) and a header row with the names of the JSON fields. Lists
and objects are JSON text. Text that a spreadsheet would execute as a formula gets a leading apostrophe. A file is
complete only if the connection ends normally: an export that fails resets the connection.

**Errors** have a code that does not change and a sentence that may. A reply with 503 did nothing; retry it after the
seconds in Retry-After. Each operation lists its codes by status, and the additional fields of a code.`;

const REPLIES: Record<string, string> = { 200: 'Success.', 201: 'Created.', 204: 'Success.', 503: 'Not ready.' };

const apiKeyHeader = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;

/** Must be registered before the routes, because it collects them on registration. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  const optionalBodies = new Set<string>();
  await app.register(fastifySwagger, {
    transform: ({ schema, url, route }) => {
      const { bodyOptional } = (schema ?? {}) as { bodyOptional?: true };
      if (bodyOptional) optionalBodies.add(`${route.method} ${url}`);
      return { url, schema: withDescriptions(withCsv(withUpload(schema))) };
    },
    transformObject: (generated) => {
      if (!('openapiObject' in generated)) return generated.swaggerObject;
      return withOptionalBodies(generated.openapiObject, optionalBodies);
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kissi',
        version,
        description: INTRODUCTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key (svc_…) or an access token from /admin/login.',
          },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The METRICS_TOKEN of the configuration.' },
          keyId: apiKeyHeader('X-API-Key-ID', 'The id of the API key.'),
          partnerId: apiKeyHeader('X-Partner-ID', 'The partner the key belongs to.'),
          timestamp: apiKeyHeader('X-Timestamp', 'RFC 3339, UTC.'),
          nonce: apiKeyHeader('X-Nonce', 'Used once, also on retries.'),
          signature: apiKeyHeader('X-Signature', 'Hex HMAC-SHA256 of the canonical string.'),
          webhookSignature: apiKeyHeader('X-Webhook-Signature', 'Hex HMAC-SHA256 of the raw body.'),
          hubSignature: apiKeyHeader('X-Hub-Signature-256', 'sha256= and the hex HMAC-SHA256 of the raw body.'),
          serviceName: apiKeyHeader('X-Service-Name', 'The name of the calling service.'),
          serviceTimestamp: apiKeyHeader('X-Service-Timestamp', 'Unix seconds.'),
          serviceSignature: apiKeyHeader('X-Service-Signature', 'Hex HMAC-SHA256 of METHOD|PATH|QUERY|TIMESTAMP.'),
        },
      },
    },
  });
}

/** All replies share one buffer: unauthenticated clients can send many requests at once without reading the replies. */
export function serveDocument(app: FastifyInstance): void {
  let document: Buffer | undefined;
  app.get(DOCUMENT_PATH, { schema: { hide: true } as FastifySchema }, (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

const IDEMPOTENCY_KEY = {
  type: 'object',
  required: ['x-idempotency-key'],
  properties: {
    'x-idempotency-key': { type: 'string', minLength: 1, description: 'Unique for each operation.' },
  },
};

export function operation(group: RouteGroup, endpoint: Endpoint): FastifySchema {
  const { body, bodyOptional, upload, params, query, idempotencyKey, replies, summary } = endpoint;
  return {
    operationId: `${endpoint.id}${group.idSuffix ?? ''}`,
    tags: [group.family],
    summary,
    description: accessText(group, endpoint),
    ...(body ? { body } : {}),
    ...(bodyOptional ? { bodyOptional } : {}),
    ...(upload ? { upload } : {}),
    ...(exportedList(endpoint) ? { csv: true } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(idempotencyKey ? { headers: IDEMPOTENCY_KEY } : {}),
    response: { ...refusalReplies(group, endpoint), ...replies },
    security: SECURITY[group.authentication.name],
  } as FastifySchema;
}

/** For documentation only: replies of the handler, whose schemas have no description. */
function withDescriptions<Schema extends FastifySchema>(schema: Schema): Schema {
  if (!schema?.response) return schema;
  const described = Object.entries(schema.response as Record<string, object>).map(([status, reply]) => [
    status,
    { description: REPLIES[status], ...reply },
  ]);
  return { ...schema, response: Object.fromEntries(described) };
}

/** The plugin documents every body as required. */
function withOptionalBodies<Document extends { paths?: object }>(
  document: Document,
  optional: ReadonlySet<string>,
): Document {
  const paths = (document.paths ?? {}) as Record<string, Record<string, { requestBody?: { required?: boolean } }>>;
  for (const route of optional) {
    const [method = '', url = ''] = route.split(' ');
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const body = paths[path]?.[method.toLowerCase()]?.requestBody;
    if (body) body.required = false;
  }
  return document;
}

/** For documentation only: uploads are streamed and not validated by a schema. */
function withUpload<Schema extends FastifySchema>(schema: Schema): Schema {
  const { upload } = (schema ?? {}) as { upload?: Upload };
  if (!upload) return schema;
  const { mediaTypes, atomic, description } = upload;
  const file = { type: 'string', format: 'binary', contentMediaType: mediaTypes[0], description };
  const form = { schema: { type: 'object', required: ['file'], properties: { file } } };
  const content = {
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', description } }])),
    ...(atomic ? {} : { 'multipart/form-data': form }),
  };
  return { ...schema, body: { content } };
}

/** For documentation only: the list is exported by ListExport. */
function withCsv<Schema extends FastifySchema>(schema: Schema): Schema {
  const { csv, response } = (schema ?? {}) as { csv?: true; response?: Record<string, object> };
  if (!csv) return schema;
  const text = { type: 'string', description: 'All records of the filter, one per line.' };
  const content = { 'application/json': { schema: response?.[200] }, 'text/csv': { schema: text } };
  return { ...schema, response: { ...response, 200: { content } } };
}

function refusalReplies(group: RouteGroup, endpoint: Endpoint): Record<number, TSchema> {
  const byStatus = new Map<number, Code[]>();
  for (const refusal of [...generalRefusals(group, endpoint), ...(endpoint.refusals ?? [])]) {
    const { code, status } = typeof refusal === 'string' ? { code: refusal, ...CATALOGUE[refusal] } : refusal;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies: Record<number, TSchema> = {};
  for (const [status, codes] of byStatus) {
    replies[status] = refusalSchema(group, [...new Set(codes)]);
  }
  return replies;
}

/** Restrictions apply to users, who have bearer tokens. */
function restrictionsOf({ authentication }: RouteGroup, { openDuring = [] }: Endpoint): Code[] {
  return authentication.name.startsWith('bearer') ? USER_RESTRICTIONS.filter((each) => !openDuring.includes(each)) : [];
}

/** The refusals of a caller whose partner, processor or agent is suspended. */
const OWNER_REFUSALS: Partial<Record<RouteGroup['authentication']['name'], Code[]>> = {
  bearer: ['PARTNER_SUSPENDED', 'PROCESSOR_SUSPENDED', 'IP_NOT_ALLOWED'],
  'bearer-or-service': [
    ...(['PARTNER_SUSPENDED', 'PROCESSOR_SUSPENDED', 'IP_NOT_ALLOWED'] as const),
    ...(['INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP'] as const),
  ],
  pos: ['PARTNER_SUSPENDED', 'PROCESSOR_SUSPENDED'],
  partner: ['PARTNER_SUSPENDED'],
  inbound: ['PARTNER_SUSPENDED'],
};

function refusalSchema({ envelope: { name, schema } }: RouteGroup, codes: Code[]): TSchema {
  const fields = name === 'legacy' ? fieldsOfCodes(codes) : {};
  const properties = { ...schema.properties, ...fields };
  return { ...schema, properties, description: codes.join(', ') } as TSchema;
}

/** Refusals that follow from the route's definition, not from its handler. */
function generalRefusals(group: RouteGroup, endpoint: Endpoint): Code[] {
  const failure = endpoint.failure?.code ?? 'INTERNAL_ERROR';
  const codes: Code[] = ['INVALID_REQUEST', failure, 'SERVICE_UNAVAILABLE'];
  if (endpoint.body || endpoint.upload) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (group.authentication.name !== 'none') codes.push('UNAUTHORIZED', 'RATE_LIMITED');
  if (endpoint.perIpLimit) codes.push('RATE_LIMITED');
  if (endpoint.permission !== 'anyone') codes.push('FORBIDDEN', ...restrictionsOf(group, endpoint));
  codes.push(...(OWNER_REFUSALS[group.authentication.name] ?? []));
  return codes;
}
