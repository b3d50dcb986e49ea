// The filter of an export as the audit log stores it: without text that may be personal data, because entries are permanent.
import type { TSchema } from 'typebox';
import type { Call, Endpoint } from '../endpoint.ts';
import { parseInstant } from '../fields.ts';

export interface RecordedFilter {
  /** The values of a fixed set, ids, days and instants. */
  filter: Record<string, unknown>;
  /** The names of other filters that were set, such as search and phone_number. */
  text_filters?: string[];
}

export function recordedFilter({ query, body }: Endpoint, call: Call): RecordedFilter {
  const schemas = { ...propertiesOf(query), ...propertiesOf(body) };
  const { limit: _limit, offset: _offset, cursor: _cursor, ...sent } = parametersOf(call);
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  const isStored = (name: string) => isEnum(schemas[name]) || isIdOrInstant(sent[name]);
  const filter = Object.fromEntries(names.filter(isStored).map((name) => [name, sent[name]]));
  const text_filters = names.filter((name) => !isStored(name)).sort();
  return text_filters.length === 0 ? { filter } : { filter, text_filters };
}

export function parametersOf({ query, body }: Pick<Call, 'query' | 'body'>): Record<string, unknown> {
  return { ...(query as object | null), ...(body as object | null | undefined) };
}

function propertiesOf(schema: TSchema | undefined): Record<string, { enum?: unknown[] }> {
  return (schema as { properties?: Record<string, { enum?: unknown[] }> } | undefined)?.properties ?? {};
}

function isEnum(schema: { enum?: unknown[] } | undefined): boolean {
  return schema?.enum !== undefined;
}

const ID = /^[a-z]{2,8}_[0-9A-HJKMNP-TV-Z]{26}$/;

function isIdOrInstant(value: unknown): boolean {
  return typeof value === 'string' && (ID.test(value) || parseInstant(value) !== null);
}
