// Nearly valid requests: one mutation of an otherwise valid request, which is how most faults are found.

import type { Random } from '@kissi/testkit/random';
import type { Schema } from '../support/openapi.ts';
import type { Draft, Field } from './draft.ts';
import { EDGE_CASE_NUMBERS, EDGE_CASE_TEXTS, EXTRAS, OTHER_TYPES } from './edge-cases.ts';
import { PASSWORD, PIN } from './fixtures.ts';

type Mutation = (field: Field, random: Random) => { json: string; description: string };

const MUTATIONS: Mutation[] = [
  (_field, random) => ({ json: random.pick(OTHER_TYPES), description: 'another type' }),
  (_field, random) => ({ json: random.pick(EDGE_CASE_NUMBERS), description: 'an edge-case number' }),
  (_field, random) => ({ json: JSON.stringify(random.pick(EDGE_CASE_TEXTS)), description: 'an edge-case text' }),
  ({ json }, random) => ({ json: JSON.stringify(insertText(json, random)), description: 'an edge-case text inserted' }),
  ({ schema }, random) => ({ json: outOfBounds(schema, random), description: 'out of bounds' }),
  (_field, random) => ({
    json: JSON.stringify(random.pick(['x', '９', '🏦', '\u0301']).repeat(random.pick([200, 5_000, 70_000]))),
    description: 'huge',
  }),
  ({ json }, random) => ({
    json: random.pick([json.toUpperCase(), json.toLowerCase(), `[${json}]`, `{"value":${json}}`]),
    description: 'another notation',
  }),
  (_field, random) => ({ json: nested(random.pick([10, 63, 65, 500])), description: 'nested' }),
  (_field, random) => ({ json: JSON.stringify(random.bytes(40).toString('latin1')), description: 'random characters' }),
];

function insertText(json: string, random: Random): string {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json;
  const at = random.int(0, text.length);
  return text.slice(0, at) + random.pick(EDGE_CASE_TEXTS) + text.slice(at);
}

function outOfBounds(schema: Schema, random: Random): string {
  const { maxLength, minLength, minimum, maximum } = schema.anyOf?.[0] ?? schema;
  const texts = [maxLength, minLength].filter((length) => length !== undefined);
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  if (texts.length > 0) return JSON.stringify('x'.repeat(Math.max(0, random.pick(texts) + random.pick([-1, 0, 1]))));
  if (numbers.length > 0) return String(random.pick(numbers) + random.pick([-1, 0, 0.5, 1]));
  return random.pick(EDGE_CASE_NUMBERS);
}

export function nested(depth: number, kind: 'array' | 'object' = 'array'): string {
  return kind === 'array' ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** Changes, omits, repeats or adds one field, or changes one parameter, path segment or upload. */
export function mutateOne(draft: Draft, random: Random): Draft {
  const mutators: ((draft: Draft, random: Random) => Draft)[] = [];
  if (draft.fields.length > 0)
    mutators.push(changeField, changeField, changeField, changeField, omitField, repeatField);
  if (draft.target.body) mutators.push(addField);
  if (draft.target.template.includes('{')) mutators.push(changePath);
  if (draft.target.method === 'GET') mutators.push(changeQuery, changeQuery);
  if (draft.target.uploadType) mutators.push(changeUpload);
  if (mutators.length === 0) mutators.push(changeQuery);
  return random.pick(mutators)(draft, random);
}

function changeField(draft: Draft, random: Random): Draft {
  const at = random.int(0, draft.fields.length - 1);
  const field = draft.fields[at] as Field;
  const { json, description } = random.pick(MUTATIONS)(field, random);
  const fields = draft.fields.with(at, { ...field, json });
  return { ...draft, fields, changes: [...draft.changes, `${field.name}: ${description} ${json.slice(0, 60)}`] };
}

function omitField(draft: Draft, random: Random): Draft {
  const at = random.int(0, draft.fields.length - 1);
  return {
    ...draft,
    fields: draft.fields.toSpliced(at, 1),
    changes: [...draft.changes, `without ${draft.fields[at]?.name}`],
  };
}

function repeatField(draft: Draft, random: Random): Draft {
  const field = random.pick(draft.fields);
  const again = { ...field, json: random.pick([field.json, random.pick(OTHER_TYPES)]) };
  const fields = random.chance(0.5) ? [...draft.fields, again] : [again, ...draft.fields];
  return { ...draft, fields, changes: [...draft.changes, `${field.name} twice`] };
}

function addField(draft: Draft, random: Random): Draft {
  const extra = { name: random.pick(EXTRAS), json: random.pick([...OTHER_TYPES, nested(40, 'object')]), schema: {} };
  return {
    ...draft,
    fields: [...draft.fields, extra],
    changes: [...draft.changes, `an extra ${JSON.stringify(extra.name)}`],
  };
}

const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed());

function changePath(draft: Draft, random: Random): Draft {
  const value = random.pick([
    percentEncoded(random.pick(EDGE_CASE_TEXTS)),
    'x'.repeat(random.pick([255, 256, 257, 3_000])),
    '%00',
    '%ff',
  ]);
  const segments = draft.path.split('/');
  const template = draft.target.template.split('/');
  const at = random.pick([...template.keys()].filter((index) => template[index]?.startsWith('{')));
  return {
    ...draft,
    path: segments.with(at, value).join('/'),
    changes: [...draft.changes, `path ${value.slice(0, 40)}`],
  };
}

function changeQuery(draft: Draft, random: Random): Draft {
  const name = random.pick([
    ...draft.target.query.map((parameter) => parameter.name),
    'x',
    '__proto__',
    'pin',
    'token',
  ]);
  const value = random.pick([
    percentEncoded(random.pick(EDGE_CASE_TEXTS)),
    percentEncoded(random.pick(EDGE_CASE_NUMBERS)),
    // Clients sometimes put secrets into a query by mistake.
    PIN,
    percentEncoded(PASSWORD),
    '%00',
    '%',
    '%zz',
    '%c3%28',
    '%ed%a0%80',
    'x'.repeat(4_000),
    '',
  ]);
  const pair = random.pick([
    `${name}=${value}`,
    `${name}`,
    `${name}[]=${value}`,
    `${name}[a]=1`,
    `${name}=1&${name}=${value}`,
    `${name}=${value}`,
  ]);
  return { ...draft, query: [...draft.query, pair], changes: [...draft.changes, `query ${pair.slice(0, 60)}`] };
}

const UPLOADS = [
  'serial',
  'serial\n',
  'serial,label\n"unclosed',
  `serial\n${'x'.repeat(70_000)}`,
  'serial\r\n\r\n\r\n',
  '\ufeffserial\nBOM-0001\n',
  'label,serial\nA,CSV-9999\n',
  'serial,serial\na,b\n',
  'serial\n=cmd|calc\n',
  'serial\n\u0000\n',
  `serial\n${'A,'.repeat(5_000)}\n`,
  '',
  '\n\n',
  '"serial"\n"CSV-""1"\n',
  'date,amount,reference,description,balance\n2026-01-01,1e9,,,1\n',
  'date,amount,reference,description,balance\n2026-01-01,-1.00,"=cmd|calc",,-1.00\n',
  'date,amount,reference,description,balance\n2026-01-01,1.00,,,9007199254740993.00\n',
  'reference,phone_number,amount\nA,=cmd|calc,1\n',
  'reference,phone_number,amount\n"A,+23276000001,1\n',
  'reference,phone_number,amount\nA,+23276000001,1e400\n',
  'reference,account_number,amount\nA,1,0.01\nA,1,0.01\n',
  '{"rows":[{"reference":"A","phone_number":"+23276000001","amount":1e400}]}',
  '{"rows":[[[[[[{"reference":',
];

function changeUpload(draft: Draft, random: Random): Draft {
  const body = random.chance(0.2)
    ? Buffer.concat([Buffer.from('serial\n'), random.bytes(500)])
    : Buffer.from(random.pick(UPLOADS));
  return { ...draft, body, changes: [...draft.changes, `upload ${body.toString('latin1', 0, 40)}`] };
}
