// Pages of processors with an exact count, read in one statement and so from one snapshot.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { afterId, type Condition, matches, type Search, where } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type ProcessorRow } from './store.ts';

export interface ListFilter {
  status?: string;
  /** Only this processor. */
  id?: string;
  search?: Search;
}

export interface ProcessorPage {
  rows: ProcessorRow[];
  total: number;
}

/** Newest first. An export needs no count. */
export async function listProcessors(queries: Queries, filter: ListFilter, page: Page): Promise<ProcessorPage> {
  const all = conditions(filter);
  const counted =
    page.after === undefined
      ? sql`select count(*) as total from processors ${where(all)}`
      : sql`select null::bigint as total`;
  const statement = sql<{ total: number | null } & ProcessorRow>`select counted.total, page.* from (${counted}) counted
    left join (
      select ${columns} from processors ${where([...all, ...afterId(page.after)])} order by id desc limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.id desc`;
  const { rows } = await statement.execute(queries);
  const found = rows.filter((row) => row.id !== null);
  return { total: rows[0]?.total ?? found.length, rows: found };
}

function conditions({ status, id, search }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (id !== undefined) all.push(sql`id = ${id}`);
  if (search) all.push(matches(search));
  return all;
}

const columns = sql.raw(COLUMNS.join(', '));
