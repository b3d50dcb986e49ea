// The permission matrix: for each permission, the API key scope and the user roles that grant it.
import { type Role, type Scope, USER_ROLES } from './roles.ts';

export interface Rule {
  /** The scopes of which an API key without an owner needs one. Empty: not available to such keys. */
  scopes: readonly Scope[];
  /**
   * The scope that a key of a partner or processor needs, or those of which it needs one. Not listed: such keys have no access, whatever their scopes,
   * because they act for their owner alone.
   */
  ownedKeys?: Partial<Record<KeyOwner, Scope | readonly Scope[]>>;
  /** Roles that have the permission. system_admin has every permission but those of customers. */
  roles: readonly Role[];
  /** Only users who are authorized to access politically exposed persons' records, system_admin included. */
  pepAuthorized?: true;
}

export type KeyOwner = 'processor' | 'partner';

/** What customers do with their own wallet. They have no other permission, and nobody else has these. */
const OWN_WALLET = { scopes: [], roles: ['subscriber'] } as const;

const AGENTS = ['super_agent', 'sub_agent'] as const;
const PROCESSOR_PAYS = {
  scopes: ['payouts:write'],
  ownedKeys: { processor: 'payouts:write' },
  roles: ['finance_user', 'processor'],
} as const;
const PROCESSOR_READS = {
  scopes: ['payments:read'],
  ownedKeys: { processor: 'payments:read' },
  roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
} as const;

export const PERMISSIONS = {
  'subscribers:read': {
    scopes: ['subscribers:read'],
    roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', ...AGENTS],
  },
  'subscribers:write': { scopes: ['subscribers:write'], roles: ['support_user', 'sales_user', ...AGENTS] },
  // compliance_user may change only the KYC level; the service checks the fields.
  'subscribers:update': {
    scopes: ['subscribers:write'],
    roles: ['support_user', 'sales_user', 'compliance_user', ...AGENTS],
  },
  // Its replies tell which numbers are registered, without the limits of agents' look-ups.
  'messaging:bridge': { scopes: ['subscribers:read'], roles: ['support_user'] },
  'subscribers:activate': { scopes: [], roles: ['support_user', 'sales_user', 'compliance_user'] },
  'subscribers:block': { scopes: ['subscribers:write'], roles: ['compliance_user', 'support_user'] },
  'subscribers:unblock': { scopes: [], roles: ['compliance_user'] },
  // KYC documents in the record, for the roles that decide on the KYC level.
  'subscribers:documents': { scopes: [], roles: ['compliance_user'] },
  // Compliance decides on it.
  'subscribers:request-level': { scopes: [], roles: AGENTS },
  // What staff write about a subscriber for each other.
  'subscribers:notes': { scopes: [], roles: ['support_user', 'compliance_user'] },
  // What customers complain about. Who reads a case sees the payment it is about.
  'cases:read': { scopes: [], roles: ['support_user', 'compliance_user', 'finance_user', 'audit_user'] },
  'cases:write': { scopes: [], roles: ['support_user', 'compliance_user'] },
  'cases:files': { scopes: [], roles: ['support_user', 'compliance_user'] },
  // Holding or returning a customer's money against the rules of recalls. The latter needs a second user.
  'cases:decide': { scopes: [], roles: ['compliance_user'] },
  'cases:clocks': { scopes: [], roles: ['compliance_user'] },
  // Everything about one customer in one file, and the end of it. The latter always needs a second user.
  'privacy:export': { scopes: [], roles: ['compliance_user'] },
  'privacy:erase': { scopes: [], roles: ['compliance_user'] },
  // Proves nothing by itself: the holder needs the code on the phone.
  'pins:reset': { scopes: [], roles: ['support_user'] },
  'pins:unlock': { scopes: [], roles: ['compliance_user'] },
  // Whether an account is locked, or its PIN was reset: why a customer or an agent cannot pay.
  'pins:locks': { scopes: [], roles: ['support_user', 'compliance_user'] },
  'cards:read': { scopes: ['cards:read'], roles: ['support_user', 'sales_user', 'compliance_user', 'audit_user'] },
  'cards:write': { scopes: ['cards:write'], roles: ['support_user', 'sales_user'] },
  'balance:read': { scopes: ['balance:read'], roles: ['support_user', 'finance_user', 'compliance_user'] },
  // Agents, processors and keys with an owner see only their own account; the service checks this.
  'payments:read': {
    scopes: ['payments:read'],
    ownedKeys: { partner: 'payments:read', processor: 'payments:read' },
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', ...AGENTS, 'processor'],
  },
  // For good: the parties keep their receipt, and its link no longer opens for others.
  'receipts:revoke': { scopes: [], roles: ['support_user', 'compliance_user'] },
  // Statements of wallets, which neither agents nor processors own.
  statements: {
    scopes: ['payments:read'],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
  },
  // Transfers between wallets. A terminal sees the PINs of its customers, so its key must not make transfers with them.
  'payments:write': { scopes: ['payments:write'], roles: [] },
  // Agents' users pay cash out from their own float; the service checks this. The holder confirms with the PIN.
  'payments:withdraw': { scopes: ['payments:write'], roles: AGENTS },
  // A partner's key funds wallets from its own partner only; the service checks this.
  'payments:fund': {
    scopes: ['treasury:write'],
    ownedKeys: { partner: 'payments:write' },
    roles: ['finance_user'],
  },
  // Fee quotes, for callers that can make a payment. The service checks the type's permission.
  'payments:forms': {
    scopes: ['payments:write', 'treasury:write', 'payouts:write'],
    ownedKeys: { partner: 'payments:write', processor: 'payouts:write' },
    roles: ['finance_user', ...AGENTS, 'processor'],
  },
  // A request's outcome by its id, for callers that can make or read payments. The service checks the party.
  'requests:read': {
    scopes: ['payments:read', 'payments:write', 'treasury:write', 'payouts:write'],
    ownedKeys: {
      partner: ['payments:read', 'payments:write'],
      processor: ['payments:read', 'payments:write', 'payouts:write'],
    },
    roles: ['finance_user', ...AGENTS, 'processor'],
  },
  // Card payments at terminals and in apps, and the checks before them.
  'cards:pay': { scopes: ['payments:write'], ownedKeys: { processor: 'payments:write' }, roles: [] },
  'cards:verify': { scopes: ['payments:write'], ownedKeys: { processor: 'payments:write' }, roles: [] },
  'cards:look-up': { scopes: ['cards:read'], ownedKeys: { processor: 'cards:read' }, roles: [] },
  // Agents see and manage only their own network and float; the service checks this.
  'agents:read': {
    scopes: ['payments:read'],
    roles: ['compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user', ...AGENTS],
  },
  // agents:read without sales_user, who sees no payments.
  'agents:history': {
    scopes: ['payments:read'],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', ...AGENTS],
  },
  'agents:write': { scopes: ['agents:write'], roles: ['super_agent'] },
  // Why an agent or a processor is suspended, for the roles that decide on it.
  'agents:reasons': { scopes: [], roles: ['compliance_user'] },
  'processors:reasons': { scopes: [], roles: ['compliance_user', 'sales_user'] },
  'agents:fund': { scopes: ['treasury:write'], roles: ['finance_user'] },
  'agents:transfer': { scopes: ['payments:write'], roles: ['super_agent'] },
  // Between a sub-agent and its super-agent. Staff read them.
  'agents:float-requests': { scopes: [], roles: ['sub_agent'] },
  'agents:cashin': { scopes: ['payments:write'], roles: AGENTS },
  'agents:pin': { scopes: [], roles: AGENTS },
  // Users and keys of a processor access only their own processor; the service checks this.
  'processors:read': {
    scopes: ['payments:read'],
    ownedKeys: { processor: 'payments:read' },
    roles: ['finance_user', 'support_user', 'sales_user', 'audit_user', 'compliance_user', 'processor'],
  },
  'processors:write': { scopes: ['processors:write'], roles: ['sales_user'] },
  'processors:transfer': PROCESSOR_PAYS,
  'processors:payout': PROCESSOR_PAYS,
  // Only logins of the processor itself; the service refuses administrators, whose keys can need approval.
  'own-keys:write': { scopes: [], roles: ['processor'] },
  // Where the money of a processor can go. Users of a processor change only their own; the service checks this.
  'beneficiaries:write': { scopes: [], roles: ['finance_user', 'processor'] },
  // Keys refund with a signature: cards:pay.
  'processors:refund': { scopes: [], roles: ['finance_user', 'processor'] },
  'payouts:return': { scopes: [], roles: ['finance_user'] },
  // payments:read without agents, who have no processor account.
  'processors:history': PROCESSOR_READS,
  'payment-requests:read': PROCESSOR_READS,
  'payment-requests:write': {
    scopes: ['payments:write'],
    ownedKeys: { processor: 'payments:write' },
    roles: ['finance_user', 'support_user', 'processor'],
  },
  // Processors, partners and their keys make and see only their own; the service checks this. Finance uploads for partners and the
  // treasury.
  'bulk-payments:read': {
    scopes: [],
    ownedKeys: { partner: 'payments:read', processor: 'payments:read' },
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
  },
  'bulk-payments:write': {
    scopes: [],
    ownedKeys: { partner: 'payments:write', processor: 'payments:write' },
    roles: ['finance_user', 'processor'],
  },
  // By a second login; the service checks which. No key.
  'bulk-payments:approve': { scopes: [], roles: ['finance_user', 'processor'] },
  // Not finance, who upload for partners: more rows are more look-ups.
  'bulk-payments:limits': { scopes: [], roles: ['compliance_user'] },
  'return-hosts:write': { scopes: [], roles: ['sales_user', 'processor'] },
  'compliance:read': { scopes: ['compliance:read'], roles: ['compliance_user', 'audit_user'] },
  'compliance:write': { scopes: ['compliance:write'], roles: ['compliance_user'] },
  // A check reveals data about any subscriber and can create alerts.
  'compliance:check': { scopes: ['payments:write'], roles: ['compliance_user'] },
  // The limits of the KYC levels.
  'account-rules': {
    scopes: ['subscribers:read', 'compliance:read'],
    roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', ...AGENTS],
  },
  // Each type of record has its own permission too. Agents find subscribers by a complete number only; the service checks this.
  search: {
    scopes: ['subscribers:read', 'cards:read', 'payments:read'],
    roles: ['compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user', ...AGENTS],
  },
  'fees:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'fees:write': { scopes: [], roles: [] },
  // What an agent earned and was paid. Agents see only their own network; the service checks this.
  'commission:read': { scopes: [], roles: ['finance_user', 'audit_user', ...AGENTS] },
  'commission:write': { scopes: [], roles: ['finance_user'] },
  partners: { scopes: [], roles: [] },
  // Finance funds wallets from partners and reconciles what they owe.
  'partners:read': { scopes: [], roles: ['finance_user'] },
  // Routes for the partner that signs the request.
  'partner:read': { scopes: [], ownedKeys: { partner: 'payments:read' }, roles: [] },
  'partner:cashin': { scopes: [], ownedKeys: { partner: 'payments:write' }, roles: [] },
  'inbound:read': { scopes: [], ownedKeys: { partner: 'inbound:read' }, roles: [] },
  'inbound:write': { scopes: [], ownedKeys: { partner: 'inbound:write' }, roles: [] },
  // The records of inbound credits, for staff.
  'inbound:review': { scopes: [], roles: ['finance_user', 'compliance_user', 'support_user'] },
  'inbound:reverse': { scopes: [], roles: ['finance_user'] },
  'suspense:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'suspense:resolve': { scopes: [], roles: ['finance_user'] },
  'closes:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'closes:write': { scopes: [], roles: ['finance_user'] },
  // Sums of all customers; the overview leaves out the parts that a role may not see.
  'reports:read': { scopes: [], roles: ['finance_user', 'audit_user', 'compliance_user', 'support_user'] },
  'ledger:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'trust-accounts:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'trust-accounts:write': { scopes: [], roles: ['finance_user'] },
  'reconciliation:read': { scopes: [], roles: ['finance_user', 'audit_user'] },
  'reconciliation:write': { scopes: [], roles: ['finance_user'] },
  users: { scopes: [], roles: [] },
  // What an attacker would like to know: what is open, old or switched off.
  'production:read': { scopes: [], roles: [] },
  'production:confirm': { scopes: [], roles: [] },
  // Which role may do what.
  'roles:read': { scopes: [], roles: ['audit_user'] },
  'api-keys': { scopes: [], roles: [] },
  // What became of the requests of the keys of the caller's own partner or processor; the service checks the owner.
  'own-integration:read': {
    scopes: [],
    ownedKeys: { partner: ['payments:read', 'inbound:read'], processor: 'payments:read' },
    roles: ['processor'],
  },
  // Webhook endpoints and deliveries of the caller's own partner or processor; the service checks the owner.
  'webhooks:read': {
    scopes: [],
    ownedKeys: { partner: ['payments:read', 'inbound:read'], processor: 'payments:read' },
    roles: ['processor'],
  },
  'webhooks:write': {
    scopes: [],
    ownedKeys: { partner: ['payments:write', 'inbound:write'], processor: 'payments:write' },
    roles: ['processor'],
  },
  // The recent requests of a key, redacted: why an integration does not work.
  'api-keys:requests': { scopes: [], roles: ['support_user'] },
  // Which approvals a user sees and decides on depends on the permission of their action; the service checks this.
  'approvals:read': {
    scopes: [],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'processor'],
  },
  'approvals:write': { scopes: [], roles: ['finance_user', 'compliance_user', 'support_user', 'processor'] },
  'approval-policies:read': {
    scopes: [],
    roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
  },
  'approval-policies': { scopes: [], roles: [] },
  messages: { scopes: [], roles: [] },
  // Certification of integrators; not in production.
  lab: { scopes: [], roles: ['support_user'] },
  'audit:read': { scopes: ['audit:read'], roles: ['audit_user', 'compliance_user'] },
  // A user's own account: every role, but no API key.
  'own-account': { scopes: [], roles: USER_ROLES },
  pep_access_authorized: { scopes: [], roles: USER_ROLES, pepAuthorized: true },
  'me:read': OWN_WALLET,
  // Payments need the PIN as well; the service checks it.
  'me:pay': OWN_WALLET,
  // PIN, devices, cards and settings. A new device changes most of them only later; the service checks this.
  'me:manage': OWN_WALLET,
} as const satisfies Record<string, Rule>;
