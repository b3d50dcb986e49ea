// Queries on the tables of API keys and their credentials.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { equal } from '../../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type ApiKeyRow = Row<'api_keys'>;

export function insertKey(trx: Queries, key: NewRow<'api_keys'>): Promise<ApiKeyRow> {
  return trx.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow();
}

export async function insertCredential(trx: Queries, credential: NewRow<'api_key_credentials'>): Promise<void> {
  await trx.insertInto('api_key_credentials').values(credential).execute();
}

export async function deleteExpiredCredentials(trx: Queries, keyId: string, now: Date): Promise<void> {
  await trx.deleteFrom('api_key_credentials').where('key_id', '=', keyId).where('valid_until', '<=', now).execute();
}

/** Makes the key's credentials expire at `end`; an earlier expiry is kept. */
export async function expireCredentials(trx: Queries, keyId: string, end: Date): Promise<void> {
  await trx
    .updateTable('api_key_credentials')
    .set({ valid_until: end })
    .where('key_id', '=', keyId)
    .where((row) => row.or([row('valid_until', 'is', null), row('valid_until', '>', end)]))
    .execute();
}

export function findKey(queries: Queries, id: string): Promise<ApiKeyRow | undefined> {
  return queries.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockKey(trx: Queries, id: string): Promise<ApiKeyRow | undefined> {
  return trx.selectFrom('api_keys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateKey(trx: Queries, id: string, change: RowChange<'api_keys'>): Promise<ApiKeyRow> {
  return trx.updateTable('api_keys').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function revokeKey(trx: Queries, id: string, now: Date): Promise<void> {
  await trx.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', id).execute();
}

export interface KeyFilter {
  partner_id?: string | undefined;
  processor_id?: string | undefined;
}

/** Newest first. */
export function listKeys(
  queries: Queries,
  { partner_id, processor_id }: KeyFilter,
  page: Page,
): Promise<Listed<ApiKeyRow>> {
  return countedPage(queries, { table: 'api_keys', filters: equal({ partner_id, processor_id }) }, page);
}

/** Locks the processor, so that the count holds until the transaction ends. */
export async function countActiveKeys(trx: Queries, processorId: string, now: Date): Promise<number> {
  await trx.selectFrom('processors').select('id').where('id', '=', processorId).forUpdate().executeTakeFirst();
  const active = trx.selectFrom('api_keys').select(sql<number>`count(*)`.as('total')).where('revoked_at', 'is', null);
  const { total } = await active
    .where('processor_id', '=', processorId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return total;
}

export async function partnerExists(queries: Queries, id: string): Promise<boolean> {
  const partner = queries.selectFrom('partners').select('id').where('id', '=', id);
  return (await partner.executeTakeFirst()) !== undefined;
}

export async function processorExists(queries: Queries, id: string): Promise<boolean> {
  const processor = queries.selectFrom('processors').select('id').where('id', '=', id);
  return (await processor.executeTakeFirst()) !== undefined;
}
