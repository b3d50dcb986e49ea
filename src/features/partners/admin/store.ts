// The tables of partners and of their webhook secrets.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { equal } from '../../../db/list-filter.ts';
import type { NewRow, RowChange } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';
import type { PartnerRow } from '../../../parties/partner.ts';

/** The terms agreed with a partner. */
export type PartnerTerms = Omit<PartnerRow, 'id' | 'created_at' | 'updated_at' | 'webhook_endpoints'>;
/** The record with what the partner owes now, from the ledger. */
export type Partner = PartnerRow & { outstanding: number };

export interface PartnerFilter {
  status?: PartnerRow['status'];
  /** Part of the name. */
  search?: string;
}

export function insertPartner(trx: Queries, partner: NewRow<'partners'>): Promise<PartnerRow> {
  return trx.insertInto('partners').values(partner).returningAll().executeTakeFirstOrThrow();
}

export function findPartner(queries: Queries, id: string): Promise<PartnerRow | undefined> {
  return queries.selectFrom('partners').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockPartner(trx: Queries, id: string): Promise<PartnerRow | undefined> {
  return trx.selectFrom('partners').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updatePartner(trx: Queries, id: string, change: RowChange<'partners'>): Promise<PartnerRow> {
  return trx.updateTable('partners').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Newest first. */
export function listPartners(
  queries: Queries,
  { status, search }: PartnerFilter,
  page: Page,
): Promise<Listed<PartnerRow>> {
  const filters = equal({ status });
  // strpos instead of like: the search text may contain % and _.
  if (search !== undefined) filters.push(sql`strpos(lower(name), lower(${search})) > 0`);
  return countedPage(queries, { table: 'partners', filters }, page);
}

export async function insertSecret(trx: Queries, secret: NewRow<'partner_webhook_secrets'>): Promise<void> {
  await trx.insertInto('partner_webhook_secrets').values(secret).execute();
}

/** The secret that signs now expires at `end`. All others are deleted: earlier ones, and one that is not active yet. */
export async function endSecrets(
  trx: Queries,
  partnerId: string,
  { now, end }: { now: Date; end: Date },
): Promise<void> {
  const secrets = trx.selectFrom('partner_webhook_secrets').select('id').where('partner_id', '=', partnerId);
  const current = await secrets
    .where((row) => row.or([row('active_from', 'is', null), row('active_from', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const currentId = current?.id ?? 0;
  const ofPartner = trx.deleteFrom('partner_webhook_secrets').where('partner_id', '=', partnerId);
  await ofPartner.where('id', '<>', currentId).execute();
  await trx.updateTable('partner_webhook_secrets').set({ valid_until: end }).where('id', '=', currentId).execute();
}
