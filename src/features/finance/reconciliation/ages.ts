// Unmatched items by age: as they were at an instant, and now for the overview.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import type { ReconciliationContext } from './context.ts';
import { createListing } from './listing.ts';
import type { Side } from './store.ts';

/** The last day of each bucket, counted from the day of the item; null: older. */
export const AGE_BUCKETS = [1, 3, 7, 30, null] as const;

export interface AgeBucket {
  side: Side;
  /** Items of up to so many days; null: of more than 30. */
  up_to_days: (typeof AGE_BUCKETS)[number];
  count: number;
  /** Money that the bank, or the books, shows as received and as paid; both positive. */
  incoming: number;
  outgoing: number;
}

export interface AgesRequest {
  /** Items dated before it; the end of a UTC day for a daily close. */
  at: Date;
  /** Matches made or undone later do not count. By default now. */
  asKnownAt?: Date;
}

/**
 * Every side and bucket, also empty ones. Write-offs are not unmatched. A bank entry counts from its booking date, whenever its
 * statement was uploaded.
 */
export async function unmatchedByAge(queries: Queries, { at, asKnownAt }: AgesRequest): Promise<AgeBucket[]> {
  // The last day that has ended, or that contains the instant.
  const day = iso(at.getTime() - 1).slice(0, 'YYYY-MM-DD'.length);
  const known = asKnownAt ?? new Date(8.64e15 / 2);
  const { rows } = await sql<AgeBucket>`with matched_then as (
      select 'bank' as side, unnest(bank_entry_ids) as item_id from reconciliation_matches
        where created_at <= ${known} and undone_at > ${known}
      union select 'books', unnest(transaction_ids) from reconciliation_matches
        where created_at <= ${known} and undone_at > ${known}),
    open_then as (
      select i.side, i.item_id, i.dated, i.amount from reconciliation_items i
        where i.status in ('unmatched', 'suggested') and i.dated <= ${day}::date
          and not exists (select from matched_then t where t.side = i.side and t.item_id = i.item_id)
      union all select i.side, i.item_id, i.dated, i.amount from reconciliation_matches m
        join reconciliation_items i on i.match_id = m.id
        where m.created_at > ${known} and i.dated <= ${day}::date
          and not exists (select from matched_then t where t.side = i.side and t.item_id = i.item_id)),
    aged as (
      select side, amount, ${day}::date - dated as days from open_then)
    select sides.side, buckets.up_to_days, count(aged.amount) as count,
      coalesce(sum(aged.amount) filter (where aged.amount > 0), 0)::bigint as incoming,
      coalesce(-sum(aged.amount) filter (where aged.amount < 0), 0)::bigint as outgoing
    from (values ('bank'), ('books')) sides (side)
    cross join (values (0, 1, 1), (2, 3, 3), (4, 7, 7), (8, 30, 30), (31, 2147483647, null)) buckets (first, last, up_to_days)
    left join aged on aged.side = sides.side and aged.days between buckets.first and buckets.last
    group by sides.side, buckets.up_to_days, buckets.first order by sides.side, buckets.first`.execute(queries);
  return rows;
}

export interface OpenAges {
  under_1_day: number;
  under_3_days: number;
  under_7_days: number;
  older: number;
}

/** Numbers of open items per side, by the days since their date. */
export async function openItemAges(dependencies: Pick<ReconciliationContext, 'database' | 'clock'>) {
  await createListing(dependencies)();
  const today = iso(dependencies.clock.now()).slice(0, 'YYYY-MM-DD'.length);
  const { rows } = await sql<OpenAges & { side: Side }>`select side, count(*) filter (where days < 1) as under_1_day,
      count(*) filter (where days between 1 and 2) as under_3_days,
      count(*) filter (where days between 3 and 6) as under_7_days, count(*) filter (where days >= 7) as older
    from (select side, ${today}::date - dated as days from reconciliation_items
      where status in ('unmatched', 'suggested')) open group by side`.execute(dependencies.database.queries);
  const of = (side: Side): OpenAges => {
    const { side: _, ...ages } = rows.find((row) => row.side === side) ?? { side, ...NO_ITEMS };
    return ages;
  };
  return { bank: of('bank'), books: of('books') };
}

const NO_ITEMS: OpenAges = { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0 };

/** The day before which items are older than so many days. */
export function dayBefore(now: number, days: number): string {
  return iso(Math.max(0, now - days * DAY_MS)).slice(0, 'YYYY-MM-DD'.length);
}

export function daysSince(date: string, now: number): number {
  return Math.max(0, Math.floor(now / DAY_MS) - Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}
