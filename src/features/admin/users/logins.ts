// Logins of agents and merchants: made, suspended, restored and ended in the transaction of the record they belong to.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Role } from '../../../auth/roles.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { insertUser, lockUsersOf, type Owner, type UserRow, updateUser } from './store.ts';

export interface NewLogin {
  email: string;
  password_hash: string;
  first_name: string;
  last_name: string;
  /** E.164. */
  phone_number: string;
  role: Role;
  owner: Owner;
}

export interface Logins {
  /** Null: there is a user with that email already. What it is told is for its owner to send. */
  createLogin(trx: Queries, actor: Actor, login: NewLogin): Promise<UserRow | null>;
  /** Those that are active get in no more, from this commit on. */
  suspendLogins(trx: Queries, owner: Owner): Promise<void>;
  /** Those that were suspended with their owner may log in again; whom an administrator suspended, stays so. */
  restoreLogins(trx: Queries, owner: Owner): Promise<void>;
  /** None of them ever gets in again, unless its owner lets an administrator. */
  endLogins(trx: Queries, owner: Owner): Promise<void>;
}

interface Move {
  concerns(user: UserRow): boolean;
  to: 'active' | 'suspended' | 'inactive';
}

export type EndAccess = (trx: Queries, user: UserRow, clock: Clock) => Promise<void>;

interface LoginParts {
  audit: AuditLog;
  endAccess: EndAccess;
  clock: Clock;
}

export function createLogins({ audit, endAccess, clock }: LoginParts): Logins {
  /** Of one owner, in one order. */
  async function setStatus(trx: Queries, owner: Owner, { concerns, to }: Move): Promise<void> {
    const concerned = (await lockUsersOf(trx, owner)).filter(concerns);
    for (const user of concerned) {
      const change = { status: to, suspended_with_owner: to === 'suspended', updated_at: new Date(clock.now()) };
      await updateUser(trx, user.id, change);
      if (to !== 'active') await endAccess(trx, user, clock);
    }
  }

  return {
    async createLogin(trx, actor, { owner, ...login }) {
      const now = new Date(clock.now());
      const row = { id: newId('usr', clock), ...login, ...owner, created_at: now, updated_at: now };
      const user = await insertUser(trx, row);
      if (!user) return null;
      const details = { email: user.email, role: user.role, ...owner };
      await audit.record(trx, actor, { action: 'user.create', resourceType: 'user', resourceId: user.id, details });
      return user;
    },
    suspendLogins: (trx, owner) =>
      setStatus(trx, owner, { concerns: ({ status }) => status === 'active', to: 'suspended' }),
    restoreLogins: (trx, owner) =>
      setStatus(trx, owner, { concerns: ({ suspended_with_owner }) => suspended_with_owner, to: 'active' }),
    endLogins: (trx, owner) =>
      setStatus(trx, owner, { concerns: ({ status }) => status !== 'inactive', to: 'inactive' }),
  };
}
