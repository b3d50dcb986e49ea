// Reads what reports take from tables other than the roll-ups.
import { bool, integer, text, timestamp, timestampOrNull } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Hours } from '../../ledger/queries/rollups.ts';
import { IS_PENDING, isOverdue } from '../../payments/alerts.ts';
import { SERVER_AUTHOR } from '../admin/users/service.ts';

// An index-only scan over the registrations of the period.
export const NEW_WALLETS = statement(
  'report-new-wallets',
  `select (floor(extract(epoch from created_at) / 3600)::integer - $3::integer) / $4::integer, count(*)
  from subscribers where created_at >= $1 and created_at < $2 group by 1`,
  ([bucket, count]) => ({ bucket: integer(bucket), count: integer(count) }),
);

export function newWallets(
  pool: StatementRunner,
  { from, to, step }: Hours,
): Promise<{ bucket: number; count: number }[]> {
  return pool.run(NEW_WALLETS, [new Date(from * HOUR_MS), new Date(to * HOUR_MS), from, step]);
}

/** Counts by age; each limit is the oldest instant of its class. */
export interface Ages {
  under_1_day: number;
  under_3_days: number;
  under_7_days: number;
  older: number;
}

const BY_AGE = (column: string) => `count(*) filter (where ${column} > $1),
    count(*) filter (where ${column} <= $1 and ${column} > $2),
    count(*) filter (where ${column} <= $2 and ${column} > $3), count(*) filter (where ${column} <= $3)`;

function agesOf([day, threeDays, week, older]: readonly (string | null | undefined)[]): Ages {
  return {
    under_1_day: integer(day),
    under_3_days: integer(threeDays),
    under_7_days: integer(week),
    older: integer(older),
  };
}

const ALERTS = statement(
  'report-alerts',
  `select ${BY_AGE('created_at')}, count(*) filter (where ${isOverdue('$4')}) from compliance_alerts
  where ${IS_PENDING}`,
  (columns) => ({ ...agesOf(columns), overdue: integer(columns[4]) }),
);

const APPROVALS = statement(
  'report-approvals',
  `select ${BY_AGE('requested_at')} from approvals where status = 'pending' and expires_at > $4`,
  agesOf,
);

const limits = (now: number) => [1, 3, 7].map((days) => new Date(now - days * DAY_MS));

export async function openAlerts(pool: StatementRunner, now: number): Promise<Ages & { overdue: number }> {
  const [found] = await pool.run(ALERTS, [...limits(now), new Date(now)]);
  return found ?? { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0, overdue: 0 };
}

export async function pendingApprovals(pool: StatementRunner, now: number): Promise<Ages> {
  const [found] = await pool.run(APPROVALS, [...limits(now), new Date(now)]);
  return found ?? { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0 };
}

/** Counted up to this many. */
const MAX_PENDING = 20_000;

const DELIVERIES = statement(
  'report-deliveries',
  `select count(*), min(created_at) from (
    select created_at from webhook_deliveries where status = 'pending' limit ${MAX_PENDING + 1}) pending`,
  ([count, oldest]) => ({ found: integer(count), oldest: timestampOrNull(oldest) }),
);

export interface PendingDeliveries {
  pending: number;
  /** There are more than these. */
  isMinimum: boolean;
  /** The oldest of those counted. */
  oldest: Date | null;
}

export async function pendingDeliveries(pool: StatementRunner): Promise<PendingDeliveries> {
  const [{ found, oldest } = { found: 0, oldest: null }] = await pool.run(DELIVERIES);
  return { pending: Math.min(found, MAX_PENDING), isMinimum: found > MAX_PENDING, oldest };
}

const ARCHIVER = statement(
  'report-archiver',
  `select current_setting('archive_mode') <> 'off', last_archived_time, last_failed_time from pg_stat_archiver`,
  ([enabled, archived, failed]) => ({
    enabled: bool(enabled),
    archived: timestampOrNull(archived),
    failed: timestampOrNull(failed),
  }),
);

export async function walArchiving(pool: StatementRunner) {
  const [found] = await pool.run(ARCHIVER);
  return found ?? { enabled: false, archived: null, failed: null };
}

const SERVER_ADMINS = statement(
  'report-server-admins',
  `select u.id, u.email, u.created_at from users u join (
    select actor_id, action, resource_id from audit_log union all select actor_id, action, resource_id from audit_inbox) e
    on e.resource_id = u.id where e.actor_id = '${SERVER_AUTHOR}' and e.action = 'user.create' and u.status = 'active'
  order by u.id desc`,
  ([id, email, created]) => ({ id: text(id), email: text(email), created: timestamp(created) }),
);

/** The active administrators that were made with access to the server. */
export function serverAdmins(pool: StatementRunner) {
  return pool.run(SERVER_ADMINS);
}
