// Lists: limit and offset on every one, read and answered the same way.
import { type TProperties, type TSchema, Type } from 'typebox';
import { ERROR_MESSAGE } from './validation.ts';

export interface Page {
  limit: number;
  offset: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const count = (description: string, pattern: string) =>
  Type.String({ pattern, description, [ERROR_MESSAGE]: 'must be a whole number of 0 or more' });

/** The query of a list: its own filters and the page. */
export function listQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({
    ...filters,
    limit: Type.Optional(count(`How many at most: ${DEFAULT_LIMIT} unless told, ${MAX_LIMIT} at most.`, '^\\d+$')),
    offset: Type.Optional(count('How many to pass over.', '^\\d{1,15}$')),
  });
}

/** Of a query, or of a body where a list is asked for by one. */
export function pageOf(query: { limit?: string | number; offset?: string | number }): Page {
  return {
    limit: Math.min(MAX_LIMIT, Number(query.limit ?? DEFAULT_LIMIT)),
    offset: Number(query.offset ?? 0),
  };
}

/** The reply of a list: { <plural>, total_count, limit, offset }. */
export function listReply<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    [name]: Type.Array(item),
    total_count: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
}
