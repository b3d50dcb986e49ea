// GET /agents: single records, float balances, the filtered list, and which agents each caller sees.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { USER_ROLES } from '../../../src/auth/roles.ts';
import { agentToken, assertRefused, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { apiKey, openSession, staffMember, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();
// Two agent networks: the first has two sub-agents, the second has one.
const superAgent = await newAgent(kissi, {
  business_name: 'Lumley Traders',
  first_name: 'Fatmata',
  last_name: 'Koroma',
});
kissi.clock.advance(1_000);
const subAgent = await newSubAgent(kissi, superAgent, { business_name: 'Aberdeen 100% Cash', first_name: 'Élodie' });
kissi.clock.advance(1_000);
const marketSubAgent = await newSubAgent(kissi, superAgent, { business_name: 'Big_Market', last_name: 'Sankoh' });
kissi.clock.advance(1_000);
const otherSuperAgent = await newAgent(kissi, { business_name: 'Makeni Money' });
kissi.clock.advance(1_000);
const otherSubAgent = await newSubAgent(kissi, otherSuperAgent, { business_name: 'Kabala Kiosk' });

const get = (path: string, token = admin) => kissi.call('GET', `/api/v1/agents${path}`, { token });
const ids = ({ json }: { json: Json }) => json.agents.map(({ id }: Json) => id);

describe('GET /agents/:id', () => {
  test('returns every documented field under "agent"', async () => {
    await fundAgent(kissi, superAgent, 123_456);
    const { json } = assertStatus(await get(`/${superAgent.id}`), 200);
    const { created_at } = json.agent;
    assert.match(created_at, /^2026-03-01T12:00:00\.000Z$/);
    assert.deepEqual(json, {
      agent: {
        id: superAgent.id,
        type: 'super_agent',
        business_name: 'Lumley Traders',
        first_name: 'Fatmata',
        last_name: 'Koroma',
        phone_number: superAgent.phone,
        email: superAgent.email,
        location: null,
        commission_tier: 'standard',
        settlement_mode: 'instant',
        status: 'active',
        status_reason: null,
        pin_locked_until: null,
        pin_lock_reason: null,
        pin_reset_code_until: null,
        outgoing_reduced_until: null,
        reduced_floor: null,
        float_balance_formatted: '1,234.56 SLE',
        sub_agent_count: 2,
        created_at,
      },
    });
  });

  test('a sub-agent has parent_agent_id and no sub_agent_count', async () => {
    const { agent } = (await get(`/${subAgent.id}`)).json;
    assert.equal(agent.parent_agent_id, superAgent.id);
    assert.equal(agent.float_balance_formatted, '0.00 SLE');
    assert.ok(!('sub_agent_count' in agent));
  });

  test('GET /agents/:id/balance returns the float unwrapped', async () => {
    const { json } = assertStatus(await get(`/${superAgent.id}/balance`), 200);
    assert.deepEqual(json, {
      agent_id: superAgent.id,
      balance: 123_456,
      balance_formatted: '1,234.56 SLE',
      currency: 'SLE',
    });
  });

  test('an unknown id gets 404 NOT_FOUND, even when an account or user has that id', async () => {
    for (const unknownId of [
      'agent_unknown',
      'sys_treasury_00',
      superAgent.userId,
      superAgent.id.toLowerCase(),
      '%25',
      'x'.repeat(300),
    ]) {
      assertRefused(await get(`/${unknownId}`), 404, 'NOT_FOUND', unknownId);
      assertRefused(await get(`/${unknownId}/balance`), 404, 'NOT_FOUND', unknownId);
    }
  });

  test('terminated sub-agents are not counted', async () => {
    const parent = await newAgent(kissi);
    const sub = await newSubAgent(kissi, parent);
    await kissi.call('POST', `/api/v1/agents/${sub.id}/terminate`, { token: admin });
    assert.equal((await get(`/${parent.id}`)).json.agent.sub_agent_count, 0);
    assert.equal((await get(`/${sub.id}`)).json.agent.status, 'terminated');
    await kissi.call('POST', `/api/v1/agents/${parent.id}/terminate`, { token: admin });
  });
});

describe('GET /agents', () => {
  test('lists newest first, with exact pages and an exact total', async () => {
    const all = await get('?status=active');
    assert.deepEqual(
      ids(all),
      [otherSubAgent, otherSuperAgent, marketSubAgent, subAgent, superAgent].map(({ id }) => id),
    );
    assert.deepEqual([all.json.total_count, all.json.limit, all.json.offset], [5, 50, 0]);
    const page = await get('?status=active&limit=2&offset=1');
    assert.deepEqual(ids(page), [otherSuperAgent.id, marketSubAgent.id]);
    assert.deepEqual([page.json.total_count, page.json.limit, page.json.offset], [5, 2, 1]);
    const beyond = await get('?status=active&offset=5');
    assert.deepEqual([ids(beyond), beyond.json.total_count], [[], 5]);
    const none = await get('?limit=0&status=active');
    assert.deepEqual([ids(none), none.json.total_count], [[], 5]);
    assert.equal((await get('?limit=1000')).json.limit, 100);
    assert.deepEqual(all.json.agents[4], (await get(`/${superAgent.id}`)).json.agent);
  });

  test('filters by type, status and parent, alone and combined', async () => {
    assert.deepEqual(ids(await get('?type=super_agent&status=active')), [otherSuperAgent.id, superAgent.id]);
    assert.deepEqual(ids(await get('?type=sub_agent&status=active')), [
      otherSubAgent.id,
      marketSubAgent.id,
      subAgent.id,
    ]);
    assert.deepEqual(ids(await get(`?parent_agent_id=${superAgent.id}`)), [marketSubAgent.id, subAgent.id]);
    assert.equal((await get('?status=terminated')).json.total_count, 2);
    assert.equal((await get('?status=suspended')).json.total_count, 0);
    assert.equal((await get(`?parent_agent_id=${superAgent.id}&type=super_agent`)).json.total_count, 0);
    assert.equal((await get('?parent_agent_id=agent_unknown')).json.total_count, 0);
  });

  test('searches names, business name and phone, in any case, with wildcards taken literally', async () => {
    const found = async (search: string) => ids(await get(`?status=active&search=${encodeURIComponent(search)}`));
    assert.deepEqual(await found('lumley'), [superAgent.id]);
    assert.deepEqual(await found('FATMATA KOR'), [superAgent.id]);
    assert.deepEqual(await found('élod'), [subAgent.id]);
    assert.deepEqual(await found('E\u0301LODIE'), [subAgent.id]);
    assert.deepEqual(await found('sankoh'), [marketSubAgent.id]);
    assert.deepEqual(await found(marketSubAgent.phone), [marketSubAgent.id]);
    assert.deepEqual(await found(`0${marketSubAgent.phone.slice(4)}`), [marketSubAgent.id]);
    assert.deepEqual(await found(marketSubAgent.phone.slice(-6)), [marketSubAgent.id]);
    assert.deepEqual(await found('100%'), [subAgent.id]);
    assert.deepEqual(await found('g_m'), [marketSubAgent.id]);
    assert.deepEqual(await found('%'), [subAgent.id]);
    assert.deepEqual(await found("' or 1=1 --"), []);
    assert.equal((await found('   ')).length, 5);
    assert.deepEqual(ids(await get(`?type=sub_agent&search=${marketSubAgent.phone}`)), [marketSubAgent.id]);
  });

  test('rejects invalid filters and page parameters with 400 INVALID_REQUEST', async () => {
    for (const query of [
      'type=agent',
      'status=ACTIVE',
      'limit=-1',
      'limit=x',
      'offset=1.5',
      'offset=',
      'parent_agent_id=',
    ]) {
      assertRefused(await get(`?${query}`), 400, 'INVALID_REQUEST', query);
    }
    assertRefused(await get(`?search=${'x'.repeat(101)}`), 400, 'INVALID_REQUEST');
  });
});

describe('visibility', () => {
  test('staff of every role and API keys with payments:read see all agents', async () => {
    for (const role of USER_ROLES) {
      if (role === 'processor' || role === 'super_agent' || role === 'sub_agent') continue;
      const token = await staffToken(kissi, role);
      assert.equal((await get('', token)).json.total_count, 7, role);
      assert.equal((await get(`/${subAgent.id}`, token)).status, 200, role);
    }
    const { key } = await apiKey(kissi, ['payments:read']);
    assert.equal((await get('', key)).json.total_count, 7);
    assert.equal((await get(`/${otherSubAgent.id}/balance`, key)).status, 200);
    const { key: withoutScope } = await apiKey(kissi, ['payments:write', 'subscribers:read', 'balance:read']);
    for (const path of ['', `/${subAgent.id}`, `/${subAgent.id}/balance`]) {
      assertRefused(await get(path, withoutScope), 403, 'FORBIDDEN', path);
    }
  });

  test('a super_agent sees itself and its sub-agents; another network gets 403, an unknown agent 404', async () => {
    const token = await agentToken(kissi, superAgent);
    const all = await get('', token);
    assert.deepEqual([ids(all), all.json.total_count], [[marketSubAgent.id, subAgent.id, superAgent.id], 3]);
    for (const { id } of [superAgent, subAgent, marketSubAgent]) {
      assert.equal((await get(`/${id}`, token)).status, 200);
      assert.equal((await get(`/${id}/balance`, token)).status, 200);
    }
    for (const { id } of [otherSuperAgent, otherSubAgent]) {
      assertRefused(await get(`/${id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get(`/${id}/balance`, token), 403, 'FORBIDDEN');
    }
    assertRefused(await get('/agent_unknown', token), 404, 'NOT_FOUND');
  });

  test('filters narrow what the caller may see and never widen it', async () => {
    const token = await agentToken(kissi, superAgent);
    assert.deepEqual(ids(await get(`?parent_agent_id=${superAgent.id}`, token)), [marketSubAgent.id, subAgent.id]);
    for (const query of [
      `parent_agent_id=${otherSuperAgent.id}`,
      'search=Kabala',
      `search=${otherSubAgent.phone.slice(1)}`,
    ]) {
      const reply = await get(`?${query}`, token);
      assert.deepEqual([reply.status, reply.json.total_count, reply.json.agents], [200, 0, []], query);
    }
    assert.equal((await get('?limit=1', token)).json.total_count, 3);
  });

  test('a sub_agent sees only itself', async () => {
    const token = await agentToken(kissi, subAgent);
    const all = await get('', token);
    assert.deepEqual([ids(all), all.json.total_count], [[subAgent.id], 1]);
    assert.equal((await get(`/${subAgent.id}`, token)).json.agent.parent_agent_id, superAgent.id);
    assert.equal((await get(`/${subAgent.id}/balance`, token)).status, 200);
    for (const { id } of [superAgent, marketSubAgent, otherSuperAgent, otherSubAgent]) {
      assertRefused(await get(`/${id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get(`/${id}/balance`, token), 403, 'FORBIDDEN');
    }
    assert.deepEqual(ids(await get(`?parent_agent_id=${superAgent.id}`, token)), [subAgent.id]);
  });

  test('a user with an agent role but no agent sees no agents', async () => {
    for (const role of ['super_agent', 'sub_agent'] as const) {
      const { token } = await openSession(kissi, await staffMember(kissi, role));
      assert.equal((await get('', token)).json.total_count, 0);
      assertRefused(await get(`/${superAgent.id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get('/agent_unknown', token), 404, 'NOT_FOUND');
    }
  });
});
