// Unknown body fields on routes that move money or change records: a misspelling is refused, others are named in a header.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { USER_ROLES } from '../../../src/auth/roles.ts';
import type { Endpoint, RouteGroup } from '../../../src/http/endpoint.ts';
import { reportsUnknownFields } from '../../../src/http/unknown-fields.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus, type CallOptions, type CallReply } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { inboundHeaders, PARTNER_SCOPES, partnerBank, partnerHeaders, webhookHeaders } from '../../support/partner.ts';
import { newAuthorizedStaff } from '../../support/pep.ts';
import { signatureHeaders, terminalOf } from '../../support/terminal.ts';

const WEBHOOK_SECRET = 'the secret of the cash-in notifier';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: WEBHOOK_SECRET } });
const admin = await newAuthorizedStaff(kissi, 'system_admin');
const customer = await newPhone(kissi, await bank.wallet());
const terminal = await terminalOf(kissi);
const partner = await partnerBank(kissi, { scopes: PARTNER_SCOPES });

interface Route {
  name: string;
  group: RouteGroup;
  endpoint: Endpoint;
  fields: string[];
}

const routes: Route[] = kissi.gateway.routeGroups.flatMap((group) =>
  group.endpoints
    .filter(({ body }) => body !== undefined)
    .map((endpoint) => ({
      name: `${endpoint.method} ${group.prefix}${endpoint.path}`,
      group,
      endpoint,
      fields: Object.keys((endpoint.body as unknown as { properties: object }).properties),
    })),
);

/** Sends the body with the credential of the route's authentication. */
function send({ group, endpoint }: Route, raw: string): Promise<CallReply> {
  const { method, path: template, idempotencyKey } = endpoint;
  const path = `${group.prefix}${template}`.replaceAll(/:\w+/g, 'unknown_0');
  const signed = { method, path, body: raw, at: new Date(kissi.clock.now()).toISOString() };
  const credentials: Record<string, () => CallOptions> = {
    none: () => ({}),
    bearer: () => ({ token: endpoint.permission.startsWith('me:') ? customer.token : admin.token }),
    'bearer-or-service': () => ({ token: admin.token }),
    'bearer-or-signed': () => ({ token: admin.token }),
    'same-origin': () => ({ headers: { 'sec-fetch-site': 'same-origin' } }),
    pos: () => ({ headers: signatureHeaders(terminal.key, signed) }),
    partner: () => ({ headers: partnerHeaders(partner.key, partner.id, signed) }),
    inbound: () => ({ headers: inboundHeaders(partner.key, signed, { idempotencyKey: idempotencyKey ? 'op-1' : '' }) }),
    webhook: () => ({ headers: webhookHeaders(WEBHOOK_SECRET, raw) }),
  };
  const credential = credentials[group.authentication.name];
  assert.ok(credential, `${group.authentication.name} has no credential in this test`);
  return kissi.call(method, path, { raw, ...credential() });
}

test('every route with a body reports unknown fields, except those that change nothing', () => {
  const silent = routes.filter(({ endpoint }) => !reportsUnknownFields(endpoint)).map(({ name }) => name);
  const lookUps = ['verify-card', 'verify-account', 'lookup-card'];
  assert.deepEqual(silent.toSorted(), [
    'POST /api/v1/compliance/rules/:id/what-if',
    'POST /api/v1/compliance/rules/what-if',
    'POST /api/v1/external/messaging',
    'POST /api/v1/fee-settings/what-if',
    'POST /api/v1/inbound/name-enquiry',
    'POST /api/v1/partner/account-status',
    'POST /api/v1/partner/transaction-history',
    ...['/payment', '/pos'].flatMap((at) => lookUps.toSorted().map((name) => `POST /api/v1${at}/${name}`)),
    'POST /api/v1/wallet/account-statement',
    'POST /api/v1/webhooks/messaging',
    'POST /external/messaging',
    'POST /pay/:token/notify',
    'POST /ussd/africastalking/:secret',
    'POST /ussd/africastalking/:secret/ended',
    'POST /ussd/json/:secret',
    'POST /webhooks/messaging',
  ]);
});

describe('on every route that moves money or changes a record', () => {
  const checked = routes.filter(({ endpoint }) => reportsUnknownFields(endpoint));

  test('a misspelling of any of its fields is refused with 400 that names the field', async () => {
    assert.ok(checked.length > 75, String(checked.length));
    for (const route of checked) {
      for (const field of route.fields) {
        // Doubles the last letter, unless that is a field of the route.
        const misspelt = `${field}${field.at(-1)}`;
        const reply = await send(route, JSON.stringify({ [misspelt]: 'x' }));
        assert.equal(reply.status, 400, `${route.name} ${reply.text}`);
        const { error, message, code = 'INVALID_REQUEST' } = reply.json;
        assert.equal(error ?? message, `Unknown field "${misspelt}". Did you mean "${field}"?`, route.name);
        assert.equal(code, 'INVALID_REQUEST', route.name);
      }
    }
  });

  test('other unknown fields are ignored and named in the header, and so they are in refusals', async () => {
    for (const route of checked) {
      const reply = await send(route, JSON.stringify({ zzzz_colour: 'red', 'zzzz notes': 1 }));
      assert.doesNotMatch(reply.text, /Unknown field/, route.name);
      assert.equal(reply.headers.get('kissi-ignored-fields'), 'zzzz_colour, zzzz_notes', `${route.name} ${reply.text}`);
    }
  });
});

describe('a payment with an unknown field', () => {
  async function transfer(extra: object, { token = bank.key } = {}) {
    const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin: PIN, ...extra };
    const reply = await kissi.call('POST', '/api/v1/wallet/transfer', { body, token });
    return { reply, balances: [await bank.balance(from.id), await bank.balance(to.id)] };
  }

  test('moves no money if it is a misspelt request_id', async () => {
    for (const name of ['reqest_id', 'requestId', 'requestID', 'Request_ID', 'request_di', 'rquest_idd']) {
      const { reply, balances } = await transfer({ [name]: 'r-1' });
      assert.equal(reply.status, 400, name);
      assert.deepEqual(reply.json, {
        success: false,
        error: `Unknown field "${name}". Did you mean "request_id"?`,
        code: 'INVALID_REQUEST',
      });
      assert.equal(reply.headers.get('kissi-ignored-fields'), null);
      assert.deepEqual(balances, [10_000, 0], name);
    }
  });

  test('is executed if the field that it resembles is there, and the header names it', async () => {
    const { reply, balances } = await transfer({
      request_id: 'r-2',
      reqest_id: 'r-2',
      descripton: 'x',
      description: 'x',
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('kissi-ignored-fields'), 'reqest_id, descripton');
    assert.deepEqual(balances, [10_000 - reply.json.total_debited, 1_000]);
  });

  test('is refused if it is misspelt, however many other unknown fields precede it', async () => {
    const fillers = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`zz_filler_${n}`, 1]));
    const { reply, balances } = await transfer({ ...fillers, reqest_id: 'r-9' });
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST']);
    assert.match(reply.json.error, /^Unknown field "reqest_id"\./);
    assert.deepEqual(balances, [10_000, 0]);
    assert.equal((await transfer(fillers)).reply.status, 200);
  });

  test('is refused if the field that it resembles is null, which means absent', async () => {
    const { reply, balances } = await transfer({ request_id: null, reqest_id: 'r-3' });
    assert.match(reply.json.error, /^Unknown field "reqest_id"\./);
    assert.deepEqual(balances, [10_000, 0]);
  });

  test('has no such header if it has no unknown field', async () => {
    const { reply } = await transfer({ request_id: 'r-4' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('kissi-ignored-fields'), null);
  });

  test('is answered with at most ten names, without characters that could end the header', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `x\r\nset-cookie: a=${index}`);
    const { reply } = await transfer({ ...Object.fromEntries(names.map((name) => [name, 1])) });
    assert.equal(reply.status, 200, reply.text);
    const listed = (reply.headers.get('kissi-ignored-fields') ?? '').split(', ');
    assert.deepEqual([listed.length, listed[0]], [10, 'x__set-cookie__a_0']);
    assert.equal(reply.headers.get('set-cookie'), null);
  });

  test('is checked after the credential', async () => {
    const { reply } = await transfer({ reqest_id: 'r-5' }, { token: 'svc_test_0' });
    assert.equal(reply.status, 401);
  });
});

async function recordCounts(): Promise<number[]> {
  const counts = ['users', 'api_keys', 'subscribers', 'cards'].map((table) => `(select count(*)::int from ${table})`);
  return Object.values((await kissi.db.query(`select array[${counts.join()}] as counts`)).rows[0].counts);
}

test('a user, a key or a customer is not created if a field is misspelt', async () => {
  const before = await recordCounts();
  const bodies: [string, object, string][] = [
    [
      '/admin/users',
      { email: 'a@example.com', password: 'Long-Password-1', role: USER_ROLES[1], fist_name: 'A' },
      'first_name',
    ],
    [
      '/admin/api-keys',
      { name: 'Terminal', scopes: ['payments:read'], expires: '2027-01-01T00:00:00Z', expiresAt: 'x' },
      'expires_at',
    ],
    [
      '/subscribers',
      { phone_number: '+23276990001', first_name: 'A', last_name: 'B', pin: '4821', is_PEP: true },
      'is_pep',
    ],
    ['/cards/child', { parent_serial: 'A1', card_serial: 'A2', daily_limt: 5_000 }, 'daily_limit'],
  ];
  for (const [path, body, field] of bodies) {
    const reply = assertStatus(await kissi.call('POST', `/api/v1${path}`, { body, token: admin.token }), 400);
    assert.match(reply.json.error, new RegExp(`Did you mean "${field}"\\?$`), path);
  }
  assert.deepEqual(await recordCounts(), before);
});
