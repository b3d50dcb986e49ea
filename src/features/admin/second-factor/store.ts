// Queries on the tables of second factors and their challenges. Callers hold the lock of the user's row.
import type { StoredPin } from '../../../auth/pins/hasher.ts';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';

export type TotpRow = Row<'totp_enrolments'>;
export type PasskeyRow = Row<'passkeys'>;
export type Purpose = Row<'second_factor_challenges'>['purpose'];

export function findTotp(queries: Queries, userId: string): Promise<TotpRow | undefined> {
  return queries.selectFrom('totp_enrolments').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Replaces an enrolment that was not confirmed. */
export async function saveTotp(
  trx: Queries,
  enrolment: { user_id: string; sealed_secret: Buffer; created_at: Date },
): Promise<void> {
  const { user_id: _, ...columns } = enrolment;
  await trx
    .insertInto('totp_enrolments')
    .values(enrolment)
    .onConflict((known) => known.column('user_id').doUpdateSet(columns))
    .execute();
}

export async function confirmTotp(trx: Queries, userId: string, step: number, now: Date): Promise<void> {
  const change = { confirmed_at: now, last_step: step };
  await trx.updateTable('totp_enrolments').set(change).where('user_id', '=', userId).execute();
}

/** Compare-and-set: false if a code of this time step, or of a later one, was accepted before. */
export async function advanceStep(trx: Queries, userId: string, step: number): Promise<boolean> {
  const advanced = trx.updateTable('totp_enrolments').set({ last_step: step }).where('user_id', '=', userId);
  return (await advanced.where('last_step', '<', step).executeTakeFirst()).numUpdatedRows > 0n;
}

export async function deleteTotp(trx: Queries, userId: string): Promise<void> {
  await trx.deleteFrom('totp_enrolments').where('user_id', '=', userId).execute();
}

export function findRecoveryCodes(queries: Queries, userId: string): Promise<StoredPin[]> {
  return queries.selectFrom('recovery_codes').select(['salt', 'hash']).where('user_id', '=', userId).execute();
}

export async function replaceRecoveryCodes(trx: Queries, userId: string, codes: StoredPin[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (codes.length === 0) return;
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, ...code })))
    .execute();
}

/** False if the code has been used by now. */
export async function deleteRecoveryCode(trx: Queries, userId: string, { hash }: StoredPin): Promise<boolean> {
  const used = trx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('hash', '=', hash);
  return (await used.executeTakeFirst()).numDeletedRows > 0n;
}

export function listPasskeys(queries: Queries, userId: string): Promise<PasskeyRow[]> {
  return queries.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** Undefined if the credential is already registered, with this user or another. */
export function insertPasskey(trx: Queries, passkey: NewRow<'passkeys'>): Promise<PasskeyRow | undefined> {
  return trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((known) => known.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function usePasskey(trx: Queries, id: string, counter: number, now: Date): Promise<void> {
  await trx.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute();
}

/** False if the user has no such passkey. */
export async function deletePasskey(trx: Queries, userId: string, id: string): Promise<boolean> {
  const deleted = trx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id);
  return (await deleted.executeTakeFirst()).numDeletedRows > 0n;
}

export async function deleteAllFactors(trx: Queries, userId: string): Promise<void> {
  await deleteTotp(trx, userId);
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await replaceRecoveryCodes(trx, userId, []);
  await deleteChallengesOf(trx, userId);
}

export type ChallengeRow = Row<'second_factor_challenges'>;

export async function insertChallenge(trx: Queries, challenge: NewRow<'second_factor_challenges'>): Promise<void> {
  await trx.insertInto('second_factor_challenges').values(challenge).execute();
}

export function findChallenge(queries: Queries, hash: Buffer): Promise<ChallengeRow | undefined> {
  const found = queries.selectFrom('second_factor_challenges').selectAll().where('challenge_hash', '=', hash);
  return found.executeTakeFirst();
}

/** Counts a wrong answer. Returns the number of wrong answers so far. */
export async function countWrongTry(trx: Queries, hash: Buffer): Promise<number> {
  const counted = await trx
    .updateTable('second_factor_challenges')
    .set((eb) => ({ wrong_tries: eb('wrong_tries', '+', 1) }))
    .where('challenge_hash', '=', hash)
    .returning('wrong_tries')
    .executeTakeFirstOrThrow();
  return counted.wrong_tries;
}

/** False if it was removed before. */
export async function removeChallenge(trx: Queries, hash: Buffer): Promise<boolean> {
  const removed = trx.deleteFrom('second_factor_challenges').where('challenge_hash', '=', hash);
  return (await removed.executeTakeFirst()).numDeletedRows > 0n;
}

export async function deleteChallengesOf(trx: Queries, userId: string): Promise<void> {
  await trx.deleteFrom('second_factor_challenges').where('user_id', '=', userId).execute();
}

export async function deleteChallengesBefore(queries: Queries, now: Date): Promise<number> {
  const expired = queries.deleteFrom('second_factor_challenges').where('expires_at', '<=', now);
  return Number((await expired.executeTakeFirst()).numDeletedRows);
}
