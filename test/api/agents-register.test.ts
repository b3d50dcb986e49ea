// Registering agents: who may, under whom, what is made together, and how the agent gets in.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { hashPassword } from '../../src/auth/passwords.ts';
import { isStrongPassword } from '../../src/kernel/password-policy.ts';
import {
  agentToken,
  assertRefused,
  messageTo,
  newAgent,
  newSubAgent,
  registrationBody,
  type TestAgent,
} from '../support/agents.ts';
import { bankForFile } from '../support/money.ts';
import {
  apiKey,
  auditLogs,
  login,
  openSession,
  refusedAttemptCount,
  staffMember,
  staffToken,
} from '../support/staff.ts';

const { kissi } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const register = (body: unknown, token = admin) => kissi.call('POST', '/api/v1/agents', { body, token });
const sub = (parent: TestAgent | { id: string }, extra: Record<string, unknown> = {}) =>
  registrationBody({ agent_type: 'sub_agent', parent_agent_id: parent.id, ...extra });
const rowCounts = async () => {
  const text = `select (select count(*) from agents) as agents, (select count(*) from users) as users,
    (select count(*) from pins) as pins, (select count(*) from accounts) as accounts,
    (select count(*) from messages) as messages`;
  return (await kissi.db.database.pool.query(text)).rows[0];
};

describe('registering an agent', () => {
  test('answers 201 with success, message, agent_id, user_id and the agent, and nothing else', async () => {
    const body = registrationBody();
    const { status, json } = await register(body);
    assert.equal(status, 201);
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
    const made = await register(sub({ id: json.agent_id }));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.json.agent.type, made.json.agent.parent_agent_id], ['sub_agent', json.agent_id]);
  });

  test('keeps what was said, with the defaults for what was not', async () => {
    const plain = (await register(registrationBody({ first_name: ' Isatu ', phone_number: '077 900 001' }))).json
      .agent_id;
    const { agent } = (await kissi.call('GET', `/api/v1/agents/${plain}`, { token: admin })).json;
    assert.deepEqual(
      [agent.first_name, agent.phone_number, agent.location, agent.commission_tier, agent.settlement_mode],
      ['Isatu', '+23277900001', null, 'standard', 'instant'],
    );
    const terms = { location: 'Bo, Sierra Leone', commission_tier: 'premium', settlement_mode: 'weekly' };
    const told = (await register(registrationBody(terms))).json.agent_id;
    const record = (await kissi.call('GET', `/api/v1/agents/${told}`, { token: admin })).json.agent;
    const { location, commission_tier, settlement_mode } = record;
    assert.deepEqual({ location, commission_tier, settlement_mode }, terms);
  });

  test('opens an empty float, and is in the audit log together with its login', async () => {
    const { json } = await register(registrationBody());
    const account = await kissi.db.database.pool.query('select * from accounts where id = $1', [json.agent_id]);
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

  test('that is going to be refused costs no hashing of a password: it is answered before those who wait for theirs', async () => {
    const [boss, taken] = [await newAgent(kissi), await newAgent(kissi)];
    const gone = await newAgent(kissi);
    await kissi.call('POST', `/api/v1/agents/${gone.id}/terminate`, { token: await kissi.adminToken() });
    const [asBoss, asAdmin] = [await agentToken(kissi, boss), await kissi.adminToken()];
    let hashed = false;
    const busy = Promise.all(Array.from({ length: 80 }, () => hashPassword('Any-Password-1'))).then(() => {
      hashed = true;
    });
    const body = (extra: object) => registrationBody({ agent_type: 'sub_agent', parent_agent_id: boss.id, ...extra });
    assertRefused(await register(body({ phone_number: taken.phone }), asBoss), 409, 'DUPLICATE_PHONE');
    assertRefused(await register(body({ email: taken.email.toUpperCase() }), asBoss), 409, 'DUPLICATE_EMAIL');
    assertRefused(await register(body({ parent_agent_id: gone.id }), asAdmin), 400, 'INVALID_REQUEST');
    assert.equal(hashed, false);
    await busy;
  });

  test('sends a temporary password and a PIN to the phone; neither is in the log or at rest in plain', async () => {
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
  test('has the matching role and agent_id, and opens with the password from the message', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    for (const [agent, role] of [
      [boss, 'super_agent'],
      [field, 'sub_agent'],
    ] as const) {
      const token = await agentToken(kissi, agent);
      const me = await kissi.call('GET', '/api/v1/admin/me', { token });
      const { id, email, phone_number, status } = me.json;
      assert.deepEqual([me.json.role, me.json.agent_id], [role, agent.id]);
      assert.deepEqual([id, email, phone_number, status], [agent.userId, agent.email, agent.phone, 'active']);
    }
    assert.equal((await login(kissi, { ...boss, password: 'Wrong-Password-1' })).status, 401);
  });

  test('does in practice what its role may: subscribers taken in and looked up, and nothing of the house', async () => {
    const boss = await newAgent(kissi);
    for (const [n, agent] of [boss, await newSubAgent(kissi, boss)].entries()) {
      const token = await agentToken(kissi, agent);
      const call = (method: string, path: string, body?: unknown) =>
        kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
      const person = { phone_number: `+2327890000${n}`, first_name: 'Adama', last_name: 'Jalloh', pin: '4321' };
      const taken = await call('POST', '/subscribers', person);
      assert.equal(taken.status, 201, taken.text);
      const path = `/subscribers/${taken.json.subscriber_id}`;
      assert.equal((await call('GET', path)).json.subscriber.balance, '0.00 SLE');
      assert.equal((await call('POST', `${path}/verify-pin`, { pin: '4321' })).status, 200);
      assert.equal((await call('GET', '/transactions')).json.total_count, 0);
      const forbidden = [
        ['POST', `${path}/block`, { reason: 'x' }],
        ['POST', `${path}/unblock`],
        ['GET', '/cards'],
        ['GET', `/balance/${taken.json.subscriber_id}`],
        ['POST', '/wallet/transfer', {}],
        ['POST', '/wallet/withdraw', {}],
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

describe('who registers whom', () => {
  test('a system_admin both kinds; other staff, sub-agents and API keys nobody', async () => {
    const boss = await newAgent(kissi);
    assert.equal((await register(registrationBody())).status, 201);
    assert.equal((await register(sub(boss))).status, 201);
    for (const role of ['support_user', 'sales_user', 'finance_user', 'compliance_user', 'audit_user'] as const) {
      const token = await staffToken(kissi, role);
      assertRefused(await register(registrationBody(), token), 403, 'FORBIDDEN', role);
    }
    const field = await agentToken(kissi, await newSubAgent(kissi, boss));
    assertRefused(await register(registrationBody(), field), 403, 'FORBIDDEN');
    assertRefused(await register(sub(boss), field), 403, 'FORBIDDEN');
    const { key } = await apiKey(kissi, ['payments:read', 'payments:write', 'subscribers:write']);
    assertRefused(await register(registrationBody(), key), 403, 'FORBIDDEN');
  });

  test('a super_agent sub-agents of its own network, and no others', async () => {
    const [boss, other] = [await newAgent(kissi), await newAgent(kissi)];
    const token = await agentToken(kissi, boss);
    const made = await register(sub(boss), token);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.agent.parent_agent_id, boss.id);
    const before = await rowCounts();
    assertRefused(await register(registrationBody(), token), 403, 'FORBIDDEN', 'a super-agent');
    const below = registrationBody({ parent_agent_id: boss.id });
    assertRefused(await register(below, token), 403, 'FORBIDDEN', 'a super-agent below it');
    assertRefused(await register(sub(other), token), 403, 'FORBIDDEN', "another's network");
    assertRefused(await register(sub({ id: made.json.agent_id }), token), 403, 'FORBIDDEN', 'under its sub-agent');
    assertRefused(await register(sub({ id: 'agent_nobody' }), token), 403, 'FORBIDDEN', 'under nobody');
    assert.deepEqual(await rowCounts(), before);
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.register.refused', actor_id: boss.userId }), 5);
  });

  test('a user with the role but without an agent registers nobody', async () => {
    const boss = await newAgent(kissi);
    const { token } = await openSession(kissi, await staffMember(kissi, 'super_agent'));
    assertRefused(await register(sub(boss), token), 403, 'FORBIDDEN');
    assertRefused(await register(registrationBody(), token), 403, 'FORBIDDEN');
  });
});

describe('the parent of a sub-agent', () => {
  test('is required: 400 MISSING_PARENT, for a super_agent too', async () => {
    const boss = await newAgent(kissi);
    for (const token of [admin, await agentToken(kissi, boss)]) {
      for (const parent_agent_id of [undefined, null, '', ' ']) {
        const reply = await register(registrationBody({ agent_type: 'sub_agent', parent_agent_id }), token);
        assertRefused(reply, 400, 'MISSING_PARENT', String(parent_agent_id));
      }
    }
  });

  test('must be an active super-agent: 400 INVALID_REQUEST that names the field', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    const [asleep, gone] = [await newAgent(kissi), await newAgent(kissi)];
    await kissi.call('POST', `/api/v1/agents/${asleep.id}/suspend`, { body: { reason: 'Audit' }, token: admin });
    await kissi.call('POST', `/api/v1/agents/${gone.id}/terminate`, { token: admin });
    const before = await rowCounts();
    for (const id of ['agent_nobody', 'sys_treasury_00', field.id, asleep.id, gone.id]) {
      const reply = await register(sub({ id }));
      assertRefused(reply, 400, 'INVALID_REQUEST', id);
      assert.match(reply.json.error, /^parent_agent_id/);
    }
    assert.deepEqual(await rowCounts(), before);
  });

  test('is none on a super-agent: 400', async () => {
    const boss = await newAgent(kissi);
    assertRefused(await register(registrationBody({ parent_agent_id: boss.id })), 400, 'INVALID_REQUEST');
    assert.equal((await register(registrationBody({ parent_agent_id: null }))).status, 201);
  });
});

describe('a body that cannot be taken', () => {
  test('names the field: 400 INVALID_REQUEST', async () => {
    for (const field of ['agent_type', 'business_name', 'first_name', 'last_name', 'phone_number', 'email']) {
      for (const value of [undefined, null, 7, '', ' ', 'x'.repeat(300), 'a\u0000b']) {
        const reply = await register(registrationBody({ [field]: value }));
        assertRefused(reply, 400, 'INVALID_REQUEST', `${field} ${value}`);
        assert.ok(reply.json.error.includes(field) || value === 'a\u0000b', reply.json.error);
      }
    }
    const wrong = { agent_type: 'agent', commission_tier: 'gold', settlement_mode: 'monthly', location: '' };
    for (const [field, value] of Object.entries(wrong)) {
      const reply = await register(registrationBody({ [field]: value }));
      assertRefused(reply, 400, 'INVALID_REQUEST', field);
      assert.ok(reply.json.error.includes(field), reply.json.error);
    }
    assertRefused(await register(registrationBody({ phone_number: '12' })), 400, 'INVALID_REQUEST');
    assertRefused(await register(registrationBody({ email: 'no email' })), 400, 'INVALID_REQUEST');
  });

  test('a phone that another agent has, however it is written: 409 DUPLICATE_PHONE', async () => {
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

  test('an email that any user has, in whatever case: 409 DUPLICATE_EMAIL, and nothing is left of the agent', async () => {
    const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'support_user')];
    const before = await rowCounts();
    for (const email of [agent.email, agent.email.toUpperCase(), staff.email]) {
      assertRefused(await register(registrationBody({ email })), 409, 'DUPLICATE_EMAIL', email);
    }
    assert.deepEqual(await rowCounts(), before);
    assert.equal((await register(registrationBody({ email: 'fresh@example.com' }))).status, 201);
    assertRefused(await register(registrationBody({ email: 'fresh@example.com' })), 409, 'DUPLICATE_EMAIL');
  });

  test('of twenty at once with one phone exactly one is taken in; so with one email', async () => {
    const phone_number = '+23277800001';
    const email = 'raced@example.com';
    const byPhone = await Promise.all(Array.from({ length: 20 }, () => register(registrationBody({ phone_number }))));
    assert.deepEqual(codesOf(byPhone), { 201: 1, DUPLICATE_PHONE: 19 });
    const byEmail = await Promise.all(Array.from({ length: 20 }, () => register(registrationBody({ email }))));
    assert.deepEqual(codesOf(byEmail), { 201: 1, DUPLICATE_EMAIL: 19 });
  });
});

function codesOf(replies: { status: number; json: { code?: string } }[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const { status, json } of replies) codes[json.code ?? status] = (codes[json.code ?? status] ?? 0) + 1;
  return codes;
}
