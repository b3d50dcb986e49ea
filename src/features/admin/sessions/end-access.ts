// Ends all access of a user: sessions, access tokens issued so far, and access to PEP accounts.
import type { Queries } from '../../../db/database.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import { closeAccess } from '../pep/service.ts';
import { type UserRow, updateUser } from '../users/service.ts';
import { revokeSessionsOf } from './store.ts';

/** `user` must be locked by this transaction, which orders concurrent logins and refreshes before or after it. */
export async function endAccess(trx: Queries, user: UserRow, clock: Clock): Promise<void> {
  const now = clock.now();
  await updateUser(trx, user.id, { tokens_valid_from: afterAnyToken(user.tokens_valid_from, now) });
  await revokeSessionsOf(trx, user.id, new Date(now));
  await closeAccess(trx, user.id);
}

/**
 * The issue time of a token is in whole seconds, and right after a change it is the next second (see auth/tokens.ts).
 * The new bound is later than the issue time of any existing token.
 */
function afterAnyToken(validFrom: Date, now: number): Date {
  const latest = Math.ceil(validFrom.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(Math.max(now, latest) + 1);
}
