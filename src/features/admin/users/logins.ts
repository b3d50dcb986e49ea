// Logins of agents and processors, changed in the transaction of the agent or processor they belong to.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserRole } from '../../../auth/roles.ts';
import type { Queries } from '../../../db/database.ts';
import { violatedConstraint } from '../../../db/driver/errors.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { closeAccess } from '../pep/service.ts';
import { insertUser, lockUsersOf, type Owner, type UserRow, updateUser } from './store.ts';

/** The password is generated and temporary. */
export interface NewLogin {
  email: string;
  password_hash: string;
  first_name: string;
  last_name: string;
  /** E.164. */
  phone_number: string;
  role: UserRole;
  owner: Owner;
}

export interface Logins {
  /** Null if the email is taken. The caller sends the credentials. */
  createLogin(trx: Queries, actor: Actor, login: NewLogin): Promise<UserRow | null>;
  /** Suspends the active logins. Takes effect on commit. */
  suspendLogins(trx: Queries, owner: Owner): Promise<void>;
  /** Reactivates the logins that were suspended with their owner, not those an administrator suspended. */
  restoreLogins(trx: Queries, owner: Owner): Promise<void>;
  /** Logins with the owner's old phone number get the new one, which is also a login name. */
  changeLoginPhone(trx: Queries, actor: Actor, owner: Owner, numbers: PhoneChange): Promise<void>;
  /** Deactivates all logins. An administrator can reactivate one only if its owner's status allows it. */
  endLogins(trx: Queries, owner: Owner): Promise<void>;
}

/** E.164. */
interface PhoneChange {
  from: string;
  to: string;
}

interface StatusChange {
  appliesTo(user: UserRow): boolean;
  to: 'active' | 'suspended' | 'inactive';
}

export type EndAccess = (trx: Queries, user: UserRow, clock: Clock) => Promise<void>;

interface LoginContext {
  audit: AuditLog;
  revokeAccess: EndAccess;
  clock: Clock;
  generatedPasswordsExpire: boolean;
}

export function createLogins({ audit, revokeAccess, clock, generatedPasswordsExpire }: LoginContext): Logins {
  async function setStatus(trx: Queries, owner: Owner, { appliesTo, to }: StatusChange): Promise<void> {
    const affected = (await lockUsersOf(trx, owner)).filter(appliesTo);
    for (const user of affected) {
      const change = { status: to, suspended_with_owner: to === 'suspended', updated_at: new Date(clock.now()) };
      await updateUser(trx, user.id, change);
      if (to !== 'active') await revokeAccess(trx, user, clock);
    }
  }

  return {
    async createLogin(trx, actor, { owner, ...login }) {
      const now = new Date(clock.now());
      const password = { must_change_password: generatedPasswordsExpire };
      const row = { id: newId('usr', clock), ...login, ...password, ...owner, created_at: now, updated_at: now };
      const user = await insertUser(trx, row);
      if (!user) return null;
      const details = { email: user.email, role: user.role, ...owner };
      await audit.record(trx, actor, { action: 'user.create', resourceType: 'user', resourceId: user.id, details });
      return user;
    },
    async changeLoginPhone(trx, actor, owner, { from, to }) {
      for (const user of await lockUsersOf(trx, owner)) {
        if (user.phone_number !== from) continue;
        await updateUser(trx, user.id, { phone_number: to, updated_at: new Date(clock.now()) });
        // PEP access was opened with a code sent to the old number.
        await closeAccess(trx, user.id);
        // Audited as a change to the user, because it shows who could have received the login's codes.
        const about = { resourceType: 'user', resourceId: user.id, details: { fields: ['phone_number'] } };
        await audit.record(trx, actor, { action: 'user.update', ...about });
      }
    },
    suspendLogins: (trx, owner) =>
      setStatus(trx, owner, { appliesTo: ({ status }) => status === 'active', to: 'suspended' }),
    restoreLogins: (trx, owner) =>
      setStatus(trx, owner, { appliesTo: ({ suspended_with_owner }) => suspended_with_owner, to: 'active' }),
    endLogins: (trx, owner) =>
      setStatus(trx, owner, { appliesTo: ({ status }) => status !== 'inactive', to: 'inactive' }),
  };
}

/** These logins use their phone number as a login name, so it must be unique. For transactions that write one. */
export function phoneRefusalOf(error: unknown): Refusal | null {
  if (violatedConstraint(error) !== 'users_owned_phone_key') return null;
  return refuse('DUPLICATE_PHONE', "phone_number belongs to another agent's or processor's login.");
}
