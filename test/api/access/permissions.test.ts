// Tests every kind of credential on every route against the permissions of the contract.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { serviceHeaders } from '@kissi/testkit/signing';
import { type Role, SCOPES, type Scope, USER_ROLES } from '../../../src/auth/roles.ts';
import { sha256 } from '../../support/bulk-payments.ts';
import { type Access, EXPECTED_ACCESS, keyHasAccess, type Owner, type Scheme } from '../../support/contract.ts';
import { newPhone, type Phone } from '../../support/customers.ts';
import { type CallOptions, type CallReply, testGateway } from '../../support/gateway.ts';
import { hubHeaders } from '../../support/messaging.ts';
import { newPartner, PIN } from '../../support/money.ts';
import { inboundHeaders, partnerHeaders, webhookHeaders } from '../../support/partner.ts';
import { newMerchant } from '../../support/processors.ts';
import { apiKey, openSession, type Staff, staffMember, type TestKey } from '../../support/staff.ts';
import { signatureHeaders } from '../../support/terminal.ts';

const WEBHOOK_SECRET = 'the secret of the cash-in notifier';
const APP_SECRET = 'the secret of the messaging platform, here';
const USSD_SECRET = 'the-secret-of-the-USSD-gateway-0001';
const SERVICE = { name: 'ledger-ui', secret: 'the secret of an internal service' };
/** Public routes that return 403 without the verify token in the query. */
const VERIFY_TOKEN_ROUTES = ['GET /webhooks/messaging', 'GET /api/v1/webhooks/messaging'];
/** A key signs an upload without its body; the file's hash is in the query. */
const UPLOAD = 'POST /api/v1/bulk-payments';
const OWNERS: Owner[] = ['operator', 'processor', 'partner'];
const KEY_SCHEMES: Scheme[] = ['pos', 'partner', 'inbound'];
const secrets = { PARTNER_CASHIN_WEBHOOK_SECRET: WEBHOOK_SECRET, MESSAGING_APP_SECRET: APP_SECRET, USSD_SECRET };
const SERVICE_SECRETS = JSON.stringify({ [SERVICE.name]: SERVICE.secret });
const kissi = await testGateway({ env: { ...secrets, SERVICE_SECRETS } });
const partnerId = await newPartner(kissi);
const processorId = (await newMerchant(kissi)).id;
after(() => kissi.close());

/** Adds a credential to a request. */
type Credential = (request: { method: string; path: string; body: string; at: string }) => CallOptions;

const bearer =
  (token: string): Credential =>
  () => ({ token });

/** Calls the route with an empty body and ids that do not exist. */
function callRoute(route: string, credential: Credential, secret = 'unknown_0'): Promise<CallReply> {
  const [method = '', template = ''] = route.split(' ');
  const body = method === 'GET' || method === 'DELETE' ? '' : '{}';
  const query = route === UPLOAD ? `?file_sha256=${sha256(body)}` : '';
  const path = template.replace(':secret', secret).replace(/:\w+/g, 'unknown_0') + query;
  const at = new Date(kissi.clock.now()).toISOString();
  const options = credential({ method, path, body: route === UPLOAD ? '' : body, at });
  return kissi.call(method, path, { ...(body ? { raw: body } : {}), ...options });
}

/** 401: not authenticated. 403: not permitted. A code: the key's owner is suspended. 'allowed': passed all checks. */
type AccessResult = 401 | 403 | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'allowed';

async function assertResult(route: string, who: string, credential: Credential, expected: AccessResult): Promise<void> {
  const { status, json, text } = await callRoute(route, credential);
  const isSuspended = status === 403 && /^(PARTNER|PROCESSOR)_SUSPENDED$/.test(json.code);
  const result: AccessResult = isSuspended ? json.code : status === 401 || status === 403 ? status : 'allowed';
  assert.equal(result, expected, `${who} on ${route}: ${status} ${text}`);
  // Only the codes for missing permission, not those of other refusals.
  if (result === 403) assert.match(String(json.code), /^(FORBIDDEN|SCOPE_DENIED)$/, `${who} on ${route}`);
  // A 500 would otherwise count as allowed.
  assert.ok(status < 500, `${who} on ${route}: ${text}`);
}

/** Checks every route, eight at a time; public routes must stay public. */
async function assertEverywhere(
  who: string,
  credential: Credential,
  expected: (access: Access, route: string) => AccessResult,
): Promise<void> {
  const checks = [...EXPECTED_ACCESS].map(([route, access]) => async () => {
    if (access !== 'public') return assertResult(route, who, credential, expected(access, route));
    // An unneeded credential does not close a public route.
    return VERIFY_TOKEN_ROUTES.includes(route)
      ? assert.equal((await callRoute(route, credential)).status, 403, `${who} on ${route}`)
      : assertResult(route, who, credential, 'allowed');
  });
  for (let at = 0; at < checks.length; at += 8) await Promise.all(checks.slice(at, at + 8).map((check) => check()));
}

test("EXPECTED_ACCESS lists exactly the service's routes", () => {
  const routes = kissi.gateway.routeGroups.flatMap(({ prefix, endpoints }) =>
    endpoints.map(({ method, path }) => `${method} ${prefix}${path}`),
  );
  assert.deepEqual(routes.sort(), [...EXPECTED_ACCESS.keys()].sort());
});

describe('invalid credentials get 401 on every route except public ones, keys of a suspended owner 403', () => {
  test('without a credential', () =>
    assertEverywhere(
      'no credential',
      () => ({}),
      () => 401,
    ));

  for (const token of ['svc_test_0000000000000000000000000000', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.']) {
    test(`with the bearer value ${token}`, () => assertEverywhere(token, bearer(token), () => 401));
  }

  test('with a revoked key', async () => {
    const { id, key, secret } = await apiKey(kissi, scopesWithoutInbound());
    const path = `/api/v1/admin/api-keys/${id}`;
    await kissi.call('DELETE', path, { token: await kissi.adminToken() });
    await assertEverywhere('a revoked key', bearer(key), () => 401);
    await assertEverywhere('a revoked key', signedBy({ id, key, secret }, 'pos'), () => 401);
  });

  test("with a suspended user's token", async () => {
    const { token, staff } = await member('support_user');
    const status = { status: 'suspended' };
    await kissi.asAdmin.put(`/admin/users/${staff.id}`, status);
    await assertEverywhere('a suspended user', bearer(token), () => 401);
  });

  test("with a suspended partner's key", async () => {
    const suspended = await newPartner(kissi);
    const key = await keyOf('partner', SCOPES, suspended);
    const body = { status: 'suspended' };
    await kissi.asAdmin.put(`/admin/partners/${suspended}`, body);
    await assertSuspendedEverywhere(key, 'partner', suspended);
  });

  test("with a suspended processor's key", async () => {
    const { id: suspended } = await newMerchant(kissi);
    const key = await keyOf('processor', SCOPES, suspended);
    const path = `/api/v1/processors/${suspended}/suspend`;
    await kissi.call('POST', path, { body: { reason: 'Fraud' }, token: await kissi.adminToken() });
    await assertSuspendedEverywhere(key, 'processor', suspended);
  });

  /** 401 where another credential is required, otherwise 403 with the code of the suspension. */
  async function assertSuspendedEverywhere(key: TestKey, owner: 'partner' | 'processor', ownerId: string) {
    const code = owner === 'partner' ? 'PARTNER_SUSPENDED' : 'PROCESSOR_SUSPENDED';
    const who = `the key of a suspended ${owner}`;
    await assertEverywhere(who, bearer(key.key), ({ signed }) => (signed ? 401 : code));
    for (const scheme of KEY_SCHEMES) {
      await assertEverywhere(who, signedBy(key, scheme, ownerId), (access) => (accepts(access, scheme) ? code : 401));
    }
  }
});

describe('each role has access to exactly the routes of the contract', () => {
  const expectedFor = (role: Role, flagged: boolean) => (access: Access) => {
    if (access.signed) return 401;
    if (access.pepAuthorized && !flagged) return 403;
    const isAdmin = role === 'system_admin' && !access.customersOnly;
    return isAdmin || access.roles.includes(role) ? 'allowed' : 403;
  };
  for (const role of USER_ROLES) {
    test(role, async () => assertEverywhere(role, bearer((await member(role)).token), expectedFor(role, false)));
  }

  test('subscriber: no route of staff or merchants is reachable with a token of a customer', async () => {
    const { token } = await customer();
    await assertEverywhere('a customer', bearer(token), expectedFor('subscriber', false));
    // None of the calls has ended the session.
    assert.equal((await kissi.call('GET', '/api/v1/me', { token })).status, 200);
  });

  test('support_user with pep_access_authorized', async () => {
    const { token } = await member('support_user', { pep_access_authorized: true });
    await assertEverywhere('a flagged support_user', bearer(token), expectedFor('support_user', true));
  });
});

describe('each scope has access to exactly the routes of the contract', () => {
  for (const scope of SCOPES) {
    for (const owner of OWNERS) {
      test(`${scope}, in a key of the ${owner}`, async () => {
        await assertKeyAccess(`${owner}'s ${scope}`, await keyOf(owner, [scope]), owner, [scope]);
      });
    }
  }

  for (const owner of OWNERS) {
    test(`all scopes, in a key of the ${owner}`, async () => {
      await assertKeyAccess(`${owner}'s key with all scopes`, await keyOf(owner, SCOPES), owner, SCOPES);
    });
  }

  test('a key with two owners, which can no longer be created, has access to no route', async () => {
    const key = await keyOf('partner', SCOPES);
    const change = kissi.db.database.queries.updateTable('api_keys').set({ processor_id: processorId });
    await change.where('id', '=', key.id).execute();
    await assertEverywhere('a key with two owners', bearer(key.key), ({ signed }) => (signed ? 401 : 403));
    for (const scheme of KEY_SCHEMES) {
      const expected = (access: Access) => (accepts(access, scheme) ? 403 : 401);
      await assertEverywhere('a key with two owners', signedBy(key, scheme), expected);
    }
  });

  for (const owner of OWNERS) {
    for (const scheme of KEY_SCHEMES) {
      test(`a signature of a key of the ${owner} in the scheme ${scheme} gets 401 where another credential is required`, async () => {
        const key = await keyOf(owner, SCOPES);
        await assertEverywhere(`a signature of ${owner}, ${scheme}`, signedBy(key, scheme), (access) => {
          if (!accepts(access, scheme)) return 401;
          return keyHasAccess(access, owner, SCOPES) ? 'allowed' : 403;
        });
      });
    }
  }
});

/** Checks a key on every route: as a bearer value, and as a signature where one is required. */
async function assertKeyAccess(who: string, key: TestKey, owner: Owner, scopes: readonly Scope[]): Promise<void> {
  await assertEverywhere(who, bearer(key.key), (access) => {
    if (access.signed) return 401;
    return keyHasAccess(access, owner, scopes) ? 'allowed' : 403;
  });
  for (const [route, access] of EXPECTED_ACCESS) {
    if (access === 'public') continue;
    const scheme = access.signable ? 'pos' : access.signed;
    if (!scheme || !KEY_SCHEMES.includes(scheme)) continue;
    const result = keyHasAccess(access, owner, scopes) ? 'allowed' : 403;
    await assertResult(route, who, signedBy(key, scheme), result);
  }
}

describe('secrets that belong to no key', () => {
  test('an internal service has access only to routes for services', () =>
    assertEverywhere('a service', asService, ({ service }) => (service ? 'allowed' : 401)));

  test('the cash-in notifier has access only to its webhook', () =>
    assertEverywhere(
      'the cash-in notifier',
      ({ body }) => ({ headers: webhookHeaders(WEBHOOK_SECRET, body) }),
      ({ signed }) => (signed === 'webhook' ? 'allowed' : 401),
    ));

  test("a page of this service has access only to the console's session", () =>
    assertEverywhere(
      'a page of this service',
      () => ({ headers: { 'sec-fetch-site': 'same-origin' } }),
      // Without a cookie there is no session to refresh.
      ({ signed }, route) => (signed === 'same-origin' && !route.endsWith('/refresh') ? 'allowed' : 401),
    ));

  test('the messaging platform has access only to its webhook', () =>
    assertEverywhere(
      'the messaging platform',
      ({ body }) => ({ headers: hubHeaders(body, APP_SECRET) }),
      ({ signed }) => (signed === 'hub' ? 'allowed' : 401),
    ));

  test('the USSD gateway has access only to its callbacks', async () => {
    for (const [route, access] of EXPECTED_ACCESS) {
      if (access === 'public' || access.signed !== 'path-secret') continue;
      const { status, json } = await callRoute(route, () => ({}), USSD_SECRET);
      assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], route);
    }
  });

  test('webhook secrets are not interchangeable with each other or with key secrets', async () => {
    const { secret } = await keyOf('operator', scopesWithoutInbound());
    for (const wrong of [secret, APP_SECRET]) {
      await assertEverywhere(
        'x',
        ({ body }) => ({ headers: webhookHeaders(wrong, body) }),
        () => 401,
      );
    }
    for (const wrong of [secret, WEBHOOK_SECRET]) {
      await assertEverywhere(
        'x',
        ({ body }) => ({ headers: hubHeaders(body, wrong) }),
        () => 401,
      );
    }
  });
});

const scopesWithoutInbound = () => SCOPES.filter((scope) => !scope.startsWith('inbound:'));

/** Partner signatures include everything that POS routes verify; inbound signatures cover a different string. */
function accepts({ signed, signable }: Access, scheme: Scheme): boolean {
  const takes = signable ? 'pos' : signed;
  return takes === scheme || (takes === 'pos' && scheme === 'partner');
}

/** The scopes are set in the database: they must make no difference, even if such a key cannot be created. */
async function keyOf(owner: Owner, scopes: readonly Scope[], ownerId?: string): Promise<TestKey> {
  const ownerField = {
    operator: {},
    processor: { processor_id: ownerId ?? processorId },
    partner: { partner_id: ownerId ?? partnerId },
  };
  const key = await apiKey(kissi, ['payments:read'], ownerField[owner]);
  const change = kissi.db.database.queries.updateTable('api_keys').set({ scopes: [...scopes] });
  await change.where('id', '=', key.id).execute();
  return key;
}

function signedBy(key: TestKey, scheme: Scheme, ofPartner = partnerId): Credential {
  return (request) => {
    if (scheme === 'pos') return { headers: signatureHeaders(key, request) };
    if (scheme === 'partner') return { headers: partnerHeaders(key, ofPartner, request) };
    return { headers: inboundHeaders(key, request, { idempotencyKey: 'x' }) };
  };
}

const asService: Credential = ({ method, path, at }) => {
  return { headers: serviceHeaders(SERVICE, { method, target: path, now: Date.parse(at) }) };
};

/** A customer in their own session, on a device that is no longer new. */
async function customer(): Promise<Phone> {
  const phone = '+23276123456';
  const body = { phone_number: phone, first_name: 'Isatu', last_name: 'Conteh', pin: PIN };
  const { json } = await kissi.asAdmin.post('/subscribers', body);
  const session = await newPhone(kissi, { id: json.subscriber_id, phone });
  await kissi.db.query('update customer_devices set restricted_until = created_at');
  return session;
}

/** A user with this role. /admin/users cannot create processor users, so the role is set in the database. */
async function member(role: Role, extra: Record<string, unknown> = {}): Promise<{ token: string; staff: Staff }> {
  const staff = await staffMember(kissi, role === 'processor' ? 'sales_user' : role, extra);
  const { token } = await openSession(kissi, staff);
  if (role === 'processor') {
    const change = kissi.db.database.queries.updateTable('users').set({ role, processor_id: 'unknown_0' });
    await change.where('id', '=', staff.id).execute();
  }
  return { token, staff };
}
