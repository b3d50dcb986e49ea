// Reads the fields of a JSON body as its schema describes them: null means absent, and narrations become one line.
import sjson from 'secure-json-parse';
import type { TSchema } from 'typebox';
import { type Flaw, membersOf } from '../kernel/json-text.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { oneLine } from '../kernel/text.ts';
import { ONE_LINE, RAW_TEXT } from './validation.ts';

const MAX_DEPTH = 64;
/** Longest JSON text of a nested field: bounds the time it takes to parse it. */
const MAX_NESTED_CHARACTERS = 64 * 1024;

/** Fields that make retries safe. If there are two values, a proxy or the sender's log may have taken the other one. */
const IDEMPOTENCY_KEYS: ReadonlySet<string> = new Set(['request_id', 'reference']);

/** The fields of a schema, and how each is read. */
export interface BodyFields {
  names: ReadonlySet<string>;
  /** Passed on as raw text (see RAW_TEXT). */
  rawText: ReadonlyMap<string, unknown>;
  /** Narrations (see ONE_LINE). */
  oneLine: ReadonlySet<string>;
  schemas: Readonly<Record<string, TSchema>>;
}

export function bodyFields(schema: TSchema): BodyFields {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (!properties) throw new Error('a body schema must be an object schema with properties');
  const marked = (keyword: string) =>
    Object.entries(properties as Record<string, Record<string, unknown>>).filter(([, field]) => keyword in field);
  return {
    names: new Set(Object.keys(properties)),
    rawText: new Map(marked(RAW_TEXT).map(([name, field]) => [name, field[RAW_TEXT]])),
    oneLine: new Set(marked(ONE_LINE).map(([name]) => name)),
    schemas: properties,
  };
}

/** Null if the JSON is not an object; schema validation then rejects it. The names of other fields are added to `unknown`. */
export function readFields(
  text: string,
  fields: BodyFields,
  unknown: string[] | null = null,
): Record<string, unknown> | null | Refusal {
  const found = membersOf(text, fields.names, MAX_DEPTH, {
    mayContainNul: fields.oneLine,
    once: IDEMPOTENCY_KEYS,
    others: unknown,
  });
  if ('flaw' in found) return flawRefusal(found.flaw, found.member);
  if (found.texts === null) return null;
  const body: Record<string, unknown> = {};
  for (const [name, json] of found.texts) {
    const value = readField(name, json, fields);
    if (value === TOO_LONG) return tooLong(name);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

const TOO_LONG = Symbol('too long');
const NUMBER = new Set('-0123456789');

/** Undefined if the field counts as absent. */
function readField(name: string, json: string, { rawText, oneLine: narrations, schemas }: BodyFields): unknown {
  const first = json.charAt(0);
  const raw = rawText.get(name);
  if (raw === 'json' || (raw === 'number' && NUMBER.has(first))) return json;
  if (json === 'null') return undefined;
  if (first === '"' && narrations.has(name)) return oneLine(JSON.parse(json)) ?? undefined;
  if (first !== '{' && first !== '[') return JSON.parse(json);
  if (json.length > MAX_NESTED_CHARACTERS) return TOO_LONG;
  // Defence in depth against prototype pollution.
  const value: unknown = sjson.parse(json, { protoAction: 'remove', constructorAction: 'remove' });
  return json.includes('null') ? withoutNulls(value, schemas[name]) : value;
}

/** Removes the fields that are null from nested objects. Fields that the schema does not name stay as they are. */
function withoutNulls(value: unknown, schema: TSchema | undefined): unknown {
  const { properties, items } = (schema ?? {}) as { properties?: Record<string, TSchema>; items?: TSchema };
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, items));
  if (typeof value !== 'object' || value === null || !properties) return value;
  const kept = Object.entries(value).filter(([name, inner]) => inner !== null || !Object.hasOwn(properties, name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner, properties[name])]));
}

function tooLong(field: string): Refusal {
  return refuse('INVALID_REQUEST', `${field} must have at most ${MAX_NESTED_CHARACTERS} characters as JSON text.`);
}

function flawRefusal(flaw: Flaw, member: string | null): Refusal {
  switch (flaw) {
    case 'malformed':
      return refuse('INVALID_REQUEST', 'The body is not valid JSON.');
    case 'too deep':
      return refuse('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    case 'unstorable':
      return unstorable(member ?? 'The body');
    case 'repeated':
      return refuse('INVALID_REQUEST', `The body has ${member} more than once.`);
  }
}

/** PostgreSQL cannot store U+0000 or unpaired surrogates in text. */
export function unstorable(field: string): Refusal {
  return refuse('INVALID_REQUEST', `${field} must not contain U+0000 or half a surrogate pair.`);
}
