// Pages of processors, newest first.
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { equal, matches, type Search } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type ProcessorRow } from './store.ts';

export interface ListFilter {
  status?: string;
  /** Only this processor. */
  id?: string;
  search?: Search;
}

export function listProcessors(queries: Queries, filter: ListFilter, page: Page): Promise<Listed<ProcessorRow>> {
  const { status, id, search } = filter;
  const filters = [...equal({ status, id }), ...(search ? [matches(search)] : [])];
  return countedPage(queries, { table: 'processors', columns: COLUMNS, filters }, page);
}
