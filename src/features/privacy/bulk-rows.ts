// Rows of bulk payments that name a customer. Those of a payment that goes on are under its digest, and must not change.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Numbered } from './own-number.ts';

const HAS_ENDED = sql`b.status in ('completed', 'stopped', 'cancelled') and r.status <> 'unclaimed'`;

/** Rows of others who had the number before belong to them. */
function isAbout({ id, account_number }: Numbered, phone: string | null): RawBuilder<unknown> {
  return sql`(r.recipient_id = ${id} or r.recipient_id is null
    and (r.phone_number = ${phone} or r.account_number = ${account_number}))`;
}

/** Whether a bulk payment that names the customer has not ended. */
export async function hasOpenBulkRow(trx: Queries, customer: Numbered, phone: string | null): Promise<boolean> {
  const { rows } = await sql`select from bulk_payment_rows r join bulk_payments b on b.id = r.bulk_payment_id
    where ${isAbout(customer, phone)} and not (${HAS_ENDED}) limit 1`.execute(trx);
  return rows.length > 0;
}

/** What payers said about whom they pay. The account number stays: it is a pseudonym now. */
export async function eraseBulkRows(trx: Queries, customer: Numbered, phone: string | null): Promise<void> {
  await sql`update bulk_payment_rows r set phone_number = null, given_name = null, description = null,
      account_number = coalesce(r.account_number, ${customer.account_number})
    from bulk_payments b
    where b.id = r.bulk_payment_id and ${isAbout(customer, phone)} and ${HAS_ENDED}`.execute(trx);
}
