// Queries on the challenges of customers' logins and on their codes.
import { afterWrongCode } from '../../auth/one-time-codes.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';

export type Trx = DatabaseTransaction;
export type ChallengeRow = Row<'customer_challenges'>;
export type UssdCodeRow = Row<'customer_ussd_codes'>;

export async function insertChallenge(trx: Queries, challenge: NewRow<'customer_challenges'>): Promise<void> {
  await trx.insertInto('customer_challenges').values(challenge).execute();
}

export function lockChallenge(trx: Queries, hash: Buffer): Promise<ChallengeRow | undefined> {
  const challenge = trx.selectFrom('customer_challenges').selectAll().where('token_hash', '=', hash);
  return challenge.forUpdate().executeTakeFirst();
}

export async function countTry(trx: Queries, { token_hash, tries_left }: ChallengeRow): Promise<void> {
  const counted = trx.updateTable('customer_challenges').set({ tries_left: tries_left - 1 });
  await counted.where('token_hash', '=', token_hash).execute();
}

/** False if another login used the challenge. */
export async function useChallenge(trx: Queries, hash: Buffer): Promise<boolean> {
  const used = trx.deleteFrom('customer_challenges').where('token_hash', '=', hash);
  return (await used.executeTakeFirst()).numDeletedRows > 0n;
}

export function lockUssdCode(trx: Queries, subscriberId: string): Promise<UssdCodeRow | undefined> {
  const code = trx.selectFrom('customer_ussd_codes').selectAll().where('subscriber_id', '=', subscriberId);
  return code.forUpdate().executeTakeFirst();
}

export async function saveUssdCode(trx: Queries, code: NewRow<'customer_ussd_codes'>): Promise<void> {
  const { subscriber_id: _, ...columns } = code;
  const saved = trx.insertInto('customer_ussd_codes').values(code);
  await saved.onConflict((known) => known.column('subscriber_id').doUpdateSet(columns)).execute();
}

export async function countWrongUssdCode(trx: Queries, row: UssdCodeRow): Promise<void> {
  const counted = trx.updateTable('customer_ussd_codes').set(afterWrongCode(row));
  await counted.where('subscriber_id', '=', row.subscriber_id).execute();
}

export async function deleteUssdCode(trx: Queries, subscriberId: string): Promise<void> {
  await trx.deleteFrom('customer_ussd_codes').where('subscriber_id', '=', subscriberId).execute();
}

export async function phoneNumberOf(trx: Queries, subscriberId: string): Promise<string> {
  const subscriber = trx.selectFrom('subscribers').select('phone_number').where('id', '=', subscriberId);
  return (await subscriber.executeTakeFirstOrThrow()).phone_number;
}

/** Of the PIN that the customer has now. */
export async function readPinSalt(trx: Queries, subscriberId: string): Promise<Buffer> {
  const pin = trx.selectFrom('pins').select('salt').where('owner_id', '=', subscriberId);
  return (await pin.executeTakeFirstOrThrow()).salt;
}

/** Every challenge and code of the customer. */
export async function deleteChallengesOf(trx: Queries, subscriberId: string): Promise<void> {
  await trx.deleteFrom('customer_challenges').where('subscriber_id', '=', subscriberId).execute();
  await deleteUssdCode(trx, subscriberId);
}

export async function deleteChallengesBefore(queries: Queries, now: Date): Promise<void> {
  await queries.deleteFrom('customer_challenges').where('expires_at', '<=', now).execute();
  await queries.deleteFrom('customer_ussd_codes').where('code_expires_at', '<=', now).execute();
}
