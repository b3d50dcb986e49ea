// Lists agents by page with an exact count; a single statement reads both from one snapshot.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { afterId, type Condition, matches, type Search, where } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import { AGENT_COLUMNS, type AgentRow } from '../../parties/agent.ts';
import type { Network } from './network-access.ts';

export interface ListFilter {
  type?: string;
  status?: string;
  parentId?: string;
  search?: Search;
  /** Restricts the list to the agents the caller may see. */
  within?: Network;
}

export interface AgentPage {
  rows: AgentRow[];
  total: number;
}

export async function listAgents(queries: Queries, filter: ListFilter, page: Page): Promise<AgentPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  const found = rows.filter((row) => row.id !== null);
  return { total: rows[0]?.total ?? found.length, rows: found };
}

/** Newest first. An export needs no count. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number | null } & AgentRow> {
  const all = conditions(filter);
  const counted =
    page.after === undefined
      ? sql`select count(*) as total from agents ${where(all)}`
      : sql`select null::bigint as total`;
  return sql`select counted.total, page.* from (${counted}) counted
    left join (
      select ${columns} from agents ${where([...all, ...afterId(page.after)])} order by id desc limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.id desc`;
}

function conditions({ type, status, parentId, search, within }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (within) all.push(belongsTo(within));
  if (type !== undefined) all.push(sql`type = ${type}`);
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (parentId !== undefined) all.push(sql`parent_agent_id = ${parentId}`);
  if (search) all.push(matches(search));
  return all;
}

function belongsTo({ agentId, withSubAgents }: Network): Condition {
  return withSubAgents ? sql`(id = ${agentId} or parent_agent_id = ${agentId})` : sql`id = ${agentId}`;
}

const columns = sql.raw(AGENT_COLUMNS.join(', '));
