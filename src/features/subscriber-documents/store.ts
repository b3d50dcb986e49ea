// Queries on the uploaded documents of subscribers. Rows are only added.
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';

export type StoredDocument = Omit<Row<'subscriber_documents'>, 'sealed'>;

const COLUMNS = ['id', 'subscriber_id', 'kind', 'type', 'size', 'sha256', 'uploaded_by', 'created_at'] as const;

export function insertDocument(trx: Queries, row: NewRow<'subscriber_documents'>): Promise<StoredDocument> {
  return trx.insertInto('subscriber_documents').values(row).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Newest first. */
export function documentsOf(queries: Queries, subscriberId: string): Promise<StoredDocument[]> {
  const all = queries.selectFrom('subscriber_documents').select(COLUMNS).where('subscriber_id', '=', subscriberId);
  return all.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

export function findContent(queries: Queries, subscriberId: string, id: string) {
  const document = queries.selectFrom('subscriber_documents').select(['id', 'type', 'sealed']);
  return document.where('subscriber_id', '=', subscriberId).where('id', '=', id).executeTakeFirst();
}

/** Whether such a request for the subscriber waits for a decision. */
export async function hasOpenRequest(queries: Queries, operation: string, id: string, now: Date): Promise<boolean> {
  const pending = queries.selectFrom('approvals').select('id').where('status', '=', 'pending');
  const open = pending.where('operation', '=', operation).where('subscriber_id', '=', id).where('expires_at', '>', now);
  return (await open.limit(1).executeTakeFirst()) !== undefined;
}
