// Who may do what, on one screen: the scope an API key needs and the roles that may, for each permission.
import type { Caller } from './caller.ts';
import { ROLES, type Role, type Scope } from './roles.ts';

interface Rule {
  /** The scope with which an API key may; null: no key may. */
  scope: Scope | null;
  /** The roles that may, besides system_admin, who may everything. */
  roles: readonly Role[];
}

const AGENTS = ['super_agent', 'sub_agent'] as const;

export const PERMISSIONS = {
  'subscribers:read': {
    scope: 'subscribers:read',
    roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', ...AGENTS],
  },
  'subscribers:write': { scope: 'subscribers:write', roles: ['support_user', 'sales_user', ...AGENTS] },
  // compliance_user may change the KYC level and nothing else; the service tells the fields apart.
  'subscribers:update': {
    scope: 'subscribers:write',
    roles: ['support_user', 'sales_user', 'compliance_user', ...AGENTS],
  },
  'subscribers:activate': { scope: null, roles: ['support_user', 'sales_user', 'compliance_user'] },
  'subscribers:block': { scope: 'subscribers:write', roles: ['compliance_user', 'support_user'] },
  'subscribers:unblock': { scope: null, roles: ['compliance_user'] },
  'cards:read': {
    scope: 'cards:read',
    roles: ['support_user', 'sales_user', 'compliance_user', 'audit_user'],
  },
  'cards:write': { scope: 'cards:write', roles: ['support_user', 'sales_user'] },
  'balance:read': { scope: 'balance:read', roles: ['support_user', 'finance_user', 'compliance_user'] },
  // Agents and processors see their own account; the service tells them apart.
  'payments:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', ...AGENTS, 'processor'],
  },
  // Of wallets, which are never an agent's or a processor's own.
  statements: {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
  },
  'payments:write': { scope: 'payments:write', roles: [] },
  'payments:fund': { scope: 'payments:write', roles: ['finance_user'] },
  'fees:read': { scope: null, roles: ['finance_user', 'audit_user'] },
  'fees:write': { scope: null, roles: [] },
  partners: { scope: null, roles: [] },
  'inbound:read': { scope: 'inbound:read', roles: [] },
  'inbound:write': { scope: 'inbound:write', roles: [] },
  'inbound:reverse': { scope: null, roles: ['finance_user'] },
  users: { scope: null, roles: [] },
  'api-keys': { scope: null, roles: [] },
  messages: { scope: null, roles: [] },
  'audit:read': { scope: null, roles: ['audit_user', 'compliance_user'] },
  // A user's own account: any role, but no key.
  'own-account': { scope: null, roles: ROLES },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

export function mayDo(caller: Caller, permission: Permission): boolean {
  const rule: Rule = PERMISSIONS[permission];
  switch (caller.kind) {
    case 'user':
      return caller.role === 'system_admin' || rule.roles.includes(caller.role);
    case 'key':
      return rule.scope !== null && caller.scopes.includes(rule.scope);
    // Only routes that name service authentication let a service this far.
    case 'service':
      return true;
    case 'public':
      return false;
  }
}
