// Reading agents: the record, the float, the list with its filters, and whose agents a caller gets to see.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROLES } from '../../src/auth/roles.ts';
import { agentToken, assertRefused, fundAgent, newAgent, newSubAgent } from '../support/agents.ts';
import { gatewayForFile, type Json } from '../support/gateway.ts';
import { apiKey, openSession, staffMember, staffToken } from '../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();
// Two networks: the first with two sub-agents, the second with one.
const boss = await newAgent(kissi, { business_name: 'Lumley Traders', first_name: 'Fatmata', last_name: 'Koroma' });
kissi.clock.advance(1_000);
const field = await newSubAgent(kissi, boss, { business_name: 'Aberdeen 100% Cash', first_name: 'Élodie' });
kissi.clock.advance(1_000);
const market = await newSubAgent(kissi, boss, { business_name: 'Big_Market', last_name: 'Sankoh' });
kissi.clock.advance(1_000);
const otherBoss = await newAgent(kissi, { business_name: 'Makeni Money' });
kissi.clock.advance(1_000);
const otherField = await newSubAgent(kissi, otherBoss, { business_name: 'Kabala Kiosk' });

const get = (path: string, token = admin) => kissi.call('GET', `/api/v1/agents${path}`, { token });
const ids = ({ json }: { json: Json }) => json.agents.map(({ id }: Json) => id);

describe('an agent', () => {
  test('is wrapped in its name, with every field of the interface and what it was registered with', async () => {
    await fundAgent(kissi, boss, 123_456);
    const { status, json } = await get(`/${boss.id}`);
    assert.equal(status, 200);
    const { created_at } = json.agent;
    assert.match(created_at, /^2026-03-01T12:00:00\.000Z$/);
    assert.deepEqual(json, {
      agent: {
        id: boss.id,
        type: 'super_agent',
        business_name: 'Lumley Traders',
        first_name: 'Fatmata',
        last_name: 'Koroma',
        phone_number: boss.phone,
        email: boss.email,
        location: null,
        commission_tier: 'standard',
        settlement_mode: 'instant',
        status: 'active',
        float_balance_formatted: '1,234.56 SLE',
        sub_agent_count: 2,
        created_at,
      },
    });
  });

  test('that is a sub-agent has its parent and no count', async () => {
    const { agent } = (await get(`/${field.id}`)).json;
    assert.equal(agent.parent_agent_id, boss.id);
    assert.equal(agent.float_balance_formatted, '0.00 SLE');
    assert.ok(!('sub_agent_count' in agent));
  });

  test('has its float as the record itself', async () => {
    const { status, json } = await get(`/${boss.id}/balance`);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      agent_id: boss.id,
      balance: 123_456,
      balance_formatted: '1,234.56 SLE',
      currency: 'SLE',
    });
  });

  test('that nobody is: 404 NOT_FOUND, also where there is an account of that name', async () => {
    for (const id of ['agent_nobody', 'sys_treasury_00', boss.userId, boss.id.toLowerCase(), '%25', 'x'.repeat(300)]) {
      assertRefused(await get(`/${id}`), 404, 'NOT_FOUND', id);
      assertRefused(await get(`/${id}/balance`), 404, 'NOT_FOUND', id);
    }
  });

  test('that is terminated counts no longer', async () => {
    const head = await newAgent(kissi);
    const sub = await newSubAgent(kissi, head);
    await kissi.call('POST', `/api/v1/agents/${sub.id}/terminate`, { token: admin });
    assert.equal((await get(`/${head.id}`)).json.agent.sub_agent_count, 0);
    assert.equal((await get(`/${sub.id}`)).json.agent.status, 'terminated');
    await kissi.call('POST', `/api/v1/agents/${head.id}/terminate`, { token: admin });
  });
});

describe('the list', () => {
  test('has the newest first, exact paging and the exact total', async () => {
    const all = await get('?status=active');
    assert.deepEqual(
      ids(all),
      [otherField, otherBoss, market, field, boss].map(({ id }) => id),
    );
    assert.deepEqual([all.json.total_count, all.json.limit, all.json.offset], [5, 50, 0]);
    const page = await get('?status=active&limit=2&offset=1');
    assert.deepEqual(ids(page), [otherBoss.id, market.id]);
    assert.deepEqual([page.json.total_count, page.json.limit, page.json.offset], [5, 2, 1]);
    const beyond = await get('?status=active&offset=5');
    assert.deepEqual([ids(beyond), beyond.json.total_count], [[], 5]);
    const none = await get('?limit=0&status=active');
    assert.deepEqual([ids(none), none.json.total_count], [[], 5]);
    assert.equal((await get('?limit=1000')).json.limit, 100);
    assert.deepEqual(all.json.agents[4], (await get(`/${boss.id}`)).json.agent);
  });

  test('filters by type, status and parent, also together', async () => {
    assert.deepEqual(ids(await get('?type=super_agent&status=active')), [otherBoss.id, boss.id]);
    assert.deepEqual(ids(await get('?type=sub_agent&status=active')), [otherField.id, market.id, field.id]);
    assert.deepEqual(ids(await get(`?parent_agent_id=${boss.id}`)), [market.id, field.id]);
    assert.equal((await get('?status=terminated')).json.total_count, 2);
    assert.equal((await get('?status=suspended')).json.total_count, 0);
    assert.equal((await get(`?parent_agent_id=${boss.id}&type=super_agent`)).json.total_count, 0);
    assert.equal((await get('?parent_agent_id=agent_nobody')).json.total_count, 0);
  });

  test('searches names, business name and phone, in any case and as it is typed', async () => {
    const found = async (search: string) => ids(await get(`?status=active&search=${encodeURIComponent(search)}`));
    assert.deepEqual(await found('lumley'), [boss.id]);
    assert.deepEqual(await found('FATMATA KOR'), [boss.id]);
    assert.deepEqual(await found('élod'), [field.id]);
    assert.deepEqual(await found('E\u0301LODIE'), [field.id]);
    assert.deepEqual(await found('sankoh'), [market.id]);
    assert.deepEqual(await found(market.phone), [market.id]);
    assert.deepEqual(await found(`0${market.phone.slice(4)}`), [market.id]);
    assert.deepEqual(await found(market.phone.slice(-6)), [market.id]);
    assert.deepEqual(await found('100%'), [field.id]);
    assert.deepEqual(await found('g_m'), [market.id]);
    assert.deepEqual(await found('%'), [field.id]);
    assert.deepEqual(await found("' or 1=1 --"), []);
    assert.equal((await found('   ')).length, 5);
    assert.deepEqual(ids(await get(`?type=sub_agent&search=${market.phone}`)), [market.id]);
  });

  test('refuses what is no filter or page', async () => {
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

describe('who sees whom', () => {
  test('staff of every role but processor, and keys with payments:read, see all', async () => {
    for (const role of ROLES) {
      if (role === 'processor' || role === 'super_agent' || role === 'sub_agent') continue;
      const token = await staffToken(kissi, role);
      assert.equal((await get('', token)).json.total_count, 7, role);
      assert.equal((await get(`/${field.id}`, token)).status, 200, role);
    }
    const { key } = await apiKey(kissi, ['payments:read']);
    assert.equal((await get('', key)).json.total_count, 7);
    assert.equal((await get(`/${otherField.id}/balance`, key)).status, 200);
    const { key: without } = await apiKey(kissi, ['payments:write', 'subscribers:read', 'balance:read']);
    for (const path of ['', `/${field.id}`, `/${field.id}/balance`]) {
      assertRefused(await get(path, without), 403, 'FORBIDDEN', path);
    }
  });

  test('a super_agent sees itself and its sub-agents; another network is 403, nobody is 404', async () => {
    const token = await agentToken(kissi, boss);
    const all = await get('', token);
    assert.deepEqual([ids(all), all.json.total_count], [[market.id, field.id, boss.id], 3]);
    for (const { id } of [boss, field, market]) {
      assert.equal((await get(`/${id}`, token)).status, 200);
      assert.equal((await get(`/${id}/balance`, token)).status, 200);
    }
    for (const { id } of [otherBoss, otherField]) {
      assertRefused(await get(`/${id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get(`/${id}/balance`, token), 403, 'FORBIDDEN');
    }
    assertRefused(await get('/agent_nobody', token), 404, 'NOT_FOUND');
  });

  test('a filter narrows what may be seen and never widens it', async () => {
    const token = await agentToken(kissi, boss);
    assert.deepEqual(ids(await get(`?parent_agent_id=${boss.id}`, token)), [market.id, field.id]);
    for (const query of [`parent_agent_id=${otherBoss.id}`, 'search=Kabala', `search=${otherField.phone.slice(1)}`]) {
      const reply = await get(`?${query}`, token);
      assert.deepEqual([reply.status, reply.json.total_count, reply.json.agents], [200, 0, []], query);
    }
    assert.equal((await get('?limit=1', token)).json.total_count, 3);
  });

  test('a sub_agent sees itself alone', async () => {
    const token = await agentToken(kissi, field);
    const all = await get('', token);
    assert.deepEqual([ids(all), all.json.total_count], [[field.id], 1]);
    assert.equal((await get(`/${field.id}`, token)).json.agent.parent_agent_id, boss.id);
    assert.equal((await get(`/${field.id}/balance`, token)).status, 200);
    for (const { id } of [boss, market, otherBoss, otherField]) {
      assertRefused(await get(`/${id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get(`/${id}/balance`, token), 403, 'FORBIDDEN');
    }
    assert.deepEqual(ids(await get(`?parent_agent_id=${boss.id}`, token)), [field.id]);
  });

  test('a user with the role of an agent but no agent sees none', async () => {
    for (const role of ['super_agent', 'sub_agent'] as const) {
      const { token } = await openSession(kissi, await staffMember(kissi, role));
      assert.equal((await get('', token)).json.total_count, 0);
      assertRefused(await get(`/${boss.id}`, token), 403, 'FORBIDDEN');
      assertRefused(await get('/agent_nobody', token), 404, 'NOT_FOUND');
    }
  });
});
