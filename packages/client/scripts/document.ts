// Reads what the client needs from the OpenAPI document.
import type { Scheme, Traits } from '../src/traits.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  required?: boolean;
  description?: string;
  $ref?: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  'x-client-method'?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  security?: Record<string, string[]>[];
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }
  >;
}

/** An operation with its references resolved where the generator looks. */
export interface DescribedOperation {
  id: string;
  /** kissi.<family>.<methodName> calls it. */
  family: string;
  methodName: string;
  method: string;
  url: string;
  text: string;
  pathParameters: { name: string; isNumber: boolean }[];
  hasQuery: boolean;
  hasHeaderKey: boolean;
  /** Null if there is no body; the content types otherwise. */
  bodyTypes: string[] | null;
  bodyRequired: boolean;
  bodyFields: Schema;
  /** Content types of the successful replies. */
  replyTypes: string[];
  /** The field with the records, if the reply is a page of a list. */
  items: string | null;
  traits: Traits;
}

export function describeOperations(document: Document): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(document, { url, method: method.toUpperCase(), operation }),
    ),
  );
}

interface Route {
  url: string;
  method: string;
  operation: Operation;
}

function describe(document: Document, { url, method, operation }: Route): DescribedOperation {
  const parameters = (operation.parameters ?? []).map((parameter) => follow<Parameter>(document, parameter));
  const body = operation.requestBody && follow<Content>(document, operation.requestBody);
  const replies = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const contents = replies.map(([, reply]) => follow<Content>(document, reply).content ?? {});
  const bodyFields = flatten(document, body?.content?.['application/json']?.schema);
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const hasHeaderKey = parameters.some(({ name }) => name.toLowerCase() === 'x-idempotency-key');
  const [family, methodName] = operation['x-client-method']?.split('.') ?? [];
  if (!family || !methodName) throw new Error(`the endpoint ${operation.operationId} needs a clientMethod`);
  const isPaged = [...query, ...Object.keys(bodyFields.properties ?? {})].includes('limit');
  return {
    id: operation.operationId,
    family,
    methodName,
    method,
    url,
    text: operation.summary ?? operation.operationId,
    pathParameters: pathParametersOf(url, parameters),
    hasQuery: query.length > 0,
    hasHeaderKey,
    bodyTypes: body ? Object.keys(body.content ?? {}) : null,
    bodyRequired: body?.required === true,
    bodyFields,
    replyTypes: contents.flatMap((content) => Object.keys(content)),
    items: isPaged ? arrayField(document, contents[0]?.['application/json']?.schema) : null,
    traits: traitsOf(operation, { bodyFields, hasHeaderKey }),
  };
}

/** In the order of the path. */
function pathParametersOf(url: string, parameters: readonly Parameter[]): DescribedOperation['pathParameters'] {
  return [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
    return { name, isNumber: schema?.type === 'integer' };
  });
}

function follow<T>(document: Document, value: T): T {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  const [, , kind = '', name = ''] = $ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`${$ref} is not in the document`);
  return follow(document, found as T);
}

/** The properties of an object schema, of all its parts and alternatives. */
function flatten(document: Document, schema: Schema | undefined): Schema {
  if (!schema) return {};
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] } = follow(document, schema);
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => flatten(document, part));
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required ?? []), ...required],
  };
}

function arrayField(document: Document, schema: Schema | undefined): string | null {
  const { properties = {} } = flatten(document, schema);
  const arrays = Object.entries(properties).filter(([, field]) => follow(document, field).type === 'array');
  return arrays.length === 1 ? (arrays[0]?.[0] ?? null) : null;
}

/** POST operations that only read; they may be repeated without a key. */
const READS = new Set([
  ...['enquireName', 'getAccountStatus', 'listPartnerTransactions', 'getAccountStatement'],
  ...['verifyCardAtTerminal', 'verifyAccountAtTerminal', 'lookUpCardAtTerminal'],
  ...['verifyCardInApp', 'verifyAccountInApp', 'lookUpCardInApp'],
]);

function traitsOf(
  { operationId, security = [] }: Operation,
  { bodyFields, hasHeaderKey }: { bodyFields: Schema; hasHeaderKey: boolean },
): Traits {
  const schemes = [...new Set(security.map((names) => schemeOf(operationId, Object.keys(names))))].filter(
    (s) => s !== null,
  );
  const fields = bodyFields.properties ?? {};
  const key = 'request_id' in fields ? 'request_id' : isPaidByReference(operationId, fields) ? 'reference' : undefined;
  return {
    ...(schemes.length === 1 && schemes[0] === 'bearer' ? {} : { schemes }),
    ...(key ? { key } : {}),
    ...(hasHeaderKey ? { keyHeader: true } : {}),
    ...(READS.has(operationId) ? { reads: true } : {}),
    ...('encrypted_pin' in fields ? { encryptsPin: true } : {}),
  };
}

/** Where partner banks send money, the reference is the key. */
function isPaidByReference(operationId: string, fields: object): boolean {
  const isPayment = ['creditWallet', 'partnerCashIn', 'receivePartnerCashIn'].includes(operationId);
  if (isPayment && !('reference' in fields)) throw new Error(`${operationId} has no reference`);
  return isPayment;
}

/** The scheme of one alternative of `security`, by the header that only this scheme has. */
const MARKS: readonly (readonly [RegExp, Scheme])[] = [
  [/^metricsToken$/, 'metrics'],
  [/^bearer/i, 'bearer'],
  [/service/i, 'service'],
  [/^(nonce$|inbound)/i, 'inbound'],
  [/^partner(Id$|Hmac|Signature|$)/i, 'partner'],
  [/^hub/i, 'hub'],
  [/^(webhook|cashIn)/i, 'cash-in'],
  [/^(signature$|pos|terminal|hmac|signed)/i, 'signed'],
];

function schemeOf(operationId: string, names: string[]): Scheme | null {
  // The browser sends the cookie of the console by itself.
  if (names.length === 0 || names.includes('consoleSession')) return null;
  const mark = MARKS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (!mark) throw new Error(`${operationId}: the client does not know the security scheme ${names.join(' and ')}`);
  return mark[1];
}
