// Tests every bearer route against a politically exposed person: access is refused, masked or harmless.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { hmac, serviceSignedString } from '@kissi/signatures/node';
import { SCOPES, USER_ROLES } from '../../../src/auth/roles.ts';
import { alertBody, raiseAlert } from '../../support/compliance.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { createBank, newAgentFloat, newFundingId, PIN } from '../../support/money.ts';
import { webhookHeaders } from '../../support/partner.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { apiKey, assertRefused, auditLogs, auditRows, refusedAttemptCount, staffToken } from '../../support/staff.ts';

const SERVICE_SECRET = 'a secret of the chat service, long enough';
const SECRET = 'a-webhook-secret-shared-with-one-partner';
const NAME = { first_name: 'Zainabu', last_name: 'Excellency' };

const kissi = await testGateway({
  env: {
    SERVICE_SECRETS: JSON.stringify({ chat: SERVICE_SECRET }),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PARTNER_CASHIN_WEBHOOK_SECRET: SECRET,
  },
});
const bank = await createBank(kissi);
const pep = await bank.wallet(1_000_000, NAME);
const other = await bank.wallet(1_000_000);
const [card, othersCard, spareCard] = [await bank.card(pep), await bank.card(other), await bank.card(pep)];
const agentId = await newAgentFloat(kissi);
const sender = await testBank(kissi, { webhook_url: 'http://127.0.0.1:9/' });
const reference = newReference();
const credited = assertStatus(await sender.credit({ reference, amount: 5_000, msisdn: pep.phone }), 200);
const inboundId: string = credited.json.data.inbound_id;
const { rows } = await kissi.db.query('select id from webhook_deliveries where reference = $1', [reference]);
const deliveryId = rows[0].id;
const raw = JSON.stringify({ card_serial: card, amount: 60 });
const notified = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
const suspenseItemId: string = notified.json.transaction_id;
const alertId = (await raiseAlert(kissi, { subscriber_id: pep.id })).id;
const complaint = { kind: 'fraud', subscriber_id: pep.id, description: 'SIM swap' };
const caseId: string = assertStatus(await kissi.asAdmin.post('/cases', complaint), 201).json.case.id;
await markPep(kissi, pep.id);
const unopened = await newAuthorizedStaff(kissi, 'system_admin');
const open = await newAuthorizedStaff(kissi, 'system_admin');
await openAccess(kissi, open);
const key = (
  await apiKey(
    kissi,
    SCOPES.filter((scope) => !scope.startsWith('inbound:')),
  )
).key;
after(() => kissi.close());

interface Attempt {
  /** Relative to /api/v1. */
  path: string;
  body?: Record<string, unknown>;
}

interface GuardedRoute {
  attempts(): Attempt[];
  /** Expected for API keys. Routes with the holder's PIN and payments are allowed; some routes accept no keys at all. */
  keys: 'refused' | 'allowed' | 'not accepted';
  /** A payment, whose id no list shows: 404 for those who cannot open access. */
  isConcealed: boolean;
}

/** Names the PEP or a record of the PEP: 403 without open access. */
const guarded = (keys: GuardedRoute['keys'], ...attempts: (() => Attempt | Attempt[])[]): GuardedRoute => ({
  keys,
  isConcealed: false,
  attempts: () => attempts.flatMap((attempt) => attempt()),
});
const concealed = (...attempts: (() => Attempt)[]): GuardedRoute => ({
  ...guarded('not accepted', ...attempts),
  isConcealed: true,
});

const at = (path: () => string, body?: Record<string, unknown>) => (): Attempt => ({
  path: path(),
  ...(body ? { body } : {}),
});
const subscriber = (verb: string, body?: Record<string, unknown>) => at(() => `/subscribers/${pep.id}${verb}`, body);
const aboutCase = (verb: string, body?: Record<string, unknown>) =>
  concealed(at(() => `/cases/${caseId}${verb}`, body));
const PERIOD = { from: '2026-01-01', to: '2026-12-31' };
const statement = (format: string) => (): Attempt => ({
  path: '/wallet/account-statement',
  body: { subscriber_id: pep.id, format, ...PERIOD },
});

/** Shows only the id and status of a PEP; tested in pep-lists.test.ts and search.test.ts. */
const LIST = 'list';
/** Credits the PEP; the reply contains no data of the PEP. */
const PAYMENT = 'payment';
/** Involves no subscriber. */
const NO_SUBSCRIBER = 'no subscriber';
/** Oversight of activity: who did what and when; pep-crawl.test.ts. */
const OVERSIGHT = 'oversight';

const ROUTES: Record<string, GuardedRoute | string> = {
  'GET /admin/approvals': 'shows no content of a request about a PEP: approvals-changes.test.ts',
  'GET /admin/approvals/:id': 'shows no content of a request about a PEP: approvals-changes.test.ts',
  'POST /admin/approvals/:id/approve': 'needs PEP access: approvals-changes.test.ts',
  'POST /admin/approvals/:id/reject': 'returns the approval as GET does',
  'POST /admin/approvals/:id/withdraw': 'returns the approval as GET does',
  'POST /admin/approvals/:id/collect-secrets': "only secrets of the caller's own request",
  'GET /subscribers/:id': guarded('refused', subscriber('')),
  'PUT /subscribers/:id': guarded('refused', subscriber('', { address: '1 Hill Road' })),
  'POST /subscribers/:id/block': guarded('refused', subscriber('/block', { reason: 'x' })),
  'POST /subscribers/:id/unblock': guarded('not accepted', subscriber('/unblock')),
  'POST /subscribers/:id/activate': guarded('not accepted', subscriber('/activate')),
  'POST /subscribers/:id/enable-types': guarded(
    'not accepted',
    subscriber('/enable-types', { transaction_types: ['pos_payment'] }),
  ),
  'POST /subscribers/:id/verify-pin': guarded('allowed', subscriber('/verify-pin', { pin: PIN })),
  'POST /subscribers/:id/change-pin': guarded('allowed', subscriber('/change-pin', { current_pin: PIN, new_pin: PIN })),
  'POST /cards/link': guarded('refused', () => ({
    path: '/cards/link',
    body: { card_serial: 'NEW-CARD-1', subscriber_id: pep.id },
  })),
  'POST /cards/child': guarded('refused', () => ({
    path: '/cards/child',
    body: { card_serial: 'NEW-CARD-2', parent_serial: card },
  })),
  'GET /cards/:serial': guarded(
    'refused',
    at(() => `/cards/${card}`),
  ),
  'GET /cards': guarded(
    'refused',
    at(() => `/cards?subscriber_id=${pep.id}`),
  ),
  'PUT /cards/:serial': guarded(
    'refused',
    at(() => `/cards/${card}`, { label: 'x' }),
  ),
  'POST /cards/:serial/block': guarded(
    'refused',
    at(() => `/cards/${card}/block`, { reason: 'lost' }),
  ),
  'POST /cards/:serial/unblock': guarded(
    'refused',
    at(() => `/cards/${card}/unblock`),
  ),
  'POST /wallet/balance/:subscriber_id': guarded(
    'allowed',
    at(() => `/wallet/balance/${pep.id}`, { pin: PIN }),
  ),
  'GET /balance/:user_id': guarded(
    'refused',
    at(() => `/balance/${pep.id}`),
  ),
  'GET /holds': guarded(
    'refused',
    at(() => `/holds?subscriber_id=${pep.id}`),
  ),
  'GET /holds/:id': 'needs PEP access, other owners get 404: crawl.test.ts',
  'GET /transactions': guarded(
    'refused',
    at(() => `/transactions?subscriber_id=${pep.id}`),
  ),
  'GET /transactions/sums': guarded(
    'refused',
    at(() => `/transactions/sums?subscriber_id=${pep.id}`),
  ),
  'POST /wallet/account-statement': guarded('refused', statement('json'), statement('csv'), statement('pdf')),
  'POST /subscribers/:id/reset-pin': guarded(
    'not accepted',
    at(() => `/subscribers/${pep.id}/reset-pin`),
  ),
  'POST /subscribers/:id/unlock': guarded(
    'not accepted',
    at(() => `/subscribers/${pep.id}/unlock`),
  ),
  'GET /subscribers/:id/limits': guarded('refused', subscriber('/limits')),
  'GET /subscribers/:id/refusals': guarded('refused', subscriber('/refusals')),
  'GET /subscribers/:id/personal-data': guarded('not accepted', subscriber('/personal-data')),
  'POST /subscribers/:id/erase': guarded('not accepted', subscriber('/erase', { reason: 'x' })),
  'POST /subscribers/:id/documents': 'needs PEP access: subscribers/documents.test.ts',
  'GET /subscribers/:id/documents': guarded('not accepted', subscriber('/documents')),
  'GET /subscribers/:id/documents/:documentId': 'needs PEP access: subscribers/documents.test.ts',
  'POST /subscribers/:id/request-level': 'needs approval, which needs PEP access: approvals/changes.test.ts',
  'GET /subscribers/:id/notes': guarded('not accepted', subscriber('/notes')),
  'POST /subscribers/:id/notes': guarded('not accepted', subscriber('/notes', { text: 'x' })),
  'POST /wallet/transfer': guarded('allowed', () => ({
    path: '/wallet/transfer',
    body: { sender_id: pep.id, recipient_id: other.id, amount: 100, pin: PIN },
  })),
  'POST /wallet/transfer-p2p': guarded('allowed', () => ({
    path: '/wallet/transfer-p2p',
    body: { sender_id: pep.id, recipient_card_serial: othersCard, amount: 100, pin: PIN },
  })),
  'POST /wallet/withdraw': guarded('allowed', () => ({
    path: '/wallet/withdraw',
    body: { subscriber_id: pep.id, agent_id: agentId, amount: 100, pin: PIN },
  })),
  'POST /wallet/fund-from-partner': guarded('allowed', () => ({
    path: '/wallet/fund-from-partner',
    body: { partner_id: bank.partnerId, subscriber_id: pep.id, amount: 100, request_id: newFundingId() },
  })),
  'GET /admin/inbound': guarded(
    'not accepted',
    at(() => `/admin/inbound?subscriber_id=${pep.id}`),
  ),
  'GET /admin/inbound/:inbound_id': concealed(at(() => `/admin/inbound/${inboundId}`)),
  'POST /admin/inbound/:inbound_id/reverse': concealed(
    at(() => `/admin/inbound/${inboundId}/reverse`, { reason: 'x' }),
  ),
  'POST /admin/closes': NO_SUBSCRIBER,
  'GET /admin/closes': NO_SUBSCRIBER,
  'GET /admin/closes/:date.pdf': NO_SUBSCRIBER,
  'GET /admin/closes/:date': NO_SUBSCRIBER,
  'GET /admin/closes/:date/figures': NO_SUBSCRIBER,
  'GET /admin/suspense': guarded(
    'not accepted',
    at(() => `/admin/suspense?subscriber_id=${pep.id}`),
  ),
  'POST /admin/suspense/:transaction_id/resolve': concealed(
    at(() => `/admin/suspense/${suspenseItemId}/resolve`, { refund: true, reason: 'x' }),
  ),
  'GET /webhook-deliveries/:id': guarded(
    'not accepted',
    at(() => `/webhook-deliveries/${deliveryId}`),
  ),
  'POST /webhook-deliveries/:id/replay': guarded(
    'not accepted',
    at(() => `/webhook-deliveries/${deliveryId}/replay`),
  ),
  'GET /admin/webhook-deliveries/:id': guarded(
    'not accepted',
    at(() => `/admin/webhook-deliveries/${deliveryId}`),
  ),
  'POST /admin/webhook-deliveries/:id/replay': guarded(
    'not accepted',
    at(() => `/admin/webhook-deliveries/${deliveryId}/replay`),
  ),
  'POST /compliance/check': guarded('refused', () => ({
    path: '/compliance/check',
    body: { subscriber_id: pep.id, transaction_type: 'transfer_p2p', amount: 100 },
  })),
  'POST /compliance/alerts': guarded('refused', () => ({
    path: '/compliance/alerts',
    body: alertBody({ subscriber_id: pep.id }),
  })),
  'GET /compliance/alerts': guarded(
    'refused',
    at(() => `/compliance/alerts?subscriber_id=${pep.id}`),
  ),
  'GET /compliance/alerts/:id': guarded(
    'refused',
    at(() => `/compliance/alerts/${alertId}`),
  ),
  'PUT /compliance/alerts/:id': guarded(
    'refused',
    at(() => `/compliance/alerts/${alertId}`, { notes: 'x' }),
  ),
  'POST /compliance/alerts/:id/assign': guarded(
    'refused',
    at(() => `/compliance/alerts/${alertId}/assign`, {}),
  ),
  'POST /compliance/alerts/:id/release': guarded(
    'refused',
    at(() => `/compliance/alerts/${alertId}/release`, {}),
  ),
  'POST /compliance/alerts/:id/resolve': guarded(
    'refused',
    at(() => `/compliance/alerts/${alertId}/resolve`, { resolution: 'x' }),
  ),
  'POST /cases': guarded('not accepted', () => ({ path: '/cases', body: complaint })),
  'GET /cases': LIST,
  'GET /cases/:id': aboutCase(''),
  'POST /cases/:id/assign': aboutCase('/assign', {}),
  'POST /cases/:id/notes': aboutCase('/notes', { text: 'x' }),
  'POST /cases/:id/messages': aboutCase('/messages', { text: 'x' }),
  'POST /cases/:id/state': aboutCase('/state', { state: 'investigating', reason: 'x' }),
  'POST /cases/:id/complex': aboutCase('/complex', { reason: 'x' }),
  'POST /cases/:id/recall': 'needs PEP access: cases/pep.test.ts',
  'POST /cases/:id/extend-hold': 'needs PEP access: cases/pep.test.ts',
  'POST /cases/:id/legal-order': 'needs PEP access: cases/pep.test.ts',
  'POST /cases/:id/files': 'needs PEP access: cases/pep.test.ts',
  'GET /cases/:id/files/:fileId': 'needs PEP access: cases/pep.test.ts',
  'GET /case-clocks': NO_SUBSCRIBER,
  'POST /case-clocks': NO_SUBSCRIBER,
  'GET /transactions/:id': 'needs PEP access, other owners get 404: transaction-details.test.ts',
  'GET /transactions/:id/evidence': 'needs PEP access: transaction-evidence.test.ts',
  'GET /transactions/:id/receipt': 'needs PEP access, other owners get 404: receipts.test.ts',
  'POST /transactions/:id/receipt/revoke': 'needs PEP access: receipts.test.ts',
  'GET /admin/roles': NO_SUBSCRIBER,
  'GET /admin/payouts': NO_SUBSCRIBER,
  'GET /admin/overview': NO_SUBSCRIBER,
  'GET /admin/counts': NO_SUBSCRIBER,
  'GET /health/production': NO_SUBSCRIBER,
  'GET /admin/series': NO_SUBSCRIBER,
  'GET /admin/ledger/accounts': 'shows the id and kind of a wallet of a PEP: reporting-ledger.test.ts',
  'GET /admin/ledger/trial-balance': NO_SUBSCRIBER,
  'GET /admin/agents/float': NO_SUBSCRIBER,
  'POST /admin/trust-accounts': NO_SUBSCRIBER,
  'GET /admin/trust-accounts': NO_SUBSCRIBER,
  'GET /admin/trust-accounts/:id': NO_SUBSCRIBER,
  'PUT /admin/trust-accounts/:id': NO_SUBSCRIBER,
  'POST /admin/trust-accounts/:id/statements': NO_SUBSCRIBER,
  'GET /admin/trust-accounts/:id/statements': NO_SUBSCRIBER,
  'GET /admin/trust-accounts/:id/statements/:statement_id': NO_SUBSCRIBER,
  'GET /admin/trust-accounts/:id/statements/:statement_id/file': NO_SUBSCRIBER,
  'GET /admin/trust-accounts/:id/statements/:statement_id/entries': NO_SUBSCRIBER,
  'POST /payment-requests': 'the same reply for every number: payment-requests/notices.test.ts',
  'GET /payment-requests': LIST,
  'GET /payment-requests/:id': 'needs PEP access: payment-requests/pep.test.ts',
  'POST /payment-requests/:id/cancel': 'needs PEP access: payment-requests/pep.test.ts',
  'POST /bulk-payments': 'the same for every recipient: bulk-payments/checking.test.ts',
  'GET /bulk-payments': 'shows sums over all rows, which are exempt',
  'GET /bulk-payments/:id': 'shows sums over all rows, which are exempt',
  'GET /bulk-payments/:id/rows': 'withholds their rows: bulk-payments/checking.test.ts',
  'GET /bulk-payments/:id/report.csv': 'withholds their rows: bulk-payments/checking.test.ts',
  'GET /bulk-payments/:id/report.pdf': 'withholds their rows: bulk-payments/checking.test.ts',
  'POST /bulk-payments/:id/cancel': NO_SUBSCRIBER,
  'POST /bulk-payments/:id/approve': 'shows sums over all rows, which are exempt',
  'POST /bulk-payments/:id/stop': 'shows sums over all rows, which are exempt',
  'POST /bulk-payments/:id/retry-failed': 'shows sums over all rows, which are exempt',
  'GET /admin/bulk-payment-limits/:payer_id': NO_SUBSCRIBER,
  'PUT /admin/bulk-payment-limits/:payer_id': NO_SUBSCRIBER,
  'GET /search': LIST,
  'GET /subscribers': LIST,
  'GET /admin/webhook-deliveries': LIST,
  'GET /processors/:id/transactions': LIST,
  'GET /processors/:id/payouts/:transaction_id/bank-entries': NO_SUBSCRIBER,
  'GET /request-log':
    'keys see what they sent and received, staff as in /admin/api-keys/:id/requests: own-integration.test.ts',
  'GET /webhook-deliveries': LIST,
  'GET /fee-quote': NO_SUBSCRIBER,
  'GET /requests/:request_id': 'without access only what the caller itself sent: request-outcomes.test.ts',
  'POST /agents/:id/float-requests': NO_SUBSCRIBER,
  'GET /agents/:id/float-requests': NO_SUBSCRIBER,
  'POST /agents/float-requests/:id/accept': NO_SUBSCRIBER,
  'POST /agents/float-requests/:id/decline': NO_SUBSCRIBER,
  'POST /agents/float-requests/:id/cancel': NO_SUBSCRIBER,
  'POST /agents/cashin': PAYMENT,
  'POST /processors/:id/transfer': PAYMENT,
  'GET /audit/logs': OVERSIGHT,
  'GET /audit/verify': OVERSIGHT,
  'GET /admin/messages': OVERSIGHT,
  'GET /compliance/rules': NO_SUBSCRIBER,
  'GET /compliance/rules/:id': NO_SUBSCRIBER,
  'POST /compliance/rules': NO_SUBSCRIBER,
  'PUT /compliance/rules/:id': NO_SUBSCRIBER,
  'GET /compliance/network/:id': guarded(
    'refused',
    at(() => `/compliance/network/${pep.id}`),
  ),
  'POST /compliance/rules/what-if': 'shows nothing of a PEP: compliance-what-if.test.ts',
  'POST /compliance/rules/:id/what-if': 'shows nothing of a PEP: compliance-what-if.test.ts',
  'POST /fee-settings/what-if': 'shows nothing of a PEP: fees-what-if.test.ts',
  'GET /compliance/account-rules': NO_SUBSCRIBER,
  'GET /account-rules/:kyc_level': NO_SUBSCRIBER,
  'POST /subscribers': NO_SUBSCRIBER,
  // With its own card, because the others need theirs.
  'POST /cards/:serial/unlink': guarded(
    'refused',
    at(() => `/cards/${spareCard}/unlink`),
  ),
  'POST /cards/upload-csv': NO_SUBSCRIBER,
};

/** Route families whose records are not subscribers. */
const OTHER_FAMILIES =
  /^\w+ \/(?:admin\/(?:me|change-password|saved-views|going-live|second-factor|pep|users|api-keys|partners|approval-policies|reconciliation|commission-tiers|lab|notifications)|fee-settings|agents|processors|webhook-endpoints|account-rules|compliance\/(?:account-)?rules|me|payment-requests\/by-code)\b/;

const guardedRoutes = () =>
  Object.entries(ROUTES).filter((row): row is [string, GuardedRoute] => typeof row[1] === 'object');

function send(route: string, { path, body }: Attempt, token: string): Promise<CallReply> {
  const [method = ''] = route.split(' ');
  return kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
}

/** The PEP's record, balance, cards and alerts, which refused attempts must not change. */
async function pepState(): Promise<Json> {
  const text = `select s.*, a.balance, (select array_agg(c.* order by serial) from cards c where c.subscriber_id = s.id),
      (select array_agg(l.* order by id) from compliance_alerts l where l.subscriber_id = s.id) as alerts
    from subscribers s join accounts a using (id) where id = $1`;
  return (await kissi.db.query(text, [pep.id])).rows[0];
}

test('ROUTES lists every route that accepts a bearer credential', () => {
  const bearer = kissi.gateway.routeGroups.filter(({ authentication }) => authentication.name.startsWith('bearer'));
  const routes = bearer.flatMap(({ endpoints }) => endpoints.map(({ method, path }) => `${method} ${path}`));
  const unknown = routes.filter((route) => !(route in ROUTES) && !OTHER_FAMILIES.test(route));
  assert.deepEqual(unknown, [], 'add these routes to ROUTES');
  assert.deepEqual(
    Object.keys(ROUTES).filter((route) => !routes.includes(route)),
    [],
  );
});

describe('without open access', () => {
  /** Agents get the same answers as for anybody: test/api/pep/crawl.test.ts. */
  const AGENT_LOOKUPS = ['', '/verify-pin', '/change-pin'].map(
    (end) => `${end ? 'POST' : 'GET'} /subscribers/:id${end}`,
  );
  const isLookUp = (role: string, route: string) => role.endsWith('agent') && AGENT_LOOKUPS.includes(route);

  test('every role is refused on every route that names the PEP, and nothing changes', async () => {
    const before = await pepState();
    for (const role of USER_ROLES.filter((each) => each !== 'processor')) {
      const token = await staffToken(kissi, role);
      for (const [route, { attempts, isConcealed }] of guardedRoutes().filter(([each]) => !isLookUp(role, each))) {
        for (const attempt of attempts()) {
          const reply = await send(route, attempt, token);
          if (isConcealed && reply.json.code === 'NOT_FOUND') continue;
          assert.equal(reply.status, 403, `${role} on ${route}: ${reply.text}`);
          const hasPermission = role === 'system_admin' || reply.json.code !== 'FORBIDDEN';
          if (hasPermission) assertRefused(reply, 403, 'PEP_ACCESS_REQUIRED', `${role} on ${route}`);
          assert.ok(!/Zainabu|Excellency/.test(reply.text));
        }
      }
    }
    assert.deepEqual(await pepState(), before);
  });

  test('the authorization alone is not sufficient', async () => {
    for (const [route, { attempts }] of guardedRoutes()) {
      for (const attempt of attempts()) {
        assertRefused(await send(route, attempt, unopened.token), 403, 'PEP_ACCESS_REQUIRED', route);
      }
    }
  });

  test('an API key cannot read or change the PEP, whatever its scopes, except with the PIN and for payments', async () => {
    for (const [route, { attempts, keys }] of guardedRoutes()) {
      for (const attempt of attempts()) {
        const reply = await send(route, attempt, key);
        if (keys === 'refused') assertRefused(reply, 403, 'PEP_ACCESS_REQUIRED', route);
        else assert.equal(reply.status, keys === 'allowed' ? 200 : 403, `${route}: ${reply.text}`);
      }
    }
  });

  test('a wrong PIN returns INVALID_PIN to an API key and does not reveal the PEP', async () => {
    const body = { pin: '9999' };
    const replies = [
      await kissi.call('POST', `/api/v1/subscribers/${pep.id}/verify-pin`, { token: key, body }),
      await kissi.call('POST', `/api/v1/wallet/balance/${pep.id}`, { token: key, body }),
    ];
    for (const reply of replies) assertRefused(reply, 401, 'INVALID_PIN');
    await kissi.call('POST', `/api/v1/subscribers/${pep.id}/verify-pin`, { token: key, body: { pin: PIN } });
  });

  test('an internal service is refused too', async () => {
    const path = `/api/v1/subscribers/${pep.id}`;
    const timestamp = String(Math.floor(kissi.clock.now() / 1_000));
    const signed = serviceSignedString({ method: 'GET', target: path, timestamp }) ?? '';
    const headers = {
      'x-service-name': 'chat',
      'x-service-timestamp': timestamp,
      'x-service-signature': hmac(SERVICE_SECRET, signed).toString('hex'),
    };
    assertRefused(await kissi.call('GET', path, { headers }), 403, 'PEP_ACCESS_REQUIRED');
    const query = { actor_id: 'chat', action: 'pep.access.refused' };
    const refused = await auditRows(kissi, query);
    assert.deepEqual([refused.length, refused[0].actor_type, refused[0].resource_id], [1, 'service', pep.id]);
    const shown = await auditLogs(kissi, query);
    assert.deepEqual(
      [shown.length, shown[0].actor_type, shown[0].resource_id, shown[0].details],
      [1, 'service', null, {}],
    );
  });

  test('an unknown subscriber returns 404', async () => {
    const unknownId = 'sub_00000000000000000000000000';
    for (const token of [unopened.token, key]) {
      assertRefused(await kissi.call('GET', `/api/v1/subscribers/${unknownId}`, { token }), 404, 'NOT_FOUND');
      assertRefused(await kissi.call('GET', `/api/v1/balance/${unknownId}`, { token }), 404, 'SUBSCRIBER_NOT_FOUND');
    }
  });
});

test('every refusal is audited under the PEP, including reads, for users and keys', async () => {
  const token = await staffToken(kissi, 'support_user');
  const me = await kissi.call('GET', '/api/v1/admin/me', { token });
  const { id: keyId, key: bearer } = await apiKey(kissi, ['subscribers:read']);
  for (const [actor_id, credential] of [
    [me.json.id, token],
    [keyId, bearer],
  ]) {
    for (let time = 0; time < 3; time++) {
      await kissi.call('GET', `/api/v1/subscribers/${pep.id}`, { token: credential });
    }
    const query = { actor_id, action: 'pep.access.refused', resource_id: pep.id };
    assert.deepEqual(await auditLogs(kissi, query), [], 'the API finds nothing about the person without access');
    const [first] = await auditRows(kissi, query);
    assert.equal(first.resource_type, 'subscriber');
    assert.equal(first.details.path, `/api/v1/subscribers/${pep.id}`);
    assert.equal(await refusedAttemptCount(kissi, query), 3);
  }
});

test('a refused change is also audited under its own action', async () => {
  for (const role of ['support_user', 'compliance_user'] as const) {
    const token = await staffToken(kissi, role);
    const { json: me } = await kissi.call('GET', '/api/v1/admin/me', { token });
    await kissi.call('POST', `/api/v1/subscribers/${pep.id}/block`, { token, body: { reason: 'x' } });
    const logged = await auditLogs(kissi, { actor_id: me.id });
    const actions = logged.map(({ action }) => action).filter((action) => action.endsWith('.refused'));
    assert.deepEqual(actions.sort(), ['pep.access.refused', 'subscriber.block.refused']);
  }
});

test('with open access every guarded route succeeds, and each access is audited', async () => {
  await openAccess(kissi, open);
  for (const [route, { attempts }] of guardedRoutes()) {
    for (const attempt of attempts()) {
      const query = { actor_id: open.id, action: 'pep.access', resource_id: pep.id };
      const already = (await auditRows(kissi, query)).length;
      const reply = await send(route, attempt, open.token);
      assert.ok(reply.status < 300 || reply.status === 409, `${route}: ${reply.status} ${reply.text}`);
      const logged = await auditRows(kissi, query);
      const refusedLater = reply.status === 409 && logged.length === already;
      if (!refusedLater) assert.equal(logged.length, already + 1, route);
    }
    await unblock();
  }
});

/** Undoes a block, which would cause other refusals on the next routes. */
async function unblock(): Promise<void> {
  await kissi.call('POST', `/api/v1/subscribers/${pep.id}/unblock`, { token: open.token });
  await kissi.call('POST', `/api/v1/cards/${card}/unblock`, { token: open.token });
}
