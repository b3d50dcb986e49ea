// The roles of users, and those that an administrator can give.
export const GIVEN_ROLES = [
  'system_admin',
  'compliance_user',
  'support_user',
  'finance_user',
  'sales_user',
  'audit_user',
  'super_agent',
  'sub_agent',
] as const;

export type GivenRole = (typeof GIVEN_ROLES)[number];

/** Users with the role processor are created with their merchant. */
export const ALL_ROLES = [...GIVEN_ROLES, 'processor'] as const;

export const isAgentRole = (role: string) => role === 'super_agent' || role === 'sub_agent';

export const isStaffRole = (role: string) => !isAgentRole(role) && role !== 'processor';
