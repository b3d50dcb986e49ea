// Watches cover, statements, suspense and closes for alarms: read in the background, so that a scrape costs nothing.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { Metrics } from '../../../kernel/metrics.ts';
import { openItemSums } from '../suspense/service.ts';
import { CLOSABLE_AFTER_MS } from './close-day.ts';
import type { ClosesContext } from './context.ts';
import { coverRatio, dayOf, eMoneyOf, endOf, trustOf } from './document.ts';
import { balancesAt, trustBalances } from './figures.ts';
import { nextDate } from './schedule.ts';

interface Watched {
  statements: StatementsReach;
  /** At the end of the last day that statements of all trust accounts cover; null: there is none, or no e-money. */
  coverRatio: number | null;
  /** Null: no open item. */
  oldestSuspenseAt: number | null;
  /** When the next close is due; null: the ledger has no movement. */
  closeDueAt: number | null;
}

export interface Watch {
  refresh(): Promise<void>;
  /** Null before the first refresh. */
  last(): Watched | null;
}

export function createWatch(context: Pick<ClosesContext, 'database' | 'clock'>): Watch {
  let watched: Watched | null = null;
  return {
    async refresh() {
      watched = await watchFinance(context);
    },
    last: () => watched,
  };
}

export async function watchFinance(context: Pick<ClosesContext, 'database' | 'clock'>): Promise<Watched> {
  const { queries } = context.database;
  const statements = await reachOfStatements(queries, context.clock.now());
  const date = await nextDate(context);
  const { oldest } = await openItemSums(queries);
  return {
    statements,
    coverRatio: ratioOf(statements.until === null ? null : await coverAt(queries, statements.until)),
    oldestSuspenseAt: oldest?.getTime() ?? null,
    closeDueAt: date === null ? null : endOf(date) + CLOSABLE_AFTER_MS,
  };
}

const ratioOf = (cover: Cover | null) => (cover === null ? null : Number(cover.ratio));

export interface StatementsReach {
  /** The end of the last day that the statements of all active trust accounts cover; null: there is no trust account. */
  until: number | null;
  /** Whether every active trust account has a statement. */
  isComplete: boolean;
  /** Active trust accounts without yesterday's statement. */
  missing: number;
  /** The missing ones whose last statement ended more than two days ago. */
  late: number;
}

/** An account without a statement counts from the day of its registration. */
export async function reachOfStatements(queries: Queries, now: number): Promise<StatementsReach> {
  const today = sql`${dayOf(now)}::date`;
  type Found = Omit<StatementsReach, 'until'> & { until: string | null };
  const { rows } =
    await sql<Found>`select min(until)::text as until, coalesce(bool_and(has_statement), true) as "isComplete",
      count(*) filter (where until < ${today}) as missing, count(*) filter (where until <= ${today} - 2) as late
    from (select coalesce(s.to_date + 1, (t.created_at at time zone 'UTC')::date) as until,
        s.to_date is not null as has_statement from trust_accounts t
      left join lateral (select max(to_date) as to_date from bank_statements where trust_account_id = t.id) s on true
      where t.status = 'active') reach`.execute(queries);
  const { until, ...counts } = rows[0] ?? { until: null, isComplete: true, missing: 0, late: 0 };
  return { until: until === null ? null : Date.parse(`${until}T00:00:00Z`), ...counts };
}

export interface Cover {
  ratio: string;
  trust: number;
  eMoney: number;
}

/** At the end of a day. Null: there is no statement, or no e-money. */
export async function coverAt(queries: Queries, end: number): Promise<Cover | null> {
  const { total: trust, accounts } = trustOf(await trustBalances(queries, dayOf(end - DAY_MS)));
  if (accounts.every(({ balance }) => balance === null)) return null;
  const { total: eMoney } = eMoneyOf(await balancesAt(queries, end));
  const ratio = coverRatio(trust, eMoney);
  return ratio === null ? null : { ratio, trust, eMoney };
}

export function registerFinanceGauges(metrics: Metrics, watch: Watch, clock: Clock): void {
  const since = (at: number | null) => (at === null ? 0 : Math.max(0, clock.now() - at) / SECOND_MS);
  const read = (of: (watched: Watched) => number | null) => () => {
    const watched = watch.last();
    return watched && of(watched);
  };
  const gauges: [name: string, help: string, of: (watched: Watched) => number | null][] = [
    [
      'kissi_cover_ratio',
      'Trust balances divided by e-money at the end of the last day covered by statements of all trust accounts.',
      ({ coverRatio }) => coverRatio,
    ],
    [
      'kissi_trust_statement_age_seconds',
      'Time since the end of the last day covered by statements of all trust accounts.',
      ({ statements: { until } }) => (until === null ? null : since(until)),
    ],
    [
      'kissi_suspense_oldest_seconds',
      'Age of the oldest open item in the suspense account.',
      ({ oldestSuspenseAt }) => since(oldestSuspenseAt),
    ],
    ['kissi_close_overdue_seconds', 'Time since the next daily close was due.', ({ closeDueAt }) => since(closeDueAt)],
  ];
  for (const [name, help, of] of gauges) metrics.gauge({ name, help }).readFrom(read(of));
}
