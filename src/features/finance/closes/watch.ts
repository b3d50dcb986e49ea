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
  /** At the end of the last day that statements of all trust accounts cover; null: there is none, or no e-money. */
  coverRatio: number | null;
  /** Up to when the statements of all active trust accounts reach; null: there is no trust account. */
  statementsUntil: number | null;
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
  const { queries } = context.database;
  let watched: Watched | null = null;
  return {
    async refresh() {
      const statementsUntil = await reachOfStatements(queries);
      const date = await nextDate(context);
      const { oldest } = await openItemSums(queries);
      watched = {
        coverRatio: statementsUntil === null ? null : await coverAt(queries, statementsUntil),
        statementsUntil,
        oldestSuspenseAt: oldest?.getTime() ?? null,
        closeDueAt: date === null ? null : endOf(date) + CLOSABLE_AFTER_MS,
      };
    },
    last: () => watched,
  };
}

/** Of an account without a statement, the day of its registration. */
async function reachOfStatements(queries: Queries): Promise<number | null> {
  const { rows } = await sql<{
    until: string | null;
  }>`select min(coalesce(s.to_date + 1, (t.created_at at time zone 'UTC')::date))::text
    as until from trust_accounts t left join lateral (select max(to_date) as to_date from bank_statements
      where trust_account_id = t.id) s on true where t.status = 'active'`.execute(queries);
  const until = rows[0]?.until;
  return until ? Date.parse(`${until}T00:00:00Z`) : null;
}

async function coverAt(queries: Queries, end: number): Promise<number | null> {
  const { total, accounts } = trustOf(await trustBalances(queries, dayOf(end - DAY_MS)));
  if (accounts.every(({ balance }) => balance === null)) return null;
  const ratio = coverRatio(total, eMoneyOf(await balancesAt(queries, end)).total);
  return ratio === null ? null : Number(ratio);
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
      'Trust balances divided by e-money at the end of the last day that statements of all trust accounts cover.',
      ({ coverRatio }) => coverRatio,
    ],
    [
      'kissi_trust_statement_age_seconds',
      'Time since the end of the last day that statements of all trust accounts cover.',
      ({ statementsUntil }) => (statementsUntil === null ? null : since(statementsUntil)),
    ],
    [
      'kissi_suspense_oldest_seconds',
      'Age of the oldest open item of the suspense account.',
      ({ oldestSuspenseAt }) => since(oldestSuspenseAt),
    ],
    ['kissi_close_overdue_seconds', 'Time since the next daily close was due.', ({ closeDueAt }) => since(closeDueAt)],
  ];
  for (const [name, help, of] of gauges) metrics.gauge({ name, help }).readFrom(read(of));
}
