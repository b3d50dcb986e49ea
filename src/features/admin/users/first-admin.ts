// Creates the first administrator in an empty database.

import { Check } from 'typebox/value';
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { generatePassword, hashPassword } from '../../../auth/passwords.ts';
import { email as emailField } from '../../../http/fields.ts';
import { newId } from '../../../kernel/ids.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import { hasUsers, insertUser, lockUsersTable } from './store.ts';

export interface FirstAdminOptions {
  email?: string | undefined;
  password?: string | undefined;
}

export interface FirstAdmin {
  email: string;
  password: string;
  /** True if the password was generated and must be shown to the operator. */
  generated: boolean;
}

/** The configured first administrator is invalid; the message gives the reason. */
export class FirstAdminError extends Error {}

interface FirstAdminContext extends ChangeContext {
  generatedPasswordsExpire: boolean;
}

const DEFAULT_EMAIL = 'admin@kissi.local';
const BOOTSTRAP_ACTOR: Actor = { caller: { kind: 'service', id: 'bootstrap' }, ip: '', requestId: 'start' };

export async function createFirstAdmin(
  { database, audit, clock, generatedPasswordsExpire }: FirstAdminContext,
  options: FirstAdminOptions,
): Promise<FirstAdmin | null> {
  if (await hasUsers(database.queries)) return null;
  const admin = resolveOptions(options);
  const password_hash = await hashPassword(admin.password);
  const now = new Date(clock.now());
  return database.transact(async (trx) => {
    await lockUsersTable(trx);
    if (await hasUsers(trx)) return null;
    const id = newId('usr', clock);
    const names = { first_name: 'System', last_name: 'Administrator' };
    const must_change_password = admin.generated && generatedPasswordsExpire;
    const row = { id, email: admin.email, password_hash, must_change_password, ...names, role: 'system_admin' };
    await insertUser(trx, { ...row, created_at: now, updated_at: now });
    const details = { email: admin.email, role: 'system_admin' };
    await audit.record(trx, BOOTSTRAP_ACTOR, { action: 'user.create', resourceType: 'user', resourceId: id, details });
    return admin;
  });
}

function resolveOptions({ email, password }: FirstAdminOptions): FirstAdmin {
  if (email !== undefined && !Check(emailField(), email)) {
    throw new FirstAdminError('BOOTSTRAP_ADMIN_EMAIL must be an email address.');
  }
  if (password !== undefined && !isStrongPassword(password)) {
    throw new FirstAdminError(`BOOTSTRAP_ADMIN_PASSWORD ${PASSWORD_RULE}.`);
  }
  const generated = password === undefined;
  return { email: email ?? DEFAULT_EMAIL, password: password ?? generatePassword(), generated };
}
