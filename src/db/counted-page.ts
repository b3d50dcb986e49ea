// A page of a table with an exact count of all that match; one statement reads both, so from one snapshot.
import { sql } from 'kysely';
import type { Queries } from './database.ts';
import { afterId, type Condition, where } from './list-filter.ts';

export interface Listed<Row> {
  rows: Row[];
  total: number;
}

interface List {
  table: string;
  columns?: readonly string[];
  /** The primary key. */
  key?: string;
  filters: Condition[];
  /** By default the newest first, for ids in the order of their creation. */
  order?: Condition;
  /** The count stops here; by default it is exact. */
  countLimit?: number;
  /** The records after the one with this key in that order. */
  after?: (key: string | null | undefined) => Condition[];
}

interface PageBounds {
  limit: number;
  offset: number;
  /** Set in an export, which needs no count. */
  after?: string | null | undefined;
}

export async function countedPage<Row extends object>(
  queries: Queries,
  { table, columns, key = 'id', filters, order = sql`id desc`, after = afterId, countLimit }: List,
  page: PageBounds,
): Promise<Listed<Row>> {
  const from = sql.table(table);
  const shown = columns ? sql.join(columns.map((column) => sql.ref(column))) : sql`*`;
  const first = sql`(select from ${from} ${where(filters)} limit ${countLimit}) first`;
  const counted =
    page.after === undefined
      ? sql`select count(*) as total from ${countLimit === undefined ? sql`${from} ${where(filters)}` : first}`
      : sql`select null::bigint as total`;
  const { rows } = await sql<{ total: number | null } & Row>`select counted.total, page.* from (${counted}) counted
    left join (
      select ${shown} from ${from} ${where([...filters, ...after(page.after)])}
      order by ${order} limit ${page.limit} offset ${page.offset}
    ) page on true
    order by ${order}`.execute(queries);
  const found = rows.filter((row) => row[key as keyof Row] !== null);
  return { rows: found, total: rows[0]?.total ?? found.length };
}
