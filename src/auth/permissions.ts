// Who may do what, on one screen: the scope an API key needs and the roles that may, for each permission.
import type { Caller, KeyCaller } from './caller.ts';
import { ROLES, type Role, type Scope } from './roles.ts';

interface Rule {
  /** The scope with which an API key may; null: no key may. */
  scope: Scope | null;
  /** The roles that may, besides system_admin, who may everything. */
  roles: readonly Role[];
  /** Whose keys may not, whatever their scopes: a merchant's or a partner's key does not move what is not theirs. */
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
    notKeysOf: ['processor'],
  },
  // A terminal sees the PINs of its customers: its key must not be able to pay anybody else with them.
  'payments:write': { scope: 'payments:write', roles: [], notKeysOf: ['processor'] },
  'payments:fund': { scope: 'payments:write', roles: ['finance_user'], notKeysOf: ['processor'] },
  // By card, at terminals and in apps.
  'cards:pay': { scope: 'payments:write', roles: [], notKeysOf: ['partner'] },
  'cards:verify': { scope: 'payments:write', roles: [] },
  'cards:look-up': { scope: 'cards:read', roles: [] },
  // Agents' users see and manage their own network, and move their own float; the service tells them apart.
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
  // A processor's user, and a key that belongs to one, sees and moves its own only; the service tells them apart.
  'processors:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'support_user', 'sales_user', 'audit_user', 'compliance_user', 'processor'],
    notKeysOf: ['partner'],
  },
  'processors:write': { scope: null, roles: ['sales_user'] },
  'processors:transfer': { scope: 'payments:write', roles: ['finance_user', 'processor'], notKeysOf: ['partner'] },
  // payments:read without the agents, who have no account of this kind.
  'processors:history': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
    notKeysOf: ['partner'],
  },
  'compliance:read': { scope: null, roles: ['compliance_user', 'audit_user'] },
  'compliance:write': { scope: null, roles: ['compliance_user'] },
  // It tells something of any subscriber, and leaves alerts behind.
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
  // A user's own account: any role, but no key.
  'own-account': { scope: null, roles: ROLES },
  pep_access_authorized: { scope: null, roles: ROLES, pepAuthorized: true },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

function isOwnedByAny({ processorId, partnerId }: KeyCaller, owners: readonly KeyOwner[]): boolean {
  return (processorId !== null && owners.includes('processor')) || (partnerId !== null && owners.includes('partner'));
}

export function mayDo(caller: Caller, permission: Permission): boolean {
  const rule: Rule = PERMISSIONS[permission];
  switch (caller.kind) {
    case 'user':
      if (rule.pepAuthorized && !caller.pepAccessAuthorized) return false;
      return caller.role === 'system_admin' || rule.roles.includes(caller.role);
    case 'key':
      return rule.scope !== null && caller.scopes.includes(rule.scope) && !isOwnedByAny(caller, rule.notKeysOf ?? []);
    // Only routes that name service authentication let a service this far.
    case 'service':
      return true;
    case 'public':
      return false;
  }
}
