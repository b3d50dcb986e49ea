// Generated passwords outside development: they must be changed before anything else is possible.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { EXPECTED_ACCESS } from '../../support/contract.ts';
import { assertStatus, type TestGateway, testGateway } from '../../support/gateway.ts';
import { assertRefused, type auditLogs, login, openSession, PASSWORD } from '../../support/staff.ts';

const STAGING = { APP_ENV: 'staging', MESSAGING_APP_SECRET: 'a messaging app secret of 32 characters' };
const kissi = await testGateway({ env: STAGING });
after(() => kissi.close());

const NEXT = 'Chosen-Password-1';
const first = await kissi.gateway.services.users.ensureFirstAdmin({ email: undefined, password: undefined });
assert.ok(first?.generated);
const firstAdmin = { email: first.email, password: first.password };

const me = (gateway: TestGateway, token: string) => gateway.call('GET', '/api/v1/admin/me', { token });
const changePassword = (token: string, current_password: string, new_password: string) =>
  kissi.call('POST', '/api/v1/admin/change-password', { token, body: { current_password, new_password } });

/** Routes that stay open to a user who must change the password. */
const OPEN = ['GET /api/v1/admin/me', 'POST /api/v1/admin/change-password'];

describe('a generated first administrator outside development', () => {
  test('gets 403 PASSWORD_CHANGE_REQUIRED on every route that takes a token, except me and change-password', async () => {
    const { token } = await openSession(kissi, firstAdmin);
    assert.equal((await me(kissi, token)).status, 200);
    let refused = 0;
    for (const [route, access] of EXPECTED_ACCESS) {
      if (access === 'public' || access.signed || OPEN.includes(route)) continue;
      const [method = '', template = ''] = route.split(' ');
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const reply = await kissi.call(method, template.replace(/:\w+/g, 'unknown_0'), { token, ...body });
      assertRefused(reply, 403, 'PASSWORD_CHANGE_REQUIRED', route);
      refused += 1;
    }
    assert.ok(refused > 60, String(refused));
  });

  test('can still refresh and log out', async () => {
    const { refresh_token } = await openSession(kissi, firstAdmin);
    const refreshed = assertStatus(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 200);
    assertRefused(
      await kissi.call('GET', '/api/v1/admin/users', { token: refreshed.json.token }),
      403,
      'PASSWORD_CHANGE_REQUIRED',
    );
    const body = { refresh_token: refreshed.json.refresh_token };
    assert.equal((await kissi.call('POST', '/api/v1/admin/logout', { body })).status, 200);
  });

  test('cannot keep the password, and has full access after changing it', async () => {
    const { token } = await openSession(kissi, firstAdmin);
    assertRefused(await changePassword(token, firstAdmin.password, firstAdmin.password), 400, 'INVALID_REQUEST');
    assert.equal((await changePassword(token, firstAdmin.password, NEXT)).status, 200);
    assert.equal((await login(kissi, firstAdmin)).status, 401);
    const next = await openSession(kissi, { email: first.email, password: NEXT });
    assert.equal((await kissi.call('GET', '/api/v1/admin/users', { token: next.token })).status, 200);
  });
});

describe('other users outside development', () => {
  const asAdmin = async () => (await openSession(kissi, { email: first.email, password: NEXT })).token;
  const passwordIn = async (phone: string) => {
    const { json } = await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: await asAdmin() });
    const { text } = json.messages.find(({ to }: { to: string }) => to === phone);
    return /assword: (\S+)$/m.exec(text)?.[1] ?? '';
  };

  test('an agent must change the temporary password that the registration sent', async () => {
    const names = { business_name: 'Kissy Road Traders', first_name: 'Ibrahim', last_name: 'Conteh' };
    const contact = { phone_number: '+23277111001', email: 'agent@example.com' };
    const body = { agent_type: 'super_agent', ...names, ...contact };
    const registered = assertStatus(await kissi.call('POST', '/api/v1/agents', { body, token: await asAdmin() }), 201);
    const login = { email: contact.email, password: await passwordIn(contact.phone_number) };
    const { token } = await openSession(kissi, login);
    const balance = (bearer: string) =>
      kissi.call('GET', `/api/v1/agents/${registered.json.agent_id}/balance`, { token: bearer });
    assertRefused(await balance(token), 403, 'PASSWORD_CHANGE_REQUIRED');
    assert.equal((await changePassword(token, login.password, NEXT)).status, 200);
    const next = await openSession(kissi, { ...login, password: NEXT });
    assert.equal((await balance(next.token)).status, 200);
  });

  test('a processor must change the temporary password that the registration sent', async () => {
    const contact = { contact_name: 'Fatu Sesay', phone_number: '+23277111002', email: 'merchant@example.com' };
    const body = { business_name: 'Lumley Beach Grill', ...contact };
    const registered = await kissi.call('POST', '/api/v1/processors', { body, token: await asAdmin() });
    assert.equal(registered.status, 201, registered.text);
    const { token } = await openSession(kissi, {
      email: contact.email,
      password: await passwordIn(contact.phone_number),
    });
    const path = `/api/v1/processors/${registered.json.processor.id}`;
    assertRefused(await kissi.call('GET', path, { token }), 403, 'PASSWORD_CHANGE_REQUIRED');
  });

  test('a password that an administrator chose need not be changed', async () => {
    const names = { first_name: 'Fatu', last_name: 'Kamara', role: 'support_user' };
    const body = { email: 'chosen@example.com', password: PASSWORD, ...names };
    assert.equal((await kissi.call('POST', '/api/v1/admin/users', { body, token: await asAdmin() })).status, 201);
    const { token } = await openSession(kissi, body);
    assert.equal((await kissi.call('GET', '/api/v1/subscribers', { token })).status, 200);
  });

  test('the refused request of a user who must change the password is audited', async () => {
    const entries = await auditLogsOf('user.create.refused');
    assert.ok(entries.some(({ details }) => details.code === 'PASSWORD_CHANGE_REQUIRED'));
  });

  const auditLogsOf = async (action: string) => {
    const path = `/api/v1/audit/logs?${new URLSearchParams({ action })}`;
    const { json } = await kissi.call('GET', path, { token: await asAdmin() });
    return json.logs as Awaited<ReturnType<typeof auditLogs>>;
  };
});

test('a configured first administrator keeps the password, and so does a generated one in development', async () => {
  const configured = await testGateway({ env: STAGING });
  const development = await testGateway();
  try {
    assert.equal((await configured.asAdmin.get('/admin/users')).status, 200);
    const generated = await development.gateway.services.users.ensureFirstAdmin({
      email: undefined,
      password: undefined,
    });
    assert.ok(generated?.generated);
    const session = await openSession(development, generated);
    assert.equal((await development.call('GET', '/api/v1/admin/users', { token: session.token })).status, 200);
  } finally {
    await configured.close();
    await development.close();
  }
});
