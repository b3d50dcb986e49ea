// The overview: today and the last 24 hours against the same hours a week earlier, balances, and what waits for staff.
import type { Caller } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import { HOUR_MS, HOURS_PER_DAY, HOURS_PER_WEEK, iso } from '../../kernel/clock.ts';
import type { AccountKind } from '../../ledger/account-kinds.ts';
import { isEMoney } from '../../ledger/e-money.ts';
import type { ReportingContext } from './context.ts';
import { contribution, type MovementMetricName } from './metrics.ts';
import { startOf, stepStart } from './periods.ts';
import { courseOf } from './series.ts';
import { newWallets, openAlerts, pendingApprovals, pendingDeliveries, serverAdmins, walArchiving } from './store.ts';

const SUMS = [
  'payments',
  'value',
  'fees',
  'commissions',
  'refunds',
  'refunded_value',
] as const satisfies MovementMetricName[];

const DAYS = 30;
/** A float that is used up within a day has to be funded today. */
export const DRY_WITHIN_HOURS = 24;

/** What each gateway reads once for all callers, and keeps for some seconds. */
export interface Kept {
  counts(caller: Caller, options: { isFresh: boolean }): Promise<object>;
  dryFloats(isFresh: boolean): Promise<number>;
  business(isFresh: boolean): Promise<object>;
}

/** Figures and courses of the business, which are the same for every caller. */
export async function businessOf(context: ReportingContext): Promise<object> {
  await context.refusals.flush();
  const end = Math.floor(context.clock.now() / HOUR_MS) + 1;
  const dayStart = stepStart(end - 1, 'day');
  const [today, fullHours, lastDay, courses] = await Promise.all([
    comparison(context, { from: dayStart, to: end, isDay: true }),
    comparison(context, { from: dayStart, to: end - 1, isDay: true }),
    comparison(context, { from: end - HOURS_PER_DAY, to: end, isDay: false }),
    coursesOf(context, end, dayStart),
  ]);
  return { today, today_full_hours: fullHours, last_24_hours: lastDay, ...courses };
}

/** Parts that the caller may not see are left out. `isFresh`: the caller has just changed something. */
export async function overviewOf(
  context: ReportingContext,
  kept: Kept,
  caller: Caller,
  isFresh: boolean,
): Promise<object> {
  const { clock, pool } = context;
  const now = clock.now();
  const [business, counts, dry, balances, alerts, approvals, deliveries, finance, cases, health] = await Promise.all([
    kept.business(isFresh),
    kept.counts(caller, { isFresh }),
    isAllowed(caller, 'ledger:read') ? kept.dryFloats(isFresh) : null,
    isAllowed(caller, 'ledger:read') ? balancesNow(context) : null,
    isAllowed(caller, 'compliance:read') ? openAlerts(pool, now) : null,
    pendingApprovals(pool, now),
    pendingDeliveries(pool),
    isAllowed(caller, 'closes:read') ? context.financeAttention() : null,
    isAllowed(caller, 'cases:read') ? context.caseCounts() : null,
    isAllowed(caller, 'audit:read') ? healthNow(context) : null,
  ]);
  return {
    at: iso(now),
    ...business,
    counts,
    ...(balances ? { balances } : {}),
    ...(alerts ? { alerts } : {}),
    approvals,
    deliveries: {
      pending: deliveries.pending,
      ...(deliveries.isMinimum ? { pending_is_minimum: true } : {}),
      oldest_at: deliveries.oldest && iso(deliveries.oldest),
    },
    ...(finance ? { finance } : {}),
    ...(dry === null ? {} : { floats_dry: dry }),
    ...(cases ? { cases } : {}),
    ...(health ? { health } : {}),
  };
}

async function coursesOf(context: ReportingContext, end: number, dayStart: number) {
  const [nextDay, weekBefore] = [dayStart + HOURS_PER_DAY, dayStart - HOURS_PER_WEEK];
  const [today, before, days] = await Promise.all([
    courseOf(context, { from: dayStart, to: end, step: 1 }, 'hour'),
    courseOf(context, { from: weekBefore, to: weekBefore + HOURS_PER_DAY, step: 1 }, 'hour'),
    courseOf(context, { from: nextDay - DAYS * HOURS_PER_DAY, to: nextDay, step: HOURS_PER_DAY }, 'day'),
  ]);
  return { today_by_hour: today, week_before_by_hour: before, last_30_days: days };
}

async function healthNow({ pool, unsealed }: ReportingContext) {
  const [chain, archiver, admins] = await Promise.all([unsealed(), walArchiving(pool), serverAdmins(pool)]);
  const at = (instant: Date | null) => instant && iso(instant);
  return {
    audit_chain: { unsealed: chain.entries, oldest_at: at(chain.oldest) },
    wal_archiving: {
      ...{ enabled: archiver.enabled, last_archived_at: at(archiver.archived), last_failed_at: at(archiver.failed) },
    },
    administrators_from_server: admins.map(({ id, email, created }) => ({ id, email, created_at: iso(created) })),
  };
}

/** Hours since 1970. */
interface Period {
  from: number;
  to: number;
  /** Within one UTC day: the wallets that were active in it are known. */
  isDay: boolean;
}

async function comparison(context: ReportingContext, period: Period) {
  const before = { ...period, from: period.from - HOURS_PER_WEEK, to: period.to - HOURS_PER_WEEK };
  const [current, weekBefore] = await Promise.all([figures(context, period), figures(context, before)]);
  return { current, week_before: weekBefore };
}

async function figures({ pool, rollups, refusals }: ReportingContext, { from, to, isDay }: Period) {
  const hours = { from, to, step: to - from };
  const [movements, registered, refused, active] = await Promise.all([
    rollups.movements(hours),
    newWallets(pool, hours),
    refusals.read(hours),
    isDay ? rollups.active('wallet', hours) : null,
  ]);
  const sumOf = (metric: MovementMetricName) => movements.reduce((sum, each) => sum + contribution(metric, each), 0);
  return {
    from: iso(startOf(hours, 0)),
    to: iso(startOf(hours, 1)),
    ...Object.fromEntries(SUMS.map((metric) => [metric, sumOf(metric)])),
    new_wallets: registered[0]?.count ?? 0,
    active_wallets: active && (active[0]?.inDay ?? 0),
    refusals: refused.map(({ code, count }) => ({ code, count })),
  };
}

async function balancesNow({ trialBalance }: ReportingContext) {
  const balances = await trialBalance.now();
  const of = (kind: AccountKind) => balances.get(kind) ?? 0;
  return {
    e_money: [...balances].reduce((sum, [kind, balance]) => (isEMoney(kind) ? sum + balance : sum), 0),
    wallets: of('wallet'),
    agent_floats: of('agent_float'),
    agent_commissions: of('agent_commission'),
    processors: of('processor'),
    payouts_in_transit: of('payouts_in_transit'),
    // Zero is not written as -0.
    partner_debts: 0 - of('partner_clearing'),
    suspense: of('suspense'),
    fee_income: of('fee_income'),
    treasury: of('treasury'),
  };
}
