// Tests the password reset by an administrator: a temporary password, shown once, that must be changed first.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { answer, challenge, totpUser } from '../../support/second-factor.ts';
import { assertRefused, auditLogs, login, openSession, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const reset = (id: string, token = admin) =>
  kissi.call('POST', `/api/v1/admin/users/${id}/reset-password`, { token, body: {} });
const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });

describe('POST /admin/users/{id}/reset-password', () => {
  test('shows a temporary password once, which replaces the old one and must be changed', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const reply = assertStatus(await reset(staff.id), 200);
    const { temporary_password: password, user } = reply.json;
    assert.equal(user.id, staff.id);
    assert.equal((await login(kissi, staff)).status, 401, 'the old password');
    const { token } = await openSession(kissi, { email: staff.email, password });
    assertRefused(await kissi.call('GET', '/api/v1/subscribers', { token }), 403, 'PASSWORD_CHANGE_REQUIRED');
    const body = { current_password: password, new_password: 'Chosen-Password-2' };
    assert.equal((await kissi.call('POST', '/api/v1/admin/change-password', { token, body })).status, 200);
    const next = await openSession(kissi, { email: staff.email, password: 'Chosen-Password-2' });
    assert.equal((await kissi.call('GET', '/api/v1/subscribers', { token: next.token })).status, 200);
  });

  test('ends every session of the user at once, and no other', async () => {
    const [staff, other] = [await staffMember(kissi, 'finance_user'), await staffMember(kissi, 'finance_user')];
    const sessions = [await openSession(kissi, staff), await openSession(kissi, staff)];
    const untouched = await openSession(kissi, other);
    assert.equal((await reset(staff.id)).status, 200);
    for (const { token, refresh_token } of sessions) {
      assert.equal((await me(token)).status, 401);
      assert.equal((await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } })).status, 401);
    }
    assert.equal((await me(untouched.token)).status, 200);
  });

  test('leaves the second factor: the temporary password alone does not log in', async () => {
    const user = await totpUser(kissi, 'audit_user');
    const { temporary_password: password } = (await reset(user.id)).json;
    const asked = await challenge(kissi, { email: user.email, password });
    assert.equal((await answer(kissi, { challenge: asked.challenge, code: user.nextCode() })).status, 200);
  });

  test('is refused for oneself, for other roles and for unknown users, and changes nothing', async () => {
    const { id } = (await me(admin)).json;
    assertRefused(await reset(id), 403, 'FORBIDDEN');
    assert.equal((await me(admin)).status, 200);
    assertRefused(await reset('usr_unknown'), 404, 'NOT_FOUND');
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    assertRefused(await reset(id, token), 403, 'FORBIDDEN');
  });

  test('works for the user of an agent and does not reactivate a suspended user', async () => {
    const agent = await newAgent(kissi);
    const token = await agentToken(kissi, agent);
    const { temporary_password: password } = (await reset(agent.userId)).json;
    assert.equal((await me(token)).status, 401);
    assert.equal((await login(kissi, { email: agent.email, password })).status, 200);
    const body = { status: 'suspended' };
    await kissi.call('PUT', `/api/v1/admin/users/${agent.userId}`, { token: admin, body });
    const again = (await reset(agent.userId)).json;
    assert.equal(again.user.status, 'suspended');
    assert.equal((await login(kissi, { email: agent.email, password: again.temporary_password })).status, 401);
  });

  test('is audited without the password, which is stored as a hash only', async () => {
    const staff = await staffMember(kissi, 'sales_user');
    const { temporary_password: password } = (await reset(staff.id)).json;
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'user.reset_password' });
    assert.equal(entry.resource_type, 'user');
    assert.ok(!JSON.stringify(await auditLogs(kissi, { resource_id: staff.id })).includes(password));
    const { rows } = await kissi.db.query('select * from users where id = $1', [staff.id]);
    assert.equal(rows[0].must_change_password, true);
    assert.ok(!JSON.stringify(rows).includes(password));
    const { json } = await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: admin });
    assert.ok(!JSON.stringify(json).includes(password), 'no message contains it');
  });

  test('of two resets at once, the password of the later one is valid', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const replies = await Promise.all([reset(staff.id), reset(staff.id)]);
    const logins = await Promise.all(
      replies.map(({ json }) => login(kissi, { email: staff.email, password: json.temporary_password })),
    );
    assert.deepEqual(logins.map(({ status }) => status).toSorted(), [200, 401]);
  });
});
