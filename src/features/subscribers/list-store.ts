// Pages of subscribers with an exact count, from one statement and so from one instant.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type SubscriberRow } from './record.ts';

export interface ListFilter {
  status?: string;
  kycLevel?: number;
  /** E.164. */
  phoneNumber?: string;
  /** Each a piece of text to be found as it is; one of them is enough. */
  searches?: string[];
}

export interface SubscriberPage {
  rows: SubscriberRow[];
  total: number;
}

type Condition = RawBuilder<unknown>;

export async function listSubscribers(queries: Queries, filter: ListFilter, page: Page): Promise<SubscriberPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

/** The ids first, which an index alone can give, and only then the rows of this page. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number } & SubscriberRow> {
  const counted = filter.phoneNumber || filter.searches ? countRows(filter) : countKinds(filter);
  const paged = sql`select id from subscribers ${where(conditions(filter))}
    order by id desc limit ${page.limit} offset ${page.offset}`;
  return sql`select counted.total, s.* from (${counted}) counted
    left join (${paged}) page on true
    left join lateral (select ${columns} from subscribers where id = page.id limit 1) s on true
    order by page.id desc`;
}

function countRows(filter: ListFilter): Condition {
  return sql`select count(*) as total from subscribers ${where(conditions(filter))}`;
}

/** Kept up to date by a trigger, so that counting a million takes a sum of a few rows. */
function countKinds({ status, kycLevel }: ListFilter): Condition {
  const kinds = where(conditions({ ...(status ? { status } : {}), ...(kycLevel ? { kycLevel } : {}) }));
  return sql`select coalesce(sum(count), 0)::bigint as total from subscriber_counts ${kinds}`;
}

function conditions({ status, kycLevel, phoneNumber, searches }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (kycLevel !== undefined) all.push(sql`kyc_level = ${kycLevel}`);
  if (phoneNumber !== undefined) all.push(sql`phone_number = ${phoneNumber}`);
  if (searches) all.push(sql`(${sql.join(searches.map(contains), sql` or `)})`);
  return all;
}

/** lower() is the database's on both sides, so that both agree on what a small letter is. */
function contains(text: string): Condition {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return sql`search_text like lower(${`%${literal}%`})`;
}

function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

const columns = sql.raw(COLUMNS.join(', '));
