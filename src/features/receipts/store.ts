// Rows of withdrawn receipts.
import type { Queries } from '../../db/database.ts';
import type { Row } from '../../db/schema/tables.ts';

export async function isRevoked(queries: Queries, transactionId: string): Promise<boolean> {
  const rows = queries.selectFrom('receipt_revocations').select('transaction_id');
  return (await rows.where('transaction_id', '=', transactionId).executeTakeFirst()) !== undefined;
}

/** False: it was withdrawn before. */
export async function insertRevocation(trx: Queries, row: Row<'receipt_revocations'>): Promise<boolean> {
  const inserted = trx
    .insertInto('receipt_revocations')
    .values(row)
    .onConflict((existing) => existing.doNothing());
  return (await inserted.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
}
