// What waits for staff, from the overview: how much, how urgent, and on which screen.
import type { OverviewReply } from '../../api/overview.ts';

export type Urgency = 'high' | 'medium' | 'none';

export interface AttentionItem {
  name: AttentionName;
  count: number;
  /** By age, oldest last; absent if the age is not known. */
  ages?: Ages;
  /** The oldest of them. */
  since?: string | null;
  urgency: Urgency;
  to: string;
  search?: Record<string, string>;
}

export type AttentionName =
  | 'administrators'
  | 'alerts'
  | 'approvals'
  | 'archiving'
  | 'audit'
  | 'cases'
  | 'closes'
  | 'cover'
  | 'deliveries'
  | 'floats'
  | 'statements'
  | 'suspense'
  | 'unmatched';

export interface Ages {
  under_1_day: number;
  under_3_days: number;
  under_7_days: number;
  older: number;
}

/** The chain is written every few seconds. */
const CHAIN_LATE_MS = 10 * 60_000;
const ADMINISTRATOR_NEW_MS = 30 * 24 * 60 * 60_000;
const DELIVERY_LATE_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;

export const sum = (ages: Ages) => ages.under_1_day + ages.under_3_days + ages.under_7_days + ages.older;
const urgencyOf = (ages: Ages): Urgency =>
  ages.older + ages.under_7_days > 0 ? 'high' : sum(ages) > 0 ? 'medium' : 'none';
const urgentIf = (isUrgent: boolean, count: number): Urgency => (isUrgent ? 'high' : count > 0 ? 'medium' : 'none');

/** As the navigation counts them; null if it is not known or the role does not see it. */
export interface FurtherCounts {
  /** Approvals that this user may decide. */
  toDecide: number | null;
  dryFloats: number | null;
  /** Webhooks whose last attempt failed. */
  failingDeliveries: number | null;
  overdueAlerts: number | null;
  overdueCases: number | null;
  suspense: number | null;
  unmatched: number | null;
}

export function attentionItems(overview: OverviewReply, counts: FurtherCounts): AttentionItem[] {
  const { toDecide, dryFloats, failingDeliveries, overdueAlerts, overdueCases } = counts;
  const { alerts, approvals, deliveries, finance } = overview;
  return [
    approvalsItem(approvals, toDecide ?? sum(approvals)),
    ...(alerts ? [alertsItem({ ...alerts, overdue: overdueAlerts ?? alerts.overdue })] : []),
    ...(overdueCases === null ? [] : [casesItem(overdueCases)]),
    ...(failingDeliveries === null ? [] : [deliveriesItem(deliveries, overview.at, failingDeliveries)]),
    ...(dryFloats === null ? [] : [floatsItem(dryFloats)]),
    ...(finance ? financeItems(finance, counts) : []),
    ...healthItems(overview),
  ];
}

function floatsItem(count: number): AttentionItem {
  return { name: 'floats', count, urgency: urgentIf(count > 0, 0), to: '/agents', search: { view: 'dry' } };
}

/** Others decide the rest. The ages are of all together. */
function approvalsItem(ages: Ages, count: number): AttentionItem {
  return { name: 'approvals', count, ages, urgency: count === 0 ? 'none' : urgencyOf(ages), to: '/approvals' };
}

/** A webhook that was created a moment ago is about to be sent; one that failed needs attention at once. */
function deliveriesItem(
  { pending, oldest_at: since }: OverviewReply['deliveries'],
  now: string,
  failing: number,
): AttentionItem {
  const isLate = isOlder(since, now, DELIVERY_LATE_MS) && pending > 0;
  const urgency = urgentIf(isOlder(since, now, HOUR_MS), isLate ? pending : failing);
  return { name: 'deliveries', count: failing, since, urgency, to: '/deliveries', search: { status: 'pending' } };
}

function alertsItem({ overdue, ...ages }: NonNullable<OverviewReply['alerts']>): AttentionItem {
  const search: Record<string, string> = overdue > 0 ? { view: 'all', overdue: 'true', sort: 'due_at' } : {};
  return { name: 'alerts', count: overdue, ages, urgency: urgentIf(overdue > 0, sum(ages)), to: '/alerts', search };
}

function casesItem(count: number): AttentionItem {
  return { name: 'cases', count, urgency: urgentIf(count > 0, 0), to: '/cases', search: { view: 'overdue' } };
}

function financeItems(finance: NonNullable<OverviewReply['finance']>, counts: FurtherCounts): AttentionItem[] {
  const { statements, unmatched, suspense, cover, closes } = finance;
  const items = added(unmatched.bank, unmatched.books);
  return [
    { name: 'cover', count: cover.is_below_1 ? 1 : 0, urgency: urgentIf(cover.is_below_1, 0), to: '/finance' },
    {
      name: 'suspense',
      count: counts.suspense ?? sum(suspense),
      ages: suspense,
      urgency: urgencyOf(suspense),
      to: '/finance/suspense',
    },
    {
      name: 'unmatched',
      count: counts.unmatched ?? sum(items),
      ages: items,
      urgency: urgencyOf(items),
      to: '/finance/reconciliation',
    },
    {
      name: 'statements',
      count: statements.missing + statements.gaps.length,
      urgency: urgentIf(statements.late > 0 || statements.gaps.length > 0, statements.missing),
      to: '/finance/statements',
    },
    {
      name: 'closes',
      count: closes.missing,
      urgency: urgentIf(closes.missing > 1, closes.missing),
      to: '/finance/closes',
    },
  ];
}

function healthItems({ health, at }: OverviewReply): AttentionItem[] {
  if (!health) return [];
  const { audit_chain: chain, wal_archiving: archiving, administrators_from_server: made = [] } = health;
  const administrators = made.filter(({ created_at }) => !isOlder(created_at, at, ADMINISTRATOR_NEW_MS));
  const isChainLate = isOlder(chain.oldest_at, at, CHAIN_LATE_MS);
  const isFailing = (archiving.last_failed_at ?? '') > (archiving.last_archived_at ?? '');
  return [
    {
      name: 'audit',
      count: isChainLate ? chain.unsealed : 0,
      since: chain.oldest_at,
      urgency: urgentIf(isChainLate, 0),
      to: '/audit',
    },
    {
      name: 'archiving',
      count: archiving.enabled && !isFailing ? 0 : 1,
      since: archiving.last_archived_at,
      urgency: urgentIf(isFailing, archiving.enabled ? 0 : 1),
      to: '/health',
    },
    {
      name: 'administrators',
      count: administrators.length,
      since: administrators[0]?.created_at ?? null,
      urgency: urgentIf(false, administrators.length),
      to: '/users',
      search: { role: 'system_admin' },
    },
  ];
}

const isOlder = (at: string | null, now: string, ms: number) => at !== null && Date.parse(now) - Date.parse(at) > ms;

const added = (one: Ages, other: Ages): Ages => ({
  under_1_day: one.under_1_day + other.under_1_day,
  under_3_days: one.under_3_days + other.under_3_days,
  under_7_days: one.under_7_days + other.under_7_days,
  older: one.older + other.older,
});
