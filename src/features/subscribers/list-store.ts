// Lists subscribers by page with a count; a single statement reads both from one snapshot.
//
// Medians with 1,000,000 rows (2 cores; npm run bench:lookup): by phone 1 ms (unique index); first page, and pages by
// status or level, 2 ms (index in list order); offset 500,000 in 40-60 ms (index-only scan); search 1-25 ms (trigram
// index), 70 ms with 25,000 matches. The slowest searches have one or two letters or match a third or more of all
// rows; a search therefore returns and counts at most the first 100,000 matches.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Condition, containing, matches, type Search, where } from '../../db/list-filter.ts';
import { type ByTime, byTime } from '../../db/list-order.ts';
import type { Page } from '../../http/paging.ts';
import { ENDED, UNVERIFIED_MS } from '../../parties/registration.ts';
import { COLUMNS, type SubscriberRow } from './record.ts';

export interface ListFilter {
  status?: string;
  kycLevel?: number;
  /** E.164. */
  phoneNumber?: string;
  accountNumber?: string;
  /** In the stored form. */
  cardSerial?: string;
  /** Only the subscribers that this agent registered. */
  registeredBy?: string;
  search?: Search;
  onlyPeps?: true;
  /** If false, hidden fields of PEPs do not match, because a match would confirm a guessed name or number. */
  seesPeps?: boolean;
  sort?: ByTime;
  /** Registrations that were not verified until then have ended. */
  now: Date;
}

export interface SubscriberPage {
  rows: SubscriberRow[];
  total: number;
}

const MAX_MATCHES = 100_000;

export async function listSubscribers(queries: Queries, filter: ListFilter, page: Page): Promise<SubscriberPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  const found = rows.filter((row) => row.id !== null);
  return { total: rows[0]?.total ?? found.length, rows: found };
}

/** Selects the ids first, often from an index alone, and then only the page's rows. An export needs no count. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number | null } & SubscriberRow> {
  const exported = page.after !== undefined;
  const narrowed = isNarrowed(filter) && !exported;
  const { order, after } = byTime(filter.sort);
  const first = narrowed ? sql`order by ${order} limit ${MAX_MATCHES}` : sql``;
  const all = [...conditions(filter), ...notEnded(filter), ...(excludesPeps(filter) ? [NO_PEP] : [])];
  all.push(...after(page.after));
  const matching = sql`select id from subscribers ${where(all)} ${first}`;
  // A search is evaluated once for the count and the page. A plain list is read only as far as the page.
  const matched = narrowed ? sql`with matched as materialized (${matching})` : sql``;
  const counted = narrowed ? sql`select count(*) as total from matched` : countFromTotals(filter);
  const total = exported ? NO_COUNT : counted;
  return sql`${matched} select counted.total, s.* from (${total}) counted
    left join (
      select id from ${narrowed ? sql`matched` : sql`(${matching}) listed`}
      order by ${order} limit ${page.limit} offset ${page.offset}
    ) page on true
    left join lateral (select ${columns} from subscribers where id = page.id limit 1) s on true
    order by ${order}`;
}

/** The counters know only status and level. */
function isNarrowed({ phoneNumber, accountNumber, cardSerial, registeredBy, onlyPeps, search }: ListFilter): boolean {
  const narrowing = [phoneNumber, accountNumber, cardSerial, registeredBy, onlyPeps, search];
  return narrowing.some((each) => each !== undefined);
}

/** A trigger maintains the counts, so that counting a million rows sums a few rows. */
function countFromTotals(filter: ListFilter): Condition {
  const all = conditions(filter);
  const peps = sql`select count(*) from subscribers ${where([sql`is_pep`, ...all])}`;
  const due = sql`select count(*) from subscribers ${where([expired(filter), ...all])}`;
  return sql`select coalesce(sum(count), 0)::bigint - (${due}) ${excludesPeps(filter) ? sql`- (${peps})` : sql``} as total
    from subscriber_counts ${where([sql`status <> ${ENDED}`, ...all])}`;
}

/** A filter by status alone includes PEPs, because their status is visible. */
function excludesPeps(filter: ListFilter): boolean {
  return !filter.seesPeps && (filter.kycLevel !== undefined || isNarrowed(filter));
}

function conditions(filter: ListFilter): Condition[] {
  const { status, kycLevel, phoneNumber, accountNumber, cardSerial, registeredBy, onlyPeps, search } = filter;
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (kycLevel !== undefined) all.push(sql`kyc_level = ${kycLevel}`);
  if (phoneNumber !== undefined) all.push(sql`phone_number = ${phoneNumber} and phone_verified`);
  if (accountNumber !== undefined) all.push(sql`account_number = ${accountNumber}`);
  if (cardSerial !== undefined) all.push(sql`id = (select subscriber_id from cards where serial = ${cardSerial})`);
  if (registeredBy !== undefined) all.push(sql`registered_by_agent = ${registeredBy}`);
  if (onlyPeps) all.push(sql`is_pep`);
  if (search) all.push(matches(search), sql`(phone_verified or ${matchesWithoutPhone(search)})`);
  return all;
}

/** A number that is not verified finds nobody. */
function matchesWithoutPhone({ text }: Search): Condition {
  return sql`lower((first_name || ' ' || last_name || ' ' || account_number || ' ' || coalesce(email, '')) collate "default")
    like ${containing(text)}`;
}

/** Subqueries of small indexes, for the same reason as NO_PEP. */
function notEnded(filter: ListFilter): Condition[] {
  const { status } = filter;
  if (status !== undefined && status !== 'PENDING') return [];
  const due = sql`id not in (select id from subscribers where ${expired(filter)})`;
  return status === undefined ? [sql`id not in (select id from subscribers where status = ${ENDED})`, due] : [due];
}

/** Registrations that have ended, even if the background task has not recorded it yet. */
function expired({ now }: ListFilter): Condition {
  const before = new Date(now.getTime() - UNVERIFIED_MS);
  return sql`(status = 'PENDING' and not phone_verified and created_at <= ${before})`;
}

const NO_COUNT = sql`select null::bigint as total`;
// Uses the small index of PEPs: a condition on each row would read the table instead of an index.
const NO_PEP = sql`id not in (select id from subscribers where is_pep)`;
const columns = sql.raw(COLUMNS.join(', '));
