// Tokens that work once, of a device or of a session: each use issues the next one, and the reuse of an old one is noticed.
import { createHash, randomBytes } from 'node:crypto';
import type { Queries } from '../../db/database.ts';

/** Whose tokens follow each other. */
export interface Chain {
  deviceId: string;
  /** Null: the device's own tokens. */
  sessionId: string | null;
}

export interface FoundToken extends Chain {
  hash: Buffer;
  expiresAt: Date;
  usedAt: Date | null;
}

const TOKEN_BYTES = 32;

export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(TOKEN_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the token. */
export async function issueToken(
  trx: Queries,
  { deviceId, sessionId }: Chain,
  { now, expiresAt }: { now: number; expiresAt: Date },
): Promise<string> {
  const { secret, hash } = newSecret();
  const times = { issued_at: new Date(now), expires_at: expiresAt };
  const chain = { device_id: deviceId, session_id: sessionId };
  await trx
    .insertInto('customer_tokens')
    .values({ token_hash: hash, ...chain, ...times, used_at: null })
    .execute();
  return secret;
}

/** `of`: a device's token is no session's. */
export async function findToken(queries: Queries, hash: Buffer, of: 'device' | 'session'): Promise<FoundToken | null> {
  const tokens = queries.selectFrom('customer_tokens').selectAll().where('token_hash', '=', hash);
  const row = await tokens.where('session_id', of === 'device' ? 'is' : 'is not', null).executeTakeFirst();
  if (!row) return null;
  return {
    ...{ hash, deviceId: row.device_id, sessionId: row.session_id },
    ...{ expiresAt: row.expires_at, usedAt: row.used_at },
  };
}

/** 'retry': it was used, and no later token of its chain was. */
export type TokenState = 'valid' | 'retry' | 'reused' | 'expired';

/** The transaction has locked the customer, so that the uses of one chain come one after another. */
export async function stateOfToken(
  trx: Queries,
  token: FoundToken,
  { now, retryMs }: { now: number; retryMs: number },
): Promise<TokenState> {
  if (token.usedAt === null) return token.expiresAt.getTime() > now ? 'valid' : 'expired';
  const last = await lastUse(trx, token);
  const isLatest = last?.getTime() === token.usedAt.getTime();
  return isLatest && token.usedAt.getTime() > now - retryMs ? 'retry' : 'reused';
}

/** After a retry the successor counts as used before: whoever presents it later does not hold the device or the session. */
export async function useToken(trx: Queries, token: FoundToken, now: number): Promise<void> {
  const last = await lastUse(trx, token);
  if (token.usedAt !== null) {
    await chainOf(trx, token).set({ used_at: token.usedAt }).where('used_at', 'is', null).execute();
  }
  // Later than all other uses, even if another gateway's clock is ahead.
  const used_at = new Date(Math.max(now, (last?.getTime() ?? 0) + 1));
  await trx.updateTable('customer_tokens').set({ used_at }).where('token_hash', '=', token.hash).execute();
}

function chainOf(trx: Queries, { deviceId, sessionId }: Chain) {
  const tokens = trx.updateTable('customer_tokens').where('device_id', '=', deviceId);
  return sessionId === null ? tokens.where('session_id', 'is', null) : tokens.where('session_id', '=', sessionId);
}

async function lastUse(trx: Queries, { deviceId, sessionId }: Chain): Promise<Date | null> {
  const tokens = trx.selectFrom('customer_tokens').select(({ fn }) => fn.max('used_at').as('last'));
  const ofDevice = tokens.where('device_id', '=', deviceId);
  const chain =
    sessionId === null ? ofDevice.where('session_id', 'is', null) : ofDevice.where('session_id', '=', sessionId);
  return (await chain.executeTakeFirst())?.last ?? null;
}
