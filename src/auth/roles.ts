// Roles of users and scopes of API keys.
export const USER_ROLES = [
  'system_admin',
  'compliance_user',
  'support_user',
  'finance_user',
  'sales_user',
  'audit_user',
  'super_agent',
  'sub_agent',
  'processor',
] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** Customers in their own session are no users: they have one role, which no user can be given. */
export const ROLES = [...USER_ROLES, 'subscriber'] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES = [
  'payments:read',
  'payments:write',
  'balance:read',
  'subscribers:read',
  'subscribers:write',
  'cards:read',
  'cards:write',
  'inbound:read',
  'inbound:write',
  // Never implied by another scope: money out of the treasury or a partner's clearing account, and pay-outs of merchants.
  'treasury:write',
  'payouts:write',
  'agents:write',
  'processors:write',
  'compliance:read',
  'compliance:write',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes whose keys carry a daily limit. */
export const LIMITED_SCOPES: readonly Scope[] = ['treasury:write', 'payouts:write'];

/** Scopes of the operator's own systems. A key of a partner or processor cannot be created with them. */
export const OPERATOR_SCOPES: readonly Scope[] = [
  'agents:write',
  'processors:write',
  'compliance:read',
  'compliance:write',
  'audit:read',
];

/** The scopes of the keys that a processor's own login makes, without approval. */
export const OWN_SCOPES = ['payments:read', 'payments:write'] as const satisfies readonly Scope[];

/** Whether a processor's login could have made a key with these scopes. */
export function isOwnKey(scopes: readonly string[]): boolean {
  const own: readonly string[] = OWN_SCOPES;
  return scopes.every((scope) => own.includes(scope));
}
