// Finds sealed entries of the audit log, newest first.
import { type SqlBool, sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { ChainedEntry } from './chain.ts';

const COUNT_LIMIT = 100_000;

export interface AuditFilters {
  actorType?: string;
  actorId?: string;
  action?: string;
  resourceId?: string;
  /** Only entries of changes to protected records. */
  changes?: true;
  /** Only entries whose details name one of these changed fields. */
  fields?: readonly string[];
  from?: Date;
  to?: Date;
}

export interface AuditQuery extends AuditFilters {
  limit: number;
  offset: number;
  /** In an export: only entries before the one with this id, without a count; null on its first page. */
  after?: string | null | undefined;
}

export async function findEntries(
  queries: Queries,
  query: AuditQuery,
): Promise<{ entries: ChainedEntry[]; total: number }> {
  const { limit, offset, after, ...filters } = query;
  let selection = filtered(queries, filters);
  if (after) selection = selection.where('seq', '<', sql<number>`(select seq from audit_log where id = ${after})`);
  const entries = await selection.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
  if (after !== undefined) return { entries, total: entries.length };
  const total = Object.keys(filters).length === 0 ? await sealedCount(queries) : await matching(queries, filters);
  return { entries, total };
}

function filtered(queries: Queries, filters: AuditFilters) {
  let selection = queries.selectFrom('audit_log');
  if (filters.actorType !== undefined) selection = selection.where('actor_type', '=', filters.actorType);
  if (filters.actorId !== undefined) selection = selection.where('actor_id', '=', filters.actorId);
  if (filters.action !== undefined) selection = selection.where('action', '=', filters.action);
  if (filters.resourceId !== undefined) selection = selection.where('resource_id', '=', filters.resourceId);
  if (filters.fields !== undefined) {
    selection = selection.where(sql<SqlBool>`details -> 'fields' ?| ${[...filters.fields]}`);
  }
  if (filters.changes) selection = selection.where('state', 'is not', null);
  if (filters.from !== undefined) selection = selection.where('at', '>=', filters.from);
  if (filters.to !== undefined) selection = selection.where('at', '<=', filters.to);
  return selection;
}

/** The chain has no gaps, so the last sequence number is the count. */
async function sealedCount(queries: Queries): Promise<number> {
  return (await queries.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq;
}

/** Counts up to a limit: the log is never truncated, so an exact count would take longer and longer. */
async function matching(queries: Queries, filters: AuditFilters): Promise<number> {
  const some = filtered(queries, filters).select('seq').limit(COUNT_LIMIT).as('some');
  const counted = queries.selectFrom(some).select(sql<number>`count(*)`.as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}
