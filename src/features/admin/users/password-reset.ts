// Resets a forgotten password: another administrator gets a temporary one, which the user must change at the next login.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { generatePassword, hashPassword } from '../../../auth/passwords.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { EndAccess } from './logins.ts';
import { lockUser, type UserRow, updateUser } from './store.ts';

export interface ResetPassword {
  user: UserRow;
  /** Shown once. Only its hash is stored. */
  password: string;
}

interface PasswordResetContext {
  database: Database;
  audit: AuditLog;
  endAccess: EndAccess;
  clock: Clock;
}

export function createPasswordReset({ database, audit, endAccess, clock }: PasswordResetContext) {
  async function reset(trx: Queries, actor: Actor, id: string, password_hash: string): Promise<UserRow | Refusal> {
    const before = await lockUser(trx, id);
    if (!before) return refuse('NOT_FOUND', 'There is no such user.');
    const change = { password_hash, must_change_password: true, updated_at: new Date(clock.now()) };
    const user = await updateUser(trx, id, change);
    await endAccess(trx, before, clock);
    await audit.record(trx, actor, { action: 'user.reset_password', resourceType: 'user', resourceId: id });
    return user;
  }

  return async function resetPassword(actor: Actor, id: string): Promise<ResetPassword | Refusal> {
    // A stolen access token must not replace the password it was issued for.
    if (actor.caller.id === id) return refuse('FORBIDDEN', 'Another system_admin must reset your password.');
    // Hashing is slow, so it is done before the transaction begins.
    const password = generatePassword();
    const password_hash = await hashPassword(password);
    const user = await database.transact((trx) => reset(trx, actor, id, password_hash));
    return user instanceof Refusal ? user : { user, password };
  };
}
