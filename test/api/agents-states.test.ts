// Agents' states: suspended, reactivated, terminated for good, what becomes of the login with each, and changing the PIN.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  agentToken,
  assertRefused,
  floatOf,
  fundAgent,
  newAgent,
  newSubAgent,
  registrationBody,
  type TestAgent,
  wrongPin,
} from '../support/agents.ts';
import { bankForFile, PIN } from '../support/money.ts';
import {
  apiKey,
  auditLogs,
  login,
  openSession,
  refusedAttemptCount,
  staffToken,
  withLockContention,
} from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const post = (path: string, body?: unknown, token = admin) =>
  kissi.call('POST', `/api/v1${path}`, { ...(body === undefined ? {} : { body }), token });
const suspend = ({ id }: { id: string }, token = admin, reason = 'Under review') =>
  post(`/agents/${id}/suspend`, { reason }, token);
const reactivate = ({ id }: { id: string }, token = admin) => post(`/agents/${id}/reactivate`, undefined, token);
const terminate = ({ id }: { id: string }, token = admin) => post(`/agents/${id}/terminate`, undefined, token);
const changePin = ({ id }: { id: string }, current_pin: string, new_pin: string, token = admin) =>
  post(`/agents/${id}/change-pin`, { current_pin, new_pin }, token);
const statusOf = async ({ id }: TestAgent) =>
  (await kissi.call('GET', `/api/v1/agents/${id}`, { token: admin })).json.agent.status;
const userStatus = async ({ userId }: TestAgent) =>
  (await kissi.call('GET', `/api/v1/admin/users/${userId}`, { token: admin })).json.user.status;
const setUser = ({ userId }: TestAgent, status: string) =>
  kissi.call('PUT', `/api/v1/admin/users/${userId}`, { body: { status }, token: admin });
const isFrozen = async ({ id }: TestAgent) =>
  (await kissi.db.database.pool.query('select frozen from accounts where id = $1', [id])).rows[0].frozen;
const cashIn = (agent: TestAgent, subscriber_id: string, amount = 100) =>
  bank.post('/agents/cashin', { agent_id: agent.id, subscriber_id, amount, pin: agent.pin });

describe('suspending an agent', () => {
  test('stops all money in and out of its float, and answers with the agent', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    await fundAgent(kissi, boss, 1_000);
    const wallet = await bank.wallet(5_000);
    const { status, json } = await suspend(boss);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), ['success', 'message', 'agent']);
    assert.deepEqual(
      [json.agent.id, json.agent.status, json.agent.float_balance_formatted],
      [boss.id, 'suspended', '10.00 SLE'],
    );
    const float = { from_agent_id: boss.id, to_agent_id: field.id, amount: 1, pin: boss.pin };
    const cashOut = { subscriber_id: wallet.id, agent_id: boss.id, amount: 100, pin: PIN };
    assertRefused(await cashIn(boss, wallet.id), 403, 'AGENT_SUSPENDED');
    assertRefused(await bank.post('/agents/transfer', float), 403, 'AGENT_SUSPENDED');
    assertRefused(await post(`/agents/${boss.id}/fund`, { amount: 1 }), 403, 'AGENT_SUSPENDED');
    assertRefused(await bank.post('/wallet/withdraw', cashOut), 403, 'AGENT_SUSPENDED');
    assertRefused(await changePin(boss, boss.pin, '2468'), 403, 'AGENT_SUSPENDED');
    assert.deepEqual([await floatOf(kissi, boss), await bank.balance(wallet.id)], [1_000, 5_000]);
    assert.equal(await isFrozen(boss), true);
    assert.equal(await statusOf(field), 'active', 'its sub-agents go on');
    const [entry] = await auditLogs(kissi, { action: 'agent.suspend', resource_id: boss.id });
    assert.deepEqual([entry.resource_type, entry.details], ['agent', { reason: 'Under review' }]);
  });

  test('is seen by a payment that was let through before it and is decided after it', async () => {
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const wallet = await bank.wallet();
    const reply = await withLockContention(kissi, {
      lock: `select 1 from accounts where id = '${agent.id}' for update`,
      waiters: 1,
      begin: () => cashIn(agent, wallet.id),
      meanwhile: `update accounts set frozen = true where id = '${agent.id}'`,
    });
    assertRefused(reply, 403, 'AGENT_SUSPENDED');
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [1_000, 0]);
  });

  test('ends the access of its user at once: tokens, refresh tokens and logins', async () => {
    const agent = await newAgent(kissi);
    const { token, refresh_token } = await openSession(kissi, agent);
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).status, 200);
    await suspend(agent);
    assertRefused(await kissi.call('GET', '/api/v1/agents', { token }), 401, 'UNAUTHORIZED');
    assertRefused(await kissi.call('GET', '/api/v1/admin/me', { token }), 401, 'UNAUTHORIZED');
    assertRefused(await post('/agents/cashin', {}, token), 401, 'UNAUTHORIZED');
    assertRefused(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 401, 'UNAUTHORIZED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal(await userStatus(agent), 'suspended');
  });

  test('needs a reason, an agent, and one that is not suspended', async () => {
    const agent = await newAgent(kissi);
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: null }, { reason: 'x'.repeat(501) }]) {
      assertRefused(await post(`/agents/${agent.id}/suspend`, body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await suspend({ id: 'agent_nobody' }), 404, 'NOT_FOUND');
    assert.equal((await suspend(agent)).status, 200);
    assertRefused(await suspend(agent), 409, 'ALREADY_SUSPENDED');
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.suspend.refused', resource_id: agent.id }), 6);
  });
});

describe('reactivating an agent', () => {
  test('lets money and its user move again; old tokens stay dead', async () => {
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const wallet = await bank.wallet();
    const old = await agentToken(kissi, agent);
    await suspend(agent);
    const { status, json } = await reactivate(agent);
    assert.deepEqual([status, json.agent.status], [200, 'active']);
    assert.equal((await cashIn(agent, wallet.id)).status, 200);
    assert.equal(await isFrozen(agent), false);
    assertRefused(await kissi.call('GET', '/api/v1/agents', { token: old }), 401, 'UNAUTHORIZED');
    kissi.clock.advance(1_000);
    const token = await agentToken(kissi, agent);
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).status, 200);
    assert.equal((await auditLogs(kissi, { action: 'agent.reactivate', resource_id: agent.id })).length, 1);
  });

  test('is for one that is suspended: 409 NOT_SUSPENDED otherwise, 404 for nobody', async () => {
    const agent = await newAgent(kissi);
    assertRefused(await reactivate(agent), 409, 'NOT_SUSPENDED');
    assertRefused(await reactivate({ id: 'agent_nobody' }), 404, 'NOT_FOUND');
    await suspend(agent);
    await reactivate(agent);
    assertRefused(await reactivate(agent), 409, 'NOT_SUSPENDED');
  });

  test('gives back only the access that the suspension took', async () => {
    const agent = await newAgent(kissi);
    await setUser(agent, 'suspended');
    await suspend(agent);
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended', 'an administrator had suspended the user before');
    assert.equal((await setUser(agent, 'active')).status, 200);
    await suspend(agent);
    await setUser(agent, 'inactive');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'inactive', 'or took it out meanwhile');
  });

  test('does not undo what an administrator decided about the user meanwhile, as the last word', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assert.equal((await setUser(agent, 'suspended')).status, 200, 'suspended as it is, and now on its own account');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal((await setUser(agent, 'active')).status, 200);
    assert.equal((await login(kissi, agent)).status, 200);
    await suspend(agent);
    assertRefused(await setUser(agent, 'active'), 409, 'AGENT_SUSPENDED');
    await setUser(agent, 'inactive');
    await setUser(agent, 'suspended');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended', 'by way of another status too');
  });

  test('gives back the access of whoever is left when the house had taken a suspension over', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    await suspend(field, await agentToken(kissi, boss));
    await suspend(field);
    await reactivate(field);
    assert.equal(await userStatus(field), 'active');
  });

  test('is the only way in for its user: PUT /admin/users does not let it in', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assertRefused(await setUser(agent, 'active'), 409, 'AGENT_SUSPENDED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    await reactivate(agent);
    assert.equal((await login(kissi, agent)).status, 200);
  });
});

describe('terminating an agent', () => {
  test('is final: no money, no login, no way back, and the record stays', async () => {
    const boss = await newAgent(kissi);
    const agent = await newSubAgent(kissi, boss);
    await fundAgent(kissi, boss, 100);
    const wallet = await bank.wallet(1_000);
    const { token, refresh_token } = await openSession(kissi, agent);
    const reply = await post(`/agents/${agent.id}/terminate`, { reason: 'Left the network' });
    assert.deepEqual([reply.status, reply.json.agent.status], [200, 'terminated']);
    const float = { from_agent_id: boss.id, to_agent_id: agent.id, amount: 1, pin: boss.pin };
    const cashOut = { subscriber_id: wallet.id, agent_id: agent.id, amount: 100, pin: PIN };
    assertRefused(await cashIn(agent, wallet.id), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/agents/transfer', float), 403, 'AGENT_TERMINATED');
    assertRefused(await post(`/agents/${agent.id}/fund`, { amount: 1 }), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/wallet/withdraw', cashOut), 403, 'AGENT_TERMINATED');
    assertRefused(await changePin(agent, agent.pin, '2468'), 403, 'AGENT_TERMINATED');
    for (const move of [suspend, reactivate, terminate]) {
      assertRefused(await move(agent), 409, 'AGENT_TERMINATED');
    }
    assertRefused(await kissi.call('GET', '/api/v1/agents', { token }), 401, 'UNAUTHORIZED');
    assertRefused(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 401, 'UNAUTHORIZED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal(await userStatus(agent), 'inactive');
    assertRefused(await setUser(agent, 'active'), 409, 'AGENT_TERMINATED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal(await isFrozen(agent), true);
    const [entry] = await auditLogs(kissi, { action: 'agent.terminate', resource_id: agent.id });
    assert.deepEqual(entry.details, { reason: 'Left the network' });
  });

  test('needs an empty float: 409 FLOAT_NOT_EMPTY that says what is in it, and nothing changes', async () => {
    const agent = await newAgent(kissi);
    const wallet = await bank.wallet();
    await fundAgent(kissi, agent, 201);
    const token = await agentToken(kissi, agent);
    const reply = await terminate(agent);
    assertRefused(reply, 409, 'FLOAT_NOT_EMPTY');
    assert.equal(reply.json.balance, 201);
    assert.deepEqual([await statusOf(agent), await isFrozen(agent)], ['active', false]);
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).status, 200);
    assert.equal((await cashIn(agent, wallet.id, 200)).json.balance, 0);
    assert.equal((await terminate(agent)).status, 200);
  });

  test('may follow a suspension; its phone and email stay taken', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assert.equal((await terminate(agent)).status, 200);
    assert.equal(await userStatus(agent), 'inactive');
    assertRefused(await post('/agents', registrationBody({ phone_number: agent.phone })), 409, 'DUPLICATE_PHONE');
    assertRefused(await post('/agents', registrationBody({ email: agent.email })), 409, 'DUPLICATE_EMAIL');
    assertRefused(await terminate({ id: 'agent_nobody' }), 404, 'NOT_FOUND');
  });

  test('races with a payment into its float: one of the two is refused, and no money is left behind', async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await newAgent(kissi);
      const [ended, funded] = await withLockContention(kissi, {
        lock: `select 1 from accounts where id = '${agent.id}' for update`,
        waiters: 2,
        begin: () => Promise.all([terminate(agent), post(`/agents/${agent.id}/fund`, { amount: 500 })]),
      });
      const outcome = [ended.json.code ?? ended.status, funded.json.code ?? funded.status];
      if (ended.status === 200)
        assert.deepEqual([...outcome, await floatOf(kissi, agent)], [200, 'AGENT_SUSPENDED', 0]);
      else assert.deepEqual([...outcome, await floatOf(kissi, agent)], ['FLOAT_NOT_EMPTY', 200, 500]);
    }
  });
});

describe('who changes states', () => {
  test('system_admin any; other staff, sub-agents and keys none', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    const { key } = await apiKey(kissi, ['payments:read', 'payments:write', 'subscribers:write']);
    const tokens = [key, await agentToken(kissi, field)];
    for (const role of ['support_user', 'finance_user', 'compliance_user', 'sales_user', 'audit_user'] as const) {
      tokens.push(await staffToken(kissi, role));
    }
    for (const token of tokens) {
      for (const move of [suspend, reactivate, terminate]) assertRefused(await move(field, token), 403, 'FORBIDDEN');
    }
    assert.equal(await statusOf(field), 'active');
  });

  test('a super_agent its own sub-agents: not itself, not another network', async () => {
    const [boss, other] = [await newAgent(kissi), await newAgent(kissi)];
    const [field, foreign] = [await newSubAgent(kissi, boss), await newSubAgent(kissi, other)];
    const token = await agentToken(kissi, boss);
    for (const move of [suspend, reactivate, terminate]) {
      for (const agent of [boss, other, foreign]) assertRefused(await move(agent, token), 403, 'FORBIDDEN');
      assertRefused(await move({ id: 'agent_nobody' }, token), 404, 'NOT_FOUND');
    }
    assert.equal((await suspend(field, token)).status, 200);
    assertRefused(await suspend(field, token), 409, 'ALREADY_SUSPENDED');
    assert.equal((await reactivate(field, token)).status, 200);
    assert.equal((await terminate(field, token)).status, 200);
    assert.deepEqual([await statusOf(other), await statusOf(foreign)], ['active', 'active']);
  });

  test('what the house suspended, a super_agent neither lifts nor ends; the house may take over what it did', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    const token = await agentToken(kissi, boss);
    await suspend(field);
    for (const move of [suspend, reactivate, terminate]) assertRefused(await move(field, token), 403, 'FORBIDDEN');
    await reactivate(field);
    assert.equal((await suspend(field, token)).status, 200);
    assert.equal((await suspend(field)).status, 200, 'the house makes it its own');
    assertRefused(await suspend(field), 409, 'ALREADY_SUSPENDED');
    assertRefused(await reactivate(field, token), 403, 'FORBIDDEN');
    assert.equal((await reactivate(field)).status, 200);
    assert.equal(await userStatus(field), 'active');
  });
});

describe('changing the PIN', () => {
  test('takes the current one; the old one opens no longer', async () => {
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const wallet = await bank.wallet();
    const token = await agentToken(kissi, agent);
    const next = agent.pin === '2468' ? '1357' : '2468';
    const reply = await changePin(agent, agent.pin, next, token);
    assert.deepEqual([reply.status, reply.json], [200, { success: true, message: 'The PIN was changed.' }]);
    assertRefused(await cashIn(agent, wallet.id), 400, 'INVALID_PIN');
    assert.equal((await cashIn({ ...agent, pin: next }, wallet.id)).status, 200);
    const [entry] = await auditLogs(kissi, { action: 'agent.change_pin', resource_id: agent.id });
    assert.deepEqual(entry.details, {});
  });

  test('is refused with a wrong PIN, or one that is not four digits, naming the field', async () => {
    const agent = await newAgent(kissi);
    const wrong = await changePin(agent, wrongPin(agent), '2468');
    assertRefused(wrong, 400, 'INVALID_PIN');
    assert.equal(wrong.json.attempts_remaining, 2);
    for (const [current, next, field] of [
      ['12', '2468', 'current_pin'],
      [agent.pin, '24680', 'new_pin'],
      [agent.pin, '', 'new_pin'],
    ] as const) {
      const reply = await changePin(agent, current, next);
      assertRefused(reply, 400, 'INVALID_PIN');
      assert.ok(reply.json.error.startsWith(field), reply.json.error);
    }
    assertRefused(await post(`/agents/${agent.id}/change-pin`, { current_pin: agent.pin }), 400, 'INVALID_REQUEST');
    assertRefused(await changePin({ id: 'agent_nobody' }, '1234', '2468'), 404, 'NOT_FOUND');
    const { id } = await bank.wallet();
    assertRefused(await changePin({ id }, PIN, '2468'), 404, 'NOT_FOUND', 'a subscriber is no agent');
  });

  test("is each agent's own: not its super-agent's, not another's, and no key's", async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    const [asBoss, asField] = [await agentToken(kissi, boss), await agentToken(kissi, field)];
    assertRefused(await changePin(field, field.pin, '2468', asBoss), 403, 'FORBIDDEN');
    assertRefused(await changePin(boss, boss.pin, '2468', asField), 403, 'FORBIDDEN');
    assertRefused(await changePin(field, field.pin, '2468', bank.key), 403, 'FORBIDDEN');
    assertRefused(await changePin(field, field.pin, '2468', await staffToken(kissi, 'support_user')), 403, 'FORBIDDEN');
    assert.equal((await changePin(field, field.pin, '2468', asField)).status, 200);
    assert.equal((await changePin(boss, boss.pin, '2468', asBoss)).status, 200);
  });

  test('of two at once with one PIN exactly one changes it', async () => {
    const agent = await newAgent(kissi);
    const others = ['2468', '1357', '8642'].filter((pin) => pin !== agent.pin).slice(0, 2);
    const replies = await Promise.all(others.map((next) => changePin(agent, agent.pin, next)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
  });
});
