// Paging of lists: limit and offset in the query and in the reply; positions in exports.
import { type TProperties, type TSchema, Type } from 'typebox';
import { ERROR_MESSAGE } from './validation.ts';

export interface Page {
  limit: number;
  offset: number;
  /**
   * Set in an export, which reads all pages and needs no count: the page begins after the record with this key. Null for
   * the first page. A growing offset would read all earlier records again for each page.
   */
  after?: string | null | undefined;
}

/** The page of an export, in the query or body of its calls. Clients cannot send a symbol. */
export const EXPORT_PAGE = Symbol('export page');

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const count = (description: string, pattern: string) =>
  Type.String({ pattern, description, [ERROR_MESSAGE]: 'must be a whole number of 0 or more' });

/** The query of a list: its filters, limit and offset. */
export function listQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({
    ...filters,
    limit: Type.Optional(
      count(`Maximum number of records: ${DEFAULT_LIMIT} by default, at most ${MAX_LIMIT}.`, '^\\d+$'),
    ),
    offset: Type.Optional(count('Number of records to skip.', '^\\d{1,15}$')),
  });
}

/** From a query, or from a body on routes that take these fields there. */
export function pageOf(query: { limit?: string | number; offset?: string | number; [EXPORT_PAGE]?: Page }): Page {
  return (
    query[EXPORT_PAGE] ?? {
      limit: Math.min(MAX_LIMIT, Number(query.limit ?? DEFAULT_LIMIT)),
      offset: Number(query.offset ?? 0),
    }
  );
}

/** A list's reply: { <plural>, total_count, limit, offset }. */
export function listReply<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  return Type.Object({
    [name]: Type.Array(item),
    total_count: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
}
