// What an administrator may give to a user: PEP access, an agent, a role; and passwords with a space.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { newMerchant } from '../../support/processors.ts';
import { assertRefused, auditLogs, login, openSession, PASSWORD, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();
const adminId = (await kissi.call('GET', '/api/v1/admin/me', { token: admin })).json.id;

const newUser = (extra: Record<string, unknown> = {}, token = admin) =>
  kissi.call('POST', '/api/v1/admin/users', {
    body: {
      email: `person.${Math.random().toString(36).slice(2)}@example.com`,
      password: PASSWORD,
      first_name: 'Fatu',
      last_name: 'Kamara',
      role: 'support_user',
      ...extra,
    },
    token,
  });
const update = (id: string, body: unknown, token = admin) =>
  kissi.call('PUT', `/api/v1/admin/users/${id}`, { body, token });
async function userRow(id: string) {
  const { rows } = await kissi.db.query('select role, agent_id, pep_access_authorized from users where id = $1', [id]);
  return rows[0];
}

describe('pep_access_authorized', () => {
  test('administrators cannot grant it to their own account: 403, audited, nothing changes', async () => {
    const body = { pep_access_authorized: true, first_name: 'Changed' };
    assertRefused(await update(adminId, body), 403, 'FORBIDDEN');
    const me = await kissi.call('GET', '/api/v1/admin/me', { token: admin });
    assert.deepEqual([me.json.pep_access_authorized, me.json.first_name], [false, 'System']);
    const [entry] = await auditLogs(kissi, { resource_id: adminId, action: 'user.update.refused' });
    assert.deepEqual([entry.actor_id, entry.details.code], [adminId, 'FORBIDDEN']);
  });

  test('another administrator can grant it, and the owner can keep or revoke it but not restore it', async () => {
    const second = await staffMember(kissi, 'system_admin');
    const { token } = await openSession(kissi, second);
    assert.equal((await update(second.id, { pep_access_authorized: true })).status, 200);
    const [granted] = await auditLogs(kissi, { resource_id: second.id, action: 'user.update' });
    assert.deepEqual(granted.details.pep_access_authorized, { from: false, to: true });
    assert.equal(granted.actor_id, adminId);
    assert.equal((await update(second.id, { pep_access_authorized: true, last_name: 'Same' }, token)).status, 200);
    assert.equal((await update(second.id, { pep_access_authorized: false }, token)).status, 200);
    assert.equal((await userRow(second.id)).pep_access_authorized, false);
    assertRefused(await update(second.id, { pep_access_authorized: true }, token), 403, 'FORBIDDEN');
    assert.equal((await userRow(second.id)).pep_access_authorized, false);
  });

  test('a new user can be created with it', async () => {
    const { json } = assertStatus(await newUser({ pep_access_authorized: true }), 201);
    assert.equal((await userRow(json.user_id)).pep_access_authorized, true);
  });
});

describe('users of agents', () => {
  test('an additional agent user is created with agent_id and acts for that agent', async () => {
    const agent = await newAgent(kissi);
    const { status, json } = await newUser({ role: 'super_agent', agent_id: agent.id, email: 'second@example.com' });
    assert.equal(status, 201);
    assert.equal((await userRow(json.user_id)).agent_id, agent.id);
    const { token } = await openSession(kissi, { email: 'second@example.com', password: PASSWORD });
    assert.equal((await kissi.call('GET', `/api/v1/agents/${agent.id}/balance`, { token })).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: json.user_id, action: 'user.create' });
    assert.equal(entry.details.agent_id, agent.id);
  });

  test('agent_id must name an agent of the same type that is not terminated; staff roles take none', async () => {
    const agent = await newAgent(kissi);
    const sub = await newSubAgent(kissi, agent);
    const terminated = await newAgent(kissi);
    await kissi.call('POST', `/api/v1/agents/${terminated.id}/terminate`, { body: { reason: 'x' }, token: admin });
    for (const extra of [
      { role: 'super_agent', agent_id: sub.id },
      { role: 'sub_agent', agent_id: agent.id },
      { role: 'super_agent', agent_id: 'agent_unknown' },
      { role: 'super_agent', agent_id: terminated.id },
      { role: 'support_user', agent_id: agent.id },
    ]) {
      const reply = assertRefused(await newUser(extra), 400, 'INVALID_REQUEST', JSON.stringify(extra));
      assert.match(reply.json.error, /^agent_id/);
    }
  });

  test('a user of an agent that is suspended cannot be created', async () => {
    const agent = await newAgent(kissi);
    await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body: { reason: 'x' }, token: admin });
    assertRefused(await newUser({ role: 'super_agent', agent_id: agent.id }), 400, 'INVALID_REQUEST');
  });

  test('an agent role without an agent is accepted, as the interface says, and reaches no float or network', async () => {
    const { json } = assertStatus(await newUser({ role: 'super_agent', email: 'agentless@example.com' }), 201);
    assert.equal((await userRow(json.user_id)).agent_id, null);
    const { token } = await openSession(kissi, { email: 'agentless@example.com', password: PASSWORD });
    const agent = await newAgent(kissi);
    assertRefused(await kissi.call('GET', `/api/v1/agents/${agent.id}`, { token }), 403, 'FORBIDDEN');
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).json.total_count ?? 0, 0);
  });

  test('the role of a user who belongs to an agent or a processor cannot be changed', async () => {
    const agent = await newAgent(kissi);
    const merchant = await newMerchant(kissi);
    const { rows } = await kissi.db.query('select id from users where processor_id = $1', [merchant.id]);
    for (const id of [agent.userId, rows[0].id]) {
      for (const role of ['system_admin', 'sub_agent', 'support_user']) {
        const reply = assertRefused(await update(id, { role }), 400, 'INVALID_REQUEST', role);
        assert.match(reply.json.error, /^role/);
      }
    }
    assert.equal((await userRow(agent.userId)).role, 'super_agent');
    assert.equal((await update(agent.userId, { role: 'super_agent', first_name: 'Same' })).status, 200);
    assert.ok(await agentToken(kissi, agent));
  });
});

test('a space counts as a special character in passwords', async () => {
  const password = 'Correct horse 7';
  const { status, json } = await newUser({ email: 'space@example.com', password });
  assert.equal(status, 201, JSON.stringify(json));
  assert.equal((await login(kissi, { email: 'space@example.com', password })).status, 200);
  assertRefused(await newUser({ password: 'NoSpecial123' }), 400, 'INVALID_REQUEST');
  assertRefused(await newUser({ password: 'Line\nBreak1' }), 400, 'INVALID_REQUEST');
});
