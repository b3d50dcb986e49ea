// POST /agents: authorization, the parent agent, the records created together, and the new login.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { isStrongPassword } from '../../../src/kernel/password-policy.ts';
import {
  agentToken,
  assertRefused,
  messageTo,
  newAgent,
  newSubAgent,
  registrationBody,
  type TestAgent,
} from '../../support/agents.ts';
import { bankForFile } from '../../support/money.ts';
import { assertStatus, auditLogs, login, openSession, refusedAttemptCount, staffMember } from '../../support/staff.ts';

const { kissi } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const register = (body: unknown, token = admin) => kissi.call('POST', '/api/v1/agents', { body, token });
const subAgentBody = (parent: TestAgent | { id: string }, extra: Record<string, unknown> = {}) =>
  registrationBody({ agent_type: 'sub_agent', parent_agent_id: parent.id, ...extra });
const rowCounts = async () => {
  const text = `select (select count(*) from agents) as agents, (select count(*) from users) as users,
    (select count(*) from pins) as pins, (select count(*) from accounts) as accounts,
    (select count(*) from messages) as messages`;
  return (await kissi.db.query(text)).rows[0];
};

/** Keeps the hashing queue full (2 running, 100 waiting): every finished hash is replaced at once, until release. */
function fillHashingQueue(): { release: () => Promise<void> } {
  let filling = true;
  const hashUntilReleased = async () => {
    while (filling) await hashPassword('Any-Password-1');
  };
  const hashes = Array.from({ length: 102 }, hashUntilReleased);
  return {
    release: async () => {
      filling = false;
      await Promise.all(hashes);
    },
  };
}

describe('POST /agents', () => {
  test('returns 201 with exactly success, message, agent_id, user_id and agent', async () => {
    const body = registrationBody();
    const { json } = assertStatus(await register(body), 201);
    assert.match(json.agent_id, /^agent_[0-9A-Z]{26}$/);
    assert.match(json.user_id, /^usr_[0-9A-Z]{26}$/);
    assert.deepEqual(json, {
      success: true,
      message: 'The agent was registered.',
      agent_id: json.agent_id,
      user_id: json.user_id,
      agent: {
        id: json.agent_id,
        type: 'super_agent',
        business_name: body.business_name,
        status: 'active',
        parent_agent_id: null,
        created_at: new Date(kissi.clock.now()).toISOString(),
      },
    });
    const subAgent = assertStatus(await register(subAgentBody({ id: json.agent_id })), 201);
    assert.deepEqual([subAgent.json.agent.type, subAgent.json.agent.parent_agent_id], ['sub_agent', json.agent_id]);
  });

  test('stores the given values and fills in the defaults', async () => {
    const withDefaults = (await register(registrationBody({ first_name: ' Isatu ', phone_number: '077 900 001' }))).json
      .agent_id;
    const { agent } = (await kissi.call('GET', `/api/v1/agents/${withDefaults}`, { token: admin })).json;
    assert.deepEqual(
      [agent.first_name, agent.phone_number, agent.location, agent.commission_tier, agent.settlement_mode],
      ['Isatu', '+23277900001', null, 'standard', 'instant'],
    );
    const options = { location: 'Bo, Sierra Leone', commission_tier: 'premium', settlement_mode: 'weekly' };
    const withOptions = (await register(registrationBody(options))).json.agent_id;
    const record = (await kissi.call('GET', `/api/v1/agents/${withOptions}`, { token: admin })).json.agent;
    const { location, commission_tier, settlement_mode } = record;
    assert.deepEqual({ location, commission_tier, settlement_mode }, options);
  });

  test('opens an empty float and writes audit entries for the agent and its login', async () => {
    const { json } = await register(registrationBody());
    const account = await kissi.db.query('select * from accounts where id = $1', [json.agent_id]);
    const { kind, balance, floor, frozen } = account.rows[0];
    assert.deepEqual([kind, balance, floor, frozen], ['agent_float', 0, 0, false]);
    const [entry, ...more] = await auditLogs(kissi, { resource_id: json.agent_id });
    assert.equal(more.length, 0);
    assert.deepEqual(
      [entry.action, entry.resource_type, entry.details],
      ['agent.register', 'agent', { type: 'super_agent', parent_agent_id: null, user_id: json.user_id }],
    );
    const [user] = await auditLogs(kissi, { resource_id: json.user_id });
    assert.deepEqual([user.action, user.details.agent_id], ['user.create', json.agent_id]);
  });

  test('refuses an invalid registration without hashing a password, even while the hashing queue is full', async () => {
    const [superAgent, existing] = [await newAgent(kissi), await newAgent(kissi)];
    const terminated = await newAgent(kissi);
    await kissi.asAdmin.post(`/agents/${terminated.id}/terminate`);
    const [superAgentToken, adminToken] = [await agentToken(kissi, superAgent), await kissi.adminToken()];
    const queue = fillHashingQueue();
    const body = (extra: object) =>
      registrationBody({ agent_type: 'sub_agent', parent_agent_id: superAgent.id, ...extra });
    const valid = await register(body({}), superAgentToken);
    const samePhone = await register(body({ phone_number: existing.phone }), superAgentToken);
    const sameEmail = await register(body({ email: existing.email.toUpperCase() }), superAgentToken);
    const terminatedParent = await register(body({ parent_agent_id: terminated.id }), adminToken);
    await queue.release();
    assertRefused(valid, 503, 'SERVICE_UNAVAILABLE');
    assertRefused(samePhone, 409, 'DUPLICATE_PHONE');
    assertRefused(sameEmail, 409, 'DUPLICATE_EMAIL');
    assertRefused(terminatedParent, 400, 'INVALID_REQUEST');
  });

  test('sends a temporary password and a PIN to the phone; the password is in no log', async () => {
    const agent = await newAgent(kissi);
    assert.ok(isStrongPassword(agent.password));
    assert.match(agent.pin, /^\d{4}$/);
    const message = await messageTo(kissi, agent.phone);
    assert.equal(message.kind, 'credentials');
    assert.match(message.text, new RegExp(`^Your Kissi login: ${agent.email}$`, 'm'));
    assert.ok(!kissi.logs().includes(agent.password));
    assert.ok(!JSON.stringify(await auditLogs(kissi, { limit: '100' })).includes(agent.password));
    assert.notEqual((await newAgent(kissi)).password, agent.password);
  });
});

describe('the login of a new agent', () => {
  test('has the matching role and agent_id, and accepts the password from the message', async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    for (const [agent, role] of [
      [superAgent, 'super_agent'],
      [subAgent, 'sub_agent'],
    ] as const) {
      const token = await agentToken(kissi, agent);
      const me = await kissi.call('GET', '/api/v1/admin/me', { token });
      const { id, email, phone_number, status } = me.json;
      assert.deepEqual([me.json.role, me.json.agent_id], [role, agent.id]);
      assert.deepEqual([id, email, phone_number, status], [agent.userId, agent.email, agent.phone, 'active']);
    }
    assert.equal((await login(kissi, { ...superAgent, password: 'Wrong-Password-1' })).status, 401);
  });

  test("registers and reads subscribers, and gets 403 from the operator's endpoints", async () => {
    const superAgent = await newAgent(kissi);
    for (const [n, agent] of [superAgent, await newSubAgent(kissi, superAgent)].entries()) {
      const token = await agentToken(kissi, agent);
      const call = (method: string, path: string, body?: unknown) =>
        kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
      const subscriber = { phone_number: `+2327890000${n}`, first_name: 'Adama', last_name: 'Jalloh', pin: '4321' };
      const registered = assertStatus(await call('POST', '/subscribers', subscriber), 201);
      const path = `/subscribers/${registered.json.subscriber_id}`;
      const { subscriber: record } = (await call('GET', path)).json;
      assert.deepEqual([record.phone_number, record.balance], [subscriber.phone_number, undefined]);
      assert.equal((await call('POST', `${path}/verify-pin`, { pin: '4321' })).status, 200);
      assert.equal((await call('GET', '/transactions')).json.total_count, 0);
      const forbidden = [
        ['POST', `${path}/block`, { reason: 'x' }],
        ['POST', `${path}/unblock`],
        ['GET', '/cards'],
        ['GET', `/balance/${registered.json.subscriber_id}`],
        ['POST', '/wallet/transfer', {}],
        ['POST', '/wallet/fund-from-partner', {}],
        ['POST', '/wallet/account-statement', {}],
        ['GET', '/admin/users'],
        ['GET', '/admin/messages'],
        ['GET', '/fee-settings'],
        ['GET', '/audit/logs'],
      ] as const;
      for (const [method, route, body] of forbidden) {
        assertRefused(await call(method, route, body), 403, 'FORBIDDEN', `${method} ${route}`);
      }
    }
  });

  test('can change the temporary password', async () => {
    const agent = await newAgent(kissi);
    const token = await agentToken(kissi, agent);
    const body = { current_password: agent.password, new_password: 'Another-Word-9' };
    assert.equal((await kissi.call('POST', '/api/v1/admin/change-password', { body, token })).status, 200);
    assert.equal((await login(kissi, agent)).status, 401);
    assert.equal((await login(kissi, { ...agent, password: 'Another-Word-9' })).status, 200);
  });
});

describe('who may register agents', () => {
  test('a super_agent registers only sub-agents of its own network', async () => {
    const [superAgent, other] = [await newAgent(kissi), await newAgent(kissi)];
    const token = await agentToken(kissi, superAgent);
    const registered = assertStatus(await register(subAgentBody(superAgent), token), 201);
    assert.equal(registered.json.agent.parent_agent_id, superAgent.id);
    const before = await rowCounts();
    assertRefused(await register(registrationBody(), token), 403, 'FORBIDDEN', 'a super-agent');
    const nested = registrationBody({ parent_agent_id: superAgent.id });
    assertRefused(await register(nested, token), 403, 'FORBIDDEN', 'a super-agent under it');
    assertRefused(await register(subAgentBody(other), token), 403, 'FORBIDDEN', 'another network');
    assertRefused(
      await register(subAgentBody({ id: registered.json.agent_id }), token),
      403,
      'FORBIDDEN',
      'under its sub-agent',
    );
    assertRefused(
      await register(subAgentBody({ id: 'agent_unknown' }), token),
      403,
      'FORBIDDEN',
      'under an unknown agent',
    );
    assert.deepEqual(await rowCounts(), before);
    assert.equal(
      await refusedAttemptCount(kissi, { action: 'agent.register.refused', actor_id: superAgent.userId }),
      5,
    );
  });

  test('a user with the role super_agent but no agent gets 403', async () => {
    const superAgent = await newAgent(kissi);
    const { token } = await openSession(kissi, await staffMember(kissi, 'super_agent'));
    assertRefused(await register(subAgentBody(superAgent), token), 403, 'FORBIDDEN');
    assertRefused(await register(registrationBody(), token), 403, 'FORBIDDEN');
  });
});

describe('parent_agent_id', () => {
  test('is required for a sub-agent: 400 MISSING_PARENT, even when a super_agent calls', async () => {
    const superAgent = await newAgent(kissi);
    for (const token of [admin, await agentToken(kissi, superAgent)]) {
      for (const parent_agent_id of [undefined, null, '', ' ']) {
        const reply = await register(registrationBody({ agent_type: 'sub_agent', parent_agent_id }), token);
        assertRefused(reply, 400, 'MISSING_PARENT', String(parent_agent_id));
      }
    }
  });

  test('must be an active super-agent: 400 INVALID_REQUEST that names the field', async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    const [suspended, terminated] = [await newAgent(kissi), await newAgent(kissi)];
    await kissi.call('POST', `/api/v1/agents/${suspended.id}/suspend`, { body: { reason: 'Audit' }, token: admin });
    await kissi.call('POST', `/api/v1/agents/${terminated.id}/terminate`, { token: admin });
    const before = await rowCounts();
    for (const id of ['agent_unknown', 'sys_treasury_00', subAgent.id, suspended.id, terminated.id]) {
      const reply = assertRefused(await register(subAgentBody({ id })), 400, 'INVALID_REQUEST', id);
      assert.match(reply.json.error, /^parent_agent_id/);
    }
    assert.deepEqual(await rowCounts(), before);
  });

  test('must be absent or null for a super-agent', async () => {
    const superAgent = await newAgent(kissi);
    assertRefused(await register(registrationBody({ parent_agent_id: superAgent.id })), 400, 'INVALID_REQUEST');
    assert.equal((await register(registrationBody({ parent_agent_id: null }))).status, 201);
  });
});

describe('invalid and duplicate registrations', () => {
  test('an invalid field gets 400 INVALID_REQUEST that names the field', async () => {
    for (const field of ['agent_type', 'business_name', 'first_name', 'last_name', 'phone_number', 'email']) {
      for (const value of [undefined, null, 7, '', ' ', 'x'.repeat(300), 'a\u0000b']) {
        const reply = await register(registrationBody({ [field]: value }));
        assertRefused(reply, 400, 'INVALID_REQUEST', `${field} ${value}`);
        assert.ok(reply.json.error.includes(field) || value === 'a\u0000b', reply.json.error);
      }
    }
    const invalid = { agent_type: 'agent', commission_tier: 'gold', settlement_mode: 'monthly', location: '' };
    for (const [field, value] of Object.entries(invalid)) {
      const reply = assertRefused(await register(registrationBody({ [field]: value })), 400, 'INVALID_REQUEST', field);
      assert.ok(reply.json.error.includes(field), reply.json.error);
    }
    assertRefused(await register(registrationBody({ phone_number: '12' })), 400, 'INVALID_REQUEST');
    assertRefused(await register(registrationBody({ email: 'no email' })), 400, 'INVALID_REQUEST');
  });

  test('a phone number of another agent, in any format, gets 409 DUPLICATE_PHONE', async () => {
    const agent = await newAgent(kissi);
    const before = await rowCounts();
    for (const phone_number of [
      agent.phone,
      `0${agent.phone.slice(4)}`,
      `${agent.phone.slice(0, 6)} ${agent.phone.slice(6)}`,
    ]) {
      assertRefused(await register(registrationBody({ phone_number })), 409, 'DUPLICATE_PHONE', phone_number);
    }
    assert.deepEqual(await rowCounts(), before);
  });

  test('an email of any user, in any case, gets 409 DUPLICATE_EMAIL and leaves no rows behind', async () => {
    const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'support_user')];
    const before = await rowCounts();
    for (const email of [agent.email, agent.email.toUpperCase(), staff.email]) {
      assertRefused(await register(registrationBody({ email })), 409, 'DUPLICATE_EMAIL', email);
    }
    assert.deepEqual(await rowCounts(), before);
    assert.equal((await register(registrationBody({ email: 'fresh@example.com' }))).status, 201);
    assertRefused(await register(registrationBody({ email: 'fresh@example.com' })), 409, 'DUPLICATE_EMAIL');
  });

  test('one of twenty concurrent registrations with the same phone number, or the same email, succeeds', async () => {
    const phone_number = '+23277800001';
    const email = 'raced@example.com';
    const byPhone = await Promise.all(Array.from({ length: 20 }, () => register(registrationBody({ phone_number }))));
    assert.deepEqual(countByCode(byPhone), { 201: 1, DUPLICATE_PHONE: 19 });
    const byEmail = await Promise.all(Array.from({ length: 20 }, () => register(registrationBody({ email }))));
    assert.deepEqual(countByCode(byEmail), { 201: 1, DUPLICATE_EMAIL: 19 });
  });
});

function countByCode(replies: { status: number; json: { code?: string } }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) counts[json.code ?? status] = (counts[json.code ?? status] ?? 0) + 1;
  return counts;
}
