// Expected permissions of every route, written by hand from the contract so that tests do not derive them from the code.
import type { Role, Scope } from '../../src/auth/roles.ts';

/** Signature scheme of a route that accepts no bearer credential; a bearer credential gets 401. */
export type Scheme = 'pos' | 'partner' | 'inbound' | 'webhook' | 'hub' | 'same-origin';
export type Owner = 'operator' | 'processor' | 'partner';

export interface Access {
  /** Scopes of which an API key without an owner needs one; empty if such keys have no access. */
  scopes: readonly Scope[];
  /** The scopes of which a key of a partner or processor needs one; without an entry it has no access, whatever its scopes. */
  ownedKeys?: Partial<Record<Exclude<Owner, 'operator'>, Scope | readonly Scope[]>>;
  /** Roles with access besides system_admin, which has access to every route. */
  roles: readonly Role[];
  signed?: Scheme;
  /** Keys may sign instead of sending a bearer, as terminals sign. */
  signable?: true;
  /** Internal services have access too. */
  service?: true;
  /** Requires `pep_access_authorized`, even for system_admin. */
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

const SUBSCRIBERS_READ = {
  scopes: ['subscribers:read'],
  roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', 'super_agent', 'sub_agent'],
} as const;

/**
 * The rows of the contract's table "Scopes and roles", in the same order and with the same names, with the scopes of
 * its part "Keys that belong to a partner or a processor".
 */
const CONTRACT_TABLE = {
  'subscribers:read': SUBSCRIBERS_READ,
  'subscribers:write': {
    scopes: ['subscribers:write'],
    roles: ['support_user', 'sales_user', 'super_agent', 'sub_agent'],
  },
  'subscribers:block': { scopes: ['subscribers:write'], roles: ['compliance_user', 'support_user'] },
  'subscribers:unblock': { scopes: [], roles: ['compliance_user'] },
  'cards:read': { scopes: ['cards:read'], roles: ['support_user', 'sales_user', 'compliance_user', 'audit_user'] },
  'cards:write': { scopes: ['cards:write'], roles: ['support_user', 'sales_user'] },
  'balance:read': { scopes: ['balance:read'], roles: ['support_user', 'finance_user', 'compliance_user'] },
  'payments:read': {
    scopes: ['payments:read'],
    ownedKeys: { partner: 'payments:read', processor: 'payments:read' },
    signable: true,
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor', 'super_agent', 'sub_agent'],
  },
  'payments:write': { scopes: ['payments:write'], roles: [] },
  'payments:write, fund-from-partner': {
    scopes: ['treasury:write'],
    ownedKeys: { partner: 'payments:write' },
    roles: ['finance_user'],
  },
  'agents:read': { scopes: ['payments:read'], roles: ALL_BUT_PROCESSOR },
  'agents:write': { scopes: ['agents:write'], roles: ['super_agent'] },
  'agents:fund': { scopes: ['treasury:write'], roles: ['finance_user'] },
  'agents:transfer': { scopes: ['payments:write'], roles: ['super_agent'] },
  'agents:cashin': { scopes: ['payments:write'], roles: ['super_agent', 'sub_agent'] },
  'processors:read': {
    scopes: ['payments:read'],
    ownedKeys: { processor: 'payments:read' },
    roles: ['finance_user', 'support_user', 'sales_user', 'audit_user', 'compliance_user', 'processor'],
  },
  'processors:write': { scopes: ['processors:write'], roles: ['sales_user'] },
  'processors:transfer': {
    scopes: ['payouts:write'],
    ownedKeys: { processor: 'payouts:write' },
    roles: ['finance_user', 'processor'],
  },
  'compliance:read': { scopes: ['compliance:read'], roles: ['compliance_user', 'audit_user'] },
  'compliance:write': { scopes: ['compliance:write'], roles: ['compliance_user'] },
  'compliance:write, check': { scopes: ['payments:write'], roles: ['compliance_user'] },
  'fees:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'fees:write': { scopes: [], roles: [] },
  'users, api-keys, partners': { scopes: [], roles: [] },
  'inbound:reverse': { scopes: [], roles: ['finance_user'] },
  'audit:read': { scopes: ['audit:read'], roles: ['audit_user', 'compliance_user'] },
} as const satisfies Record<string, Access>;

/** Permissions from other sections of the contract and from docs/decisions. */
const ADDITIONAL_ACCESS = {
  // compliance_user may change kyc_level, so it has access to the route.
  'subscribers:update': {
    scopes: ['subscribers:write'],
    roles: ['support_user', 'sales_user', 'super_agent', 'sub_agent', 'compliance_user'],
  },
  'subscribers:activate': { scopes: [], roles: ['support_user', 'sales_user', 'compliance_user'] },
  // Agents and processors read only their own payments, and they own no wallets.
  statements: {
    scopes: ['payments:read'],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
  },
  'processor history': {
    scopes: ['payments:read'],
    ownedKeys: { processor: 'payments:read' },
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
  },
  'processor transactions': {
    scopes: ['payments:read'],
    ownedKeys: { processor: 'payments:read' },
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
    signable: true,
  },
  // The keys of a partner or processor read what became of their own requests and webhooks.
  'own integration': {
    scopes: [],
    ownedKeys: { partner: ['payments:read', 'inbound:read'], processor: 'payments:read' },
    roles: [],
    signable: true,
  },
  'agent history': {
    scopes: ['payments:read'],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'super_agent', 'sub_agent'],
  },
  // Finance: finance_user and system_admin; audit_user may read, and agents see their own commissions.
  'agent commissions': { scopes: [], roles: ['finance_user', 'audit_user', 'super_agent', 'sub_agent'] },
  'commission tiers, read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'commission tiers, change': { scopes: [], roles: ['finance_user'] },
  // The limits of the KYC levels: open to subscribers:read, and to compliance:read as the other routes of compliance.
  'account rules': { ...SUBSCRIBERS_READ, scopes: ['subscribers:read', 'compliance:read'] },
  'subscriber notes': { scopes: [], roles: ['support_user', 'compliance_user'] },
  'PIN reset': { scopes: [], roles: ['support_user'] },
  'PIN unlock': { scopes: [], roles: ['compliance_user'] },
  'cash-out': { scopes: ['payments:write'], roles: ['super_agent', 'sub_agent'] },
  'own keys': { scopes: [], roles: ['processor'] },
  'bank accounts, change': { scopes: [], roles: ['finance_user', 'processor'] },
  'merchant refund': { scopes: [], roles: ['finance_user', 'processor'] },
  // Callers that can make a payment of some type; the service checks the type's permission.
  'payment forms': {
    scopes: ['payments:write', 'treasury:write', 'payouts:write'],
    ownedKeys: { partner: 'payments:write', processor: 'payouts:write' },
    roles: ['finance_user', 'super_agent', 'sub_agent', 'processor'],
  },
  // Callers that can make or read payments; the service checks the party.
  'request outcomes': {
    scopes: ['payments:read', 'payments:write', 'treasury:write', 'payouts:write'],
    ownedKeys: {
      partner: ['payments:read', 'payments:write'],
      processor: ['payments:read', 'payments:write', 'payouts:write'],
    },
    roles: ['finance_user', 'super_agent', 'sub_agent', 'processor'],
    signable: true,
  },
  search: { scopes: ['subscribers:read', 'cards:read', 'payments:read'], roles: ALL_BUT_PROCESSOR },
  'suspense, read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'suspense, resolve': { scopes: [], roles: ['finance_user'] },
  'receipts, revoke': { scopes: [], roles: ['support_user', 'compliance_user'] },
  'closes, read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'closes, write': { scopes: [], roles: ['finance_user'] },
  'requests of a key': { scopes: [], roles: ['support_user'] },
  'roles, read': { scopes: [], roles: ['audit_user'] },
  lab: { scopes: [], roles: ['support_user'] },
  'inbound records': { scopes: [], roles: ['finance_user', 'compliance_user', 'support_user'] },
  'partners read': { scopes: [], roles: ['finance_user'] },
  // The service shows and lets decide only those of actions that the user has the permission for.
  'approvals, read': {
    scopes: [],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
  },
  'approvals, decide': { scopes: [], roles: ['finance_user', 'compliance_user', 'support_user', 'processor'] },
  'approval policies, read': {
    scopes: [],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
  },
  'reconciliation, read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'reconciliation, change': { scopes: [], roles: ['finance_user'] },
  'own PIN': { scopes: [], roles: ['super_agent', 'sub_agent'] },
  'own account': { scopes: [], roles: EVERY_ROLE },
  'PEP access': { scopes: [], roles: EVERY_ROLE, pepAuthorized: true },
  'card payment': { scopes: ['payments:write'], ownedKeys: { processor: 'payments:write' }, roles: [], signed: 'pos' },
  'card verification': {
    scopes: ['payments:write'],
    ownedKeys: { processor: 'payments:write' },
    roles: [],
    signed: 'pos',
  },
  'card look-up': { scopes: ['cards:read'], ownedKeys: { processor: 'cards:read' }, roles: [], signed: 'pos' },
  'partner read': { scopes: [], ownedKeys: { partner: 'payments:read' }, roles: [], signed: 'partner' },
  'partner payment': { scopes: [], ownedKeys: { partner: 'payments:write' }, roles: [], signed: 'partner' },
  'inbound:read': { scopes: [], ownedKeys: { partner: 'inbound:read' }, roles: [], signed: 'inbound' },
  'inbound:write': { scopes: [], ownedKeys: { partner: 'inbound:write' }, roles: [], signed: 'inbound' },
  'cash-in notification': { scopes: [], roles: [], signed: 'webhook' },
  'messaging platform': { scopes: [], roles: [], signed: 'hub' },
  'page of this service': { scopes: [], roles: [], signed: 'same-origin' },
  'subscribers:read, services too': { ...CONTRACT_TABLE['subscribers:read'], service: true },
  'compliance:write, services too': { ...CONTRACT_TABLE['compliance:write'], service: true },
} as const satisfies Record<string, Access>;

const REPORTING_ACCESS = {
  'reports:read': { scopes: [], roles: ['finance_user', 'audit_user', 'compliance_user', 'support_user'] },
  'ledger:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
} as const satisfies Record<string, Access>;

const FINANCE_ACCESS = {
  'trust-accounts:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'trust-accounts:write': { scopes: [], roles: ['finance_user'] },
} as const satisfies Record<string, Access>;

const ACCESS_BY_NAME: Record<string, Access> = {
  ...CONTRACT_TABLE,
  ...ADDITIONAL_ACCESS,
  ...REPORTING_ACCESS,
  ...FINANCE_ACCESS,
};
type AccessName =
  | keyof typeof CONTRACT_TABLE
  | keyof typeof ADDITIONAL_ACCESS
  | keyof typeof REPORTING_ACCESS
  | keyof typeof FINANCE_ACCESS
  | 'public';

/** The access entry of every route. */
const ROUTES: Record<string, AccessName> = {
  'GET /health': 'public',
  'GET /health/ready': 'public',
  'GET /health/live': 'public',
  // Public for loopback addresses; metrics.test.ts covers other addresses.
  'GET /metrics': 'public',
  'POST /api/v1/admin/login': 'public',
  'POST /api/v1/admin/login/second-factor': 'public',
  'POST /api/v1/admin/refresh': 'public',
  'POST /api/v1/admin/logout': 'public',
  'POST /console/session': 'page of this service',
  'POST /console/session/second-factor': 'page of this service',
  'POST /console/session/refresh': 'page of this service',
  'POST /console/session/logout': 'page of this service',
  'GET /api/v1/admin/me': 'own account',
  'POST /api/v1/admin/change-password': 'own account',
  'GET /api/v1/admin/second-factor': 'own account',
  'POST /api/v1/admin/second-factor/totp': 'own account',
  'POST /api/v1/admin/second-factor/totp/confirm': 'own account',
  'POST /api/v1/admin/second-factor/totp/remove': 'own account',
  'POST /api/v1/admin/second-factor/recovery-codes': 'own account',
  'POST /api/v1/admin/second-factor/passkeys/options': 'own account',
  'POST /api/v1/admin/second-factor/passkeys': 'own account',
  'POST /api/v1/admin/second-factor/passkeys/:id/remove': 'own account',
  'POST /api/v1/admin/users/:id/reset-second-factor': 'users, api-keys, partners',
  'GET /api/v1/admin/saved-views': 'own account',
  'POST /api/v1/admin/saved-views': 'own account',
  'DELETE /api/v1/admin/saved-views/:id': 'own account',
  'POST /api/v1/admin/pep/otp': 'PEP access',
  'POST /api/v1/admin/pep/verify': 'PEP access',
  'POST /api/v1/admin/users': 'users, api-keys, partners',
  'GET /api/v1/admin/users': 'users, api-keys, partners',
  'GET /api/v1/admin/users/:id': 'users, api-keys, partners',
  'PUT /api/v1/admin/users/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/users/:id/reset-password': 'users, api-keys, partners',
  'POST /api/v1/admin/api-keys': 'users, api-keys, partners',
  'GET /api/v1/admin/api-keys': 'users, api-keys, partners',
  'GET /api/v1/admin/api-keys/:id': 'users, api-keys, partners',
  'PUT /api/v1/admin/api-keys/:id': 'users, api-keys, partners',
  'DELETE /api/v1/admin/api-keys/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/api-keys/:id/rotate': 'users, api-keys, partners',
  'GET /api/v1/admin/api-keys/:id/requests': 'requests of a key',
  'POST /api/v1/admin/lab/certifications': 'lab',
  'GET /api/v1/admin/lab/certifications': 'lab',
  'GET /api/v1/admin/lab/certifications/:id': 'lab',
  'POST /api/v1/admin/lab/certifications/:id/finish': 'lab',
  'GET /api/v1/admin/roles': 'roles, read',
  'GET /api/v1/admin/messages': 'users, api-keys, partners',
  'GET /api/v1/admin/overview': 'reports:read',
  'GET /api/v1/admin/counts': 'own account',
  'GET /api/v1/admin/series': 'reports:read',
  'GET /api/v1/admin/ledger/accounts': 'ledger:read',
  'GET /api/v1/admin/ledger/trial-balance': 'ledger:read',
  'GET /api/v1/admin/agents/float': 'ledger:read',
  'POST /api/v1/admin/trust-accounts': 'trust-accounts:write',
  'GET /api/v1/admin/trust-accounts': 'trust-accounts:read',
  'GET /api/v1/admin/trust-accounts/:id': 'trust-accounts:read',
  'PUT /api/v1/admin/trust-accounts/:id': 'trust-accounts:write',
  'POST /api/v1/admin/trust-accounts/:id/statements': 'trust-accounts:write',
  'GET /api/v1/admin/trust-accounts/:id/statements': 'trust-accounts:read',
  'GET /api/v1/admin/trust-accounts/:id/statements/:statement_id': 'trust-accounts:read',
  'GET /api/v1/admin/trust-accounts/:id/statements/:statement_id/file': 'trust-accounts:read',
  'GET /api/v1/admin/trust-accounts/:id/statements/:statement_id/entries': 'trust-accounts:read',
  'GET /api/v1/audit/logs': 'audit:read',
  'GET /api/v1/audit/verify': 'audit:read',
  'GET /api/v1/admin/approval-policies': 'approval policies, read',
  'PUT /api/v1/admin/approval-policies': 'users, api-keys, partners',
  'GET /api/v1/admin/approvals': 'approvals, read',
  'GET /api/v1/admin/approvals/:id': 'approvals, read',
  'POST /api/v1/admin/approvals/:id/approve': 'approvals, decide',
  'POST /api/v1/admin/approvals/:id/reject': 'approvals, decide',
  'POST /api/v1/admin/approvals/:id/withdraw': 'approvals, decide',
  'POST /api/v1/admin/approvals/:id/collect-secrets': 'approvals, decide',
  'POST /api/v1/public/subscribers': 'public',
  'POST /api/v1/public/subscribers/:id/verify': 'public',
  'POST /api/v1/public/subscribers/:id/resend-code': 'public',
  'POST /api/v1/subscribers': 'subscribers:write',
  'GET /api/v1/subscribers': 'subscribers:read',
  'GET /api/v1/subscribers/:id': 'subscribers:read, services too',
  'PUT /api/v1/subscribers/:id': 'subscribers:update',
  'POST /api/v1/subscribers/:id/block': 'subscribers:block',
  'POST /api/v1/subscribers/:id/unblock': 'subscribers:unblock',
  'POST /api/v1/subscribers/:id/enable-types': 'subscribers:unblock',
  'POST /api/v1/subscribers/:id/activate': 'subscribers:activate',
  'POST /api/v1/subscribers/:id/verify-pin': 'subscribers:write',
  'POST /api/v1/subscribers/:id/change-pin': 'subscribers:write',
  'GET /api/v1/subscribers/:id/limits': 'balance:read',
  'GET /api/v1/subscribers/:id/notes': 'subscriber notes',
  'POST /api/v1/subscribers/:id/notes': 'subscriber notes',
  'POST /api/v1/public/pin-reset': 'public',
  'POST /api/v1/subscribers/:id/reset-pin': 'PIN reset',
  'POST /api/v1/agents/:id/reset-pin': 'PIN reset',
  'POST /api/v1/subscribers/:id/unlock': 'PIN unlock',
  'POST /api/v1/cards/link': 'cards:write',
  'POST /api/v1/cards/child': 'cards:write',
  'GET /api/v1/cards': 'cards:read',
  'GET /api/v1/cards/:serial': 'cards:read',
  'PUT /api/v1/cards/:serial': 'cards:write',
  'POST /api/v1/cards/:serial/unlink': 'cards:write',
  'POST /api/v1/cards/:serial/block': 'cards:write',
  'POST /api/v1/cards/:serial/unblock': 'cards:write',
  'POST /api/v1/cards/upload-csv': 'cards:write',
  'POST /api/v1/wallet/balance/:subscriber_id': 'balance:read',
  'GET /api/v1/balance/:user_id': 'balance:read',
  'POST /api/v1/wallet/transfer': 'payments:write',
  'POST /api/v1/wallet/transfer-p2p': 'payments:write',
  'POST /api/v1/wallet/withdraw': 'cash-out',
  'POST /api/v1/wallet/fund-from-partner': 'payments:write, fund-from-partner',
  'GET /api/v1/search': 'search',
  'GET /api/v1/transactions': 'payments:read',
  'GET /api/v1/transactions/:id': 'payments:read',
  'GET /api/v1/holds': 'payments:read',
  'GET /api/v1/holds/:id': 'payments:read',
  'GET /api/v1/transactions/:id/evidence': 'payments:read',
  'GET /api/v1/transactions/:id/receipt': 'payments:read',
  'POST /api/v1/transactions/:id/receipt/revoke': 'receipts, revoke',
  'GET /r/:token': 'public',
  'GET /api/v1/requests/:request_id': 'request outcomes',
  'POST /api/v1/wallet/account-statement': 'statements',
  'POST /api/v1/pos/payment': 'card payment',
  'POST /api/v1/pos/refund': 'card payment',
  'POST /api/v1/pos/payment/:transaction_id/capture': 'card payment',
  'POST /api/v1/pos/payment/:transaction_id/void': 'card payment',
  'POST /api/v1/pos/verify-card': 'card verification',
  'POST /api/v1/pos/verify-account': 'card verification',
  'POST /api/v1/pos/lookup-card': 'card look-up',
  'POST /api/v1/payment': 'card payment',
  'POST /api/v1/payment/refund': 'card payment',
  'POST /api/v1/payment/:transaction_id/capture': 'card payment',
  'POST /api/v1/payment/:transaction_id/void': 'card payment',
  'POST /api/v1/payment/verify-card': 'card verification',
  'POST /api/v1/payment/verify-account': 'card verification',
  'POST /api/v1/payment/lookup-card': 'card look-up',
  'POST /api/v1/processors': 'processors:write',
  'GET /api/v1/processors': 'processors:read',
  'GET /api/v1/processors/:id': 'processors:read',
  'GET /api/v1/processors/:id/qr': 'processors:read',
  'PUT /api/v1/processors/:id': 'processors:write',
  'POST /api/v1/processors/:id/suspend': 'processors:write',
  'POST /api/v1/processors/:id/reactivate': 'processors:write',
  'POST /api/v1/processors/:id/transfer': 'processors:transfer',
  'GET /api/v1/processors/:id/transactions': 'processor transactions',
  'GET /api/v1/request-log': 'own integration',
  'GET /api/v1/webhook-deliveries': 'own integration',
  'GET /api/v1/webhook-deliveries/:id': 'own integration',
  'POST /api/v1/processors/:id/keys': 'own keys',
  'DELETE /api/v1/processors/:id/keys/:key_id': 'own keys',
  'POST /api/v1/processors/:id/users': 'users, api-keys, partners',
  'POST /api/v1/processors/:id/bank-accounts': 'bank accounts, change',
  'GET /api/v1/processors/:id/bank-accounts': 'processor history',
  'DELETE /api/v1/processors/:id/bank-accounts/:account_id': 'bank accounts, change',
  'POST /api/v1/processors/:id/payout': 'processors:transfer',
  'GET /api/v1/processors/:id/payouts': 'processor history',
  'GET /api/v1/processors/:id/keys': 'processor history',
  'GET /api/v1/admin/payouts': 'reconciliation, read',
  'POST /api/v1/processors/:id/refunds': 'merchant refund',
  'GET /api/v1/processors/:id/payouts/:transaction_id/bank-entries': 'reconciliation, change',
  'POST /api/v1/processors/:id/payouts/:transaction_id/return': 'reconciliation, change',
  'GET /api/v1/admin/reconciliation': 'reconciliation, read',
  'POST /api/v1/admin/reconciliation/assign': 'reconciliation, change',
  'POST /api/v1/admin/reconciliation/release': 'reconciliation, change',
  'POST /api/v1/admin/reconciliation/run': 'reconciliation, change',
  'GET /api/v1/admin/reconciliation/matches': 'reconciliation, read',
  'POST /api/v1/admin/reconciliation/matches': 'reconciliation, change',
  'GET /api/v1/admin/reconciliation/matches/:id': 'reconciliation, read',
  'DELETE /api/v1/admin/reconciliation/matches/:id': 'reconciliation, change',
  'GET /api/v1/admin/reconciliation/suggestions': 'reconciliation, read',
  'POST /api/v1/admin/reconciliation/suggestions/:id/accept': 'reconciliation, change',
  'POST /api/v1/admin/reconciliation/write-offs': 'reconciliation, change',
  'POST /api/v1/agents': 'agents:write',
  'GET /api/v1/agents': 'agents:read',
  'GET /api/v1/agents/:id': 'agents:read',
  'PUT /api/v1/agents/:id': 'agents:write',
  'GET /api/v1/agents/:id/balance': 'agents:read',
  'GET /api/v1/agents/:id/transactions': 'agent history',
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
  'POST /api/v1/compliance/alerts': 'compliance:write, services too',
  'GET /api/v1/compliance/alerts/:id': 'compliance:read',
  'PUT /api/v1/compliance/alerts/:id': 'compliance:write',
  'POST /api/v1/compliance/alerts/:id/assign': 'compliance:write',
  'POST /api/v1/compliance/alerts/:id/release': 'compliance:write',
  'POST /api/v1/compliance/alerts/:id/resolve': 'compliance:write',
  'GET /api/v1/compliance/rules': 'compliance:read',
  'POST /api/v1/compliance/rules': 'compliance:write',
  'GET /api/v1/compliance/rules/:id': 'compliance:read',
  'PUT /api/v1/compliance/rules/:id': 'compliance:write',
  'GET /api/v1/compliance/network/:id': 'compliance:read',
  'POST /api/v1/compliance/rules/what-if': 'compliance:write',
  'POST /api/v1/compliance/rules/:id/what-if': 'compliance:write',
  'GET /api/v1/compliance/account-rules': 'account rules',
  'GET /api/v1/account-rules/:kyc_level': 'account rules',
  'GET /api/v1/admin/commission-tiers': 'commission tiers, read',
  'PUT /api/v1/admin/commission-tiers': 'commission tiers, change',
  'GET /api/v1/agents/:id/commissions': 'agent commissions',
  'GET /api/v1/fee-quote': 'payment forms',
  'GET /api/v1/fee-settings': 'fees:read',
  'GET /api/v1/fee-settings/:type/:party': 'fees:read',
  'PUT /api/v1/fee-settings': 'fees:write',
  'POST /api/v1/fee-settings/what-if': 'fees:read',
  'DELETE /api/v1/fee-settings/:type/:party': 'fees:write',
  'POST /api/v1/admin/partners': 'users, api-keys, partners',
  'GET /api/v1/admin/partners': 'partners read',
  'GET /api/v1/admin/partners/:id': 'partners read',
  'PUT /api/v1/admin/partners/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/partners/:id/rotate-webhook-secret': 'users, api-keys, partners',
  'POST /api/v1/admin/partners/:id/settle': 'users, api-keys, partners',
  'POST /api/v1/partner/account-status': 'partner read',
  'POST /api/v1/partner/cashin': 'partner payment',
  'POST /api/v1/partner/transaction-history': 'partner read',
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
  'GET /api/v1/admin/inbound': 'inbound records',
  'GET /api/v1/admin/inbound/:inbound_id': 'inbound records',
  'POST /api/v1/admin/inbound/:inbound_id/reverse': 'inbound:reverse',
  'GET /api/v1/admin/suspense': 'suspense, read',
  'POST /api/v1/admin/suspense/:transaction_id/resolve': 'suspense, resolve',
  'POST /api/v1/admin/closes': 'closes, write',
  'GET /api/v1/admin/closes': 'closes, read',
  'GET /api/v1/admin/closes/:date.pdf': 'closes, read',
  'GET /api/v1/admin/closes/:date': 'closes, read',
  'GET /.well-known/kissi-keys.json': 'public',
  'GET /api/v1/admin/webhook-deliveries': 'users, api-keys, partners',
  'GET /api/v1/admin/webhook-deliveries/:id': 'users, api-keys, partners',
  'POST /api/v1/admin/webhook-deliveries/:id/replay': 'users, api-keys, partners',
};

/** Expected access by route, such as 'GET /health'. */
export const EXPECTED_ACCESS: ReadonlyMap<string, Access | 'public'> = new Map(
  Object.entries(ROUTES).map(([route, name]) => [route, name === 'public' ? name : (ACCESS_BY_NAME[name] as Access)]),
);

/** Whether a key of this owner with these scopes has access; keys with an owner act for it alone. */
export function keyHasAccess({ scopes, ownedKeys = {} }: Access, owner: Owner, granted: readonly Scope[]): boolean {
  if (owner === 'operator') return scopes.some((scope) => granted.includes(scope));
  return [ownedKeys[owner] ?? []].flat().some((scope) => granted.includes(scope));
}
