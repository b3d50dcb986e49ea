// The payment requests that a customer was told about, and the payees from whom the customer wants to hear nothing.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { complete, type PaymentRequest } from './store.ts';

/** Open requests that the customer was told about, which are those that no limit on notices kept back. Newest first. */
export async function listIncoming(queries: Queries, payerId: string, now: Date, { limit, offset, after }: Page) {
  const open = sql`from payment_requests r where r.expires_at > ${now}
    and not exists (select from payment_request_ends e where e.request_id = r.id)
    and r.id in (select request_id from payment_request_notices where payer_id = ${payerId} and sent)
    and not exists (select from payment_request_declines d where d.request_id = r.id and d.payer_id = ${payerId})
    and not exists (select from payment_request_blocks b where b.payer_id = ${payerId} and b.payee_id = r.payee_id)`;
  const rest = after == null ? sql`` : sql`and r.id < ${after}`;
  const page = sql`select r.* ${open} ${rest} order by r.id desc limit ${limit} offset ${offset}`;
  const [{ rows: requests }, counted] = await Promise.all([
    complete(page, []).execute(queries),
    sql<{ total: number }>`select count(*) as total ${open}`.execute(queries),
  ]);
  return { requests, total: Number(counted.rows[0]?.total ?? 0) };
}

/** Whether the customer was told about the request, or has paid or declined it. */
export async function concerns(queries: Queries, { id }: PaymentRequest, payerId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select
    exists (select from payment_request_notices where request_id = ${id} and payer_id = ${payerId} and sent)
    or exists (select from payment_request_payments where request_id = ${id} and payer_id = ${payerId})
    or exists (select from payment_request_ends where request_id = ${id} and payer_id = ${payerId})
    or exists (select from payment_request_declines where request_id = ${id} and payer_id = ${payerId}) as is`.execute(
    queries,
  );
  return rows[0]?.is === true;
}

export interface Block {
  payer_id: string;
  payee_id: string;
  /** By which the payer came to block the payee, and names it. */
  request_id: string;
  at: Date;
}

/** False: the payee was blocked before. */
export async function blockPayee(trx: Queries, block: Block): Promise<boolean> {
  const inserting = trx.insertInto('payment_request_blocks').values(block);
  const { numInsertedOrUpdatedRows: count } = await inserting.onConflict((row) => row.doNothing()).executeTakeFirst();
  return count === 1n;
}

/** False: the payee was not blocked. */
export async function unblockPayee(trx: Queries, payerId: string, payeeId: string): Promise<boolean> {
  const block = trx.deleteFrom('payment_request_blocks').where('payer_id', '=', payerId);
  const { numDeletedRows: count } = await block.where('payee_id', '=', payeeId).executeTakeFirst();
  return count > 0n;
}

export function listBlocks(queries: Queries, payerId: string) {
  const blocks = queries.selectFrom('payment_request_blocks').selectAll().where('payer_id', '=', payerId);
  return blocks.orderBy('at', 'desc').limit(200).execute();
}
