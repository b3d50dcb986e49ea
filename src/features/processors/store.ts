// The table of processors: single rows. Lists are in list-store.ts.
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';

export type ProcessorRow = Omit<Row<'processors'>, 'search_text' | 'webhook_endpoints'>;

export const COLUMNS = [
  'id',
  'merchant_id',
  'merchant_number',
  'business_name',
  'contact_name',
  'phone_number',
  'email',
  'status',
  'suspend_reason',
  'suspended_at',
  'suspended_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ProcessorRow)[];

export function insertProcessor(trx: Queries, processor: NewRow<'processors'>): Promise<ProcessorRow> {
  return trx.insertInto('processors').values(processor).returning(COLUMNS).executeTakeFirstOrThrow();
}

export function readProcessor(queries: Queries, id: string): Promise<ProcessorRow | undefined> {
  return queries.selectFrom('processors').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export function lockProcessor(trx: Queries, id: string): Promise<ProcessorRow | undefined> {
  return trx.selectFrom('processors').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateProcessor(trx: Queries, id: string, change: RowChange<'processors'>): Promise<ProcessorRow> {
  return trx.updateTable('processors').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow();
}
