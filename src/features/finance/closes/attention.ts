// What waits for finance staff: statements, open items of the reconciliation and of suspense, cover, and days to close.
import { DAY_MS } from '../../../kernel/clock.ts';
import { openItemAges } from '../reconciliation/service.ts';
import { statementGaps } from '../trust-accounts/service.ts';
import { CLOSABLE_AFTER_MS } from './close-day.ts';
import type { ClosesContext } from './context.ts';
import { AGES, type AgedItems, dayOf, endOf } from './document.ts';
import { suspenseAt } from './figures.ts';
import { nextDate } from './schedule.ts';
import { lastClosedDay } from './store.ts';
import { coverAt, reachOfStatements } from './watch.ts';

/** Days without a statement are normal on weekends: finance checks the recent ones. */
const GAPS_OF_DAYS = 30;
const MAX_GAPS = 20;

export async function financeAttention(context: Pick<ClosesContext, 'database' | 'clock'>) {
  const { database, clock } = context;
  const { queries } = database;
  const now = clock.now();
  const [reach, gaps, unmatched, suspense, next, last] = await Promise.all([
    reachOfStatements(queries, now),
    statementGaps(queries, { since: dayOf(now - GAPS_OF_DAYS * DAY_MS), limit: MAX_GAPS }),
    openItemAges(context),
    // Its instant is exclusive.
    suspenseAt(queries, now + 1),
    nextDate(context),
    lastClosedDay(queries),
  ]);
  const { until, isComplete, missing, late } = reach;
  const cover = until === null ? null : await coverAt(queries, until);
  const lastCovered = until === null ? null : dayOf(until - DAY_MS);
  return {
    statements: { missing, late, covered_until: isComplete ? lastCovered : null, gaps },
    unmatched,
    suspense: countsOf(suspense),
    cover: {
      ratio: cover?.ratio ?? null,
      date: cover ? lastCovered : null,
      is_below_1: cover !== null && Number(cover.ratio) < 1,
      trust_balance: cover?.trust ?? null,
      e_money: cover?.eMoney ?? null,
    },
    closes: { missing: next === null ? 0 : daysToClose(next, now), last_date: last },
  };
}

function countsOf({ by_age }: AgedItems) {
  return Object.fromEntries(AGES.map((age) => [age, by_age[age].count]));
}

/** The days from the next one to close that can be closed now. */
function daysToClose(next: string, now: number): number {
  return Math.max(0, Math.floor((now - CLOSABLE_AFTER_MS - endOf(next)) / DAY_MS) + 1);
}
