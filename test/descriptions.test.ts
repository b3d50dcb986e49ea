// The descriptions of operations and fields: each is used, and those that a reader needs are complete.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { FIELD_DESCRIPTIONS } from '../src/app/descriptions/index.ts';
import { isNullable } from '../src/http/openapi/field-descriptions.ts';
import type { Schema } from '../src/http/openapi/schema.ts';

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  summary: string;
  parameters?: Field[];
  requestBody?: Body;
  responses?: Record<string, Body>;
}

interface Body {
  content?: Record<string, { examples?: object }>;
}

interface Field {
  /** Component or operation. */
  record: string;
  name: string;
  description?: string;
  schema: Schema;
}

const document = JSON.parse(await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const operations = Object.values(document.paths).flatMap((path) => Object.values(path as Record<string, Operation>));

/** What an operation says besides who has access to it. */
const ownDescription = ({ description }: Operation) => description.split('\n\n').slice(0, -1).join('\n\n');

test('descriptions of operations are sentences', () => {
  const described = operations.filter((operation) => ownDescription(operation) !== '');
  assert.ok(described.length > 100);
  for (const operation of described) assert.match(ownDescription(operation), /\.$/, operation.operationId);
});

test('every operation of the families for integrators has a description', () => {
  const families = ['payments', 'inbound', 'partner-api', 'partner-cashin', 'wallet'];
  const missing = operations.filter(
    (operation) => operation.tags.some((tag) => families.includes(tag)) && ownDescription(operation) === '',
  );
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});

/** Their names and schemas say everything. A field that can be null is never obvious. */
const OBVIOUS = new Set([
  ...['success', 'id', 'name', 'first_name', 'last_name', 'business_name', 'contact_name', 'bank', 'role'],
  ...[
    'transaction_id',
    'subscriber_id',
    'partner_id',
    'agent_id',
    'account_id',
    'trust_account_id',
    'statement_id',
    'user_id',
  ],
  ...['password', 'current_password', 'refresh_token'],
  // Fields of a public key (RFC 7517).
  ...['kty', 'crv', 'x', 'kid', 'use', 'alg'],
]);

/** A record or a list of records, which describe themselves. */
function isRecord({ $ref, items, properties, anyOf }: Schema): boolean {
  const inner = [items, ...((anyOf ?? []) as Schema[])] as (Schema | undefined)[];
  return $ref !== undefined || properties !== undefined || inner.some((each) => each !== undefined && isRecord(each));
}

function fieldsOf(record: string, schema: Schema): Field[] {
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: Schema; anyOf?: Schema[] };
  const own = Object.entries(properties).map(([name, field]) => ({
    ...{ record, name, schema: field },
    description: field.description,
  }));
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...own, ...inner.flatMap((each) => fieldsOf(record, each))];
}

const fields: Field[] = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsOf(name, schema as Schema)),
  ...operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(({ name }) => name).map((parameter) => ({ ...parameter, record: operationId })),
  ),
  ...Object.values<Field>(document.components.parameters).map((parameter) => ({ ...parameter, record: 'shared' })),
];

test('every field has a description, unless it is obvious and cannot be null', () => {
  const missing = fields.filter(
    ({ name, description, schema }) => !description && (isNullable(schema) || !(OBVIOUS.has(name) || isRecord(schema))),
  );
  assert.deepEqual(
    missing.map(({ record, name }) => `${record}.${name}`),
    [],
  );
});

test('each description of fields is used and a sentence', () => {
  const { records, values, names, nulls } = FIELD_DESCRIPTIONS;
  const used = new Set(fields.map(({ description }) => description));
  const uses = (text: string) => used.has(text) || [...used].some((each) => each?.startsWith(`${text} Null`));
  for (const [key, text] of [records, values, names].flatMap((each) => Object.entries(each))) {
    assert.ok(uses(text), `no field has the description of ${key}`);
    assert.match(text, /\.$/, `${key} ends with a full stop`);
  }
  for (const [key, text] of Object.entries(nulls)) {
    assert.ok(
      fields.some(({ name, description }) => name === key && description?.endsWith(text)),
      `no field has the null of ${key}`,
    );
  }
});

test('an operation has its own examples only', () => {
  const foreign = operations.flatMap(({ operationId, requestBody, responses }) => {
    const success = Object.entries(responses ?? {}).filter(([status]) => status === '200' || status === '201');
    const contents = [requestBody, ...success.map(([, reply]) => reply)].flatMap((each) =>
      Object.values(each?.content ?? {}),
    );
    return contents.flatMap(({ examples = {} }) => Object.keys(examples)).filter((name) => name !== operationId);
  });
  assert.deepEqual(foreign, []);
});

test('no two operations have the same summary', () => {
  const summaries = operations.map(({ summary }) => summary);
  assert.deepEqual(
    summaries.filter((summary, index) => summaries.indexOf(summary) !== index),
    [],
  );
});
