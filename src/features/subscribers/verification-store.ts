// Queries on the codes that confirm the phone numbers of public registrations.
import { afterWrongCode } from '../../auth/one-time-codes.ts';
import type { Queries } from '../../db/database.ts';
import type { Row, RowChange } from '../../db/schema/tables.ts';

export type VerificationRow = Row<'phone_verifications'>;

/** Call after locking the subscriber. */
export async function lockVerification(trx: Queries, subscriberId: string): Promise<VerificationRow | undefined> {
  const code = trx.selectFrom('phone_verifications').selectAll().where('subscriber_id', '=', subscriberId);
  return code.forUpdate().executeTakeFirst();
}

export async function saveCode(trx: Queries, code: Omit<VerificationRow, 'verified_at'>): Promise<void> {
  const { subscriber_id: _, ...columns } = code;
  await trx
    .insertInto('phone_verifications')
    .values({ ...code, verified_at: null })
    .onConflict((known) => known.column('subscriber_id').doUpdateSet(columns))
    .execute();
}

export async function updateVerification(
  trx: Queries,
  subscriberId: string,
  change: RowChange<'phone_verifications'>,
): Promise<void> {
  await trx.updateTable('phone_verifications').set(change).where('subscriber_id', '=', subscriberId).execute();
}

/** Counts a wrong attempt; the last one ends the code. Returns the attempts left. */
export async function countWrongCode(trx: Queries, verification: VerificationRow): Promise<number> {
  const change = afterWrongCode(verification);
  await updateVerification(trx, verification.subscriber_id, change);
  return change.tries_left;
}
