// Queries on single rows of the agents table. Lists are in list-store.ts.
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import type { NewRow, RowChange } from '../../db/schema/tables.ts';
import { AGENT_COLUMNS, type AgentRow } from '../../parties/agent.ts';

export type NewAgent = Omit<NewRow<'agents'>, 'search_text'>;
export type AgentChange = Omit<RowChange<'agents'>, 'id' | 'search_text'>;

export const COUNTED = statement(
  'sub-agent-count',
  `select requested.id, a.count from unnest($1::text[]) as requested (id)
  cross join lateral (select count(*) as count from agents where parent_agent_id = requested.id and status <> 'terminated') a`,
  ([id, count]) => [text(id), integer(count)] as const,
);

/** Batched: counts the sub-agents of an agent, without terminated ones. */
export function subAgentCount(reader: Reader): Load<string, number> {
  return batchLoader({
    async fetch(ids: string[]) {
      const counts = new Map(await reader.run(COUNTED, [textArray([...new Set(ids)])]));
      return ids.map((id) => counts.get(id) ?? 0);
    },
  });
}

/** Null if the phone number is taken. `on conflict do nothing` avoids an error, which would abort the transaction. */
export async function insertAgent(trx: Queries, agent: NewAgent): Promise<AgentRow | null> {
  const row = await trx
    .insertInto('agents')
    .values(agent)
    .onConflict((taken) => taken.column('phone_number').doNothing())
    .returning(AGENT_COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function agentHasPhone(queries: Queries, phoneNumber: string): Promise<boolean> {
  const agent = queries.selectFrom('agents').select('id').where('phone_number', '=', phoneNumber);
  return (await agent.executeTakeFirst()) !== undefined;
}

export async function readAgent(queries: Queries, id: string): Promise<AgentRow | null> {
  return (await queries.selectFrom('agents').select(AGENT_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Locks the row until the transaction ends, so that changes are decided on the current record. */
export async function lockAgent(trx: Queries, id: string): Promise<AgentRow | null> {
  return (
    (await trx.selectFrom('agents').select(AGENT_COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
  );
}

/** Locks the row in share mode until the transaction ends: it cannot change, and other share locks are possible. */
export async function holdAgent(trx: Queries, id: string): Promise<AgentRow | null> {
  return (
    (await trx.selectFrom('agents').select(AGENT_COLUMNS).where('id', '=', id).forShare().executeTakeFirst()) ?? null
  );
}

export function updateAgent(trx: Queries, id: string, change: AgentChange): Promise<AgentRow> {
  return trx.updateTable('agents').set(change).where('id', '=', id).returning(AGENT_COLUMNS).executeTakeFirstOrThrow();
}
