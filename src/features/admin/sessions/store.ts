// Queries on the tables of sessions and refresh tokens.
import type { Queries } from '../../../db/database.ts';
import type { NewRow } from '../../../db/schema/tables.ts';

export async function insertSession(trx: Queries, session: NewRow<'sessions'>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute();
}

export interface TokenRow {
  token_hash: Buffer;
  session_id: string;
  expires_at: Date;
}

export async function insertToken(trx: Queries, token: TokenRow): Promise<void> {
  await trx.insertInto('refresh_tokens').values(token).execute();
}

export interface FoundToken {
  sessionId: string;
  sessionStartedAt: Date;
  userId: string;
  expiresAt: Date;
  usedAt: Date | null;
}

export async function findToken(queries: Queries, tokenHash: Buffer): Promise<FoundToken | null> {
  const row = await queries
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select(['session_id', 'created_at', 'user_id', 'refresh_tokens.expires_at', 'used_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!row) return null;
  const session = { sessionId: row.session_id, sessionStartedAt: row.created_at };
  return { ...session, userId: row.user_id, expiresAt: row.expires_at, usedAt: row.used_at };
}

/** When a token of the session was last presented. Null: never. */
export async function lastUseIn(trx: Queries, sessionId: string): Promise<Date | null> {
  const uses = trx.selectFrom('refresh_tokens').select(({ fn }) => fn.max('used_at').as('last'));
  return (await uses.where('session_id', '=', sessionId).executeTakeFirstOrThrow()).last;
}

export async function markTokenUsed(trx: Queries, tokenHash: Buffer, usedAt: Date): Promise<void> {
  await trx.updateTable('refresh_tokens').set({ used_at: usedAt }).where('token_hash', '=', tokenHash).execute();
}

/** The tokens of the session that were issued and not presented yet. */
export async function markUnusedTokens(trx: Queries, sessionId: string, usedAt: Date): Promise<void> {
  const unused = trx.updateTable('refresh_tokens').set({ used_at: usedAt }).where('used_at', 'is', null);
  await unused.where('session_id', '=', sessionId).execute();
}

/** False when the session has been revoked. */
export async function extendSession(trx: Queries, id: string, expiresAt: Date): Promise<boolean> {
  const extended = trx.updateTable('sessions').set({ expires_at: expiresAt }).where('revoked_at', 'is', null);
  return (await extended.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}

/** False if the session was already revoked. */
export async function revokeSession(trx: Queries, id: string, now: Date): Promise<boolean> {
  const revoked = trx.updateTable('sessions').set({ revoked_at: now }).where('revoked_at', 'is', null);
  return (await revoked.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}

export async function hasOpenSession(trx: Queries, userId: string, now: Date): Promise<boolean> {
  const open = trx.selectFrom('sessions').select('id').where('user_id', '=', userId).where('revoked_at', 'is', null);
  return (await open.where('expires_at', '>', now).limit(1).executeTakeFirst()) !== undefined;
}

export async function revokeSessionsOf(trx: Queries, userId: string, now: Date): Promise<void> {
  const revoked = trx.updateTable('sessions').set({ revoked_at: now }).where('revoked_at', 'is', null);
  await revoked.where('user_id', '=', userId).execute();
}

/** Tokens are deleted with their session. Until then used tokens are kept, so that a reuse is detected. */
export async function deleteSessionsBefore(queries: Queries, now: Date): Promise<number> {
  const deleted = await queries.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
