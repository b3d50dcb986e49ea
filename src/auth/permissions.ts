// The permission matrix: for each permission, the API key scope and the user roles that grant it.
import type { Caller, KeyCaller } from './caller.ts';
import { ROLES, type Role, type Scope } from './roles.ts';

interface Rule {
  /** The scope an API key needs. Null: not available to API keys. */
  scope: Scope | null;
  /** Roles that have the permission. system_admin has every permission. */
  roles: readonly Role[];
  /** Keys of these owners are excluded, whatever their scopes: they must not act on accounts that are not their own. */
  notKeysOf?: readonly KeyOwner[];
  /** Only users who are authorized to access politically exposed persons' records, system_admin included. */
  pepAuthorized?: true;
}

type KeyOwner = 'processor' | 'partner';
const OWNERS: readonly KeyOwner[] = ['processor', 'partner'];

const AGENTS = ['super_agent', 'sub_agent'] as const;

const PERMISSIONS = {
  'subscribers:read': {
    scope: 'subscribers:read',
    roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', ...AGENTS],
  },
  'subscribers:write': { scope: 'subscribers:write', roles: ['support_user', 'sales_user', ...AGENTS] },
  // compliance_user may change only the KYC level; the service checks the fields.
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
  // Agents and processors see only their own account; the service checks this.
  'payments:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', ...AGENTS, 'processor'],
  },
  // Statements of wallets, which neither agents nor processors own.
  statements: {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
    notKeysOf: ['processor'],
  },
  // A terminal sees the PINs of its customers, so its key must not be able to make transfers with them.
  'payments:write': { scope: 'payments:write', roles: [], notKeysOf: ['processor'] },
  'payments:fund': { scope: 'payments:write', roles: ['finance_user'], notKeysOf: ['processor'] },
  // Card payments at terminals and in apps.
  'cards:pay': { scope: 'payments:write', roles: [], notKeysOf: ['partner'] },
  'cards:verify': { scope: 'payments:write', roles: [] },
  'cards:look-up': { scope: 'cards:read', roles: [] },
  // Agents see and manage only their own network and float; the service checks this.
  'agents:read': {
    scope: 'payments:read',
    roles: ['compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user', ...AGENTS],
    notKeysOf: OWNERS,
  },
  'agents:write': { scope: null, roles: ['super_agent'] },
  'agents:fund': { scope: 'payments:write', roles: ['finance_user'], notKeysOf: OWNERS },
  'agents:transfer': { scope: 'payments:write', roles: ['super_agent'], notKeysOf: OWNERS },
  'agents:cashin': { scope: 'payments:write', roles: AGENTS, notKeysOf: OWNERS },
  'agents:pin': { scope: null, roles: AGENTS },
  // Users and keys of a processor access only their own processor; the service checks this.
  'processors:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'support_user', 'sales_user', 'audit_user', 'compliance_user', 'processor'],
    notKeysOf: ['partner'],
  },
  'processors:write': { scope: null, roles: ['sales_user'] },
  'processors:transfer': { scope: 'payments:write', roles: ['finance_user', 'processor'], notKeysOf: ['partner'] },
  // payments:read without agents, who have no processor account.
  'processors:history': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
    notKeysOf: ['partner'],
  },
  'compliance:read': { scope: null, roles: ['compliance_user', 'audit_user'] },
  'compliance:write': { scope: null, roles: ['compliance_user'] },
  // A check reveals data about any subscriber and can create alerts.
  'compliance:check': { scope: 'payments:write', roles: ['compliance_user'], notKeysOf: OWNERS },
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
  // A user's own account: every role, but no API key.
  'own-account': { scope: null, roles: ROLES },
  pep_access_authorized: { scope: null, roles: ROLES, pepAuthorized: true },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

function isOwnedByAny({ processorId, partnerId }: KeyCaller, owners: readonly KeyOwner[]): boolean {
  return (processorId !== null && owners.includes('processor')) || (partnerId !== null && owners.includes('partner'));
}

export function isAllowed(caller: Caller, permission: Permission): boolean {
  const rule: Rule = PERMISSIONS[permission];
  switch (caller.kind) {
    case 'user':
      if (rule.pepAuthorized && !caller.pepAccessAuthorized) return false;
      return caller.role === 'system_admin' || rule.roles.includes(caller.role);
    case 'key':
      return rule.scope !== null && caller.scopes.includes(rule.scope) && !isOwnedByAny(caller, rule.notKeysOf ?? []);
    // Only routes with service authentication accept a service at all.
    case 'service':
      return true;
    case 'public':
      return false;
  }
}
