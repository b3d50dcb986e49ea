// Pages of processors with an exact count, from one statement and so from one instant.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type ProcessorRow } from './store.ts';

export interface ListFilter {
  status?: string;
  /** This one alone. */
  id?: string;
  /** Text to be found as it is, or else a whole number in E.164. */
  search?: { text: string; orPhone: string | null };
}

export interface ProcessorPage {
  rows: ProcessorRow[];
  total: number;
}

type Condition = RawBuilder<unknown>;

/** Newest first. */
export async function listProcessors(queries: Queries, filter: ListFilter, page: Page): Promise<ProcessorPage> {
  const matching = where(conditions(filter));
  const statement = sql<{ total: number } & ProcessorRow>`select counted.total, page.*
    from (select count(*) as total from processors ${matching}) counted
    left join (
      select ${columns} from processors ${matching} order by id desc limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.id desc`;
  const { rows } = await statement.execute(queries);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

function conditions({ status, id, search }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (id !== undefined) all.push(sql`id = ${id}`);
  if (search) {
    const orPhone = search.orPhone === null ? sql`` : sql` or phone_number = ${search.orPhone}`;
    all.push(sql`(search_text like ${containing(search.text)}${orPhone})`);
  }
  return all;
}

/** lower() is the database's on both sides, so that both agree on what a small letter is. */
function containing(text: string): Condition {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return sql`lower(${`%${literal}%`})`;
}

function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

const columns = sql.raw(COLUMNS.join(', '));
