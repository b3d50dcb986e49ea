// Queries on the approvals and approval_policies tables.
import { type SqlBool, sql } from 'kysely';
import type { UserCaller } from '../../auth/caller.ts';
import type { UserRole } from '../../auth/roles.ts';
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { RequestKey } from '../../ledger/posting/idempotency.ts';
import type { ApprovalAction } from './actions.ts';

export type ApprovalRow = Row<'approvals'>;
export type PolicyRow = Row<'approval_policies'>;

/** A policy as it applies; one that was never changed has no author. */
export interface Policy extends Pick<PolicyRow, 'enabled' | 'threshold'> {
  action: ApprovalAction;
  updated_by: string | null;
  updated_at: Date | null;
  /** It cannot be disabled now. */
  locked: boolean;
}

export interface ApprovalFilter {
  status?: ApprovalRow['status'] | undefined;
  action?: string | undefined;
  requested_by?: string | undefined;
  party_id?: string | undefined;
  transaction_id?: string | undefined;
  sort?: 'newest' | 'oldest' | undefined;
}

/** The approvals that a user sees: its own requests, and those of these actions. */
export interface Visibility {
  userId: string;
  actions: readonly string[];
}

export function findApproval(queries: Queries, id: string): Promise<ApprovalRow | undefined> {
  return queries.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockApproval(trx: Queries, id: string): Promise<ApprovalRow> {
  return trx.selectFrom('approvals').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** By the party for whom the request acts. It is stored with the input, which the audit log protects. */
export function findByRequestId(queries: Queries, { scope, id }: RequestKey): Promise<ApprovalRow | undefined> {
  return queries
    .selectFrom('approvals')
    .selectAll()
    .where(sql<SqlBool>`input ->> 'party' = ${scope}`)
    .where('request_id', '=', id)
    .executeTakeFirst();
}

/** Undefined if the party has used the request id before. */
export function insertApproval(trx: Queries, row: NewRow<'approvals'>): Promise<ApprovalRow | undefined> {
  return trx
    .insertInto('approvals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateApproval(trx: Queries, id: string, change: RowChange<'approvals'>): Promise<ApprovalRow> {
  return trx.updateTable('approvals').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** As in the index approvals_transactions: what a request posted, and what it is about. */
const TRANSACTIONS = sql`array[result ->> 'transaction_id', result ->> 'original_transaction_id',
  input -> 'params' ->> 'transaction_id']`;

export async function listApprovals(
  queries: Queries,
  filter: ApprovalFilter,
  { userId, actions, now }: Visibility & { now: Date },
  { limit, offset, after }: Page,
): Promise<{ rows: ApprovalRow[]; total: number }> {
  let selection = queries
    .selectFrom('approvals')
    .where((eb) => eb.or([eb('requested_by', '=', userId), sql<SqlBool>`action = any(${[...actions]})`]));
  for (const name of ['action', 'requested_by'] as const) {
    const value = filter[name];
    if (value !== undefined) selection = selection.where(name, '=', value);
  }
  if (filter.party_id !== undefined) {
    const named = JSON.stringify([{ id: filter.party_id }]);
    selection = selection.where(sql<SqlBool>`summary -> 'parties' @> ${named}::jsonb`);
  }
  if (filter.transaction_id !== undefined) {
    selection = selection.where(sql<SqlBool>`${TRANSACTIONS} @> array[${filter.transaction_id}]`);
  }
  // The background task writes that a request has expired some time after it did.
  const status = sql<string>`case when status = 'pending' and expires_at <= ${now} then 'expired' else status end`;
  if (filter.status !== undefined) selection = selection.where(status, '=', filter.status);
  const counted = await selection.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const isOldestFirst = filter.sort === 'oldest';
  if (after) selection = selection.where('id', isOldestFirst ? '>' : '<', after);
  const page = selection
    .selectAll()
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset);
  return { rows: await page.execute(), total: counted.total };
}

/** The amounts that a user has requested on a UTC day and that are neither executed nor refused yet. */
export async function openAmount(queries: Queries, userId: string, action: string, at: number): Promise<number> {
  const day = at - (at % DAY_MS);
  const { total } = await queries
    .selectFrom('approvals')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('total'))
    .where('requested_by', '=', userId)
    .where('action', '=', action)
    .where('status', 'in', ['pending', 'approved'])
    .where('requested_at', '>=', new Date(day))
    .where('requested_at', '<', new Date(day + DAY_MS))
    .executeTakeFirstOrThrow();
  return total;
}

/** The ids of a batch of requests that are due for `maintain`. */
export async function dueApprovals(queries: Queries, due: Due, limit: number): Promise<string[]> {
  const { status, column, until, sealed } = due;
  let selection = queries.selectFrom('approvals').select('id').where('status', '=', status).where(column, '<=', until);
  if (sealed) selection = selection.where('sealed_result', 'is not', null);
  return (await selection.orderBy(column).limit(limit).execute()).map(({ id }) => id);
}

export interface Due {
  status: ApprovalRow['status'];
  column: 'expires_at' | 'decided_at' | 'finished_at';
  until: Date;
  /** Only those with a result that was not collected. */
  sealed?: boolean;
}

export function findPolicy(queries: Queries, action: string): Promise<PolicyRow | undefined> {
  return queries.selectFrom('approval_policies').selectAll().where('action', '=', action).executeTakeFirst();
}

export function allPolicies(queries: Queries): Promise<PolicyRow[]> {
  return queries.selectFrom('approval_policies').selectAll().execute();
}

/** The actions whose policy was last changed with the approval of a second administrator. Ids of entries sort by time. */
export async function approvedPolicies(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ resource_id: string }>`
    select resource_id from (
      select distinct on (resource_id) resource_id, details from (
        select id, action, resource_id, details from audit_log
        union all select id, action, resource_id, details from audit_inbox) entry
      where action = 'approval_policy.update' order by resource_id, id desc) last
    where details ? 'approved_by'`.execute(queries);
  return new Set(rows.map(({ resource_id }) => resource_id));
}

export function savePolicy(trx: Queries, row: NewRow<'approval_policies'>): Promise<PolicyRow> {
  const { action: _, ...change } = row;
  return trx
    .insertInto('approval_policies')
    .values(row)
    .onConflict((conflict) => conflict.column('action').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Two changes of policies wait for each other. */
export async function lockPolicies(trx: Queries): Promise<void> {
  await sql`lock table approval_policies in share row exclusive mode`.execute(trx);
}

export async function countActiveAdmins(queries: Queries): Promise<number> {
  const admins = queries.selectFrom('users').where('role', '=', 'system_admin').where('status', '=', 'active');
  return (await admins.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total;
}

export interface UserName {
  name: string;
  email: string;
}

export async function findUserNames(queries: Queries, ids: readonly string[]): Promise<Map<string, UserName>> {
  if (ids.length === 0) return new Map();
  const users = queries.selectFrom('users').select(['id', 'email', 'first_name', 'last_name']);
  const rows = await users.where('id', 'in', [...ids]).execute();
  return new Map(rows.map((user) => [user.id, { name: `${user.first_name} ${user.last_name}`, email: user.email }]));
}

export interface KnownUser {
  caller: UserCaller;
  active: boolean;
  /** When the password was last replaced with a code. */
  passwordRecoveredAt: Date | null;
}

/** Users as callers, with their current roles. `locked`: their role and status cannot change until the transaction ends. */
export async function usersAsCallers(
  queries: Queries,
  ids: readonly string[],
  { locked }: { locked: boolean },
): Promise<Map<string, KnownUser>> {
  const selection = queries
    .selectFrom('users')
    .select(['id', 'email', 'role', 'agent_id', 'processor_id', 'pep_access_authorized', 'status'])
    .select('password_recovered_at as passwordRecoveredAt')
    .where('id', 'in', [...ids])
    .orderBy('id');
  const rows = await (locked ? selection.forShare() : selection).execute();
  return new Map(
    rows.map(({ id, email, role, agent_id, processor_id, pep_access_authorized, status, passwordRecoveredAt }) => {
      const owner = { agentId: agent_id, processorId: processor_id, pepAccessAuthorized: pep_access_authorized };
      return [
        id,
        {
          caller: { kind: 'user', id, email, role: role as UserRole, ...owner },
          active: status === 'active',
          passwordRecoveredAt,
        },
      ];
    }),
  );
}
