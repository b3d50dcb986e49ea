// The order of a list and, for exports, the records that follow one of them in that order.
import { sql } from 'kysely';
import { afterId, type Condition } from './list-filter.ts';

/** For ids in the order of their creation. */
export type ByTime = 'newest' | 'oldest';

export interface ListOrder {
  order: Condition;
  after: (id: string | null | undefined) => Condition[];
}

const NEWEST: ListOrder = { order: sql`id desc`, after: afterId };
const OLDEST: ListOrder = { order: sql`id`, after: (id) => (id ? [sql`id > ${id}`] : []) };

/** By default the newest first. */
export function byTime(sort: ByTime | undefined): ListOrder {
  return sort === 'oldest' ? OLDEST : NEWEST;
}

/** Ascending by an expression over the table's columns; the id decides between equal ones. */
export function ascending(table: string, expression: Condition): ListOrder {
  const order = sql`${expression}, id`;
  const after = (id: string | null | undefined) =>
    id ? [sql`(${order}) > (select ${order} from ${sql.table(table)} where id = ${id})`] : [];
  return { order, after };
}

/** Ignoring case. The collation is named because the one of the columns, "C", would lower only the letters A to Z. */
export function byBusinessName(table: 'agents' | 'processors'): ListOrder {
  return ascending(table, sql`lower(business_name collate "default")`);
}
