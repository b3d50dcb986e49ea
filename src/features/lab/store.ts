// The lab's rows: the first request under an id, and the credits that are due for a reversal.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { firstIdAt } from '../../kernel/ids.ts';

/** True for the first call with this key and request, on any gateway. */
export async function isFirst(queries: Queries, keyId: string, request: string, at: Date): Promise<boolean> {
  const { rows } = await sql`insert into lab_requests (key_id, request, at) values (${keyId}, ${request}, ${at})
    on conflict do nothing returning key_id`.execute(queries);
  return rows.length > 0;
}

export interface DueCredit {
  id: string;
  reference: string;
  partner_id: string;
}

export interface Due {
  amounts: readonly number[];
  /** Completed before this time. */
  before: number;
  /** And not before this one: ids sort by time, so that few rows are read. */
  since: number;
}

/** Completed credits with these amounts that are not reversed. */
export async function dueCredits(queries: Queries, { amounts, before, since }: Due): Promise<DueCredit[]> {
  const { rows } = await sql<DueCredit>`select id, reference, partner_id from inbound_transactions t
    where id >= ${firstIdAt('inb', since)} and amount = any (${amounts}::bigint[]) and status = 'COMPLETED'
      and completed_at <= ${new Date(before)}
      and not exists (select from inbound_reversals where inbound_id = t.id)
    order by id limit 100`.execute(queries);
  return rows;
}

/** Lets other events of the reference pass: it no longer comes before them. */
export async function moveBehind(queries: Queries, deliveryId: string): Promise<void> {
  await sql`update webhook_deliveries set turn = 2 where id = ${deliveryId}`.execute(queries);
}

export async function pruneRequests(queries: Queries, before: Date): Promise<void> {
  await sql`delete from lab_requests where at < ${before}`.execute(queries);
}
