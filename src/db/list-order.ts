// The order of a list and, for exports, the records that follow one of them in that order.
import { sql } from 'kysely';
import { afterId, type Condition } from './list-filter.ts';

/** Set in an export, which reads the records after one another. */
interface Page {
  after?: string | null | undefined;
}

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

/**
 * Ascending by an expression over the table's columns; the id decides between equal ones. An export, which is read in many
 * pages, is by time: a record that changes meanwhile moves in this order, and others would be left out or repeated.
 */
export function ascending(expression: Condition, { after }: Page): ListOrder {
  return after === undefined ? { ...NEWEST, order: sql`${expression}, id` } : NEWEST;
}

/** Ignoring case. The collation is named because the one of the columns, "C", would lower only the letters A to Z. */
export const byBusinessName = (page: Page) => ascending(sql`lower(business_name collate "default")`, page);
