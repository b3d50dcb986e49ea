// Whether the rows of a bulk payment still say what was uploaded: by the audit log, and from the approval on by the sealed hold.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import { RowsDigest } from '../rows-digest.ts';
import type { BulkPayment, BulkRow } from '../types.ts';
import { rowsAfter } from './store.ts';

const PAGE = 5_000;

/** Calls `onPage` with all rows, in the order of their lines. Returns their digest. */
export async function readAll(
  queries: Queries,
  id: string,
  onPage: (rows: readonly BulkRow[]) => Promise<void> = async () => undefined,
): Promise<string> {
  const digest = new RowsDigest();
  for (let line = 0; ; ) {
    const rows = await rowsAfter(queries, id, line, PAGE);
    for (const row of rows) digest.add(row);
    await onPage(rows);
    if (rows.length < PAGE) return digest.end().toString('hex');
    line = rows.at(-1)?.line ?? line;
  }
}

export async function isIntact(queries: Queries, { id }: Pick<BulkPayment, 'id'>, hold: Hold): Promise<boolean> {
  return (await readAll(queries, id)) === hold.details.rows_digest;
}

/** What the audit log has of the upload, or of the retry. An entry is in the inbox or in the log. */
export async function uploadedDigest(queries: Queries, id: string): Promise<string | null> {
  const { rows } = await sql<{ digest: string | null }>`
    select details ->> 'rows_digest' as digest from audit_log where resource_id = ${id} and action = ${CREATED}
    union all select details ->> 'rows_digest' from audit_inbox where resource_id = ${id} and action = ${CREATED}`.execute(
    queries,
  );
  return rows[0]?.digest ?? null;
}

export const CREATED = 'bulk_payment.create';
