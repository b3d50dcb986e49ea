// Tests edits of agents, processors and API keys: who may change which field, and what a change takes along.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newAgent, newSubAgent, registrationBody } from '../../support/agents.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, login, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();
const put = (path: string, body: object, token = admin) => kissi.call('PUT', `/api/v1${path}`, { body, token });
const get = (path: string, token = admin) => kissi.call('GET', `/api/v1${path}`, { token });
const post = (path: string, body: object, token = admin) => kissi.call('POST', `/api/v1${path}`, { body, token });

describe('PUT /agents/{id}', () => {
  test('changes names, location, phone number and terms, and audits fields without personal data', async () => {
    const agent = await newAgent(kissi);
    const change = { business_name: '  New Name ', location: 'Kenema', phone_number: '077 700 001' };
    const terms = { commission_tier: 'premium', settlement_mode: 'daily' };
    const reply = assertStatus(await put(`/agents/${agent.id}`, { ...change, ...terms }), 200);
    const { business_name, location, phone_number, commission_tier, settlement_mode } = reply.json.agent;
    assert.deepEqual([business_name, location, phone_number], ['New Name', 'Kenema', '+23277700001']);
    assert.deepEqual({ commission_tier, settlement_mode }, terms);
    const [entry] = await auditLogs(kissi, { resource_id: agent.id, action: 'agent.update' });
    assert.deepEqual(entry.details, {
      fields: ['business_name', 'phone_number', 'location', 'commission_tier', 'settlement_mode'],
      commission_tier: { from: 'standard', to: 'premium' },
      settlement_mode: { from: 'instant', to: 'daily' },
    });
    const cleared = await put(`/agents/${agent.id}`, { location: '' });
    assert.equal(cleared.json.agent.location, null);
  });

  test('moves the login to the new phone number and keeps the session', async () => {
    const agent = await newAgent(kissi);
    const token = await agentToken(kissi, agent);
    assert.equal((await put(`/agents/${agent.id}`, { phone_number: '+23277700002' })).status, 200);
    assert.equal((await login(kissi, { email: '+23277700002', password: agent.password })).status, 200);
    assert.equal((await login(kissi, { email: agent.phone, password: agent.password })).status, 401);
    assert.equal((await get('/admin/me', token)).json.phone_number, '+23277700002');
  });

  test('refuses the phone number of another agent, even when two agents ask for one at once', async () => {
    const [one, other] = [await newAgent(kissi), await newAgent(kissi)];
    assertRefused(await put(`/agents/${one.id}`, { phone_number: other.phone }), 409, 'DUPLICATE_PHONE');
    assert.equal((await get(`/agents/${one.id}`)).json.agent.phone_number, one.phone);
    const phone_number = '+23277700003';
    const replies = await Promise.all([one, other].map(({ id }) => put(`/agents/${id}`, { phone_number })));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409]);
    assertRefused(await put(`/agents/${one.id}`, { phone_number: 'no number' }), 400, 'INVALID_REQUEST');
  });

  test('lets a super-agent correct names and location of its own sub-agents only', async () => {
    const [own, other] = [await newAgent(kissi), await newAgent(kissi)];
    const [sub, foreign] = [await newSubAgent(kissi, own), await newSubAgent(kissi, other)];
    const token = await agentToken(kissi, own);
    const corrected = await put(`/agents/${sub.id}`, { first_name: 'Hawa', location: 'Lumley' }, token);
    assert.deepEqual([corrected.status, corrected.json.agent.first_name], [200, 'Hawa'], corrected.text);
    for (const agent of [own, other, foreign]) {
      assertRefused(await put(`/agents/${agent.id}`, { first_name: 'Hawa' }, token), 403, 'FORBIDDEN');
    }
    const subToken = await agentToken(kissi, sub);
    assertRefused(await put(`/agents/${sub.id}`, { first_name: 'Hawa' }, subToken), 403, 'FORBIDDEN');
  });

  test("keeps commission tier, settlement mode and phone number from agents' users", async () => {
    const own = await newAgent(kissi);
    const sub = await newSubAgent(kissi, own);
    const token = await agentToken(kissi, own);
    const forbidden = [
      { commission_tier: 'premium' },
      { settlement_mode: 'daily' },
      { phone_number: '+23277700004' },
      { first_name: 'Hawa', commission_tier: 'custom' },
    ];
    const before = (await get(`/agents/${sub.id}`)).json.agent;
    for (const change of forbidden) assertRefused(await put(`/agents/${sub.id}`, change, token), 403, 'FORBIDDEN');
    assert.deepEqual((await get(`/agents/${sub.id}`)).json.agent, before);
    const unchanged = await put(`/agents/${sub.id}`, { ...before, last_name: 'Koroma' }, token);
    assert.deepEqual([unchanged.status, unchanged.json.agent.last_name], [200, 'Koroma'], unchanged.text);
  });

  test('lets a super-agent register sub-agents on the default terms only', async () => {
    const own = await newAgent(kissi);
    const token = await agentToken(kissi, own);
    const register = (terms: object) =>
      post('/agents', registrationBody({ agent_type: 'sub_agent', parent_agent_id: own.id, ...terms }), token);
    for (const terms of [
      { commission_tier: 'premium' },
      { commission_tier: 'custom' },
      { settlement_mode: 'weekly' },
    ]) {
      assertRefused(await register(terms), 403, 'FORBIDDEN');
    }
    assert.equal((await register({ commission_tier: 'standard', settlement_mode: 'instant' })).status, 201);
  });

  test('is refused for a terminated agent, and for roles that do not register agents', async () => {
    const agent = await newAgent(kissi);
    for (const role of ['sales_user', 'support_user', 'finance_user'] as const) {
      assertRefused(
        await put(`/agents/${agent.id}`, { location: 'Bo' }, await staffToken(kissi, role)),
        403,
        'FORBIDDEN',
      );
    }
    assert.equal((await post(`/agents/${agent.id}/terminate`, {})).status, 200);
    assertRefused(await put(`/agents/${agent.id}`, { location: 'Bo' }), 409, 'AGENT_TERMINATED');
    assertRefused(await put('/agents/agent_unknown', { location: 'Bo' }), 404, 'NOT_FOUND');
  });
});

describe('PUT /processors/{id}', () => {
  test('changes names and phone number for sales, with the login, and not for the processor itself', async () => {
    const merchant = await newMerchant(kissi);
    const sales = await staffToken(kissi, 'sales_user');
    const change = { business_name: 'Aberdeen Grill', phone_number: '+23233900001' };
    const reply = assertStatus(await put(`/processors/${merchant.id}`, change, sales), 200);
    assert.deepEqual(
      [reply.json.processor.business_name, reply.json.processor.phone_number],
      ['Aberdeen Grill', '+23233900001'],
    );
    const user = (await get(`/admin/users/${merchant.userId}`)).json.user;
    assert.equal(user.phone_number, '+23233900001');
    const [entry] = await auditLogs(kissi, { resource_id: merchant.id, action: 'processor.update' });
    assert.deepEqual(entry.details, { fields: ['business_name', 'phone_number'] });
  });

  test('refuses the phone number of another processor and an unknown processor', async () => {
    const [one, other] = [await newMerchant(kissi), await newMerchant(kissi)];
    assertRefused(await put(`/processors/${one.id}`, { phone_number: other.phone }), 409, 'DUPLICATE_PHONE');
    assertRefused(await put(`/processors/${one.id}`, { merchant_id: 'M-OTHER' }), 400, 'INVALID_REQUEST');
    assertRefused(await put(`/processors/${one.id}`, { email: 'new@example.com' }), 400, 'INVALID_REQUEST');
    assertRefused(await put('/processors/proc_unknown', { contact_name: 'A B' }), 404, 'NOT_FOUND');
  });
});

describe('PUT /admin/api-keys/{id}', () => {
  const inDays = (days: number) => new Date(kissi.clock.now() + days * 86_400_000).toISOString();

  test('takes scopes away with the next request, and never gives any', async () => {
    const { id, key } = await apiKey(kissi, ['subscribers:read', 'cards:read']);
    assert.equal((await get('/subscribers', key)).status, 200);
    const reply = await put(`/admin/api-keys/${id}`, { scopes: ['cards:read'] });
    assert.deepEqual([reply.status, reply.json.api_key.scopes], [200, ['cards:read']], reply.text);
    assertRefused(await get('/subscribers', key), 403, 'FORBIDDEN');
    assert.equal((await get('/cards', key)).status, 200);
    for (const scopes of [['subscribers:read'], ['cards:read', 'treasury:write'], ['cards:read', 'unknown'], []]) {
      assertRefused(await put(`/admin/api-keys/${id}`, { scopes }), 400, 'INVALID_REQUEST', String(scopes));
    }
    assert.deepEqual((await get(`/admin/api-keys/${id}`)).json.api_key.scopes, ['cards:read']);
  });

  test('sets or brings forward the expiry, and never extends it', async () => {
    const { id, key } = await apiKey(kissi, ['cards:read']);
    assert.equal((await put(`/admin/api-keys/${id}`, { expires_at: inDays(2) })).json.api_key.expires_at, inDays(2));
    assertRefused(await put(`/admin/api-keys/${id}`, { expires_at: inDays(3) }), 400, 'INVALID_REQUEST');
    assertRefused(await put(`/admin/api-keys/${id}`, { expires_at: inDays(-1) }), 400, 'INVALID_REQUEST');
    assertRefused(await put(`/admin/api-keys/${id}`, { expires_at: 'tomorrow' }), 400, 'INVALID_REQUEST');
    assert.equal((await put(`/admin/api-keys/${id}`, { expires_at: inDays(1) })).status, 200);
    kissi.clock.advance(86_400_001);
    assert.equal((await get('/cards', key)).status, 401);
    const token = await kissi.adminToken();
    assertRefused(await put(`/admin/api-keys/${id}`, { name: 'Again' }, token), 404, 'NOT_FOUND');
  });

  test('renames a key and audits the change; a revoked key stays as it is', async () => {
    const token = await kissi.adminToken();
    const { id, key } = await apiKey(kissi, ['cards:read', 'balance:read']);
    const reply = await put(`/admin/api-keys/${id}`, { name: 'Till 7', scopes: ['cards:read'] }, token);
    assert.equal(reply.json.api_key.name, 'Till 7');
    assert.equal((await get('/cards', key)).status, 200, 'the credentials stay');
    const [entry] = await auditLogs(kissi, { resource_id: id, action: 'api_key.update' });
    assert.deepEqual(entry.details, {
      name: { from: 'Test key', to: 'Till 7' },
      scopes: { from: ['balance:read', 'cards:read'], to: ['cards:read'] },
    });
    await kissi.call('DELETE', `/api/v1/admin/api-keys/${id}`, { token });
    assertRefused(await put(`/admin/api-keys/${id}`, { name: 'Again' }, token), 404, 'NOT_FOUND');
  });
});
