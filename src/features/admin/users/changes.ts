// User changes by administrators: checks, and the work of each transaction.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import type { Queries } from '../../../db/database.ts';
import type { RowChange } from '../../../db/schema/tables.ts';
import { newId } from '../../../kernel/ids.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
import { closeAccess } from '../pep/service.ts';
import type { EndAccess } from './logins.ts';
import { ASSIGNABLE_ROLES, type NewUser, type UserChanges } from './schemas.ts';
import { insertUser, lockActiveAdmins, lockUser, type UserRow, updateUser } from './store.ts';

export interface UsersDependencies extends ChangeContext {
  messaging: Messaging;
  readPhone: PhoneReader;
  /** Ends all sessions and tokens of a user that the transaction has locked. */
  revokeAccess: EndAccess;
  /** Refuses to reactivate a user whose agent or processor is suspended or terminated. */
  ownerRefusal?(trx: Queries, user: UserRow): Promise<Refusal | null>;
  /** The agent, locked against a change of its status; null if there is none. */
  findAgent(trx: Queries, id: string): Promise<{ type: string; status: string } | null>;
  /** Whether a generated password must be changed at the first login. */
  generatedPasswordsExpire: boolean;
}

export function checkPhone(readPhone: PhoneReader, text: string | undefined): string | null | Refusal {
  if (text === undefined) return null;
  return readPhone(text) ?? refuse('INVALID_REQUEST', 'phone_number must be a telephone number.');
}

/** Also hashes the password, which is slow, before a transaction is open. */
export async function checkPassword(password: string): Promise<string | Refusal> {
  if (!isStrongPassword(password)) return refuse('INVALID_REQUEST', `password ${PASSWORD_RULE}.`);
  return hashPassword(password);
}

export async function create(
  { audit, messaging, clock, findAgent }: UsersDependencies,
  trx: Queries,
  actor: Actor,
  { newUser, phone, hash }: { newUser: NewUser; phone: string | null; hash: string },
): Promise<UserRow | Refusal> {
  const { agent_id } = newUser;
  if (agent_id !== undefined) {
    const agent = await findAgent(trx, agent_id);
    if (agent?.type !== newUser.role || agent.status !== 'active') return notAnAgentOf(newUser.role);
  }
  const now = new Date(clock.now());
  const user = await insertUser(trx, {
    id: newId('usr', clock),
    email: newUser.email,
    password_hash: hash,
    first_name: newUser.first_name,
    last_name: newUser.last_name,
    phone_number: phone,
    role: newUser.role,
    agent_id: agent_id ?? null,
    pep_access_authorized: newUser.pep_access_authorized ?? false,
    created_at: now,
    updated_at: now,
  });
  if (!user) return refuse('USER_EXISTS', 'A user with this email already exists.');
  await sendCredentials(messaging, trx, user, newUser.password);
  const { role, pep_access_authorized } = user;
  const details = { email: user.email, role, pep_access_authorized, ...(agent_id ? { agent_id } : {}) };
  await audit.record(trx, actor, { action: 'user.create', resourceType: 'user', resourceId: user.id, details });
  return user;
}

async function sendCredentials(messaging: Messaging, trx: Queries, user: UserRow, password: string): Promise<void> {
  if (user.phone_number === null) return;
  const text = `Your Kissi login: ${user.email}\nPassword: ${password}\nPlease change the password after logging in.`;
  await messaging.send(trx, { to: user.phone_number, kind: 'credentials', text });
}

export async function update(
  { audit, messaging, revokeAccess, clock, ownerRefusal }: UsersDependencies,
  trx: Queries,
  actor: Actor,
  { id, changes, phone, hash }: { id: string; changes: UserChanges; phone: string | null; hash: string | null },
): Promise<UserRow | Refusal> {
  // Locked before the user's own row, so that all transactions take these locks in the same order.
  const changesAccess = changes.role !== undefined || changes.status !== undefined;
  const admins = changesAccess ? await lockActiveAdmins(trx) : null;
  const before = await lockUser(trx, id);
  if (!before) return noSuchUser();
  const forbidden =
    roleRefusal(before, changes) ??
    grantRefusal(actor, before, changes) ??
    ownCredentialRefusal(actor, before, { ...changes, phone });
  if (forbidden) return forbidden;
  const losesAdmin = isActiveAdmin(before) && !isActiveAdmin({ ...before, ...changes });
  if (losesAdmin && admins?.every((admin) => admin === id)) {
    return refuse('LAST_ADMIN', 'This is the only active system_admin: create another first.');
  }
  const reactivates = before.status !== 'active' && changes.status === 'active';
  const refusal = reactivates ? await ownerRefusal?.(trx, before) : null;
  if (refusal) return refusal;
  const credentials = { ...(phone && { phone_number: phone }), ...(hash && { password_hash: hash }) };
  const columns = { ...columnsOf(changes), ...credentials };
  if (Object.entries(columns).every(([name, value]) => before[name as keyof UserRow] === value)) return before;
  const after = await updateUser(trx, id, { ...columns, updated_at: new Date(clock.now()) });
  const deactivates = before.status === 'active' && after.status !== 'active';
  if (deactivates || changes.password !== undefined) await revokeAccess(trx, before, clock);
  await endPepAccess(trx, before, after);
  if (changes.password !== undefined) await sendCredentials(messaging, trx, after, changes.password);
  const details = changesForAudit(changes, before, after);
  await audit.record(trx, actor, { action: 'user.update', resourceType: 'user', resourceId: id, details });
  return after;
}

/** Permanent: restoring the authorization or the phone number does not restore access that was open before. */
async function endPepAccess(trx: Queries, before: UserRow, after: UserRow): Promise<void> {
  const keepsIt = after.pep_access_authorized && before.phone_number === after.phone_number;
  if (!keepsIt) await closeAccess(trx, after.id);
}

/** The changes whose column has the same name as the field. */
function columnsOf({ first_name, last_name, role, status, pep_access_authorized }: UserChanges): RowChange<'users'> {
  const fields = { first_name, last_name, role, status, pep_access_authorized };
  // A status set by an administrator no longer follows the status of the user's agent or processor.
  const ownership = status === undefined ? {} : { suspended_with_owner: false };
  return { ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)), ...ownership };
}

function isActiveAdmin({ role, status }: { role: string; status: string }): boolean {
  return role === 'system_admin' && status === 'active';
}

/** The names of the changed fields, with values only for those that affect the user's permissions. */
function changesForAudit(changes: UserChanges, before: UserRow, after: UserRow): Record<string, unknown> {
  const changedAccess = (['role', 'status', 'pep_access_authorized'] as const).filter(
    (name) => before[name] !== after[name],
  );
  return {
    fields: Object.keys(changes).filter((name) => name in after || name === 'password'),
    ...Object.fromEntries(changedAccess.map((name) => [name, { from: before[name], to: after[name] }])),
  };
}

/** The role processor belongs to users that were created with their processor. */
function roleRefusal(before: UserRow, { role }: UserChanges): Refusal | null {
  if (role === undefined || role === before.role || ASSIGNABLE_ROLES.some((assignable) => assignable === role))
    return null;
  return refuse('INVALID_REQUEST', `role must be one of ${ASSIGNABLE_ROLES.join(', ')}.`);
}

/** Another administrator must decide on PEP access, and a user of an agent or processor keeps its owner's role. */
function grantRefusal({ caller }: Actor, before: UserRow, changes: UserChanges): Refusal | null {
  const grantsPep = changes.pep_access_authorized === true && !before.pep_access_authorized;
  if (grantsPep && caller.kind === 'user' && caller.id === before.id) {
    return refuse('FORBIDDEN', 'Only another system_admin can grant pep_access_authorized to you.');
  }
  const isOwned = before.agent_id !== null || before.processor_id !== null;
  if (isOwned && changes.role !== undefined && changes.role !== before.role) {
    return refuse('INVALID_REQUEST', 'role cannot be changed: the user belongs to an agent or a processor.');
  }
  return null;
}

/** A stolen access token must neither replace the password nor redirect the codes that open PEP access. */
function ownCredentialRefusal(
  { caller }: Actor,
  before: UserRow,
  { password, phone }: { password?: string; phone: string | null },
): Refusal | null {
  if (caller.kind !== 'user' || caller.id !== before.id) return null;
  if (password !== undefined) {
    return refuse('FORBIDDEN', 'Change your own password with POST /admin/change-password.');
  }
  if (!before.pep_access_authorized || phone === null || phone === before.phone_number) return null;
  return refuse(
    'FORBIDDEN',
    'Codes for PEP access are sent to your phone_number: another system_admin must change it.',
  );
}

function notAnAgentOf(role: string): Refusal {
  return refuse('INVALID_REQUEST', `agent_id must be the id of an active agent whose type is the role ${role}.`);
}

export function noSuchUser(): Refusal {
  return refuse('NOT_FOUND', 'There is no such user.');
}
