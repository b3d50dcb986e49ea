// Stores the rows of an upload as they arrive, and what its end needs to know of the payer's other bulk payments.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { NewRow } from '../../../db/schema/tables.ts';
import type { BulkPayment } from '../types.ts';
import type { FileRow } from './row.ts';

export async function insertUpload(queries: Queries, payment: NewRow<'bulk_payments'>): Promise<void> {
  await queries.insertInto('bulk_payments').values(payment).execute();
}

export async function insertRows(
  queries: Queries,
  { id, scope }: { id: string; scope: string },
  rows: readonly FileRow[],
  wordsOf: (reason: string) => string,
): Promise<void> {
  const column = <Name extends keyof FileRow>(name: Name) => rows.map((row) => row[name]);
  const words = rows.map(({ reason }) => (reason === null ? null : wordsOf(reason)));
  await sql`insert into bulk_payment_rows (bulk_payment_id, line, status, reference, phone_number, account_number,
      given_name, amount, description, reference_scope, reason, reason_text)
    select ${id}, line, case when reason is null then 'pending' else 'invalid' end, reference, phone, account, name, amount,
      description, ${scope}, reason, words
    from unnest(${column('line')}::integer[], ${column('reference')}::text[], ${column('phone_number')}::text[],
      ${column('account_number')}::text[], ${column('given_name')}::text[], ${column('amount')}::bigint[],
      ${column('description')}::text[], ${column('reason')}::text[], ${words}::text[])
      as row (line, reference, phone, account, name, amount, description, reason, words)`.execute(queries);
}

const DELETED_AT_ONCE = 5_000;

/** An upload that was refused or broke off: nothing of it stays. */
export async function deleteUpload(queries: Queries, id: string): Promise<void> {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
    const { numAffectedRows } = await sql`delete from bulk_payment_rows where bulk_payment_id = ${id} and line in (
      select line from bulk_payment_rows where bulk_payment_id = ${id} order by line limit ${DELETED_AT_ONCE})`.execute(
      queries,
    );
    deleted = Number(numAffectedRows ?? 0);
  }
  await queries.deleteFrom('bulk_payments').where('id', '=', id).where('status', '=', 'uploading').execute();
}

/** Uploads that ended without a word: their gateway was killed. */
export async function abandonedUploads(queries: Queries, before: Date): Promise<string[]> {
  const found = queries.selectFrom('bulk_payments').select('id').where('status', '=', 'uploading');
  return (await found.where('created_at', '<', before).execute()).map(({ id }) => id);
}

/** The last one with the same file that was not cancelled. */
export function withSameFile(trx: Queries, payerId: string, sha256: Buffer): Promise<BulkPayment | undefined> {
  const found = trx.selectFrom('bulk_payments').selectAll();
  return found
    .where('payer_id', '=', payerId)
    .where('file_sha256', '=', sha256)
    .where('retry_of', 'is', null)
    .where('status', 'not in', ['uploading', 'cancelled'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface PayerRows {
  checked: number;
  paid: number;
  /** Of the rows paid: those to a wallet that an earlier row of the file does not pay. */
  differing: number;
  /** What staff allowed; null: nothing. */
  allowed: number | null;
}

/** Of the bulk payments that were uploaded since then. */
export async function payerRows(queries: Queries, payerId: string, since: Date): Promise<PayerRows> {
  const { rows } = await sql<PayerRows>`select coalesce(sum(row_count), 0)::integer as checked,
      coalesce(sum(paid_count), 0)::integer as paid,
      coalesce(sum(greatest(paid_count - repeated_count, 0)), 0)::integer as differing,
      (select unpaid_rows from bulk_payment_limits where payer_id = ${payerId}) as allowed
    from bulk_payments where payer_id = ${payerId} and created_at > ${since} and status <> 'uploading'`.execute(
    queries,
  );
  return rows[0] as PayerRows;
}

export async function keyCreator(queries: Queries, keyId: string): Promise<string | null> {
  const found = queries.selectFrom('api_keys').select('created_by').where('id', '=', keyId);
  return (await found.executeTakeFirst())?.created_by ?? null;
}

export async function storeLimit(
  trx: Queries,
  limit: { payer_id: string; unpaid_rows: number; set_by: string; set_at: Date },
): Promise<void> {
  await trx
    .insertInto('bulk_payment_limits')
    .values(limit)
    .onConflict((conflict) => conflict.column('payer_id').doUpdateSet(limit))
    .execute();
}
