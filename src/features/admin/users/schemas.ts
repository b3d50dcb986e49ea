// Request and response schemas for users.
import { type Static, Type } from 'typebox';
import { USER_ROLES } from '../../../auth/roles.ts';
import { email, idField, line, phoneNumber, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { putBody } from '../../../http/put.ts';
import { iso } from '../../../kernel/clock.ts';
import { PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { UserRow } from './store.ts';

/** Roles that administrators can assign. Users with the role `processor` are created with their processor. */
export const ASSIGNABLE_ROLES = [
  'system_admin',
  'compliance_user',
  'support_user',
  'sales_user',
  'audit_user',
  'finance_user',
  'super_agent',
  'sub_agent',
] as const;
const AGENT_ID =
  "The agent that a super_agent or sub_agent acts for. Without it the user has no float and no network; an agent's first user is created with the agent.";
const STATUSES = ['active', 'inactive', 'suspended'] as const;

const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()]);

/** The service checks the password rule; the schema only bounds the length. */
export const newPassword = () => Type.String({ maxLength: 1_024, description: `It ${PASSWORD_RULE}.` });

export const userRecord = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    phone_number: nullable(Type.String()),
    role: Type.Enum(USER_ROLES),
    status: Type.Enum(STATUSES),
    last_login_at: nullable(timestamp()),
    second_factor_since: nullable(timestamp('Since when the user has a second factor; null: there is none.')),
    created_at: timestamp(),
    agent_id: nullable(Type.String()),
    processor_id: nullable(Type.String()),
    pep_access_authorized: Type.Boolean(),
  },
  { title: 'User' },
);

export const createUserBody = Type.Object({
  email: email(),
  password: newPassword(),
  first_name: line(),
  last_name: line(),
  phone_number: Type.Optional(phoneNumber()),
  role: Type.Enum(ASSIGNABLE_ROLES),
  pep_access_authorized: Type.Optional(Type.Boolean()),
  agent_id: Type.Optional(
    Type.String({ ...idField('the agent of a super_agent or sub_agent'), description: AGENT_ID }),
  ),
});
export type NewUser = Static<typeof createUserBody>;

export const createUserReply = Type.Object({
  success: Type.Literal(true),
  user_id: Type.String(),
  message: Type.String(),
  user: Type.Pick(userRecord, ['id', 'email', 'first_name', 'last_name', 'role', 'status']),
});

const changes = Type.Object({
  first_name: Type.Optional(line()),
  last_name: Type.Optional(line()),
  phone_number: Type.Optional(phoneNumber()),
  role: Type.Optional(Type.Enum(USER_ROLES, { description: `Can be changed to ${ASSIGNABLE_ROLES.join(', ')}.` })),
  status: Type.Optional(Type.Enum(STATUSES)),
  pep_access_authorized: Type.Optional(Type.Boolean()),
  password: Type.Optional(newPassword()),
});
export type UserChanges = Static<typeof changes>;

export const updateUserBody = putBody(changes, userRecord);

export const updateUserReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  user: userRecord,
});

export const resetPasswordReply = Type.Object({
  ...updateUserReply.properties,
  temporary_password: Type.String({ description: 'Shown once. The user must change it at the next login.' }),
});

export const usersQuery = listQuery({
  role: Type.Optional(Type.Enum(USER_ROLES)),
  status: Type.Optional(Type.Enum(STATUSES)),
  second_factor: Type.Optional(Type.Enum(['true', 'false'], { description: 'Whether the user has a second factor.' })),
  search: Type.Optional(line()),
});
export const usersReply = listReply('users', userRecord);

/** A user's public record, without the password hash. */
export function userView(user: UserRow) {
  const { id, email, first_name, last_name, phone_number, role, status, agent_id, processor_id } = user;
  return {
    id,
    email,
    first_name,
    last_name,
    phone_number,
    role,
    status,
    last_login_at: user.last_login_at && iso(user.last_login_at),
    second_factor_since: user.second_factor_at && iso(user.second_factor_at),
    created_at: iso(user.created_at),
    agent_id,
    processor_id,
    pep_access_authorized: user.pep_access_authorized,
  };
}
