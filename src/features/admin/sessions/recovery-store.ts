// Queries on the recoveries of forgotten passwords.
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';

export type RecoveryRow = Row<'password_recoveries'>;

export async function insertRecovery(trx: Queries, recovery: NewRow<'password_recoveries'>): Promise<void> {
  await trx.insertInto('password_recoveries').values(recovery).execute();
}

export function lockRecovery(trx: Queries, hash: Buffer): Promise<RecoveryRow | undefined> {
  const recovery = trx.selectFrom('password_recoveries').selectAll().where('token_hash', '=', hash);
  return recovery.forUpdate().executeTakeFirst();
}

export async function countTry(trx: Queries, { token_hash, tries_left }: RecoveryRow): Promise<void> {
  const counted = trx.updateTable('password_recoveries').set({ tries_left: tries_left - 1 });
  await counted.where('token_hash', '=', token_hash).execute();
}

/** False if it was used or ended. */
export async function removeRecovery(trx: Queries, hash: Buffer): Promise<boolean> {
  const removed = trx.deleteFrom('password_recoveries').where('token_hash', '=', hash);
  return (await removed.executeTakeFirst()).numDeletedRows > 0n;
}

export async function deleteRecoveriesOf(trx: Queries, userId: string): Promise<void> {
  await trx.deleteFrom('password_recoveries').where('user_id', '=', userId).execute();
}

export async function deleteRecoveriesBefore(queries: Queries, now: Date): Promise<number> {
  const expired = queries.deleteFrom('password_recoveries').where('expires_at', '<=', now);
  return Number((await expired.executeTakeFirst()).numDeletedRows);
}
