// Roles of users and scopes of API keys.
export const ROLES = [
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
] as const;
export type Scope = (typeof SCOPES)[number];
