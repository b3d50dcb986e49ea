// Open items by age, for the daily close and the overview.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { exactSum } from '../../../kernel/money.ts';
import type { ReconciliationContext } from './context.ts';
import { OVERLAP_MS } from './listing.ts';
import type { Side } from './store.ts';

export interface OpenItems {
  side: Side;
  /** Days from the day of the items to the given day. */
  ageDays: number;
  count: number;
  /** Without sign: a receipt does not make up for a payment. */
  amount: number;
}

/**
 * Items dated up to a day that are neither matched nor written off. The caller lists new items before. Statements that were
 * stored since then are counted from their entries, so that in a snapshot the figures contain every statement of the snapshot.
 */
export async function openItemsByAge(queries: Queries, day: string): Promise<OpenItems[]> {
  type Sums = Record<'count' | 'amount', string> & Pick<OpenItems, 'side' | 'ageDays'>;
  const { rows } = await sql<Sums>`select side, ${day}::date - dated as "ageDays", count(*)::text as count,
      sum(abs(amount))::text as amount
    from (select side, dated, amount from reconciliation_items where status in ('unmatched', 'suggested')
      union all select 'bank', e.booked_on, e.amount from bank_statements s join bank_entries e on e.statement_id = s.id
        where s.uploaded_at >= (select listed_until - ${OVERLAP_MS} * interval '1 millisecond' from reconciliation_progress)
          and not exists (select from reconciliation_items i where i.side = 'bank' and i.item_id = e.id)) open_items
    where dated <= ${day}::date group by side, dated`.execute(queries);
  return rows.map(({ count, amount, ...row }) => ({ ...row, count: exactSum(count), amount: exactSum(amount) }));
}

/** The number of the last change of a match that the figures of this snapshot contain. */
export async function lastChange(queries: Queries): Promise<number> {
  const progress = queries.selectFrom('reconciliation_progress').select('changes');
  return (await progress.executeTakeFirstOrThrow()).changes;
}

export interface OpenAges {
  under_1_day: number;
  under_3_days: number;
  under_7_days: number;
  older: number;
}

/** Numbers of open items per side, by the days since their date. */
export async function openItemAges(dependencies: Pick<ReconciliationContext, 'database' | 'clock'>) {
  const today = iso(dependencies.clock.now()).slice(0, 'YYYY-MM-DD'.length);
  const all = await openItemsByAge(dependencies.database.queries, today);
  const of = (side: Side): OpenAges => {
    const between = (from: number, to: number) =>
      all.reduce(
        (sum, each) => sum + (each.side === side && each.ageDays >= from && each.ageDays < to ? each.count : 0),
        0,
      );
    const older = between(7, Number.POSITIVE_INFINITY);
    return { under_1_day: between(0, 1), under_3_days: between(1, 3), under_7_days: between(3, 7), older };
  };
  return { bank: of('bank'), books: of('books') };
}

/** The day before which items are older than so many days. */
export function dayBefore(now: number, days: number): string {
  return iso(Math.max(0, now - days * DAY_MS)).slice(0, 'YYYY-MM-DD'.length);
}

export function daysSince(date: string, now: number): number {
  return Math.max(0, Math.floor(now / DAY_MS) - Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}
