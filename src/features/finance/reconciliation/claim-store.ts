// Queries on the items that returns of pay-outs hold.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';

export type ClaimRow = Row<'payout_return_claims'>;
export type Claim = Pick<ClaimRow, 'side' | 'item_id' | 'payout_id'>;

export function findClaim(trx: Queries, { side, item_id }: Claim): Promise<ClaimRow | undefined> {
  const claims = trx.selectFrom('payout_return_claims').selectAll().where('open', '=', true);
  return claims.where('side', '=', side).where('item_id', '=', item_id).executeTakeFirst();
}

/** Of the same pay-out again, after a return whose outcome was not known. */
export async function claimItem(trx: Queries, claim: NewRow<'payout_return_claims'>): Promise<void> {
  const { created_at, claimed_by } = claim;
  await trx
    .insertInto('payout_return_claims')
    .values(claim)
    .onConflict((known) => known.columns(['side', 'item_id']).doUpdateSet({ created_at, claimed_by }))
    .execute();
}

/** False if another gateway has finished it. */
export async function closeClaim(trx: Queries, { side, item_id, payout_id }: Claim): Promise<boolean> {
  const closed = await trx
    .updateTable('payout_return_claims')
    .set({ open: false })
    .where('side', '=', side)
    .where('item_id', '=', item_id)
    .where('payout_id', '=', payout_id)
    .where('open', '=', true)
    .executeTakeFirst();
  return closed.numUpdatedRows > 0n;
}

export async function deleteClaim(trx: Queries, { side, item_id, payout_id }: Claim): Promise<void> {
  const claims = trx.deleteFrom('payout_return_claims').where('side', '=', side).where('item_id', '=', item_id);
  await claims.where('payout_id', '=', payout_id).execute();
}

/** Unless it was made again since. */
export async function deleteGivenUp(
  trx: Queries,
  { side, item_id, created_at }: Pick<ClaimRow, 'side' | 'item_id' | 'created_at'>,
): Promise<void> {
  const claims = trx.deleteFrom('payout_return_claims').where('side', '=', side).where('item_id', '=', item_id);
  await claims.where('open', '=', true).where('created_at', '=', created_at).execute();
}

export function dueClaims(queries: Queries, until: Date, limit: number): Promise<ClaimRow[]> {
  const open = queries.selectFrom('payout_return_claims').selectAll().where('open', '=', true);
  return open.where('created_at', '<=', until).orderBy('created_at').limit(limit).execute();
}

/** Whether one of the bank entries stays with the return of a pay-out. */
export async function isOfReturn(trx: Queries, bankIds: readonly string[]): Promise<boolean> {
  if (bankIds.length === 0) return false;
  const claims = trx.selectFrom('payout_return_claims').select('item_id').where('side', '=', 'bank');
  return (
    (await claims
      .where('item_id', 'in', [...bankIds])
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

export interface PostedReturn {
  id: string;
  narration: string | null;
  bank_entry_id: string | null;
}

export function findReturn(queries: Queries, payoutId: string): Promise<PostedReturn | undefined> {
  return queries
    .selectFrom('movements')
    .select(['id', 'narration', sql<string | null>`details ->> 'bank_entry_id'`.as('bank_entry_id')])
    .where('type', '=', 'payout_returned')
    .where('related_id', '=', payoutId)
    .executeTakeFirst();
}
