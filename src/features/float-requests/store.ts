// Queries on float requests. A request whose time is over has expired, whether anything is written or not.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';

export const STATES = ['open', 'accepting', 'accepted', 'declined', 'cancelled', 'expired'] as const;
export type State = (typeof STATES)[number];

export type RequestRow = Row<'float_requests'>;
export interface SeenRequest extends RequestRow {
  agent_name: string;
  super_agent_name: string;
}

export function stateAt({ state, expires_at }: Pick<RequestRow, 'state' | 'expires_at'>, now: number): State {
  return state === 'open' && expires_at.getTime() <= now ? 'expired' : (state as State);
}

export async function insertRequest(trx: Queries, row: NewRow<'float_requests'>): Promise<void> {
  await trx.insertInto('float_requests').values(row).execute();
}

/** One change of a request after the other. */
export function lockRequest(trx: Queries, id: string): Promise<RequestRow | undefined> {
  return trx.selectFrom('float_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** One request of an agent after the other. */
export async function lockAgent(trx: Queries, id: string): Promise<void> {
  await trx.selectFrom('agents').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

export async function changeRequest(trx: Queries, id: string, change: RowChange<'float_requests'>): Promise<void> {
  await trx.updateTable('float_requests').set(change).where('id', '=', id).execute();
}

/** After a refused transfer. Another attempt that began later keeps it. */
export async function reopen(queries: Queries, id: string, claimedAt: Date): Promise<void> {
  const claimed = queries.updateTable('float_requests').set({ state: 'open', claimed_at: null, decided_by: null });
  await claimed.where('id', '=', id).where('state', '=', 'accepting').where('claimed_at', '=', claimedAt).execute();
}

export function findRequest(queries: Queries, id: string): Promise<SeenRequest | undefined> {
  return seen(queries).where('r.id', '=', id).executeTakeFirst();
}

export function findByRequestId(
  queries: Queries,
  agentId: string,
  requestId: string,
): Promise<SeenRequest | undefined> {
  return seen(queries).where('r.agent_id', '=', agentId).where('r.request_id', '=', requestId).executeTakeFirst();
}

export function findUndecided(queries: Queries, agentId: string, now: Date) {
  const undecided = sql<boolean>`(r.state = 'accepting' or r.state = 'open' and r.expires_at > ${now})`;
  return seen(queries).where('r.agent_id', '=', agentId).where(undecided).executeTakeFirst();
}

interface Filter {
  /** As asking agent or as its super-agent. */
  agentId: string;
  state?: State;
  now: Date;
}

/** Newest first. */
export async function listRequests(
  queries: Queries,
  { agentId, state, now }: Filter,
  { limit, offset, after }: Page,
): Promise<{ rows: SeenRequest[]; total: number }> {
  const current = sql<string>`case when r.state = 'open' and r.expires_at <= ${now} then 'expired' else r.state end`;
  let all = seen(queries).where(({ eb, or }) =>
    or([eb('r.agent_id', '=', agentId), eb('r.super_agent_id', '=', agentId)]),
  );
  if (state) all = all.where(current, '=', state);
  const counted = all.clearSelect().select(sql<number>`count(*)`.as('total'));
  const page = (after ? all.where('r.id', '<', after) : all).orderBy('r.id', 'desc').limit(limit).offset(offset);
  return { rows: await page.execute(), total: (await counted.executeTakeFirstOrThrow()).total };
}

function seen(queries: Queries) {
  return queries
    .selectFrom('float_requests as r')
    .innerJoin('agents as a', 'a.id', 'r.agent_id')
    .innerJoin('agents as s', 's.id', 'r.super_agent_id')
    .selectAll('r')
    .select(['a.business_name as agent_name', 's.business_name as super_agent_name']);
}
