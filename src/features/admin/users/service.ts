// System users: made, found and changed by administrators; there is always at least one active administrator.
import type { Updateable } from 'kysely';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { UsersTable } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
import { closeAccess } from '../pep/service.ts';
import { createFirstAdmin, type FirstAdmin, type FirstAdminWishes } from './first-admin.ts';
import { createLogins, type EndAccess, type Logins } from './logins.ts';
import type { NewUser, UserChanges } from './schemas.ts';
import {
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  lockActiveAdmins,
  lockUser,
  type UserFilter,
  type UserRow,
  updateUser,
} from './store.ts';

export type { Logins, NewLogin } from './logins.ts';
export { newPassword, userRecord, userView } from './schemas.ts';
// For what is decided about a user's access in a transaction that is not this family's.
export { findOwnedUserByPhone, findUser, findUserByEmail, lockUser, type UserRow, updateUser } from './store.ts';

export interface UsersDependencies {
  database: Database;
  audit: AuditLog;
  messaging: Messaging;
  readPhone: PhoneReader;
  /** Ends every session and token of a user that the transaction has locked. */
  endAccess: EndAccess;
  clock: Clock;
  /** Why a user may not be let in again: what it belongs to is suspended or over. */
  ownerRefusal?(trx: Queries, user: UserRow): Promise<Refusal | null>;
}

export interface Users extends Logins {
  create(actor: Actor, wanted: NewUser): Promise<UserRow | Refusal>;
  /** As things are now: a look ahead, not a decision. */
  emailTaken(email: string): Promise<boolean>;
  get(id: string): Promise<UserRow | Refusal>;
  list(filter: UserFilter, page: Page): Promise<{ users: UserRow[]; total: number }>;
  update(actor: Actor, id: string, changes: UserChanges): Promise<UserRow | Refusal>;
  /** On a database without users makes the first administrator; null when there are users. */
  ensureFirstAdmin(wishes: FirstAdminWishes): Promise<FirstAdmin | null>;
}

export function createUsers(deps: UsersDependencies): Users {
  const { database, clock } = deps;
  return {
    ...createLogins(deps),
    async create(actor, wanted) {
      const phone = checkPhone(deps.readPhone, wanted.phone_number);
      if (phone instanceof Refusal) return phone;
      const hash = await checkPassword(wanted.password);
      if (hash instanceof Refusal) return hash;
      return database.transact((trx) => create(deps, trx, actor, { wanted, phone, hash }));
    },
    emailTaken: async (email) => (await findUserByEmail(database.queries, email)) !== undefined,
    async get(id) {
      return (await findUser(database.queries, id)) ?? noSuchUser();
    },
    list: (filter, page) => listUsers(database.queries, filter, page),
    async update(actor, id, changes) {
      const phone = checkPhone(deps.readPhone, changes.phone_number);
      if (phone instanceof Refusal) return phone;
      const hash = changes.password === undefined ? null : await checkPassword(changes.password);
      if (hash instanceof Refusal) return hash;
      return database.transact((trx) => update(deps, trx, actor, { id, changes, phone, hash }));
    },
    ensureFirstAdmin: (wishes) => createFirstAdmin({ database, audit: deps.audit, clock }, wishes),
  };
}

/** Null when none is given. */
function checkPhone(readPhone: PhoneReader, text: string | undefined): string | null | Refusal {
  if (text === undefined) return null;
  return readPhone(text) ?? refuse('INVALID_REQUEST', 'phone_number must be a telephone number.');
}

/** Also does the slow hashing, before any transaction is open. */
async function checkPassword(password: string): Promise<string | Refusal> {
  if (!isStrongPassword(password)) return refuse('INVALID_REQUEST', `password ${PASSWORD_RULE}.`);
  return hashPassword(password);
}

async function create(
  { audit, messaging, clock }: UsersDependencies,
  trx: Queries,
  actor: Actor,
  { wanted, phone, hash }: { wanted: NewUser; phone: string | null; hash: string },
): Promise<UserRow | Refusal> {
  const now = new Date(clock.now());
  const user = await insertUser(trx, {
    id: newId('usr', clock),
    email: wanted.email,
    password_hash: hash,
    first_name: wanted.first_name,
    last_name: wanted.last_name,
    phone_number: phone,
    role: wanted.role,
    pep_access_authorized: wanted.pep_access_authorized ?? false,
    created_at: now,
    updated_at: now,
  });
  if (!user) return refuse('USER_EXISTS', 'There is a user with this email already.');
  await sendCredentials(messaging, trx, user, wanted.password);
  const { role, pep_access_authorized } = user;
  const details = { email: user.email, role, pep_access_authorized };
  await audit.record(trx, actor, { action: 'user.create', resourceType: 'user', resourceId: user.id, details });
  return user;
}

async function sendCredentials(messaging: Messaging, trx: Queries, user: UserRow, password: string): Promise<void> {
  if (user.phone_number === null) return;
  const text = `Your Kissi login: ${user.email}\nPassword: ${password}\nPlease change the password after logging in.`;
  await messaging.send(trx, { to: user.phone_number, kind: 'credentials', text });
}

async function update(
  { audit, messaging, endAccess, clock, ownerRefusal }: UsersDependencies,
  trx: Queries,
  actor: Actor,
  { id, changes, phone, hash }: { id: string; changes: UserChanges; phone: string | null; hash: string | null },
): Promise<UserRow | Refusal> {
  // Before the user's own row, so that everybody takes these locks in the same order.
  const changesPower = changes.role !== undefined || changes.status !== undefined;
  const admins = changesPower ? await lockActiveAdmins(trx) : null;
  const before = await lockUser(trx, id);
  if (!before) return noSuchUser();
  const stepsDown = isActiveAdmin(before) && !isActiveAdmin({ ...before, ...changes });
  if (stepsDown && admins?.every((admin) => admin === id)) {
    return refuse('LAST_ADMIN', 'This is the only active system_admin: make another one first.');
  }
  const returns = before.status !== 'active' && changes.status === 'active';
  const refusal = returns ? await ownerRefusal?.(trx, before) : null;
  if (refusal) return refusal;
  const credentials = { ...(phone && { phone_number: phone }), ...(hash && { password_hash: hash }) };
  const columns = { ...columnsOf(changes), ...credentials, updated_at: new Date(clock.now()) };
  const after = await updateUser(trx, id, columns);
  const leaves = before.status === 'active' && after.status !== 'active';
  if (leaves || changes.password !== undefined) await endAccess(trx, before, clock);
  await endPepAccess(trx, before, after);
  if (changes.password !== undefined) await sendCredentials(messaging, trx, after, changes.password);
  const details = changesForAudit(changes, before, after);
  await audit.record(trx, actor, { action: 'user.update', resourceType: 'user', resourceId: id, details });
  return after;
}

/** For good: the authorization given again, or the old number, opens nothing that was open before. */
async function endPepAccess(trx: Queries, before: UserRow, after: UserRow): Promise<void> {
  const keepsIt = after.pep_access_authorized && before.phone_number === after.phone_number;
  if (!keepsIt) await closeAccess(trx, after.id);
}

/** The changes that are stored as they are named. */
function columnsOf({
  first_name,
  last_name,
  role,
  status,
  pep_access_authorized,
}: UserChanges): Updateable<UsersTable> {
  const named = { first_name, last_name, role, status, pep_access_authorized };
  // Whoever decides about the status decides for good: what happens to the user's agent or processor no longer does.
  const decided = status === undefined ? {} : { suspended_with_owner: false };
  return { ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)), ...decided };
}

function isActiveAdmin({ role, status }: { role: string; status: string }): boolean {
  return role === 'system_admin' && status === 'active';
}

/** Names of the fields, and values only of those that say what the user may do. */
function changesForAudit(changes: UserChanges, before: UserRow, after: UserRow): Record<string, unknown> {
  const power = (['role', 'status', 'pep_access_authorized'] as const).filter((name) => before[name] !== after[name]);
  return {
    fields: Object.keys(changes).filter((name) => name in after || name === 'password'),
    ...Object.fromEntries(power.map((name) => [name, { from: before[name], to: after[name] }])),
  };
}

function noSuchUser(): Refusal {
  return refuse('NOT_FOUND', 'There is no such user.');
}
