// Nearly valid requests: one thing spoilt, the rest as it should be, which is how most faults are found.
import type { Schema } from '../support/openapi.ts';
import type { Draft, Field } from './draft.ts';
import { EXTRAS, NASTY_NUMBERS, NASTY_TEXTS, OTHER_TYPES } from './nasty.ts';
import type { Random } from './random.ts';
import { PASSWORD, PIN } from './world.ts';

type Change = (field: Field, random: Random) => { json: string; what: string };

const CHANGES: Change[] = [
  (_field, random) => ({ json: random.pick(OTHER_TYPES), what: 'another type' }),
  (_field, random) => ({ json: random.pick(NASTY_NUMBERS), what: 'a nasty number' }),
  (_field, random) => ({ json: JSON.stringify(random.pick(NASTY_TEXTS)), what: 'a nasty text' }),
  ({ json }, random) => ({ json: JSON.stringify(inside(json, random)), what: 'a nasty text inside' }),
  ({ schema }, random) => ({ json: outOfBounds(schema, random), what: 'out of bounds' }),
  (_field, random) => ({
    json: JSON.stringify(random.pick(['x', '９', '🏦', '\u0301']).repeat(random.pick([200, 5_000, 70_000]))),
    what: 'huge',
  }),
  ({ json }, random) => ({
    json: random.pick([json.toUpperCase(), json.toLowerCase(), `[${json}]`, `{"value":${json}}`]),
    what: 'written otherwise',
  }),
  (_field, random) => ({ json: nested(random.pick([10, 63, 65, 500])), what: 'nested' }),
  (_field, random) => ({ json: JSON.stringify(random.bytes(40).toString('latin1')), what: 'random characters' }),
];

function inside(json: string, random: Random): string {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json;
  const at = random.int(0, text.length);
  return text.slice(0, at) + random.pick(NASTY_TEXTS) + text.slice(at);
}

function outOfBounds(schema: Schema, random: Random): string {
  const { maxLength, minLength, minimum, maximum } = schema.anyOf?.[0] ?? schema;
  const texts = [maxLength, minLength].filter((length) => length !== undefined);
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  if (texts.length > 0) return JSON.stringify('x'.repeat(Math.max(0, random.pick(texts) + random.pick([-1, 0, 1]))));
  if (numbers.length > 0) return String(random.pick(numbers) + random.pick([-1, 0, 0.5, 1]));
  return random.pick(NASTY_NUMBERS);
}

export function nested(depth: number, kind: 'array' | 'object' = 'array'): string {
  return kind === 'array' ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** One field changed, left out, sent twice or added; where there is no body, one parameter. */
export function spoilOne(draft: Draft, random: Random): Draft {
  const places: ((draft: Draft, random: Random) => Draft)[] = [];
  if (draft.fields.length > 0) places.push(changeField, changeField, changeField, changeField, leaveOut, sendTwice);
  if (draft.target.body) places.push(addField);
  if (draft.target.template.includes('{')) places.push(changePath);
  if (draft.target.method === 'GET') places.push(changeQuery, changeQuery);
  if (draft.target.isUpload) places.push(changeUpload);
  if (places.length === 0) places.push(changeQuery);
  return random.pick(places)(draft, random);
}

function changeField(draft: Draft, random: Random): Draft {
  const at = random.int(0, draft.fields.length - 1);
  const field = draft.fields[at] as Field;
  const { json, what } = random.pick(CHANGES)(field, random);
  const fields = draft.fields.with(at, { ...field, json });
  return { ...draft, fields, what: [...draft.what, `${field.name}: ${what} ${json.slice(0, 60)}`] };
}

function leaveOut(draft: Draft, random: Random): Draft {
  const at = random.int(0, draft.fields.length - 1);
  return {
    ...draft,
    fields: draft.fields.toSpliced(at, 1),
    what: [...draft.what, `without ${draft.fields[at]?.name}`],
  };
}

function sendTwice(draft: Draft, random: Random): Draft {
  const field = random.pick(draft.fields);
  const again = { ...field, json: random.pick([field.json, random.pick(OTHER_TYPES)]) };
  const fields = random.chance(0.5) ? [...draft.fields, again] : [again, ...draft.fields];
  return { ...draft, fields, what: [...draft.what, `${field.name} twice`] };
}

function addField(draft: Draft, random: Random): Draft {
  const extra = { name: random.pick(EXTRAS), json: random.pick([...OTHER_TYPES, nested(40, 'object')]), schema: {} };
  return {
    ...draft,
    fields: [...draft.fields, extra],
    what: [...draft.what, `an extra ${JSON.stringify(extra.name)}`],
  };
}

const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed());

function changePath(draft: Draft, random: Random): Draft {
  const value = random.pick([
    percentEncoded(random.pick(NASTY_TEXTS)),
    'x'.repeat(random.pick([255, 256, 257, 3_000])),
    '%00',
    '%ff',
  ]);
  const segments = draft.path.split('/');
  const template = draft.target.template.split('/');
  const at = random.pick([...template.keys()].filter((index) => template[index]?.startsWith('{')));
  return { ...draft, path: segments.with(at, value).join('/'), what: [...draft.what, `path ${value.slice(0, 40)}`] };
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
    percentEncoded(random.pick(NASTY_TEXTS)),
    percentEncoded(random.pick(NASTY_NUMBERS)),
    // Where secrets do not belong, and yet people put them.
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
  return { ...draft, query: [...draft.query, pair], what: [...draft.what, `query ${pair.slice(0, 60)}`] };
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
];

function changeUpload(draft: Draft, random: Random): Draft {
  const body = random.chance(0.2)
    ? Buffer.concat([Buffer.from('serial\n'), random.bytes(500)])
    : Buffer.from(random.pick(UPLOADS));
  return { ...draft, body, what: [...draft.what, `upload ${body.toString('latin1', 0, 40)}`] };
}
