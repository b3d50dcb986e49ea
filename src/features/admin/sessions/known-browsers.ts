// Browsers that logged in before: a token in a long-lived cookie, so that wrong passwords from elsewhere do not lock them out.
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { type Clock, DAY_MS } from '../../../kernel/clock.ts';

/** Since the last login. */
export const BROWSER_MS = 180 * DAY_MS;
const TOKEN_BYTES = 32;
const MAX_BROWSERS = 20;

/** The token that the browser presents, null without one. Undefined: the caller is not a browser and is not remembered. */
export type Browser = string | null | undefined;

/** The name under which the browser's wrong passwords are counted; null if this user did not log in on it before. */
export async function knownBrowser(
  queries: Queries,
  { browser, email, now }: { browser: Browser; email: string; now: number },
): Promise<string | null> {
  if (!browser) return null;
  const hash = hashed(browser);
  const known = await queries
    .selectFrom('known_browsers')
    .innerJoin('users', 'users.id', 'known_browsers.user_id')
    .select('users.id')
    .where('token_hash', '=', hash)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return known ? `browser ${hash.toString('base64url')}` : null;
}

/**
 * Returns the token for the browser's cookie. A token that is new to this user is replaced, with the rows of the other users
 * of the browser: someone who planted it does not learn the next one.
 */
export async function rememberBrowser(
  trx: Queries,
  { browser, userId, clock }: { browser: string | null; userId: string; clock: Clock },
): Promise<string> {
  const expires_at = new Date(clock.now() + BROWSER_MS);
  if (browser !== null && (await renew(trx, { token_hash: hashed(browser), user_id: userId, expires_at }))) {
    return browser;
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const token_hash = hashed(token);
  if (browser !== null) {
    await trx.updateTable('known_browsers').set({ token_hash }).where('token_hash', '=', hashed(browser)).execute();
  }
  await trx.insertInto('known_browsers').values({ token_hash, user_id: userId, expires_at }).execute();
  await deleteOldest(trx, userId);
  return token;
}

async function renew(
  trx: Queries,
  { token_hash, user_id, expires_at }: { token_hash: Buffer; user_id: string; expires_at: Date },
): Promise<boolean> {
  const known = trx.updateTable('known_browsers').set({ expires_at }).where('token_hash', '=', token_hash);
  return (await known.where('user_id', '=', user_id).executeTakeFirst()).numUpdatedRows > 0n;
}

async function deleteOldest(trx: Queries, userId: string): Promise<void> {
  await sql`delete from known_browsers where user_id = ${userId} and token_hash not in (
    select token_hash from known_browsers where user_id = ${userId} order by expires_at desc limit ${MAX_BROWSERS})`.execute(
    trx,
  );
}

export async function forgetBrowsers(trx: Queries, userId: string): Promise<void> {
  await trx.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

export async function deleteBrowsersBefore(queries: Queries, now: Date): Promise<number> {
  const deleted = await queries.deleteFrom('known_browsers').where('expires_at', '<=', now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

function hashed(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
