// Pages of processors.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal, matches, type Search } from '../../db/list-filter.ts';
import { type ByTime, byBusinessName, byTime } from '../../db/list-order.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type ProcessorRow } from './store.ts';

export type ListSort = ByTime | 'name';

export interface ListFilter {
  status?: string;
  /** Only this processor. */
  id?: string;
  /** `merchantNumber`: what the text is if it is a complete merchant number. */
  search?: Search & { merchantNumber: string | null };
  sort?: ListSort;
}

export function listProcessors(queries: Queries, filter: ListFilter, page: Page): Promise<Listed<ProcessorRow>> {
  const { status, id, search, sort } = filter;
  const filters = [...equal({ status, id }), ...(search ? [found(search)] : [])];
  const order = sort === 'name' ? byBusinessName(page) : byTime(sort);
  return countedPage(queries, { table: 'processors', columns: COLUMNS, filters, ...order }, page);
}

function found(search: NonNullable<ListFilter['search']>): Condition {
  const { merchantNumber } = search;
  return merchantNumber === null ? matches(search) : sql`(${matches(search)} or merchant_number = ${merchantNumber})`;
}
