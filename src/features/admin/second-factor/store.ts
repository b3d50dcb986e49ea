// Queries on the tables of second factors and their challenges. Callers hold the lock of the user's row.
import type { StoredPin } from '../../../auth/pins/attempts.ts';
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

/** False if the code was used meanwhile. */
export async function deleteRecoveryCode(trx: Queries, userId: string, { hash }: StoredPin): Promise<boolean> {
  const used = trx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('hash', '=', hash);
  return (await used.executeTakeFirst()).numDeletedRows > 0n;
}

export function listPasskeys(queries: Queries, userId: string): Promise<PasskeyRow[]> {
  return queries.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** Undefined if the credential is registered, with this user or another one. */
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

export interface NewChallenge {
  challenge_hash: Buffer;
  user_id: string;
  purpose: Purpose;
  expires_at: Date;
  /** Issued while the name is locked. */
  passkey_only?: boolean;
  password_right?: boolean;
}

export async function insertChallenge(trx: Queries, challenge: NewChallenge): Promise<void> {
  await trx.insertInto('second_factor_challenges').values(challenge).execute();
}

export type OpenChallenge = Pick<Row<'second_factor_challenges'>, 'user_id' | 'passkey_only' | 'password_right'>;

/** The challenge of a login, if it has not expired. */
export async function openChallenge(queries: Queries, hash: Buffer, now: Date): Promise<OpenChallenge | null> {
  const known = queries
    .selectFrom('second_factor_challenges')
    .select(['user_id', 'passkey_only', 'password_right'])
    .where('challenge_hash', '=', hash);
  return (await known.where('purpose', '=', 'login').where('expires_at', '>', now).executeTakeFirst()) ?? null;
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

/** False if there was no such challenge: it was answered, replaced or ended. */
export async function consumeChallenge(
  trx: Queries,
  { hash, userId, purpose, now }: { hash: Buffer; userId: string; purpose: Purpose; now: Date },
): Promise<boolean> {
  const consumed = await trx
    .deleteFrom('second_factor_challenges')
    .where('challenge_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return consumed.numDeletedRows > 0n;
}

export async function deleteChallengesOf(trx: Queries, userId: string): Promise<void> {
  await trx.deleteFrom('second_factor_challenges').where('user_id', '=', userId).execute();
}

export async function deleteChallengesBefore(queries: Queries, now: Date): Promise<number> {
  const expired = queries.deleteFrom('second_factor_challenges').where('expires_at', '<=', now);
  return Number((await expired.executeTakeFirst()).numDeletedRows);
}
