// An operation of the OpenAPI document, from the definition of its endpoint.
import type { TSchema } from 'typebox';
import { accessText } from '../access.ts';
import { exportedList } from '../csv/list.ts';
import type { Endpoint, RouteGroup } from '../endpoint.ts';
import type { Upload } from '../upload.ts';
import type { Components, Parameter, Reference, Response } from './components.ts';
import { successHeaders } from './headers.ts';
import { refusalResponses } from './refusals.ts';
import { pascalCase, type Schema } from './schema.ts';
import { SECURITY } from './security.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  'x-client-method'?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; examples?: object }> };
  responses: Record<string, Response | Reference>;
  security: Record<string, string[]>[];
  'x-codeSamples'?: CodeSample[];
}

export function operationOf(group: RouteGroup, endpoint: Endpoint, components: Components): Operation {
  const parameters = [
    ...parametersOf(endpoint.params, 'path', components),
    ...parametersOf(endpoint.query, 'query', components),
    ...(endpoint.idempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  const requestBody = requestBodyOf(endpoint, components);
  const suffix = group.secondPath?.idSuffix ?? '';
  return {
    operationId: `${endpoint.id}${suffix}`,
    tags: [group.family],
    summary: `${endpoint.summary}${group.secondPath?.summarySuffix ?? ''}`,
    description: [endpoint.description ?? [], accessText(group, endpoint)].flat().join('\n\n'),
    ...(endpoint.clientMethod === undefined ? {} : { 'x-client-method': `${endpoint.clientMethod}${suffix}` }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...refusalResponses(group, endpoint, components), ...successes(group, endpoint, components) },
    security: SECURITY[group.authentication.name],
  };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'x-idempotency-key',
  in: 'header',
  required: true,
  description:
    'Identifies the operation; the same on every retry of it. 1 to 128 visible ASCII characters. It is part of the signed string.',
  schema: { type: 'string', minLength: 1 },
};

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query', components: Components): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = components.part(field);
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    };
  });
}

function requestBodyOf(endpoint: Endpoint, components: Components): Operation['requestBody'] {
  const { id, body, bodyOptional, takesForm, upload } = endpoint;
  if (upload) return { required: true, content: uploadContent(upload, `${pascalCase(id)}Request`, components) };
  if (!body) return undefined;
  const schema = components.body(body, `${pascalCase(id)}Request`);
  const content = { [JSON_TYPE]: { schema }, ...(takesForm ? { [FORM_TYPE]: { schema } } : {}) };
  return { required: bodyOptional !== true, content };
}

function uploadContent(
  { mediaTypes, atomic, description, json }: Upload,
  name: string,
  components: Components,
): Record<string, { schema: Schema }> {
  const file = { type: 'string', format: 'binary', contentMediaType: mediaTypes[0], description };
  const form = { schema: { type: 'object', required: ['file'], properties: { file } } };
  return {
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', description } }])),
    ...(atomic ? {} : { 'multipart/form-data': form }),
    ...(json ? { [JSON_TYPE]: { schema: components.body(json, name) } } : {}),
  };
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Success.',
  503: 'Not ready.',
};

/** Replies of the handler. */
function successes(
  group: RouteGroup,
  endpoint: Endpoint,
  components: Components,
): Record<string, Response | Reference> {
  const replies = Object.entries(endpoint.replies).map(([status, reply]) => {
    const { description = DESCRIPTIONS[status], title } = reply as { description?: string; title?: string };
    const content = contentOf(endpoint, status, components);
    const headers = successHeaders(group, endpoint);
    const response: Response = { description: description ?? '', headers, ...(content ? { content } : {}) };
    const isShared = status === '202' && title !== undefined;
    return [status, isShared ? components.response(response, `${title}${variantOf(headers)}`) : response] as const;
  });
  return Object.fromEntries(replies);
}

/** Shared replies differ by their headers. */
function variantOf(headers: object): string {
  if ('Idempotent-Replayed' in headers) return 'Payment';
  return 'Kissi-Ignored-Fields' in headers ? '' : 'WithoutBody';
}

function contentOf(endpoint: Endpoint, status: string, components: Components): Response['content'] {
  const reply = endpoint.replies[Number(status)] as Schema;
  if (reply.type === 'null') return undefined;
  const name = `${pascalCase(endpoint.id)}${Number(status) < 300 ? 'Reply' : 'NotReady'}`;
  if (reply.content) return Object.fromEntries(contentTypes(reply.content, name, components));
  const { description: _description, ...schema } = reply;
  const json = { [JSON_TYPE]: { schema: components.body(schema, name) } };
  return status === '200' && exportedList(endpoint) ? { ...json, ...csvContent() } : json;
}

/** A reply that defines its content types. */
function contentTypes(content: unknown, name: string, components: Components): [string, { schema: Schema }][] {
  return Object.entries(content as Record<string, { schema: object }>).map(([type, { schema }]) => [
    type,
    { schema: type === JSON_TYPE ? components.body(schema, name) : components.part(schema) },
  ]);
}

/** A new object for each operation, because its example is added to it. */
const csvContent = () => ({
  'text/csv': { schema: { type: 'string', description: 'Every record that matches the filter, one per line.' } },
});
