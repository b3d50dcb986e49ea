// Queries on the table of alerts: insert, update under lock, and lists with an exact count from one snapshot.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Condition, where } from '../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';

export type AlertRow = Row<'compliance_alerts'>;
export type NewAlert = NewRow<'compliance_alerts'>;
export type AlertChange = RowChange<'compliance_alerts'>;

/** Columns that a list filters by equality. */
const PLAIN = [
  'severity',
  'status',
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

export async function listAlerts(
  queries: Queries,
  filter: AlertFilter,
  page: Page,
): Promise<{ rows: AlertRow[]; total: number }> {
  const { rows } = await listStatement(filter, page).execute(queries);
  const found = rows.filter((row) => row.id !== null);
  return { total: rows[0]?.total ?? found.length, rows: found };
}

/** Newest first. An export needs no count. */
function listStatement(filter: AlertFilter, page: Page): RawBuilder<{ total: number | null } & AlertRow> {
  const all = conditions(filter);
  const counted =
    page.after === undefined
      ? sql`select count(*) as total from compliance_alerts ${where(all)}`
      : sql`select null::bigint as total`;
  return sql`select counted.total, page.* from (${counted}) counted
    left join (
      select * from compliance_alerts ${where([...all, ...afterAlert(page.after)])} order by created_at desc, id desc
      limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.created_at desc, page.id desc`;
}

/** Alerts are never deleted. */
function afterAlert(id: string | null | undefined): Condition[] {
  return id ? [sql`(created_at, id) < (select created_at, id from compliance_alerts where id = ${id})`] : [];
}

function conditions(filter: AlertFilter): Condition[] {
  const { from, to, overdue } = filter;
  const all: Condition[] = PLAIN.flatMap((column) =>
    filter[column] === undefined ? [] : [sql`${sql.ref(column)} = ${filter[column]}`],
  );
  if (from !== undefined) all.push(sql`created_at >= ${new Date(from)}`);
  if (to !== undefined) all.push(sql`created_at < ${new Date(to + 1)}`);
  if (overdue) {
    const late = sql`(due_at is not null and due_at < ${new Date(overdue.now)} and status in ('open', 'in_review'))`;
    all.push(overdue.is ? late : sql`not ${late}`);
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
