// System users: made with a role, changed from the next request on, and never without an administrator.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FirstAdminError } from '../../src/features/admin/users/first-admin.ts';
import { isStrongPassword } from '../../src/kernel/password-policy.ts';
import { ADMIN, gatewayForFile, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import {
  apiKey,
  auditLogs,
  login,
  openSession,
  PASSWORD,
  staffMember,
  staffToken,
  withLockContention,
} from '../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const person = (extra: Record<string, unknown> = {}) => ({
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
  const reply = await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: admin });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.messages.filter(({ to }: Json) => to === phone);
}

describe('creating a user', () => {
  test('answers 201 with success, user_id, message and the user, who can log in', async () => {
    const body = person();
    const { status, json } = await create(body);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json).sort(), ['message', 'success', 'user', 'user_id']);
    assert.match(json.user_id, /^usr_[0-9A-Z]{26}$/);
    const { email, first_name, last_name, role } = body;
    assert.deepEqual(json.user, { id: json.user_id, email, first_name, last_name, role, status: 'active' });
    assert.equal((await login(kissi, body)).status, 200);
  });

  test('takes every role but processor', async () => {
    const roles = ['system_admin', 'compliance_user', 'support_user', 'sales_user', 'audit_user', 'finance_user'];
    for (const role of [...roles, 'super_agent', 'sub_agent']) {
      assert.equal((await create(person({ role }))).json.user?.role, role);
    }
    for (const role of ['processor', 'root', '', null]) {
      const reply = await create(person({ role }));
      assert.equal(reply.status, 400);
      assert.match(reply.json.error, /^role/);
    }
  });

  test('refuses a missing, malformed or weak field with 400 naming it', async () => {
    const wrong: [string, unknown][] = [
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
    for (const [field, value] of wrong) {
      const reply = await create(person({ [field]: value }));
      assert.equal(reply.status, 400, `${field} ${value}`);
      assert.equal(reply.json.code, 'INVALID_REQUEST');
      assert.match(reply.json.error, new RegExp(`^${field}`));
    }
  });

  test('409 USER_EXISTS for an email that is taken in any case, also when two come at once', async () => {
    const body = person({ email: 'Taken@Example.com', phone_number: '076111001' });
    const replies = await Promise.all([create(body), create({ ...body, email: 'taken@example.COM' })]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
    assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'USER_EXISTS');
    assert.equal((await create({ ...body, email: 'TAKEN@EXAMPLE.COM' })).status, 409);
    assert.equal((await list('search=taken@example.com')).json.total_count, 1);
    // What was refused sent no credentials.
    assert.equal((await messagesTo('+23276111001')).length, 1);
  });

  test('sends the credentials to the phone number, which is kept as E.164', async () => {
    const body = person({ phone_number: '076 111 002' });
    const { json } = await create(body);
    const [message, ...more] = await messagesTo('+23276111002');
    assert.equal(more.length, 0);
    assert.deepEqual(Object.keys(message).sort(), ['created_at', 'id', 'kind', 'text', 'to']);
    assert.equal(message.kind, 'credentials');
    assert.ok(message.text.includes(body.email) && message.text.includes(PASSWORD));
    const { user } = (await kissi.call('GET', `/api/v1/admin/users/${json.user_id}`, { token: admin })).json;
    assert.equal(user.phone_number, '+23276111002');
  });

  test('is in the audit log with who did it', async () => {
    const { json } = await create(person({ role: 'finance_user', pep_access_authorized: true }));
    const [entry] = await auditLogs(kissi, { resource_id: json.user_id });
    assert.equal(entry.action, 'user.create');
    assert.equal(entry.actor_id, (await me(admin)).json.id);
    assert.equal(entry.details.role, 'finance_user');
    assert.equal(entry.details.pep_access_authorized, true);
  });

  test('is for system_admin only: 403 for other roles and for keys, and the attempt is in the audit log', async () => {
    const staff = await staffMember(kissi, 'compliance_user');
    const { token } = await openSession(kissi, staff);
    const reply = await create(person(), token);
    assert.equal(reply.status, 403);
    assert.equal(reply.json.code, 'FORBIDDEN');
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'user.create.refused' });
    assert.deepEqual(entry.details, { path: '/api/v1/admin/users', code: 'FORBIDDEN', status: 403 });
    const { key } = await apiKey(kissi, ['subscribers:write', 'payments:write']);
    assert.equal((await create(person(), key)).json.code, 'FORBIDDEN');
    assert.equal((await me(key)).json.code, 'FORBIDDEN');
    assert.equal((await kissi.call('POST', '/api/v1/admin/users', { body: person() })).status, 401);
  });
});

describe('the list of users', () => {
  test('filters by role, status and search, and pages', async () => {
    const own = await testGateway();
    try {
      const token = await own.adminToken();
      const ids: string[] = [];
      for (const [role, first_name] of [
        ['sales_user', 'Ann_1'],
        ['sales_user', 'Ann%2'],
        ['audit_user', 'Bob'],
      ] as const) {
        own.clock.advance(1);
        ids.unshift((await staffMember(own, role, { first_name })).id);
      }
      const find = async (query: string) => (await own.call('GET', `/api/v1/admin/users?${query}`, { token })).json;
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
      await own.call('PUT', `/api/v1/admin/users/${ids[0]}`, { body: { status: 'inactive' }, token });
      assert.deepEqual(
        (await find('status=inactive')).users.map(({ id }: Json) => id),
        [ids[0]],
      );
      assert.equal((await find('status=active')).total_count, 3);
      assert.ok(!JSON.stringify(await find('')).includes('argon2'));
    } finally {
      await own.close();
    }
  });

  test('refuses an unknown role or status and a limit that is no number', async () => {
    for (const query of ['role=root', 'status=gone', 'limit=-1', 'offset=x', 'search=']) {
      assert.equal((await list(query)).status, 400, query);
    }
  });

  test('404 NOT_FOUND for a user nobody is', async () => {
    const read = await kissi.call('GET', '/api/v1/admin/users/usr_nobody', { token: admin });
    assert.deepEqual([read.status, read.json.code], [404, 'NOT_FOUND']);
    const written = await update('usr_nobody', { first_name: 'X' });
    assert.deepEqual([written.status, written.json.code], [404, 'NOT_FOUND']);
  });
});

describe('changing a user', () => {
  test('changes what is named and nothing else', async () => {
    const { json } = await create(person());
    const before = (await kissi.call('GET', `/api/v1/admin/users/${json.user_id}`, { token: admin })).json.user;
    const reply = await update(json.user_id, { last_name: 'Sesay', phone_number: '+23276111003' });
    assert.equal(reply.status, 200, reply.text);
    const expected = { ...before, last_name: 'Sesay', phone_number: '+23276111003' };
    assert.deepEqual(reply.json.user, expected);
    // Only new credentials are sent, and there are none.
    assert.equal((await messagesTo('+23276111003')).length, 0);
    const [entry] = await auditLogs(kissi, { resource_id: json.user_id, action: 'user.update' });
    assert.deepEqual(entry.details, { fields: ['last_name', 'phone_number'] });
  });

  test('a role counts from the next request on, with the token the user has', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const tryIt = async () => (await kissi.call('GET', '/api/v1/admin/users', { token })).status;
    assert.equal(await tryIt(), 403);
    await update(staff.id, { role: 'system_admin' });
    assert.equal(await tryIt(), 200);
    await update(staff.id, { role: 'support_user' });
    assert.equal(await tryIt(), 403);
    const entries = await auditLogs(kissi, { resource_id: staff.id, action: 'user.update' });
    assert.ok(entries.some(({ details }) => details.role?.to === 'system_admin'));
  });

  for (const status of ['suspended', 'inactive']) {
    test(`a user who becomes ${status} is out from the next request on, and the old tokens stay dead`, async () => {
      const staff = await staffMember(kissi, 'support_user');
      const { token, refresh_token } = await openSession(kissi, staff);
      assert.equal((await me(token)).status, 200);
      await update(staff.id, { status });
      assert.equal((await me(token)).status, 401);
      await update(staff.id, { status: 'active' });
      assert.equal((await me(token)).status, 401);
      const refreshed = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
      assert.equal(refreshed.status, 401);
      const again = await openSession(kissi, staff);
      assert.equal((await me(again.token)).status, 200);
    });
  }

  test('a password that is reset ends sessions and tokens and is sent to the phone', async () => {
    const staff = await staffMember(kissi, 'support_user', { phone_number: '076111004' });
    const { token, refresh_token } = await openSession(kissi, staff);
    assert.equal((await update(staff.id, { password: 'weak' })).status, 400);
    assert.equal((await me(token)).status, 200);
    assert.equal((await update(staff.id, { password: 'Reset-Password-9' })).status, 200);
    assert.equal((await me(token)).status, 401);
    const refreshed = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
    assert.equal(refreshed.status, 401);
    assert.equal((await login(kissi, staff)).status, 401);
    assert.equal((await login(kissi, { email: staff.email, password: 'Reset-Password-9' })).status, 200);
    const texts = (await messagesTo('+23276111004')).map(({ text }) => text);
    assert.equal(texts.filter((text) => text.includes('Reset-Password-9')).length, 1);
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'user.update' });
    assert.deepEqual(entry.details, { fields: ['password'] });
  });

  test('refuses an empty body, the role processor, and an unknown status', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (const body of [{}, { role: 'processor' }, { status: 'gone' }, { first_name: '' }, { phone_number: '1' }]) {
      assert.equal((await update(staff.id, body)).status, 400, JSON.stringify(body));
    }
  });

  test('is for system_admin only, also on the own account', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    assert.equal((await update(staff.id, { role: 'system_admin' }, token)).status, 403);
    assert.equal((await me(token)).json.role, 'support_user');
  });
});

describe('the last administrator', () => {
  let own: TestGateway;
  before(async () => {
    own = await testGateway();
  });
  after(() => own.close());

  const put = (id: string, body: unknown, token: string) =>
    own.call('PUT', `/api/v1/admin/users/${id}`, { body, token });

  test('cannot step down, be suspended or inactivated: 409 LAST_ADMIN', async () => {
    const token = await own.adminToken();
    const { id } = (await own.call('GET', '/api/v1/admin/me', { token })).json;
    const other = await staffMember(own, 'system_admin');
    await put(other.id, { status: 'suspended' }, token);
    for (const body of [{ role: 'support_user' }, { status: 'suspended' }, { status: 'inactive' }]) {
      const reply = await put(id, body, token);
      assert.deepEqual([reply.status, reply.json.code], [409, 'LAST_ADMIN']);
    }
    assert.equal((await put(id, { first_name: 'Still', role: 'system_admin', status: 'active' }, token)).status, 200);
    assert.equal((await own.call('GET', '/api/v1/admin/me', { token })).json.role, 'system_admin');
    await put(other.id, { role: 'support_user', status: 'active' }, token);
  });

  test('two who demote each other at the same moment: one of them stays', async () => {
    const token = await own.adminToken();
    const { id } = (await own.call('GET', '/api/v1/admin/me', { token })).json;
    const other = await staffMember(own, 'system_admin');
    const { token: otherToken } = await openSession(own, other);
    // Both are past their authentication when they meet.
    const replies = await withLockContention(own, {
      lock: `select from users where id in ('${id}', '${other.id}') for update`,
      waiters: 2,
      begin: () =>
        Promise.all([put(other.id, { role: 'support_user' }, token), put(id, { status: 'suspended' }, otherToken)]),
    });
    const left = `select count(*)::int as n from users where role = 'system_admin' and status = 'active'`;
    const { rows } = await own.db.database.pool.query(left);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'LAST_ADMIN');
    assert.equal(rows[0].n, 1);
  });
});

describe('the first administrator', () => {
  test('is made once, also when two services start at the same moment', async () => {
    const one = await testGateway();
    const two = await testGateway({ db: one.db, clock: one.clock });
    try {
      const made = await withLockContention(one, {
        lock: 'lock table users in share row exclusive mode',
        waiters: 2,
        begin: () =>
          Promise.all([
            one.gateway.services.users.ensureFirstAdmin({ email: 'one@example.com', password: PASSWORD }),
            two.gateway.services.users.ensureFirstAdmin({ email: 'two@example.com', password: PASSWORD }),
          ]),
      });
      const [winner, ...others] = made.filter((admin) => admin !== null);
      assert.equal(others.length, 0);
      assert.deepEqual(winner, { email: winner?.email, password: PASSWORD, generated: false });
      const { rows } = await one.db.database.pool.query('select email, role from users');
      assert.deepEqual(rows, [{ email: winner?.email, role: 'system_admin' }]);
      assert.equal(await one.gateway.services.users.ensureFirstAdmin(ADMIN), null);
    } finally {
      await two.close();
      await one.close();
    }
  });

  test('gets a generated password when none is given, and can log in with it', async () => {
    const own = await testGateway();
    try {
      const made = await own.gateway.services.users.ensureFirstAdmin({ email: undefined, password: undefined });
      assert.ok(made?.generated && isStrongPassword(made.password));
      assert.equal(made.email, 'admin@kissi.local');
      assert.equal((await login(own, made)).status, 200);
      assert.ok(!own.logs().includes(made.password));
    } finally {
      await own.close();
    }
  });

  test('is not made with a weak password or a malformed email: the error says which', async () => {
    const own = await testGateway();
    try {
      const { users } = own.gateway.services;
      const wish = (email: string, password: string) => () => users.ensureFirstAdmin({ email, password });
      const says = (sentence: RegExp) => (error: unknown) =>
        error instanceof FirstAdminError && sentence.test(error.message) && !error.message.includes('weak-one');
      await assert.rejects(wish('a@example.com', 'weak-one'), says(/^BOOTSTRAP_ADMIN_PASSWORD must have 8 to 128/));
      await assert.rejects(wish('nobody', PASSWORD), says(/^BOOTSTRAP_ADMIN_EMAIL must be an email address/));
      const { rows } = await own.db.database.pool.query('select from users');
      assert.equal(rows.length, 0);
    } finally {
      await own.close();
    }
  });
});

describe('the outbox', () => {
  test('is for system_admin only', async () => {
    const token = await staffToken(kissi, 'audit_user');
    assert.equal((await kissi.call('GET', '/api/v1/admin/messages', { token })).status, 403);
  });

  test('is not there in production, although messages are queued', async () => {
    const production = await testGateway({ env: { APP_ENV: 'production' } });
    try {
      const token = await production.adminToken();
      await staffMember(production, 'support_user', { phone_number: '076111005' });
      const reply = await production.call('GET', '/api/v1/admin/messages', { token });
      assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND']);
      assert.ok(!reply.text.includes(PASSWORD));
    } finally {
      await production.close();
    }
  });

  test('keeps its texts sealed', async () => {
    await staffMember(kissi, 'support_user', { phone_number: '076111006' });
    const { rows } = await kissi.db.database.pool.query('select encode(sealed_text, $1) as text from messages', [
      'escape',
    ]);
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(PASSWORD)));
  });
});
