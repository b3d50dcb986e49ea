// Ends whatever a user can still get in with: every session, every access token issued so far, and access to PEP accounts.
import type { Queries } from '../../../db/database.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import { closeAccess } from '../pep/service.ts';
import { type UserRow, updateUser } from '../users/service.ts';
import { revokeSessionsOf } from './store.ts';

/** `user` as locked by this transaction: a login or refresh at the same moment is over before or begins after it. */
export async function endAccess(trx: Queries, user: UserRow, clock: Clock): Promise<void> {
  const now = clock.now();
  await updateUser(trx, user.id, { tokens_valid_from: afterAnyToken(user.tokens_valid_from, now) });
  await revokeSessionsOf(trx, user.id, new Date(now));
  await closeAccess(trx, user.id);
}

/**
 * Tokens say when they were issued in whole seconds, and right after a change the next second (see auth/tokens.ts):
 * the new bound lies after the latest that any token so far can say.
 */
function afterAnyToken(validFrom: Date, now: number): Date {
  const latest = Math.ceil(validFrom.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(Math.max(now, latest) + 1);
}
