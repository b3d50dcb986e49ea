// Queries on the codes that confirm phone numbers, and on the registrations that wait for one.
import { sql } from 'kysely';
import { afterWrongCode } from '../../auth/one-time-codes.ts';
import type { Queries } from '../../db/database.ts';
import type { Row, RowChange } from '../../db/schema/tables.ts';

export type VerificationRow = Row<'phone_verifications'>;

/** Call after locking the subscriber. */
export async function lockVerification(trx: Queries, subscriberId: string): Promise<VerificationRow | undefined> {
  const code = trx.selectFrom('phone_verifications').selectAll().where('subscriber_id', '=', subscriberId);
  return code.forUpdate().executeTakeFirst();
}

/** The class of the advisory locks on numbers. */
const NUMBER_LOCKS = 7_002;

/** Two registrations of one number wait for each other: the later one replaces the earlier one. */
export async function lockNumber(trx: Queries, phoneNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NUMBER_LOCKS}, hashtext(${phoneNumber}))`.execute(trx);
}

/** The registrations of the number that are not verified. */
export function lockUnverifiedByPhone(trx: Queries, phoneNumber: string): Promise<{ id: string }[]> {
  const registrations = trx.selectFrom('subscribers').select('id').where('phone_number', '=', phoneNumber);
  const unverified = registrations.where('status', '=', 'PENDING').where('phone_verified', '=', false);
  return unverified.orderBy('id').forUpdate().execute();
}

/** The oldest registrations that were not verified until their end. */
export async function expiredRegistrations(queries: Queries, until: Date, limit: number): Promise<string[]> {
  const registrations = queries.selectFrom('subscribers').select('id').where('created_at', '<=', until);
  const unverified = registrations.where('status', '=', 'PENDING').where('phone_verified', '=', false);
  return (await unverified.orderBy('created_at').limit(limit).execute()).map(({ id }) => id);
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
