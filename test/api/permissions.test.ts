// Every role and every scope against every route, from a table written here from the contract.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ROLES, type Role, SCOPES, type Scope } from '../../src/auth/roles.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { hubHeaders } from '../support/messaging.ts';
import { inboundHeaders, partnerHeaders, webhookHeaders } from '../support/partner.ts';
import { apiKey, staffToken, type TestKey } from '../support/staff.ts';
import { signature } from '../support/terminal.ts';

type Scheme = 'pos' | 'partner' | 'inbound' | 'webhook' | 'hub';
/** `signed`: by a signature of that scheme alone; a bearer value, whoever's, is 401. */
type Access =
  | 'public'
  | { scope: Scope | null; roles: readonly Role[]; service?: true; signed?: Scheme; pepAuthorized?: true };

const AGENTS: Role[] = ['super_agent', 'sub_agent'];
const EVERYONE = [...ROLES];
const ADMIN_ONLY: Access = { scope: null, roles: [] };
const WRITE: Access = { scope: 'subscribers:write', roles: ['support_user', 'sales_user', ...AGENTS] };
const READ: Access = {
  scope: 'subscribers:read',
  roles: ['compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user', ...AGENTS],
};
const AUDIT: Access = { scope: null, roles: ['audit_user', 'compliance_user'] };
const CARDS_READ: Access = {
  scope: 'cards:read',
  roles: ['support_user', 'sales_user', 'compliance_user', 'audit_user'],
};
const CARDS_WRITE: Access = { scope: 'cards:write', roles: ['support_user', 'sales_user'] };
const BALANCE: Access = { scope: 'balance:read', roles: ['support_user', 'finance_user', 'compliance_user'] };
const PAY: Access = { scope: 'payments:write', roles: [] };
const PAYMENTS_READ: Access = {
  scope: 'payments:read',
  roles: ['finance_user', 'compliance_user', 'support_user', 'audit_user'],
};
const SIGNED_PAY: Access = { ...PAY, signed: 'pos' };
const SIGNED_LOOKUP: Access = { scope: 'cards:read', roles: [], signed: 'pos' };
const PROCESSORS_READ: Access = { ...PAYMENTS_READ, roles: [...PAYMENTS_READ.roles, 'sales_user', 'processor'] };
const PROCESSORS_WRITE: Access = { scope: null, roles: ['sales_user'] };
const AGENTS_READ: Access = {
  scope: 'payments:read',
  roles: ROLES.filter((role) => role !== 'processor'),
};
const AGENTS_WRITE: Access = { scope: null, roles: ['super_agent'] };
/** Any role, but only with a flag that nobody has unless told. */
const PEP: Access = { scope: null, roles: EVERYONE, pepAuthorized: true };
const COMPLIANCE_READ: Access = { scope: null, roles: ['compliance_user', 'audit_user'] };
const COMPLIANCE_WRITE: Access = { scope: null, roles: ['compliance_user'] };
const FEES: Access = { scope: null, roles: ['finance_user', 'audit_user'] };

/** Roles besides system_admin, who may everything. */
const EXPECTED: Record<string, Access> = {
  'GET /health': 'public',
  'GET /health/ready': 'public',
  'GET /health/live': 'public',
  // To this machine: metrics.test.ts has the rest.
  'GET /metrics': 'public',
  'POST /api/v1/admin/login': 'public',
  'POST /api/v1/admin/refresh': 'public',
  'POST /api/v1/admin/logout': 'public',
  'GET /api/v1/admin/me': { scope: null, roles: EVERYONE },
  'POST /api/v1/admin/change-password': { scope: null, roles: EVERYONE },
  'POST /api/v1/admin/pep/otp': PEP,
  'POST /api/v1/admin/pep/verify': PEP,
  'POST /api/v1/admin/users': ADMIN_ONLY,
  'GET /api/v1/admin/users': ADMIN_ONLY,
  'GET /api/v1/admin/users/:id': ADMIN_ONLY,
  'PUT /api/v1/admin/users/:id': ADMIN_ONLY,
  'POST /api/v1/admin/api-keys': ADMIN_ONLY,
  'GET /api/v1/admin/api-keys': ADMIN_ONLY,
  'GET /api/v1/admin/api-keys/:id': ADMIN_ONLY,
  'DELETE /api/v1/admin/api-keys/:id': ADMIN_ONLY,
  'POST /api/v1/admin/api-keys/:id/rotate': ADMIN_ONLY,
  'GET /api/v1/admin/messages': ADMIN_ONLY,
  'GET /api/v1/audit/logs': AUDIT,
  'GET /api/v1/audit/verify': AUDIT,
  'POST /api/v1/public/subscribers': 'public',
  'POST /api/v1/subscribers': WRITE,
  'GET /api/v1/subscribers': READ,
  'GET /api/v1/subscribers/:id': { ...READ, service: true },
  'PUT /api/v1/subscribers/:id': { ...WRITE, roles: [...WRITE.roles, 'compliance_user'] },
  'POST /api/v1/subscribers/:id/block': { scope: 'subscribers:write', roles: ['compliance_user', 'support_user'] },
  'POST /api/v1/subscribers/:id/unblock': { scope: null, roles: ['compliance_user'] },
  'POST /api/v1/subscribers/:id/activate': { scope: null, roles: ['support_user', 'sales_user', 'compliance_user'] },
  'POST /api/v1/subscribers/:id/verify-pin': WRITE,
  'POST /api/v1/subscribers/:id/change-pin': WRITE,
  'POST /api/v1/cards/link': CARDS_WRITE,
  'POST /api/v1/cards/child': CARDS_WRITE,
  'GET /api/v1/cards': CARDS_READ,
  'GET /api/v1/cards/:serial': CARDS_READ,
  'POST /api/v1/cards/:serial/block': CARDS_WRITE,
  'POST /api/v1/cards/:serial/unblock': CARDS_WRITE,
  'POST /api/v1/cards/upload-csv': CARDS_WRITE,
  'POST /api/v1/wallet/balance/:subscriber_id': BALANCE,
  'GET /api/v1/balance/:user_id': BALANCE,
  'POST /api/v1/wallet/transfer': PAY,
  'POST /api/v1/wallet/transfer-p2p': PAY,
  'POST /api/v1/wallet/withdraw': PAY,
  'POST /api/v1/wallet/fund-from-partner': { ...PAY, roles: ['finance_user'] },
  'GET /api/v1/transactions': { ...PAYMENTS_READ, roles: [...PAYMENTS_READ.roles, ...AGENTS, 'processor'] },
  'POST /api/v1/wallet/account-statement': PAYMENTS_READ,
  'POST /api/v1/pos/payment': SIGNED_PAY,
  'POST /api/v1/pos/refund': SIGNED_PAY,
  'POST /api/v1/pos/verify-card': SIGNED_PAY,
  'POST /api/v1/pos/verify-account': SIGNED_PAY,
  'POST /api/v1/pos/lookup-card': SIGNED_LOOKUP,
  'POST /api/v1/payment': SIGNED_PAY,
  'POST /api/v1/payment/refund': SIGNED_PAY,
  'POST /api/v1/payment/verify-card': SIGNED_PAY,
  'POST /api/v1/payment/verify-account': SIGNED_PAY,
  'POST /api/v1/payment/lookup-card': SIGNED_LOOKUP,
  'POST /api/v1/processors': PROCESSORS_WRITE,
  'GET /api/v1/processors': PROCESSORS_READ,
  'GET /api/v1/processors/:id': PROCESSORS_READ,
  'POST /api/v1/processors/:id/suspend': PROCESSORS_WRITE,
  'POST /api/v1/processors/:id/reactivate': PROCESSORS_WRITE,
  'POST /api/v1/processors/:id/transfer': { ...PAY, roles: ['finance_user', 'processor'] },
  'GET /api/v1/processors/:id/transactions': { ...PAYMENTS_READ, roles: [...PAYMENTS_READ.roles, 'processor'] },
  'POST /api/v1/agents': AGENTS_WRITE,
  'GET /api/v1/agents': AGENTS_READ,
  'GET /api/v1/agents/:id': AGENTS_READ,
  'GET /api/v1/agents/:id/balance': AGENTS_READ,
  'POST /api/v1/agents/:id/suspend': AGENTS_WRITE,
  'POST /api/v1/agents/:id/reactivate': AGENTS_WRITE,
  'POST /api/v1/agents/:id/terminate': AGENTS_WRITE,
  'POST /api/v1/agents/:id/change-pin': { scope: null, roles: AGENTS },
  'POST /api/v1/agents/:id/fund': { ...PAY, roles: ['finance_user'] },
  'POST /api/v1/agents/:id/return-float': { ...PAY, roles: ['finance_user'] },
  'POST /api/v1/agents/cashin': { ...PAY, roles: AGENTS },
  'POST /api/v1/agents/transfer': { ...PAY, roles: ['super_agent'] },
  'POST /api/v1/compliance/check': { scope: 'payments:write', roles: ['compliance_user'] },
  'GET /api/v1/compliance/alerts': COMPLIANCE_READ,
  'POST /api/v1/compliance/alerts': { ...COMPLIANCE_WRITE, service: true },
  'GET /api/v1/compliance/alerts/:id': COMPLIANCE_READ,
  'PUT /api/v1/compliance/alerts/:id': COMPLIANCE_WRITE,
  'POST /api/v1/compliance/alerts/:id/resolve': COMPLIANCE_WRITE,
  'GET /api/v1/compliance/rules': COMPLIANCE_READ,
  'POST /api/v1/compliance/rules': COMPLIANCE_WRITE,
  'GET /api/v1/compliance/rules/:id': COMPLIANCE_READ,
  'PUT /api/v1/compliance/rules/:id': COMPLIANCE_WRITE,
  'GET /api/v1/compliance/account-rules': COMPLIANCE_READ,
  'GET /api/v1/account-rules/:kyc_level': COMPLIANCE_READ,
  'GET /api/v1/fee-settings': FEES,
  'GET /api/v1/fee-settings/:type/:party': FEES,
  'PUT /api/v1/fee-settings': ADMIN_ONLY,
  'DELETE /api/v1/fee-settings/:type/:party': ADMIN_ONLY,
  'POST /api/v1/admin/partners': ADMIN_ONLY,
  'GET /api/v1/admin/partners': ADMIN_ONLY,
  'GET /api/v1/admin/partners/:id': ADMIN_ONLY,
  'PUT /api/v1/admin/partners/:id': ADMIN_ONLY,
  'POST /api/v1/admin/partners/:id/rotate-webhook-secret': ADMIN_ONLY,
  'POST /api/v1/admin/partners/:id/settle': ADMIN_ONLY,
  'POST /api/v1/partner/account-status': { scope: 'payments:read', roles: [], signed: 'partner' },
  'POST /api/v1/partner/cashin': { scope: 'payments:write', roles: [], signed: 'partner' },
  'POST /api/v1/partner/transaction-history': { scope: 'payments:read', roles: [], signed: 'partner' },
  'POST /webhooks/partner/cashin': { scope: null, roles: [], signed: 'webhook' },
  'POST /external/messaging': 'public',
  'POST /api/v1/external/messaging': 'public',
  'GET /webhooks/messaging': 'public',
  'GET /api/v1/webhooks/messaging': 'public',
  'POST /webhooks/messaging': { scope: null, roles: [], signed: 'hub' },
  'POST /api/v1/webhooks/messaging': { scope: null, roles: [], signed: 'hub' },
  'POST /api/v1/inbound/name-enquiry': { scope: 'inbound:read', roles: [], signed: 'inbound' },
  'POST /api/v1/inbound/credit': { scope: 'inbound:write', roles: [], signed: 'inbound' },
  'GET /api/v1/inbound/transactions/:reference': { scope: 'inbound:read', roles: [], signed: 'inbound' },
  'POST /api/v1/admin/inbound/:inbound_id/reverse': { scope: null, roles: ['finance_user'] },
  'GET /api/v1/admin/webhook-deliveries': ADMIN_ONLY,
  'POST /api/v1/admin/webhook-deliveries/:id/replay': ADMIN_ONLY,
};

/** Open to all, and 403 for who does not know the token that goes with the question. */
const BY_TOKEN = ['GET /webhooks/messaging', 'GET /api/v1/webhooks/messaging'];

let kissi: TestGateway;
before(async () => {
  const secret = 'known to no key of this test';
  kissi = await testGateway({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: secret, MESSAGING_APP_SECRET: secret } });
});
after(() => kissi.close());

const routes = () =>
  kissi.gateway.rows.flatMap(({ prefix, endpoints }) =>
    endpoints.map(({ method, path }) => `${method} ${prefix}${path}`),
  );

async function statusOf(route: string, token?: string): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const body = method === 'GET' || method === 'DELETE' ? {} : { raw: '{}' };
  const options = { ...body, ...(token ? { token } : {}) };
  return (await kissi.call(method, path.replace(/:\w+/g, 'nobody_0'), options)).status;
}

const PARTNER = 'ptn_test';

/** With a signature made of the key's secret instead of its bearer value. */
async function signedStatusOf(route: string, scheme: Scheme, key: TestKey): Promise<number> {
  const [method = '', template = ''] = route.split(' ');
  const [path, body] = [template.replace(/:\w+/g, 'nobody_0'), method === 'GET' ? '' : '{}'];
  const signed = { method, path, at: new Date(kissi.clock.now()).toISOString(), body };
  const headers = {
    pos: () => signature(key, signed),
    partner: () => partnerHeaders(key, PARTNER, signed),
    inbound: () => inboundHeaders(key, signed, { idempotencyKey: 'x' }),
    webhook: () => webhookHeaders(key.secret, body),
    hub: () => hubHeaders(body, key.secret),
  }[scheme]();
  return (await kissi.call(method, path, { headers, ...(body === '' ? {} : { raw: body }) })).status;
}

/** Its users come with processors, not through /admin/users: here one is made of another, of the id that paths name. */
async function processorToken(): Promise<string> {
  const token = await staffToken(kissi, 'sales_user');
  await kissi.db.database.queries
    .updateTable('users')
    .set({ role: 'processor', processor_id: 'nobody_0' })
    .where('role', '=', 'sales_user')
    .execute();
  return token;
}

test('the table of this test lists every route there is, and no other', () => {
  assert.deepEqual(routes().sort(), Object.keys(EXPECTED).sort());
});

test('without a credential every route but the public ones is 401', async () => {
  for (const [route, access] of Object.entries(EXPECTED)) {
    const status = await statusOf(route);
    if (access === 'public') assert.equal(status === 403, BY_TOKEN.includes(route), route);
    else assert.equal(status, 401, route);
  }
});

test('each role reaches exactly the routes the contract gives it', async () => {
  for (const role of ROLES) {
    const token = role === 'processor' ? await processorToken() : await staffToken(kissi, role);
    for (const [route, access] of Object.entries(EXPECTED)) {
      if (access === 'public') continue;
      const inRole = role === 'system_admin' || access.roles.includes(role);
      const may = inRole && !access.signed && !access.pepAuthorized;
      const status = await statusOf(route, token);
      assert.equal(status !== 403 && status !== 401, may, `${role} on ${route} got ${status}`);
    }
  }
});

test('each scope of an API key reaches exactly the routes the contract gives it', async () => {
  const row = { id: PARTNER, name: 'Test Bank', created_at: new Date(), updated_at: new Date() };
  await kissi.db.database.queries.insertInto('partners').values(row).execute();
  for (const scope of SCOPES) {
    const ofPartner = await apiKey(kissi, [scope], { partner_id: PARTNER });
    const ofHouse = scope.startsWith('inbound:') ? ofPartner : await apiKey(kissi, [scope]);
    for (const [route, access] of Object.entries(EXPECTED)) {
      if (access !== 'public') await assertReach(route, access, scope, { ofHouse, ofPartner });
    }
  }
});

async function assertReach(
  route: string,
  { signed, scope: needed }: Exclude<Access, 'public'>,
  scope: Scope,
  { ofHouse, ofPartner }: Record<'ofHouse' | 'ofPartner', TestKey>,
): Promise<void> {
  const key = signed === 'partner' ? ofPartner : ofHouse;
  const status = await (signed ? signedStatusOf(route, signed, key) : statusOf(route, key.key));
  if (signed) assert.equal(await statusOf(route, key.key), 401, route);
  assert.equal(status !== 403 && status !== 401, needed === scope, `${scope} on ${route} got ${status}`);
}

test('a credential that is no key and no token is 401 on every route', async () => {
  for (const token of ['svc_test_0000000000000000000000000000', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.']) {
    for (const [route, access] of Object.entries(EXPECTED)) {
      if (access !== 'public') assert.equal(await statusOf(route, token), 401, route);
    }
  }
});
