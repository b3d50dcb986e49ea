// Pages of agents with an exact count, from one statement and so from one instant.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import type { Network } from './network.ts';
import { type AgentRow, COLUMNS } from './record.ts';

export interface ListFilter {
  type?: string;
  status?: string;
  parentId?: string;
  /** Text to be found as it is, or else a whole number in E.164. */
  search?: { text: string; orPhone: string | null };
  /** Only what this caller may see. */
  within?: Network;
}

export interface AgentPage {
  rows: AgentRow[];
  total: number;
}

type Condition = RawBuilder<unknown>;

export async function listAgents(queries: Queries, filter: ListFilter, page: Page): Promise<AgentPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

/** Newest first. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number } & AgentRow> {
  const matching = where(conditions(filter));
  return sql`select counted.total, page.* from (select count(*) as total from agents ${matching}) counted
    left join (
      select ${columns} from agents ${matching} order by id desc limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.id desc`;
}

function conditions({ type, status, parentId, search, within }: ListFilter): Condition[] {
  const all: Condition[] = [];
  if (within) all.push(belongsTo(within));
  if (type !== undefined) all.push(sql`type = ${type}`);
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (parentId !== undefined) all.push(sql`parent_agent_id = ${parentId}`);
  if (search) {
    const orPhone = search.orPhone === null ? sql`` : sql` or phone_number = ${search.orPhone}`;
    all.push(sql`(search_text like ${containing(search.text)}${orPhone})`);
  }
  return all;
}

function belongsTo({ agentId, withSubAgents }: Network): Condition {
  return withSubAgents ? sql`(id = ${agentId} or parent_agent_id = ${agentId})` : sql`id = ${agentId}`;
}

/** lower() is the database's on both sides, so that both agree on what a small letter is. */
function containing(text: string): Condition {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return sql`lower(${`%${literal}%`})`;
}

function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

const columns = sql.raw(COLUMNS.join(', '));
