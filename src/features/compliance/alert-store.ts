// Queries on the alerts table: insert, update under lock, and lists with an exact count from one snapshot.
import { type RawBuilder, sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal, where } from '../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { IS_PENDING, isOverdue } from '../../payments/alerts.ts';

export type AlertRow = Row<'compliance_alerts'>;
export type NewAlert = NewRow<'compliance_alerts'>;
export type AlertChange = RowChange<'compliance_alerts'>;

/** Columns that a list filters by equality. */
const PLAIN = [
  'severity',
  'status',
  'outcome',
  'type',
  'subscriber_id',
  'agent_id',
  'processor_id',
  'transaction_id',
  'rule_id',
] as const;

export interface AlertFilter extends Partial<Record<(typeof PLAIN)[number], string>> {
  /** Bounds of the creation time in milliseconds, inclusive. */
  from?: number;
  to?: number;
  /** Whether the review is overdue at `now`. */
  overdue?: { is: boolean; now: number };
  /** Whether the review is not finished. */
  pending?: boolean;
  /** Null: alerts without an assignee. */
  assigneeId?: string | null;
  /** By due time instead of newest first. */
  byDueTime?: boolean;
  /** These come last in the order by due time, by their creation, so that their place does not tell their due time. */
  last?: readonly string[];
  /** These are left out. */
  without?: readonly string[];
}

/** Whether it finds alerts by what a masked alert does not show. */
export function filtersByMasked({ overdue, from, to, ...filter }: AlertFilter): boolean {
  const columns = PLAIN.filter((column) => column !== 'status').map((column) => filter[column]);
  return [...columns, overdue, from, to].some((value) => value !== undefined);
}

/** False if an alert with this id exists; nothing is written then. */
export async function insertAlert(trx: Queries, alert: NewAlert): Promise<boolean> {
  const inserted = trx
    .insertInto('compliance_alerts')
    .values(alert)
    .onConflict((clash) => clash.doNothing());
  return (await inserted.returning('id').executeTakeFirst()) !== undefined;
}

export function findAlert(queries: Queries, id: string): Promise<AlertRow | undefined> {
  return queries.selectFrom('compliance_alerts').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockAlert(trx: Queries, id: string): Promise<AlertRow | undefined> {
  return trx.selectFrom('compliance_alerts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateAlert(trx: Queries, id: string, change: AlertChange): Promise<AlertRow> {
  const updated = trx.updateTable('compliance_alerts').set(change).where('id', '=', id);
  return updated.returningAll().executeTakeFirstOrThrow();
}

/** Newest first, or the one that is due first. */
export function listAlerts(queries: Queries, filter: AlertFilter, page: Page): Promise<Listed<AlertRow>> {
  const order = filter.byDueTime ? dueOrder(filter) : sql`created_at desc, id desc`;
  const after = (id: string | null | undefined) => afterAlert(filter, id);
  return countedPage(queries, { table: 'compliance_alerts', filters: conditions(filter), order, after }, page);
}

/** As in the index of pending alerts. */
const DUE = sql`coalesce(due_at, 'infinity')`;

function dueOrder({ last = [] }: AlertFilter): RawBuilder<unknown> {
  if (last.length === 0) return sql`${DUE}, id`;
  const isLast = sql`id = any(${last}::text[])`;
  return sql`${isLast}, case when ${isLast} then created_at else ${DUE} end, id`;
}

/** Alerts that name a politically exposed person, or whose payment may have one on either side. */
export function possiblePepAlerts(queries: Queries, filter: AlertFilter): Promise<AlertRow[]> {
  const peps = sql`select id from subscribers where is_pep`;
  const isPossible = sql`(subscriber_id in (${peps}) or figures ->> 'from' in (${peps}) or figures ->> 'to' in (${peps})
    or (transaction_id is not null and figures ->> 'from' is null))`;
  const found = sql<AlertRow>`select * from compliance_alerts ${where([...conditions(filter), isPossible])}`;
  return found.execute(queries).then(({ rows }) => rows);
}

/** Alerts are never deleted. */
function afterAlert(filter: AlertFilter, id: string | null | undefined): Condition[] {
  if (!id) return [];
  const order = dueOrder(filter);
  if (filter.byDueTime) return [sql`(${order}) > (select ${order} from compliance_alerts where id = ${id})`];
  return [sql`(created_at, id) < (select created_at, id from compliance_alerts where id = ${id})`];
}

function conditions(filter: AlertFilter): Condition[] {
  const { from, to, overdue, pending, assigneeId, without = [] } = filter;
  const all = equal(Object.fromEntries(PLAIN.map((column) => [column, filter[column]])));
  if (without.length > 0) all.push(sql`id <> all(${without}::text[])`);
  if (from !== undefined) all.push(sql`created_at >= ${new Date(from)}`);
  if (to !== undefined) all.push(sql`created_at < ${new Date(to + 1)}`);
  if (overdue) {
    const late = sql.raw(isOverdue(`'${iso(overdue.now)}'`));
    // Without a due time the condition is null.
    all.push(overdue.is ? late : sql`${late} is not true`);
  }
  if (pending !== undefined) {
    all.push(pending ? sql.raw(IS_PENDING) : sql`not ${sql.raw(IS_PENDING)}`);
  }
  if (assigneeId !== undefined) {
    const assignees = sql`select from compliance_alert_assignees where alert_id = compliance_alerts.id`;
    all.push(
      assigneeId === null ? sql`not exists (${assignees})` : sql`exists (${assignees} and assignee_id = ${assigneeId})`,
    );
  }
  return all;
}

export async function countOverdue(queries: Queries, now: number): Promise<number> {
  const overdue = where(conditions({ overdue: { is: true, now } }));
  const { rows } = await sql<{ total: number }>`select count(*) as total from compliance_alerts ${overdue}`.execute(
    queries,
  );
  return rows[0]?.total ?? 0;
}

/** Alerts without an assignee are left out. */
export function findAssignees(queries: Queries, alertIds: readonly string[]) {
  return queries
    .selectFrom('compliance_alert_assignees as a')
    .leftJoin('users as u', 'u.id', 'a.assignee_id')
    .select(['a.alert_id', 'a.assignee_id as assigned_to', 'a.assigned_at'])
    .select(sql<string | null>`u.first_name || ' ' || u.last_name`.as('assignee_name'))
    .where('a.alert_id', 'in', alertIds.length > 0 ? alertIds : [''])
    .execute();
}

export async function setAssignee(trx: Queries, alertId: string, assigneeId: string, at: Date): Promise<void> {
  const assignee = { assignee_id: assigneeId, assigned_at: at };
  const inserted = trx.insertInto('compliance_alert_assignees').values({ alert_id: alertId, ...assignee });
  await inserted.onConflict((conflict) => conflict.column('alert_id').doUpdateSet(assignee)).execute();
}

export async function removeAssignee(trx: Queries, alertId: string): Promise<void> {
  await trx.deleteFrom('compliance_alert_assignees').where('alert_id', '=', alertId).execute();
}
