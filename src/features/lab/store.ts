// The lab's rows: the first request under an id, the credits that are due for a reversal, and the payment requests to answer.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { firstIdAt } from '../../kernel/ids.ts';

/** No key has this id. */
const ANSWERS = 'payment-requests';

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
  /** Completed, or made, before this time. */
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

/** Open requests for one of these amounts that keys of merchants made, and that the lab has not answered. */
export async function unansweredRequests(queries: Queries, { amounts, before, since }: Due): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from payment_requests r
    where id >= ${firstIdAt('prq', since)} and amount = any (${amounts}::bigint[]) and actor_type = 'key'
      and payee_kind = 'processor' and created_at <= ${new Date(before)}
      and not exists (select from payment_request_ends where request_id = r.id)
      and not exists (select from lab_requests l where l.key_id = ${ANSWERS} and l.request = r.id)
    order by id limit 100`.execute(queries);
  return rows.map(({ id }) => id);
}

/** True for the one gateway that answers it. */
export function mayAnswer(queries: Queries, requestId: string, at: Date): Promise<boolean> {
  return isFirst(queries, ANSWERS, requestId, at);
}

export async function subscriberWith(queries: Queries, phone: string): Promise<string | undefined> {
  const found = queries.selectFrom('subscribers').select('id').where('phone_number', '=', phone);
  return (await found.executeTakeFirst())?.id;
}

export async function pruneRequests(queries: Queries, before: Date): Promise<void> {
  await sql`delete from lab_requests where at < ${before}`.execute(queries);
}
