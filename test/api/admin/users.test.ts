// Staff users: creation, listing, updates, the last system_admin, the first system_admin, and sent messages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FirstAdminError } from '../../../src/features/admin/users/first-admin.ts';
import { isStrongPassword } from '../../../src/kernel/password-policy.ts';
import {
  ADMIN,
  assertStatus,
  gatewayForFile,
  type Json,
  type TestGateway,
  testGateway,
} from '../../support/gateway.ts';
import {
  apiKey,
  auditLogs,
  login,
  openSession,
  PASSWORD,
  staffMember,
  staffToken,
  withLockContention,
} from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const newUserBody = (extra: Record<string, unknown> = {}) => ({
  email: `person.${Math.random().toString(36).slice(2)}@example.com`,
  password: PASSWORD,
  first_name: 'Fatu',
  last_name: 'Kamara',
  role: 'support_user',
  ...extra,
});
const create = (body: unknown, token = admin) => kissi.call('POST', '/api/v1/admin/users', { body, token });
const update = (id: string, body: unknown, token = admin) =>
  kissi.call('PUT', `/api/v1/admin/users/${id}`, { body, token });
const list = (query: string) => kissi.call('GET', `/api/v1/admin/users?${query}`, { token: admin });
const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });

async function messagesTo(phone: string): Promise<Json[]> {
  const reply = assertStatus(await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: admin }), 200);
  return reply.json.messages.filter(({ to }: Json) => to === phone);
}

describe('POST /admin/users', () => {
  test('returns 201 with success, user_id, message and the user, who can log in', async () => {
    const body = newUserBody();
    const { json } = assertStatus(await create(body), 201);
    assert.deepEqual(Object.keys(json).sort(), ['message', 'success', 'user', 'user_id']);
    assert.match(json.user_id, /^usr_[0-9A-Z]{26}$/);
    const { email, first_name, last_name, role } = body;
    assert.deepEqual(json.user, { id: json.user_id, email, first_name, last_name, role, status: 'active' });
    assert.equal((await login(kissi, body)).status, 200);
  });

  test('accepts every role except processor', async () => {
    const roles = ['system_admin', 'compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user'];
    for (const role of [...roles, 'super_agent', 'sub_agent']) {
      assert.equal((await create(newUserBody({ role }))).json.user?.role, role);
    }
    for (const role of ['processor', 'root', '', null]) {
      const reply = assertStatus(await create(newUserBody({ role })), 400);
      assert.match(reply.json.error, /^role/);
    }
  });

  test('rejects a missing, malformed or weak field with 400 that names the field', async () => {
    const invalidFields: [string, unknown][] = [
      ['email', undefined],
      ['email', 'no-at-sign'],
      ['email', `${'a'.repeat(250)}@example.com`],
      ['first_name', undefined],
      ['first_name', '   '],
      ['last_name', 'x'.repeat(101)],
      ['phone_number', '12'],
      ['phone_number', 'not a number'],
      ['pep_access_authorized', 'yes'],
      ['password', undefined],
      ['password', 'Sh0rt!'],
      ['password', 'alllowercase1!'],
      ['password', 'ALLUPPERCASE1!'],
      ['password', 'NoDigitsHere!'],
      ['password', 'NoSpecial123'],
      ['password', `Aa1!${'x'.repeat(125)}`],
    ];
    for (const [field, value] of invalidFields) {
      const reply = await create(newUserBody({ [field]: value }));
      assert.equal(reply.status, 400, `${field} ${value}`);
      assert.equal(reply.json.code, 'INVALID_REQUEST');
      assert.match(reply.json.error, new RegExp(`^${field}`));
    }
  });

  test('rejects an email that exists in any case with 409 USER_EXISTS, even for concurrent requests', async () => {
    const body = newUserBody({ email: 'Taken@Example.com', phone_number: '076111001' });
    const replies = await Promise.all([create(body), create({ ...body, email: 'taken@example.COM' })]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
    assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'USER_EXISTS');
    assert.equal((await create({ ...body, email: 'TAKEN@EXAMPLE.COM' })).status, 409);
    assert.equal((await list('search=taken@example.com')).json.total_count, 1);
    // The rejected requests sent no credentials.
    assert.equal((await messagesTo('+23276111001')).length, 1);
  });

  test('stores the phone number as E.164 and sends the credentials to it', async () => {
    const body = newUserBody({ phone_number: '076 111 002' });
    const { json } = await create(body);
    const [message, ...more] = await messagesTo('+23276111002');
    assert.equal(more.length, 0);
    assert.deepEqual(Object.keys(message).sort(), ['created_at', 'id', 'kind', 'text', 'to']);
    assert.equal(message.kind, 'credentials');
    assert.ok(message.text.includes(body.email) && message.text.includes(PASSWORD));
    const { user } = (await kissi.call('GET', `/api/v1/admin/users/${json.user_id}`, { token: admin })).json;
    assert.equal(user.phone_number, '+23276111002');
  });

  test('writes an audit entry with the creating user as actor', async () => {
    const { json } = await create(newUserBody({ role: 'finance_user', pep_access_authorized: true }));
    const [entry] = await auditLogs(kissi, { resource_id: json.user_id });
    assert.equal(entry.action, 'user.create');
    assert.equal(entry.actor_id, (await me(admin)).json.id);
    assert.equal(entry.details.role, 'finance_user');
    assert.equal(entry.details.pep_access_authorized, true);
  });

  test('requires system_admin: other roles and API keys get 403, and the attempt is audited', async () => {
    const staff = await staffMember(kissi, 'compliance_user');
    const { token } = await openSession(kissi, staff);
    const reply = assertStatus(await create(newUserBody(), token), 403);
    assert.equal(reply.json.code, 'FORBIDDEN');
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'user.create.refused' });
    assert.deepEqual(entry.details, { path: '/api/v1/admin/users', code: 'FORBIDDEN', status: 403 });
    const { key } = await apiKey(kissi, ['subscribers:write', 'payments:write']);
    assert.equal((await create(newUserBody(), key)).json.code, 'FORBIDDEN');
    assert.equal((await me(key)).json.code, 'FORBIDDEN');
    assert.equal((await kissi.call('POST', '/api/v1/admin/users', { body: newUserBody() })).status, 401);
  });
});

describe('GET /admin/users', () => {
  test('filters by role, status and search, and paginates', async () => {
    const isolated = await testGateway();
    try {
      const token = await isolated.adminToken();
      const ids: string[] = [];
      for (const [role, first_name] of [
        ['sales_user', 'Ann_1'],
        ['sales_user', 'Ann%2'],
        ['audit_user', 'Bob'],
      ] as const) {
        isolated.clock.advance(1);
        ids.unshift((await staffMember(isolated, role, { first_name })).id);
      }
      const find = async (query: string) =>
        (await isolated.call('GET', `/api/v1/admin/users?${query}`, { token })).json;
      assert.deepEqual(
        (await find('limit=3')).users.map(({ id }: Json) => id),
        ids,
      );
      const second = await find('limit=2&offset=1');
      assert.deepEqual(
        second.users.map(({ id }: Json) => id),
        ids.slice(1),
      );
      assert.deepEqual([second.total_count, second.limit, second.offset], [4, 2, 1]);
      assert.equal((await find('role=sales_user')).total_count, 2);
      assert.equal((await find('role=sales_user&search=ann_')).total_count, 1);
      assert.equal((await find('search=%25')).total_count, 1);
      assert.equal((await find('search=BOB')).users[0].id, ids[0]);
      await isolated.call('PUT', `/api/v1/admin/users/${ids[0]}`, { body: { status: 'inactive' }, token });
      assert.deepEqual(
        (await find('status=inactive')).users.map(({ id }: Json) => id),
        [ids[0]],
      );
      assert.equal((await find('status=active')).total_count, 3);
      assert.ok(!JSON.stringify(await find('')).includes('argon2'));
    } finally {
      await isolated.close();
    }
  });

  test('rejects an unknown role or status, an invalid limit or offset, and an empty search', async () => {
    for (const query of ['role=root', 'status=unknown', 'limit=-1', 'offset=x', 'search=']) {
      assert.equal((await list(query)).status, 400, query);
    }
  });

  test('an unknown user gets 404 NOT_FOUND for GET and PUT', async () => {
    const read = await kissi.call('GET', '/api/v1/admin/users/usr_unknown', { token: admin });
    assert.deepEqual([read.status, read.json.code], [404, 'NOT_FOUND']);
    const written = await update('usr_unknown', { first_name: 'X' });
    assert.deepEqual([written.status, written.json.code], [404, 'NOT_FOUND']);
  });
});

describe('PUT /admin/users/:id', () => {
  test('changes only the given fields', async () => {
    const { json } = await create(newUserBody());
    const before = (await kissi.call('GET', `/api/v1/admin/users/${json.user_id}`, { token: admin })).json.user;
    const reply = assertStatus(await update(json.user_id, { last_name: 'Sesay', phone_number: '+23276111003' }), 200);
    const expected = { ...before, last_name: 'Sesay', phone_number: '+23276111003' };
    assert.deepEqual(reply.json.user, expected);
    // Messages are sent only for new credentials.
    assert.equal((await messagesTo('+23276111003')).length, 0);
    const [entry] = await auditLogs(kissi, { resource_id: json.user_id, action: 'user.update' });
    assert.deepEqual(entry.details, { fields: ['last_name', 'phone_number'] });
  });

  test('a new role applies from the next request, even for an access token issued before', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const listUsers = async () => (await kissi.call('GET', '/api/v1/admin/users', { token })).status;
    assert.equal(await listUsers(), 403);
    await update(staff.id, { role: 'system_admin' });
    assert.equal(await listUsers(), 200);
    await update(staff.id, { role: 'support_user' });
    assert.equal(await listUsers(), 403);
    const entries = await auditLogs(kissi, { resource_id: staff.id, action: 'user.update' });
    assert.ok(entries.some(({ details }) => details.role?.to === 'system_admin'));
  });

  for (const status of ['suspended', 'inactive']) {
    test(`a user who becomes ${status} is rejected from the next request; old tokens stay invalid`, async () => {
      const staff = await staffMember(kissi, 'support_user');
      const { token, refresh_token } = await openSession(kissi, staff);
      assert.equal((await me(token)).status, 200);
      await update(staff.id, { status });
      assert.equal((await me(token)).status, 401);
      await update(staff.id, { status: 'active' });
      assert.equal((await me(token)).status, 401);
      assertStatus(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 401);
      const again = await openSession(kissi, staff);
      assert.equal((await me(again.token)).status, 200);
    });
  }

  test('a password reset ends sessions and tokens and is sent to the phone', async () => {
    const staff = await staffMember(kissi, 'support_user', { phone_number: '076111004' });
    const { token, refresh_token } = await openSession(kissi, staff);
    assert.equal((await update(staff.id, { password: 'weak' })).status, 400);
    assert.equal((await me(token)).status, 200);
    assert.equal((await update(staff.id, { password: 'Reset-Password-9' })).status, 200);
    assert.equal((await me(token)).status, 401);
    assertStatus(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 401);
    assert.equal((await login(kissi, staff)).status, 401);
    assert.equal((await login(kissi, { email: staff.email, password: 'Reset-Password-9' })).status, 200);
    const texts = (await messagesTo('+23276111004')).map(({ text }) => text);
    assert.equal(texts.filter((text) => text.includes('Reset-Password-9')).length, 1);
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'user.update' });
    assert.deepEqual(entry.details, { fields: ['password'] });
  });

  test('rejects an empty body, the role processor, an unknown status, and invalid fields', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (const body of [{}, { role: 'processor' }, { status: 'unknown' }, { first_name: '' }, { phone_number: '1' }]) {
      assert.equal((await update(staff.id, body)).status, 400, JSON.stringify(body));
    }
  });

  test("requires system_admin, even for the user's own account", async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    assert.equal((await update(staff.id, { role: 'system_admin' }, token)).status, 403);
    assert.equal((await me(token)).json.role, 'support_user');
  });
});

describe('the last system_admin', () => {
  let isolated: TestGateway;
  before(async () => {
    isolated = await testGateway();
  });
  after(() => isolated.close());

  const put = (id: string, body: unknown, token: string) =>
    isolated.call('PUT', `/api/v1/admin/users/${id}`, { body, token });

  test('cannot be demoted, suspended or deactivated: 409 LAST_ADMIN', async () => {
    const token = await isolated.adminToken();
    const { id } = (await isolated.call('GET', '/api/v1/admin/me', { token })).json;
    const other = await staffMember(isolated, 'system_admin');
    await put(other.id, { status: 'suspended' }, token);
    for (const body of [{ role: 'support_user' }, { status: 'suspended' }, { status: 'inactive' }]) {
      const reply = await put(id, body, token);
      assert.deepEqual([reply.status, reply.json.code], [409, 'LAST_ADMIN']);
    }
    assert.equal((await put(id, { first_name: 'Still', role: 'system_admin', status: 'active' }, token)).status, 200);
    assert.equal((await isolated.call('GET', '/api/v1/admin/me', { token })).json.role, 'system_admin');
    await put(other.id, { role: 'support_user', status: 'active' }, token);
  });

  test('of two administrators who demote each other concurrently, one remains', async () => {
    const token = await isolated.adminToken();
    const { id } = (await isolated.call('GET', '/api/v1/admin/me', { token })).json;
    const other = await staffMember(isolated, 'system_admin');
    const { token: otherToken } = await openSession(isolated, other);
    // Both requests are authenticated before either one changes a user.
    const replies = await withLockContention(isolated, {
      lock: `select from users where id in ('${id}', '${other.id}') for update`,
      waiters: 2,
      begin: () =>
        Promise.all([put(other.id, { role: 'support_user' }, token), put(id, { status: 'suspended' }, otherToken)]),
    });
    const remaining = `select count(*)::int as n from users where role = 'system_admin' and status = 'active'`;
    const { rows } = await isolated.db.query(remaining);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'LAST_ADMIN');
    assert.equal(rows[0].n, 1);
  });
});

describe('the first system_admin', () => {
  test('is created once when two gateways start concurrently', async () => {
    const first = await testGateway();
    const second = await testGateway({ db: first.db, clock: first.clock });
    try {
      const created = await withLockContention(first, {
        lock: 'lock table users in share row exclusive mode',
        waiters: 2,
        begin: () =>
          Promise.all([
            first.gateway.services.users.ensureFirstAdmin({ email: 'one@example.com', password: PASSWORD }),
            second.gateway.services.users.ensureFirstAdmin({ email: 'two@example.com', password: PASSWORD }),
          ]),
      });
      const [winner, ...others] = created.filter((admin) => admin !== null);
      assert.equal(others.length, 0);
      assert.deepEqual(winner, { email: winner?.email, password: PASSWORD, generated: false });
      const { rows } = await first.db.query('select email, role from users');
      assert.deepEqual(rows, [{ email: winner?.email, role: 'system_admin' }]);
      assert.equal(await first.gateway.services.users.ensureFirstAdmin(ADMIN), null);
    } finally {
      await second.close();
      await first.close();
    }
  });

  test('gets a generated password when none is configured, and can log in with it', async () => {
    const isolated = await testGateway();
    try {
      const created = await isolated.gateway.services.users.ensureFirstAdmin({ email: undefined, password: undefined });
      assert.ok(created?.generated && isStrongPassword(created.password));
      assert.equal(created.email, 'admin@kissi.local');
      assert.equal((await login(isolated, created)).status, 200);
      assert.ok(!isolated.logs().includes(created.password));
    } finally {
      await isolated.close();
    }
  });

  test('is not created with a weak password or a malformed email, and the error names the setting', async () => {
    const isolated = await testGateway();
    try {
      const { users } = isolated.gateway.services;
      const create = (email: string, password: string) => () => users.ensureFirstAdmin({ email, password });
      const errorMatching = (message: RegExp) => (error: unknown) =>
        error instanceof FirstAdminError && message.test(error.message) && !error.message.includes('weak-one');
      await assert.rejects(
        create('a@example.com', 'weak-one'),
        errorMatching(/^BOOTSTRAP_ADMIN_PASSWORD must have 8 to 128/),
      );
      await assert.rejects(
        create('not-an-email', PASSWORD),
        errorMatching(/^BOOTSTRAP_ADMIN_EMAIL must be an email address/),
      );
      const { rows } = await isolated.db.query('select from users');
      assert.equal(rows.length, 0);
    } finally {
      await isolated.close();
    }
  });
});

describe('GET /admin/messages', () => {
  test('requires system_admin', async () => {
    const token = await staffToken(kissi, 'audit_user');
    assert.equal((await kissi.call('GET', '/api/v1/admin/messages', { token })).status, 403);
  });

  test('is 404 in production, although messages are queued', async () => {
    const production = await testGateway({ env: { APP_ENV: 'production' } });
    try {
      await staffMember(production, 'support_user', { phone_number: '076111005' });
      const reply = await production.asAdmin.get('/admin/messages');
      assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND']);
      assert.ok(!reply.text.includes(PASSWORD));
    } finally {
      await production.close();
    }
  });

  test('stores the texts encrypted', async () => {
    await staffMember(kissi, 'support_user', { phone_number: '076111006' });
    const { rows } = await kissi.db.query('select encode(sealed_text, $1) as text from messages', ['escape']);
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(PASSWORD)));
  });
});
