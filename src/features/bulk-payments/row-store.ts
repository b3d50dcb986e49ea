// The rows of a bulk payment, in the order of its file.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import type { BulkRow, RowStatus } from './types.ts';

export interface RowFilter {
  status?: RowStatus | undefined;
  name_matches?: boolean | undefined;
}

const afterLine = (line: string | null | undefined): Condition[] => (line ? [sql`line > ${Number(line)}`] : []);

export function listRows(queries: Queries, id: string, filter: RowFilter, page: Page): Promise<Listed<BulkRow>> {
  const filters = equal({ bulk_payment_id: id, ...filter });
  const order = sql`line`;
  return countedPage(queries, { table: 'bulk_payment_rows', key: 'line', filters, order, after: afterLine }, page);
}

/** The rows after a line. */
export function nextRows(queries: Queries, id: string, line: number, limit: number): Promise<BulkRow[]> {
  const found = queries.selectFrom('bulk_payment_rows').selectAll().where('bulk_payment_id', '=', id);
  return found.where('line', '>', line).orderBy('line').limit(limit).execute();
}

/** The first rows that were not paid, for a report that people read. */
export function unpaidRows(queries: Queries, id: string, limit: number): Promise<BulkRow[]> {
  const found = queries.selectFrom('bulk_payment_rows').selectAll().where('bulk_payment_id', '=', id);
  const unpaid = found.where('status', 'in', ['invalid', 'failed', 'returned']);
  return unpaid.orderBy('line').limit(limit).execute();
}
