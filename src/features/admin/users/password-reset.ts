// Resets a forgotten password: another administrator gets a temporary one, which the user must change at the next login.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { generatePassword, hashPassword } from '../../../auth/passwords.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { EndAccess } from './logins.ts';
import { lockUser, type UserRow, updateUser } from './store.ts';

export interface ResetPassword {
  user: UserRow;
  /** Shown once. Only its hash is stored. */
  password: string;
}

interface PasswordResetContext {
  audit: AuditLog;
  revokeAccess: EndAccess;
  clock: Clock;
}

/** Hashing is slow, so it is done before the transaction begins. */
export async function planReset({ audit, revokeAccess, clock }: PasswordResetContext, actor: Actor, id: string) {
  const password = generatePassword();
  const password_hash = await hashPassword(password);
  return async (trx: Queries): Promise<ResetPassword | Refusal> => {
    const before = await lockUser(trx, id);
    if (!before) return refuse('NOT_FOUND', 'There is no such user.');
    const change = { password_hash, must_change_password: true, updated_at: new Date(clock.now()) };
    const user = await updateUser(trx, id, change);
    await revokeAccess(trx, before, clock);
    await audit.record(trx, actor, { action: 'user.reset_password', resourceType: 'user', resourceId: id });
    return { user, password };
  };
}
