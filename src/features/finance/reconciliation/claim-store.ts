// Queries on the items that returns of pay-outs hold.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';

export type ClaimRow = Row<'payout_return_claims'>;
export type Claim = Pick<ClaimRow, 'side' | 'item_id' | 'payout_id'>;

export function findClaim(trx: Queries, { side, item_id }: Claim): Promise<ClaimRow | undefined> {
  const claims = trx.selectFrom('payout_return_claims').selectAll();
  return claims.where('side', '=', side).where('item_id', '=', item_id).executeTakeFirst();
}

/** If the same pay-out is claimed again after a return with an unknown outcome, the later request holds it. */
export async function claimItem(trx: Queries, claim: NewRow<'payout_return_claims'>): Promise<void> {
  const { id, created_at, claimed_by } = claim;
  await trx
    .insertInto('payout_return_claims')
    .values(claim)
    .onConflict((known) => known.columns(['side', 'item_id']).doUpdateSet({ id, created_at, claimed_by }))
    .execute();
}

/** After the return was posted. False if another gateway has finished it. */
export async function endClaim(trx: Queries, { side, item_id, payout_id }: Claim): Promise<boolean> {
  const claims = trx.deleteFrom('payout_return_claims').where('side', '=', side).where('item_id', '=', item_id);
  const { numDeletedRows } = await claims.where('payout_id', '=', payout_id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Unless another request holds it since. */
export async function giveUpClaim(trx: Queries, id: string): Promise<void> {
  await trx.deleteFrom('payout_return_claims').where('id', '=', id).execute();
}

export function dueClaims(queries: Queries, until: Date, limit: number): Promise<ClaimRow[]> {
  const claims = queries.selectFrom('payout_return_claims').selectAll();
  return claims.where('created_at', '<=', until).orderBy('created_at').limit(limit).execute();
}

const BANK_ENTRY = sql<string | null>`details ->> 'bank_entry_id'`;

/** Whether one of the transactions is the return of a pay-out with the bank's credit, which stays matched with it. */
export async function haveReturn(trx: Queries, transactionIds: readonly string[]): Promise<boolean> {
  if (transactionIds.length === 0) return false;
  const returns = trx.selectFrom('movements').select('id').where('type', '=', 'payout_returned');
  const found = await returns
    .where('id', 'in', [...transactionIds])
    .where(BANK_ENTRY, 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

export interface PostedReturn {
  id: string;
  narration: string | null;
  bank_entry_id: string | null;
}

export function findReturn(queries: Queries, payoutId: string): Promise<PostedReturn | undefined> {
  return queries
    .selectFrom('movements')
    .select(['id', 'narration', BANK_ENTRY.as('bank_entry_id')])
    .where('type', '=', 'payout_returned')
    .where('related_id', '=', payoutId)
    .executeTakeFirst();
}
