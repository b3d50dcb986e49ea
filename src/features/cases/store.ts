// Queries on cases, their timelines, and the recalls in them.
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../audit/log.ts';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import { type Condition, equal, where } from '../../db/list-filter.ts';
import { ascending, type ByTime, byTime } from '../../db/list-order.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import type { CaseKind, CaseState, RecallRule, RecallState } from './tables.ts';

export type CaseRow = Row<'cases'>;

export interface Recall extends Row<'recalls'> {
  state: RecallState;
  outside_rule: RecallRule | null;
  /** By the ledger, on consent and on orders together. */
  returned: number;
}

/** A case with what lists show of its recall. */
export interface FoundCase extends CaseRow {
  assignee_name: string | null;
  /** Null if it was not a user. */
  opened_by_name: string | null;
  recall_state: RecallState | null;
  /** Of the customer. */
  customer_name: string;
  recipient_id: string | null;
}

export type EventRow = Row<'case_events'> & { actor_name: string | null };

export interface NewEvent {
  kind: string;
  text?: string | null;
  details?: Record<string, unknown>;
  isShown?: boolean;
}

export interface CaseFilters {
  state?: CaseState | undefined;
  is_open?: string | undefined;
  is_overdue?: string | undefined;
  kind?: CaseKind | undefined;
  assignee_id?: string | undefined;
  subscriber_id?: string | undefined;
  transaction_id?: string | undefined;
  number?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  sort?: ByTime | 'due' | undefined;
}

/** False if the number is taken. */
export async function insertCase(trx: Queries, row: NewRow<'cases'>): Promise<boolean> {
  const inserted = trx.insertInto('cases').values(row);
  const { numInsertedOrUpdatedRows: count } = await inserted
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirstOrThrow();
  return count === 1n;
}

/** Until the transaction ends, no other change of the case. */
export function lockCase(trx: DatabaseTransaction, id: string): Promise<CaseRow | undefined> {
  return trx.selectFrom('cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function updateCase(trx: Queries, id: string, change: RowChange<'cases'>): Promise<void> {
  await trx.updateTable('cases').set(change).where('id', '=', id).execute();
}

/** Of all the customer's cases: until the transaction ends, nothing is opened for them. */
export async function lockCustomer(trx: DatabaseTransaction, subscriberId: string): Promise<boolean> {
  const locked = trx
    .selectFrom('subscribers')
    .select('id')
    .where('id', '=', subscriberId)
    .where('erased_at', 'is', null);
  return (await locked.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

export async function addEvent(trx: Queries, clock: Clock, caseId: string, by: By, event: NewEvent): Promise<void> {
  const { kind, text = null, details = {}, isShown = false } = event;
  const row = {
    ...{ id: newId('cev', clock), case_id: caseId, kind, text, is_shown: isShown },
    details: JSON.stringify(details),
    ...{ actor_type: by.kind, actor_id: by.id, at: new Date(clock.now()) },
  };
  await trx.insertInto('case_events').values(row).execute();
}

export type By = Pick<Actor['caller'], 'id'> & { kind: string };
export const THE_SERVICE: By = { kind: 'system', id: null };

/** Oldest first. */
export async function eventsOf(queries: Queries, caseId: string): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`select e.*, u.first_name || ' ' || u.last_name as actor_name
    from case_events e left join users u on u.id = e.actor_id where e.case_id = ${caseId} order by e.id`.execute(
    queries,
  );
  return rows;
}

const FOUND = sql`select c.*, u.first_name || ' ' || u.last_name as assignee_name,
    o.first_name || ' ' || o.last_name as opened_by_name, r.state as recall_state, r.recipient_id,
    s.first_name || ' ' || s.last_name as customer_name
  from cases c join subscribers s on s.id = c.subscriber_id left join users u on u.id = c.assignee_id
    left join users o on o.id = c.opened_by_id left join recalls r on r.case_id = c.id`;

export async function findCase(queries: Queries, id: string): Promise<FoundCase | undefined> {
  return (await sql<FoundCase>`${FOUND} where c.id = ${id}`.execute(queries)).rows[0];
}

/** Overdue at the instant. */
const OVERDUE = (now: Date): Condition =>
  sql`(closed_at is null and (resolve_by <= ${now} or (acknowledged_at is null and acknowledge_by <= ${now})))`;

/** The clock that runs out first, as `OVERDUE` reads it; closed cases come last. */
const DUE = sql`case when closed_at is not null then 'infinity'
    when acknowledged_at is null then least(acknowledge_by, resolve_by) else resolve_by end`;

/** What `DUE` reads. */
const ORDERED = ['id', 'closed_at', 'acknowledged_at', 'acknowledge_by', 'resolve_by'];

/** `hidden`: persons of whose cases the reader learns nothing. */
export async function listCases(
  queries: Queries,
  { from, to, is_open, is_overdue, assignee_id, subscriber_id, sort, ...columns }: CaseFilters,
  { page, now, hidden }: { page: Page; now: Date; hidden: readonly string[] },
): Promise<Listed<FoundCase>> {
  const filters: Condition[] = [
    ...equal(columns),
    ...(is_open === undefined ? [] : [sql`(closed_at is null) = ${is_open === 'true'}`]),
    ...(is_overdue === undefined ? [] : [sql`${OVERDUE(now)} = ${is_overdue === 'true'}`]),
    ...(assignee_id === undefined
      ? []
      : [assignee_id === 'none' ? sql`assignee_id is null` : sql`assignee_id = ${assignee_id}`]),
    ...(subscriber_id === undefined
      ? []
      : [
          // With "or", PostgreSQL would read all cases.
          sql`id in (select id from cases where subscriber_id = ${subscriber_id}
            union all select case_id from recalls where recipient_id = ${subscriber_id})`,
        ]),
    ...(from === undefined ? [] : [sql`created_at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`created_at <= ${new Date(to)}`]),
    ...(hidden.length === 0
      ? []
      : [
          sql`subscriber_id <> all(${hidden}::text[])
            and id not in (select case_id from recalls where recipient_id = any(${hidden}::text[]))`,
        ]),
  ];
  const order = sort === 'due' ? ascending(DUE, page) : byTime(sort);
  const { rows, total } = await countedPage<{ id: string }>(
    queries,
    { table: 'cases', columns: ORDERED, filters, countLimit: 100_000, ...order },
    page,
  );
  return { rows: await byIds(queries, rows), total };
}

/** The customer's own cases, and those that ask them to return a transfer. */
export async function listOwnCases(queries: Queries, subscriberId: string, page: Page): Promise<Listed<FoundCase>> {
  const filters = [
    sql`id in (select id from cases where subscriber_id = ${subscriberId}
      union all select case_id from recalls where recipient_id = ${subscriberId} and asked_at is not null)`,
  ];
  const { rows, total } = await countedPage<{ id: string }>(
    queries,
    { table: 'cases', columns: ['id'], filters },
    page,
  );
  return { rows: await byIds(queries, rows), total };
}

/** In the order of the rows. */
async function byIds(queries: Queries, rows: readonly { id: string }[]): Promise<FoundCase[]> {
  const ids = rows.map(({ id }) => id);
  const found: RawBuilder<FoundCase> = sql`${FOUND} ${where([sql`c.id = any(${ids}::text[])`])}
    order by array_position(${ids}::text[], c.id)`;
  return (await found.execute(queries)).rows;
}

/** The customer's open case about the payment. */
export async function openCaseAbout(queries: Queries, subscriberId: string, transactionId: string) {
  return queries
    .selectFrom('cases')
    .select(['id', 'number'])
    .where('subscriber_id', '=', subscriberId)
    .where('transaction_id', '=', transactionId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
}

/** The case that a chat message opened. */
export async function caseOfMessage(queries: Queries, subscriberId: string, messageId: string) {
  const { rows } = await sql<{ id: string; number: string }>`select c.id, c.number from cases c
    join case_events e on e.case_id = c.id where c.subscriber_id = ${subscriberId} and e.kind = 'opened'
    and e.details ->> 'message_id' = ${messageId}`.execute(queries);
  return rows[0];
}

/** Cases and messages that the customer wrote since the instant. */
export async function writtenSince(queries: Queries, subscriberId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from case_events e
    join cases c on c.id = e.case_id where c.subscriber_id = ${subscriberId} and e.actor_type = 'subscriber'
    and e.at > ${since}`.execute(queries);
  return rows[0]?.count ?? 0;
}

export interface CaseCounts {
  open: number;
  unassigned: number;
  overdue: number;
  unacknowledged: number;
  recalls: number;
  /** Opened in the last 24 hours. */
  opened: number;
}

export async function countCases(queries: Queries, now: number): Promise<CaseCounts> {
  const { rows } = await sql<CaseCounts>`select
      count(*)::integer as open,
      (count(*) filter (where assignee_id is null))::integer as unassigned,
      (count(*) filter (where ${OVERDUE(new Date(now))}))::integer as overdue,
      (count(*) filter (where acknowledged_at is null))::integer as unacknowledged,
      (select count(*)::integer from recalls where settled_at is null and state <> 'staff_decides') as recalls,
      (select count(*)::integer from cases where id > ${firstIdAt('case', now - DAY_MS)}) as opened
    from cases where closed_at is null`.execute(queries);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate without a row');
  return counts;
}

export type FileRow = Omit<Row<'case_files'>, 'sealed' | 'case_id'>;

/** Without their contents, oldest first. */
export function filesOf(queries: Queries, caseId: string): Promise<FileRow[]> {
  const columns = ['id', 'name', 'type', 'size', 'sha256', 'uploaded_by', 'created_at'] as const;
  return queries.selectFrom('case_files').select(columns).where('case_id', '=', caseId).orderBy('id').execute();
}

export function findFile(queries: Queries, caseId: string, id: string) {
  const found = queries.selectFrom('case_files').selectAll().where('id', '=', id).where('case_id', '=', caseId);
  return found.executeTakeFirst();
}

/** Whether the user is active and has a role that works on cases. */
export async function canWork(trx: Queries, userId: string): Promise<boolean> {
  const user = trx.selectFrom('users').select('id').where('id', '=', userId).where('status', '=', 'active');
  return (await user.where('role', 'in', ROLES).executeTakeFirst()) !== undefined;
}

const ROLES = ['support_user', 'compliance_user', 'system_admin'] as const;
