// Rows of certification runs.
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { equal } from '../../../db/list-filter.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type CertificationRow = Row<'lab_certifications'>;

export async function insertCertification(trx: Queries, row: CertificationRow): Promise<void> {
  await trx.insertInto('lab_certifications').values(row).execute();
}

export function certificationById(queries: Queries, id: string): Promise<CertificationRow | undefined> {
  return queries.selectFrom('lab_certifications').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first. */
export function listCertifications(
  queries: Queries,
  partnerId: string | undefined,
  page: Page,
): Promise<Listed<CertificationRow>> {
  return countedPage(queries, { table: 'lab_certifications', filters: equal({ partner_id: partnerId }) }, page);
}

export async function runningIds(queries: Queries): Promise<string[]> {
  const rows = await queries.selectFrom('lab_certifications').select('id').where('finished_at', 'is', null).execute();
  return rows.map(({ id }) => id);
}

/** Undefined if it is finished. */
export function lockRunning(trx: Queries, id: string): Promise<CertificationRow | undefined> {
  const running = trx
    .selectFrom('lab_certifications')
    .selectAll()
    .where('id', '=', id)
    .where('finished_at', 'is', null);
  return running.forUpdate().executeTakeFirst();
}

export async function changeCertification(
  trx: Queries,
  id: string,
  change: Partial<Omit<CertificationRow, 'id'>>,
): Promise<CertificationRow> {
  const changed = trx.updateTable('lab_certifications').set(change).where('id', '=', id).returningAll();
  return changed.executeTakeFirstOrThrow();
}

export function partnerOf(
  queries: Queries,
  id: string,
): Promise<{ id: string; name: string; webhook_url: string | null } | undefined> {
  const columns = ['id', 'name', 'webhook_url'] as const;
  return queries.selectFrom('partners').select(columns).where('id', '=', id).executeTakeFirst();
}

export function keyOf(queries: Queries, id: string): Promise<{ partner_id: string | null } | undefined> {
  const keys = queries.selectFrom('api_keys').select('partner_id').where('id', '=', id);
  return keys.where('revoked_at', 'is', null).executeTakeFirst();
}
