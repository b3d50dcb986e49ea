// The first administrator of an empty database: the one who can make all the others.
import { Check } from 'typebox/value';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { generatePassword, hashPassword } from '../../../auth/passwords.ts';
import type { Database } from '../../../db/database.ts';
import { email as emailField } from '../../../http/fields.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import { anyUser, insertUser, lockUsersTable } from './store.ts';

export interface FirstAdminWishes {
  email?: string | undefined;
  password?: string | undefined;
}

export interface FirstAdmin {
  email: string;
  password: string;
  /** Whether the password was made here, so that nobody knows it yet. */
  generated: boolean;
}

/** The operator asked for a first administrator that cannot be; the message says why. */
export class FirstAdminError extends Error {}

const DEFAULT_EMAIL = 'admin@kissi.local';
const STARTING: Actor = { caller: { kind: 'service', id: 'bootstrap' }, ip: '', requestId: 'start' };

export async function createFirstAdmin(
  { database, audit, clock }: { database: Database; audit: AuditLog; clock: Clock },
  wishes: FirstAdminWishes,
): Promise<FirstAdmin | null> {
  if (await anyUser(database.queries)) return null;
  const admin = choose(wishes);
  const password_hash = await hashPassword(admin.password);
  const now = new Date(clock.now());
  return database.transact(async (trx) => {
    await lockUsersTable(trx);
    if (await anyUser(trx)) return null;
    const id = newId('usr', clock);
    const names = { first_name: 'System', last_name: 'Administrator' };
    const row = { id, email: admin.email, password_hash, ...names, role: 'system_admin' };
    await insertUser(trx, { ...row, created_at: now, updated_at: now });
    const details = { email: admin.email, role: 'system_admin' };
    await audit.record(trx, STARTING, { action: 'user.create', resourceType: 'user', resourceId: id, details });
    return admin;
  });
}

function choose({ email, password }: FirstAdminWishes): FirstAdmin {
  if (email !== undefined && !Check(emailField(), email)) {
    throw new FirstAdminError('BOOTSTRAP_ADMIN_EMAIL must be an email address.');
  }
  if (password !== undefined && !isStrongPassword(password)) {
    throw new FirstAdminError(`BOOTSTRAP_ADMIN_PASSWORD ${PASSWORD_RULE}.`);
  }
  const generated = password === undefined;
  return { email: email ?? DEFAULT_EMAIL, password: password ?? generatePassword(), generated };
}
