// Bulk payments: finding, listing and locking them.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal } from '../../db/list-filter.ts';
import type { RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import type { BulkPayment, BulkStatus } from './types.ts';

export interface BulkFilter {
  status?: BulkStatus | undefined;
  /** All of them: a payer that a caller cannot see matches none. */
  payers: string[] | null;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One change of a payer's bulk payments at a time, on all gateways. */
const PAYER_LOCKS = 7_011;

/** Until the transaction ends. */
export async function lockPayer(trx: Queries, payerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PAYER_LOCKS}, hashtext(${payerId}))`.execute(trx);
}

/** Not one whose rows are still arriving. */
export function findBulkPayment(queries: Queries, id: string): Promise<BulkPayment | undefined> {
  const found = queries.selectFrom('bulk_payments').selectAll().where('id', '=', id);
  return found.where('status', '<>', 'uploading').executeTakeFirst();
}

export function lockBulkPayment(trx: Queries, id: string): Promise<BulkPayment | undefined> {
  return trx.selectFrom('bulk_payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function changeBulkPayment(trx: Queries, id: string, change: RowChange<'bulk_payments'>): Promise<BulkPayment> {
  const update = trx.updateTable('bulk_payments').set(change).where('id', '=', id);
  return update.returningAll().executeTakeFirstOrThrow();
}

export function listBulkPayments(
  queries: Queries,
  { status, payers, from, to }: BulkFilter,
  page: Page,
): Promise<Listed<BulkPayment>> {
  const filters: Condition[] = [
    ...equal({ status }),
    ...(payers ?? []).map((id) => sql`payer_id = ${id}`),
    ...(from ? [sql`created_at >= ${from}`] : []),
    ...(to ? [sql`created_at <= ${to}`] : []),
    sql`status <> 'uploading'`,
  ];
  return countedPage(queries, { table: 'bulk_payments', filters }, page);
}
