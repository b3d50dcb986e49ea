// Pages of subscribers with an exact count, from one statement and so from one instant.
//
// With 1,000,000 rows (bench/subscribers.ts, 2 cores, medians): by phone 1 ms, one row of the unique index; first page and
// pages by status or level 2 ms, 50 steps of an index that is in this order; offset 500,000 in 40-60 ms, an index-only walk;
// a search 1-25 ms, the trigram index, and 70 ms when it finds 25,000. What a third or all of them contain, or one or two
// letters, takes the longest: so a search finds the newest 100,000 and counts no further.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Condition, found, type Search, where } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import { COLUMNS, type SubscriberRow } from './record.ts';

export interface ListFilter {
  status?: string;
  kycLevel?: number;
  /** E.164. */
  phoneNumber?: string;
  search?: Search;
  /** Otherwise what is not shown of PEPs does not find them either: guesses at a name or number would be answered. */
  seesPeps?: boolean;
}

export interface SubscriberPage {
  rows: SubscriberRow[];
  total: number;
}

const FOUND_AT_MOST = 100_000;

export async function listSubscribers(queries: Queries, filter: ListFilter, page: Page): Promise<SubscriberPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

/** The ids first, which indexes alone can often give, and only then the rows of this page. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number } & SubscriberRow> {
  const narrowed = filter.phoneNumber !== undefined || filter.search !== undefined;
  const newest = narrowed ? sql`order by id desc limit ${FOUND_AT_MOST}` : sql``;
  const all = [...conditions(filter), ...(leavesOutPeps(filter) ? [NO_PEP] : [])];
  const matching = sql`select id from subscribers ${where(all)} ${newest}`;
  // What was searched for is found once, for the count and for the page; a plain list is only walked as far as the page.
  const matched = narrowed ? sql`with matched as materialized (${matching})` : sql``;
  const counted = narrowed ? sql`select count(*) as total from matched` : countKinds(filter);
  return sql`${matched} select counted.total, s.* from (${counted}) counted
    left join (
      select id from ${narrowed ? sql`matched` : sql`(${matching}) listed`}
      order by id desc limit ${page.limit} offset ${page.offset}
    ) page on true
    left join lateral (select ${columns} from subscribers where id = page.id limit 1) s on true
    order by page.id desc`;
}

/** Kept up to date by a trigger, so that counting a million takes a sum of a few rows. */
function countKinds(filter: ListFilter): Condition {
  const all = conditions(filter);
  const peps = sql`select count(*) from subscribers ${where([sql`is_pep`, ...all])}`;
  return sql`select coalesce(sum(count), 0)::bigint ${leavesOutPeps(filter) ? sql`- (${peps})` : sql``} as total
    from subscriber_counts ${where(all)}`;
}

/** Their status is shown, so that a list by it has them too. */
function leavesOutPeps({ seesPeps, kycLevel, phoneNumber, search }: ListFilter): boolean {
  return !seesPeps && (kycLevel !== undefined || phoneNumber !== undefined || search !== undefined);
}

function conditions({ status, kycLevel, phoneNumber, search }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (kycLevel !== undefined) all.push(sql`kyc_level = ${kycLevel}`);
  if (phoneNumber !== undefined) all.push(sql`phone_number = ${phoneNumber}`);
  if (search) all.push(found(search));
  return all;
}

// By the index of the few there are: asking each row would take the rows, where their index is enough.
const NO_PEP = sql`id not in (select id from subscribers where is_pep)`;
const columns = sql.raw(COLUMNS.join(', '));
