// Lists agents by page.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal, matches, type Search } from '../../db/list-filter.ts';
import { type ByTime, byBusinessName, byTime } from '../../db/list-order.ts';
import type { Page } from '../../http/paging.ts';
import { AGENT_COLUMNS, type AgentRow } from '../../parties/agent.ts';
import type { Network } from './network-access.ts';

export type ListSort = ByTime | 'name';

export interface ListFilter {
  type?: string;
  status?: string;
  parentId?: string;
  search?: Search;
  sort?: ListSort;
  /** Restricts the list to the agents the caller may see. */
  within?: Network;
}

export function listAgents(queries: Queries, filter: ListFilter, page: Page): Promise<Listed<AgentRow>> {
  const { type, status, parentId, search, sort, within } = filter;
  const filters = equal({ type, status, parent_agent_id: parentId });
  if (within) filters.push(belongsTo(within));
  if (search) filters.push(matches(search));
  const order = sort === 'name' ? byBusinessName(page) : byTime(sort);
  return countedPage(queries, { table: 'agents', columns: AGENT_COLUMNS, filters, ...order }, page);
}

function belongsTo({ agentId, withSubAgents }: Network): Condition {
  return withSubAgents ? sql`(id = ${agentId} or parent_agent_id = ${agentId})` : sql`id = ${agentId}`;
}
