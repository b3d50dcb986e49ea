// npm run admin:create: the server's operator makes an administrator who is independent of all others.

import { Check } from 'typebox/value';
import { someAreIndependent } from '../../../audit/independence.ts';
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { generatePassword, hashPassword } from '../../../auth/passwords.ts';
import type { Queries } from '../../../db/database.ts';
import { email as emailField } from '../../../http/fields.ts';
import { newId } from '../../../kernel/ids.ts';
import { tidy } from '../../../kernel/text.ts';
import { hasUsers, insertUser, lockActiveAdmins, lockUsersTable } from './store.ts';

/** The author of its audit entries. The overview lists the administrators that it made. */
export const SERVER_AUTHOR = 'admin:create';
const ACTOR: Actor = { caller: { kind: 'service', id: SERVER_AUTHOR }, ip: '', requestId: SERVER_AUTHOR };

/** The administrator was not created; the message gives the reason. */
export class ServerAdminError extends Error {}

type ServerAdminContext = ChangeContext;

export interface ServerAdminOptions {
  email: string;
  firstName: string;
  lastName: string;
  /** Although two independent administrators exist: one of them may have left. */
  force: boolean;
}

/** Returns the password, which must be changed at the first login. */
export async function createServerAdmin(context: ServerAdminContext, options: ServerAdminOptions): Promise<string> {
  const { email, firstName, lastName } = options;
  if (!Check(emailField(), email)) throw new ServerAdminError('--email must be an email address');
  const password = generatePassword();
  const password_hash = await hashPassword(password);
  const { database, audit, clock } = context;
  await database.transact(async (trx) => {
    await lockUsersTable(trx);
    if (!(await hasUsers(trx)))
      throw new ServerAdminError('start the service first: it creates the first administrator');
    if (!options.force && (await hasTwo(trx, clock.now()))) throw new ServerAdminError(TWO_EXIST);
    const now = new Date(clock.now());
    const names = { first_name: tidy(firstName), last_name: tidy(lastName) };
    const row = { id: newId('usr', clock), email, password_hash, ...names, role: 'system_admin' };
    const user = await insertUser(trx, { ...row, must_change_password: true, created_at: now, updated_at: now });
    if (!user) throw new ServerAdminError('a user with this email already exists');
    const details = { email, role: user.role };
    await audit.record(trx, ACTOR, { action: 'user.create', resourceType: 'user', resourceId: user.id, details });
  });
  return password;
}

const TWO_EXIST =
  'two independent administrators exist, so one requests a new user and another approves it. If one of them is gone, use --force';

async function hasTwo(trx: Queries, now: number): Promise<boolean> {
  return someAreIndependent(trx, await lockActiveAdmins(trx), now);
}
