// Every credential against every route: what the contract's table gives it, it gets, and nothing else.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ROLES, type Role, SCOPES, type Scope } from '../../src/auth/roles.ts';
import { type Access, EXPECTED_ACCESS, type Owner, type Scheme } from '../support/contract.ts';
import { type CallOptions, type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { hubHeaders } from '../support/messaging.ts';
import { newPartner } from '../support/money.ts';
import { inboundHeaders, partnerHeaders, webhookHeaders } from '../support/partner.ts';
import { newMerchant } from '../support/processors.ts';
import { apiKey, openSession, type Staff, staffMember, type TestKey } from '../support/staff.ts';
import { signatureHeaders } from '../support/terminal.ts';

const WEBHOOK_SECRET = 'the secret of whoever notifies of cash-ins';
const APP_SECRET = 'the secret of the messaging platform, here';
const SERVICE = { name: 'ledger-ui', secret: 'the secret of an internal service' };
/** Open to all, and 403 for who does not know the token that goes with the question. */
const BY_TOKEN = ['GET /webhooks/messaging', 'GET /api/v1/webhooks/messaging'];
const OWNERS: Owner[] = ['operator', 'processor', 'partner'];
const SIGNED_BY_KEY: Scheme[] = ['pos', 'partner', 'inbound'];

let kissi: TestGateway;
let partnerId: string;
let processorId: string;
before(async () => {
  const secrets = { PARTNER_CASHIN_WEBHOOK_SECRET: WEBHOOK_SECRET, MESSAGING_APP_SECRET: APP_SECRET };
  const SERVICE_SECRETS = JSON.stringify({ [SERVICE.name]: SERVICE.secret });
  kissi = await testGateway({ env: { ...secrets, SERVICE_SECRETS } });
  partnerId = await newPartner(kissi);
  processorId = (await newMerchant(kissi)).id;
});
after(() => kissi.close());

/** What is put on a request to make it somebody's. */
type Credential = (request: { method: string; path: string; body: string; at: string }) => CallOptions;

const bearer =
  (token: string): Credential =>
  () => ({ token });

/** What the route and the whole of it answer: no fields, and ids that nobody has. */
function ask(route: string, credential: Credential): Promise<CallReply> {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(/:\w+/g, 'nobody_0');
  const body = method === 'GET' || method === 'DELETE' ? '' : '{}';
  const at = new Date(kissi.clock.now()).toISOString();
  return kissi.call(method, path, { ...(body ? { raw: body } : {}), ...credential({ method, path, body, at }) });
}

/** 401: not known here. 403: known, and not allowed. 'in': past both. */
type Verdict = 401 | 403 | 'in';

async function assertVerdict(route: string, who: string, credential: Credential, expected: Verdict): Promise<void> {
  const { status, json, text } = await ask(route, credential);
  const verdict: Verdict = status === 401 || status === 403 ? status : 'in';
  assert.equal(verdict, expected, `${who} on ${route}: ${status} ${text}`);
  // The codes of permission, and of no other reason to refuse.
  if (verdict === 403) assert.match(String(json.code), /^(FORBIDDEN|SCOPE_DENIED)$/, `${who} on ${route}`);
  // 403 and 401 alone are not enough: a defect would pass for being let in.
  assert.ok(status < 500, `${who} on ${route}: ${text}`);
}

/** Every route but the public ones, a few at a time. */
async function assertEverywhere(
  who: string,
  credential: Credential,
  expected: (access: Access, route: string) => Verdict,
): Promise<void> {
  const cells = [...EXPECTED_ACCESS].map(([route, access]) => async () => {
    if (access !== 'public') return assertVerdict(route, who, credential, expected(access, route));
    // Whatever is sent along, what is open stays open.
    return BY_TOKEN.includes(route)
      ? assert.equal((await ask(route, credential)).status, 403, `${who} on ${route}`)
      : assertVerdict(route, who, credential, 'in');
  });
  for (let at = 0; at < cells.length; at += 8) await Promise.all(cells.slice(at, at + 8).map((cell) => cell()));
}

test('the contract of these tests lists every route there is, and no other', () => {
  const routes = kissi.gateway.rows.flatMap(({ prefix, endpoints }) =>
    endpoints.map(({ method, path }) => `${method} ${prefix}${path}`),
  );
  assert.deepEqual(routes.sort(), [...EXPECTED_ACCESS.keys()].sort());
});

describe('who is nobody is 401 on every route but the public ones', () => {
  test('without a credential', () =>
    assertEverywhere(
      'nobody',
      () => ({}),
      () => 401,
    ));

  for (const token of ['svc_test_0000000000000000000000000000', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.']) {
    test(`with the bearer value ${token}`, () => assertEverywhere(token, bearer(token), () => 401));
  }

  test('with a key that is revoked', async () => {
    const { id, key, secret } = await apiKey(kissi, ordinary());
    const path = `/api/v1/admin/api-keys/${id}`;
    await kissi.call('DELETE', path, { token: await kissi.adminToken() });
    await assertEverywhere('a revoked key', bearer(key), () => 401);
    await assertEverywhere('a revoked key', signedBy({ id, key, secret }, 'pos'), () => 401);
  });

  test("with a suspended user's token", async () => {
    const { token, staff } = await member('support_user');
    const status = { status: 'suspended' };
    await kissi.call('PUT', `/api/v1/admin/users/${staff.id}`, { body: status, token: await kissi.adminToken() });
    await assertEverywhere('a suspended user', bearer(token), () => 401);
  });

  test("with a suspended partner's key", async () => {
    const suspended = await newPartner(kissi);
    const key = await apiKey(kissi, [...SCOPES], { partner_id: suspended });
    const body = { status: 'suspended' };
    await kissi.call('PUT', `/api/v1/admin/partners/${suspended}`, { body, token: await kissi.adminToken() });
    await assertEverywhere("a suspended partner's key", bearer(key.key), () => 401);
    for (const scheme of SIGNED_BY_KEY) {
      await assertEverywhere("a suspended partner's key", signedBy(key, scheme, suspended), () => 401);
    }
  });
});

describe('each role reaches exactly the routes that the contract gives it', () => {
  const mayRole = (role: Role, flagged: boolean) => (access: Access) => {
    if (access.signed) return 401;
    if (access.pepAuthorized && !flagged) return 403;
    return role === 'system_admin' || access.roles.includes(role) ? 'in' : 403;
  };
  for (const role of ROLES) {
    test(role, async () => assertEverywhere(role, bearer((await member(role)).token), mayRole(role, false)));
  }

  test('support_user with pep_access_authorized', async () => {
    const { token } = await member('support_user', { pep_access_authorized: true });
    await assertEverywhere('a flagged support_user', bearer(token), mayRole('support_user', true));
  });
});

describe('each scope reaches exactly the routes that the contract gives it', () => {
  for (const scope of SCOPES) {
    for (const owner of OWNERS) {
      // Such keys are not issued: keys.test.ts has that.
      if (scope.startsWith('inbound:') && owner !== 'partner') continue;
      test(`${scope}, in a key of the ${owner}`, async () => {
        const key = await keyOf(owner, [scope]);
        const may = ({ scope: needed, keysOf = OWNERS }: Access) => needed === scope && keysOf.includes(owner);
        await assertEverywhere(`${owner}'s ${scope}`, bearer(key.key), (access) => {
          if (access.signed) return 401;
          return may(access) ? 'in' : 403;
        });
        for (const [route, access] of EXPECTED_ACCESS) {
          if (access === 'public' || !access.signed || !SIGNED_BY_KEY.includes(access.signed)) continue;
          const verdict = may(access) ? 'in' : 403;
          await assertVerdict(route, `${owner}'s ${scope}`, signedBy(key, access.signed), verdict);
        }
      });
    }
  }

  for (const scheme of SIGNED_BY_KEY) {
    test(`a signature of the scheme ${scheme} is nobody's where another credential is asked for`, async () => {
      const key = await keyOf('partner', [...SCOPES]);
      await assertEverywhere(`a signature, ${scheme}`, signedBy(key, scheme), (access) => {
        if (!takes(access, scheme)) return 401;
        return access.keysOf?.includes('partner') === false ? 403 : 'in';
      });
    });
  }
});

describe('secrets that belong to no key', () => {
  test('an internal service reaches what names services, and nothing else', () =>
    assertEverywhere('a service', asService, ({ service }) => (service ? 'in' : 401)));

  test('whoever notifies of cash-ins does that alone', () =>
    assertEverywhere(
      'the cash-in notifier',
      ({ body }) => ({ headers: webhookHeaders(WEBHOOK_SECRET, body) }),
      ({ signed }) => (signed === 'webhook' ? 'in' : 401),
    ));

  test('the messaging platform delivers messages alone', () =>
    assertEverywhere(
      'the messaging platform',
      ({ body }) => ({ headers: hubHeaders(body, APP_SECRET) }),
      ({ signed }) => (signed === 'hub' ? 'in' : 401),
    ));

  test("neither of them is any key's, nor the other's", async () => {
    const { secret } = await keyOf('operator', ordinary());
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

const ordinary = () => SCOPES.filter((scope) => !scope.startsWith('inbound:'));

/** A partner's signature has all that a terminal's has, but not the other way round; what inbound requests sign is another string. */
function takes({ signed }: Access, scheme: Scheme): boolean {
  return signed === scheme || (signed === 'pos' && scheme === 'partner');
}

function keyOf(owner: Owner, scopes: Scope[]): Promise<TestKey> {
  const ownerField = { operator: {}, processor: { processor_id: processorId }, partner: { partner_id: partnerId } };
  return apiKey(kissi, scopes, ownerField[owner]);
}

function signedBy(key: TestKey, scheme: Scheme, ofPartner = partnerId): Credential {
  return (request) => {
    if (scheme === 'pos') return { headers: signatureHeaders(key, request) };
    if (scheme === 'partner') return { headers: partnerHeaders(key, ofPartner, request) };
    return { headers: inboundHeaders(key, request, { idempotencyKey: 'x' }) };
  };
}

const asService: Credential = ({ method, path, at }) => {
  const seconds = String(Math.floor(Date.parse(at) / 1_000));
  const hmac = createHmac('sha256', SERVICE.secret).update([method, path, '', seconds].join('|')).digest('hex');
  const headers = { 'x-service-name': SERVICE.name, 'x-service-timestamp': seconds, 'x-service-signature': hmac };
  return { headers };
};

/** A user with that role. Those of processors come with processors, not through /admin/users: here one is made of another. */
async function member(role: Role, extra: Record<string, unknown> = {}): Promise<{ token: string; staff: Staff }> {
  const staff = await staffMember(kissi, role === 'processor' ? 'sales_user' : role, extra);
  const { token } = await openSession(kissi, staff);
  if (role === 'processor') {
    const change = kissi.db.database.queries.updateTable('users').set({ role, processor_id: 'nobody_0' });
    await change.where('id', '=', staff.id).execute();
  }
  return { token, staff };
}
