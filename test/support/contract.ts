// Who may do what, copied out by hand from the contract and the decisions: what the service is held against, and not made of it.
import type { Role, Scope } from '../../src/auth/roles.ts';

/** By which signature a route is reached; a bearer value, whoever's, is 401 there. */
export type Scheme = 'pos' | 'partner' | 'inbound' | 'webhook' | 'hub';
export type Owner = 'house' | 'processor' | 'partner';

export interface Access {
  /** The scope of an API key that may; null: none may. */
  scope: Scope | null;
  /** Besides system_admin, who may everything. */
  roles: readonly Role[];
  /** Whose keys may; anybody's unless told. */
  keysOf?: readonly Owner[];
  signed?: Scheme;
  /** Internal services may as well. */
  service?: true;
  /** Only with the flag of that name, system_admin included. */
  pepAuthorized?: true;
}

const EVERY_ROLE: readonly Role[] = [
  'compliance_user',
  'support_user',
  'finance_user',
  'sales_user',
  'audit_user',
  'super_agent',
  'sub_agent',
  'processor',
];
const ALL_BUT_PROCESSOR = EVERY_ROLE.filter((role) => role !== 'processor');

/** A merchant's key does not pay out of wallets, a partner's key does not act for a merchant, neither touches agents. */
const NOT_MERCHANTS: readonly Owner[] = ['house', 'partner'];
const NOT_PARTNERS: readonly Owner[] = ['house', 'processor'];
const HOUSE: readonly Owner[] = ['house'];

/** The rows of the contract's table "Scopes and roles", in its order and by its names. */
const CONTRACT = {
  'subscribers:read': {
    scope: 'subscribers:read',
    roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', 'super_agent', 'sub_agent'],
  },
  'subscribers:write': {
    scope: 'subscribers:write',
    roles: ['support_user', 'sales_user', 'super_agent', 'sub_agent'],
  },
  'subscribers:block': { scope: 'subscribers:write', roles: ['compliance_user', 'support_user'] },
  'subscribers:unblock': { scope: null, roles: ['compliance_user'] },
  'cards:read': { scope: 'cards:read', roles: ['support_user', 'sales_user', 'compliance_user', 'audit_user'] },
  'cards:write': { scope: 'cards:write', roles: ['support_user', 'sales_user'] },
  'balance:read': { scope: 'balance:read', roles: ['support_user', 'finance_user', 'compliance_user'] },
  'payments:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor', 'super_agent', 'sub_agent'],
  },
  'payments:write': { scope: 'payments:write', roles: [], keysOf: NOT_MERCHANTS },
  'payments:write, fund-from-partner': { scope: 'payments:write', roles: ['finance_user'], keysOf: NOT_MERCHANTS },
  'agents:read': { scope: 'payments:read', roles: ALL_BUT_PROCESSOR, keysOf: HOUSE },
  'agents:write': { scope: null, roles: ['super_agent'] },
  'agents:fund': { scope: 'payments:write', roles: ['finance_user'], keysOf: HOUSE },
  'agents:transfer': { scope: 'payments:write', roles: ['super_agent'], keysOf: HOUSE },
  'agents:cashin': { scope: 'payments:write', roles: ['super_agent', 'sub_agent'], keysOf: HOUSE },
  'processors:read': {
    scope: 'payments:read',
    roles: ['finance_user', 'support_user', 'sales_user', 'audit_user', 'compliance_user', 'processor'],
    keysOf: NOT_PARTNERS,
  },
  'processors:write': { scope: null, roles: ['sales_user'] },
  'processors:transfer': { scope: 'payments:write', roles: ['finance_user', 'processor'], keysOf: NOT_PARTNERS },
  'compliance:read': { scope: null, roles: ['compliance_user', 'audit_user'] },
  'compliance:write': { scope: null, roles: ['compliance_user'] },
  'compliance:write, check': { scope: 'payments:write', roles: ['compliance_user'], keysOf: HOUSE },
  'fees:read': { scope: null, roles: ['finance_user', 'audit_user'] },
  'fees:write': { scope: null, roles: [] },
  'users, api-keys, partners': { scope: null, roles: [] },
  'inbound:reverse': { scope: null, roles: ['finance_user'] },
  'audit:read': { scope: null, roles: ['audit_user', 'compliance_user'] },
} as const satisfies Record<string, Access>;

/** What the contract says elsewhere, and what docs/decisions adds. */
const BESIDES = {
  // Families, Subscribers: kyc_level only by compliance_user or system_admin, so they reach the route.
  'subscribers:update': {
    scope: 'subscribers:write',
    roles: ['support_user', 'sales_user', 'super_agent', 'sub_agent', 'compliance_user'],
  },
  'subscribers:activate': { scope: null, roles: ['support_user', 'sales_user', 'compliance_user'] },
  // Agents and processors have payments:read for their own only, and no wallet is theirs.
  statements: {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
    keysOf: NOT_MERCHANTS,
  },
  'processor history': {
    scope: 'payments:read',
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
    keysOf: NOT_PARTNERS,
  },
  'own PIN': { scope: null, roles: ['super_agent', 'sub_agent'] },
  'own account': { scope: null, roles: EVERY_ROLE },
  'PEP access': { scope: null, roles: EVERY_ROLE, pepAuthorized: true },
  'card payment': { scope: 'payments:write', roles: [], signed: 'pos', keysOf: NOT_PARTNERS },
  'card verification': { scope: 'payments:write', roles: [], signed: 'pos' },
  'card look-up': { scope: 'cards:read', roles: [], signed: 'pos' },
  'partner reads': { scope: 'payments:read', roles: [], signed: 'partner', keysOf: ['partner'] },
  'partner pays': { scope: 'payments:write', roles: [], signed: 'partner', keysOf: ['partner'] },
  'inbound:read': { scope: 'inbound:read', roles: [], signed: 'inbound', keysOf: ['partner'] },
  'inbound:write': { scope: 'inbound:write', roles: [], signed: 'inbound', keysOf: ['partner'] },
  'cash-in notification': { scope: null, roles: [], signed: 'webhook' },
  'messaging platform': { scope: null, roles: [], signed: 'hub' },
  'a subscriber, for services too': { ...CONTRACT['subscribers:read'], service: true },
  'alerts by services too': { ...CONTRACT['compliance:write'], service: true },
} as const satisfies Record<string, Access>;

const ROWS: Record<string, Access> = { ...CONTRACT, ...BESIDES };
type Named = keyof typeof CONTRACT | keyof typeof BESIDES | 'public';

/** Every route there is. */
const ROUTES: Record<string, Named> = {
  'GET /health': 'public',
  'GET /health/ready': 'public',
  'GET /health/live': 'public',
  // To this machine: metrics.test.ts has the rest.
  'GET /metrics': 'public',
  'POST /api/v1/admin/login': 'public',
  'POST /api/v1/admin/refresh': 'public',
  'POST /api/v1/admin/logout': 'public',
  'GET /api/v1/admin/me': 'own account',
  'POST /api/v1/admin/change-password': 'own account',
  'POST /api/v1/admin/pep/otp': 'PEP access',
  'POST /api/v1/admin/pep/verify': 'PEP access',
  'POST /api/v1/admin/users': 'users, api-keys, partners',
  'GET /api/v1/admin/users': 'users, api-keys, partners',
  'GET /api/v1/admin/users/:id': 'users, api-keys, partners',
  'PUT /api/v1/admin/users/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/api-keys': 'users, api-keys, partners',
  'GET /api/v1/admin/api-keys': 'users, api-keys, partners',
  'GET /api/v1/admin/api-keys/:id': 'users, api-keys, partners',
  'DELETE /api/v1/admin/api-keys/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/api-keys/:id/rotate': 'users, api-keys, partners',
  'GET /api/v1/admin/messages': 'users, api-keys, partners',
  'GET /api/v1/audit/logs': 'audit:read',
  'GET /api/v1/audit/verify': 'audit:read',
  'POST /api/v1/public/subscribers': 'public',
  'POST /api/v1/subscribers': 'subscribers:write',
  'GET /api/v1/subscribers': 'subscribers:read',
  'GET /api/v1/subscribers/:id': 'a subscriber, for services too',
  'PUT /api/v1/subscribers/:id': 'subscribers:update',
  'POST /api/v1/subscribers/:id/block': 'subscribers:block',
  'POST /api/v1/subscribers/:id/unblock': 'subscribers:unblock',
  'POST /api/v1/subscribers/:id/activate': 'subscribers:activate',
  'POST /api/v1/subscribers/:id/verify-pin': 'subscribers:write',
  'POST /api/v1/subscribers/:id/change-pin': 'subscribers:write',
  'POST /api/v1/cards/link': 'cards:write',
  'POST /api/v1/cards/child': 'cards:write',
  'GET /api/v1/cards': 'cards:read',
  'GET /api/v1/cards/:serial': 'cards:read',
  'POST /api/v1/cards/:serial/block': 'cards:write',
  'POST /api/v1/cards/:serial/unblock': 'cards:write',
  'POST /api/v1/cards/upload-csv': 'cards:write',
  'POST /api/v1/wallet/balance/:subscriber_id': 'balance:read',
  'GET /api/v1/balance/:user_id': 'balance:read',
  'POST /api/v1/wallet/transfer': 'payments:write',
  'POST /api/v1/wallet/transfer-p2p': 'payments:write',
  'POST /api/v1/wallet/withdraw': 'payments:write',
  'POST /api/v1/wallet/fund-from-partner': 'payments:write, fund-from-partner',
  'GET /api/v1/transactions': 'payments:read',
  'POST /api/v1/wallet/account-statement': 'statements',
  'POST /api/v1/pos/payment': 'card payment',
  'POST /api/v1/pos/refund': 'card payment',
  'POST /api/v1/pos/verify-card': 'card verification',
  'POST /api/v1/pos/verify-account': 'card verification',
  'POST /api/v1/pos/lookup-card': 'card look-up',
  'POST /api/v1/payment': 'card payment',
  'POST /api/v1/payment/refund': 'card payment',
  'POST /api/v1/payment/verify-card': 'card verification',
  'POST /api/v1/payment/verify-account': 'card verification',
  'POST /api/v1/payment/lookup-card': 'card look-up',
  'POST /api/v1/processors': 'processors:write',
  'GET /api/v1/processors': 'processors:read',
  'GET /api/v1/processors/:id': 'processors:read',
  'POST /api/v1/processors/:id/suspend': 'processors:write',
  'POST /api/v1/processors/:id/reactivate': 'processors:write',
  'POST /api/v1/processors/:id/transfer': 'processors:transfer',
  'GET /api/v1/processors/:id/transactions': 'processor history',
  'POST /api/v1/agents': 'agents:write',
  'GET /api/v1/agents': 'agents:read',
  'GET /api/v1/agents/:id': 'agents:read',
  'GET /api/v1/agents/:id/balance': 'agents:read',
  'POST /api/v1/agents/:id/suspend': 'agents:write',
  'POST /api/v1/agents/:id/reactivate': 'agents:write',
  'POST /api/v1/agents/:id/terminate': 'agents:write',
  'POST /api/v1/agents/:id/change-pin': 'own PIN',
  'POST /api/v1/agents/:id/fund': 'agents:fund',
  'POST /api/v1/agents/:id/return-float': 'agents:fund',
  'POST /api/v1/agents/cashin': 'agents:cashin',
  'POST /api/v1/agents/transfer': 'agents:transfer',
  'POST /api/v1/compliance/check': 'compliance:write, check',
  'GET /api/v1/compliance/alerts': 'compliance:read',
  'POST /api/v1/compliance/alerts': 'alerts by services too',
  'GET /api/v1/compliance/alerts/:id': 'compliance:read',
  'PUT /api/v1/compliance/alerts/:id': 'compliance:write',
  'POST /api/v1/compliance/alerts/:id/resolve': 'compliance:write',
  'GET /api/v1/compliance/rules': 'compliance:read',
  'POST /api/v1/compliance/rules': 'compliance:write',
  'GET /api/v1/compliance/rules/:id': 'compliance:read',
  'PUT /api/v1/compliance/rules/:id': 'compliance:write',
  'GET /api/v1/compliance/account-rules': 'compliance:read',
  'GET /api/v1/account-rules/:kyc_level': 'compliance:read',
  'GET /api/v1/fee-settings': 'fees:read',
  'GET /api/v1/fee-settings/:type/:party': 'fees:read',
  'PUT /api/v1/fee-settings': 'fees:write',
  'DELETE /api/v1/fee-settings/:type/:party': 'fees:write',
  'POST /api/v1/admin/partners': 'users, api-keys, partners',
  'GET /api/v1/admin/partners': 'users, api-keys, partners',
  'GET /api/v1/admin/partners/:id': 'users, api-keys, partners',
  'PUT /api/v1/admin/partners/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/partners/:id/rotate-webhook-secret': 'users, api-keys, partners',
  'POST /api/v1/admin/partners/:id/settle': 'users, api-keys, partners',
  'POST /api/v1/partner/account-status': 'partner reads',
  'POST /api/v1/partner/cashin': 'partner pays',
  'POST /api/v1/partner/transaction-history': 'partner reads',
  'POST /webhooks/partner/cashin': 'cash-in notification',
  'POST /external/messaging': 'public',
  'POST /api/v1/external/messaging': 'public',
  'GET /webhooks/messaging': 'public',
  'GET /api/v1/webhooks/messaging': 'public',
  'POST /webhooks/messaging': 'messaging platform',
  'POST /api/v1/webhooks/messaging': 'messaging platform',
  'POST /api/v1/inbound/name-enquiry': 'inbound:read',
  'POST /api/v1/inbound/credit': 'inbound:write',
  'GET /api/v1/inbound/transactions/:reference': 'inbound:read',
  'POST /api/v1/admin/inbound/:inbound_id/reverse': 'inbound:reverse',
  'GET /api/v1/admin/webhook-deliveries': 'users, api-keys, partners',
  'POST /api/v1/admin/webhook-deliveries/:id/replay': 'users, api-keys, partners',
};

/** Every route, and who may. */
export const EXPECTED: ReadonlyMap<string, Access | 'public'> = new Map(
  Object.entries(ROUTES).map(([route, name]) => [route, name === 'public' ? name : (ROWS[name] as Access)]),
);
