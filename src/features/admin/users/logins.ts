// Logins of agents and merchants: made, suspended, restored and ended in the transaction of the record they belong to.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Role } from '../../../auth/roles.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { endAccess } from '../sessions/end-access.ts';
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
  /** Those that are active get in no more, from this commit on; returns their ids. */
  suspendLogins(trx: Queries, owner: Owner): Promise<string[]>;
  /** Those that are suspended may log in again. */
  restoreLogins(trx: Queries, owner: Owner): Promise<string[]>;
  /** None of them ever gets in again, unless its owner lets an administrator. */
  endLogins(trx: Queries, owner: Owner): Promise<string[]>;
}

export function createLogins({ audit, clock }: { audit: AuditLog; clock: Clock }): Logins {
  /** Of one owner, in one order; `from`: whom it concerns. */
  async function setStatus(trx: Queries, owner: Owner, { from, to }: { from: string[]; to: string }) {
    const concerned = (await lockUsersOf(trx, owner)).filter(({ status }) => from.includes(status));
    for (const user of concerned) {
      await updateUser(trx, user.id, { status: to, updated_at: new Date(clock.now()) });
      if (to !== 'active') await endAccess(trx, user, clock);
    }
    return concerned.map(({ id }) => id);
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
    suspendLogins: (trx, owner) => setStatus(trx, owner, { from: ['active'], to: 'suspended' }),
    restoreLogins: (trx, owner) => setStatus(trx, owner, { from: ['suspended'], to: 'active' }),
    endLogins: (trx, owner) => setStatus(trx, owner, { from: ['active', 'suspended'], to: 'inactive' }),
  };
}
