// Agent status: suspension, reactivation, termination, their effect on the login, and changing the PIN.
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
} from '../../support/agents.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import {
  assertStatus,
  auditLogs,
  login,
  openSession,
  refusedAttemptCount,
  staffToken,
  withLockContention,
} from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });
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
const setUserStatus = ({ userId }: TestAgent, status: string) =>
  kissi.call('PUT', `/api/v1/admin/users/${userId}`, { body: { status }, token: admin });
const isFrozen = async ({ id }: TestAgent) =>
  (await kissi.db.query('select frozen from accounts where id = $1', [id])).rows[0].frozen;
const cashIn = (agent: TestAgent, subscriber_id: string, amount = 100) =>
  bank.post('/agents/cashin', { agent_id: agent.id, subscriber_id, amount, pin: agent.pin });

describe('POST /agents/:id/suspend', () => {
  test('stops all money into and out of the float and returns the agent', async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    await fundAgent(kissi, superAgent, 1_000);
    const wallet = await bank.wallet(5_000);
    const { json } = assertStatus(await suspend(superAgent), 200);
    assert.deepEqual(Object.keys(json), ['success', 'message', 'agent']);
    assert.deepEqual(
      [json.agent.id, json.agent.status, json.agent.float_balance_formatted],
      [superAgent.id, 'suspended', '10.00 SLE'],
    );
    const floatTransfer = { from_agent_id: superAgent.id, to_agent_id: subAgent.id, amount: 1, pin: superAgent.pin };
    const cashOut = { subscriber_id: wallet.id, agent_id: superAgent.id, amount: 100, pin: PIN };
    assertRefused(await cashIn(superAgent, wallet.id), 403, 'AGENT_SUSPENDED');
    assertRefused(await bank.post('/agents/transfer', floatTransfer), 403, 'AGENT_SUSPENDED');
    assertRefused(await post(`/agents/${superAgent.id}/fund`, { amount: 1 }), 403, 'AGENT_SUSPENDED');
    assertRefused(await bank.post('/wallet/withdraw', cashOut), 403, 'AGENT_SUSPENDED');
    assertRefused(await changePin(superAgent, superAgent.pin, '2468'), 403, 'AGENT_SUSPENDED');
    assert.deepEqual([await floatOf(kissi, superAgent), await bank.balance(wallet.id)], [1_000, 5_000]);
    assert.equal(await isFrozen(superAgent), true);
    assert.equal(await statusOf(subAgent), 'active', 'its sub-agents stay active');
    const [entry] = await auditLogs(kissi, { action: 'agent.suspend', resource_id: superAgent.id });
    assert.deepEqual([entry.resource_type, entry.details], ['agent', { reason: 'Under review' }]);
  });

  test('refuses a payment that passed the status check before the suspension and reaches the ledger after it', async () => {
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

  test("revokes the user's access tokens, refresh tokens and login immediately", async () => {
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

  test('requires a reason and a known agent that is not suspended', async () => {
    const agent = await newAgent(kissi);
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: null }, { reason: 'x'.repeat(501) }]) {
      assertRefused(await post(`/agents/${agent.id}/suspend`, body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await suspend({ id: 'agent_unknown' }), 404, 'NOT_FOUND');
    assert.equal((await suspend(agent)).status, 200);
    assertRefused(await suspend(agent), 409, 'ALREADY_SUSPENDED');
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.suspend.refused', resource_id: agent.id }), 6);
  });
});

describe('POST /agents/:id/reactivate', () => {
  test('re-enables payments and the login; tokens from before the suspension stay invalid', async () => {
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const wallet = await bank.wallet();
    const oldToken = await agentToken(kissi, agent);
    await suspend(agent);
    const { status, json } = await reactivate(agent);
    assert.deepEqual([status, json.agent.status], [200, 'active']);
    assert.equal((await cashIn(agent, wallet.id)).status, 200);
    assert.equal(await isFrozen(agent), false);
    assertRefused(await kissi.call('GET', '/api/v1/agents', { token: oldToken }), 401, 'UNAUTHORIZED');
    kissi.clock.advance(1_000);
    const token = await agentToken(kissi, agent);
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).status, 200);
    assert.equal((await auditLogs(kissi, { action: 'agent.reactivate', resource_id: agent.id })).length, 1);
  });

  test('requires a suspended agent: 409 NOT_SUSPENDED otherwise, 404 for an unknown agent', async () => {
    const agent = await newAgent(kissi);
    assertRefused(await reactivate(agent), 409, 'NOT_SUSPENDED');
    assertRefused(await reactivate({ id: 'agent_unknown' }), 404, 'NOT_FOUND');
    await suspend(agent);
    await reactivate(agent);
    assertRefused(await reactivate(agent), 409, 'NOT_SUSPENDED');
  });

  test('restores only the access that the suspension removed', async () => {
    const agent = await newAgent(kissi);
    await setUserStatus(agent, 'suspended');
    await suspend(agent);
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended', 'suspended by an administrator before');
    assert.equal((await setUserStatus(agent, 'active')).status, 200);
    await suspend(agent);
    await setUserStatus(agent, 'inactive');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'inactive', 'deactivated by an administrator');
  });

  test('keeps the user status that an administrator set during the suspension', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assert.equal((await setUserStatus(agent, 'suspended')).status, 200, 'now suspended by an administrator as well');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal((await setUserStatus(agent, 'active')).status, 200);
    assert.equal((await login(kissi, agent)).status, 200);
    await suspend(agent);
    assertRefused(await setUserStatus(agent, 'active'), 409, 'AGENT_SUSPENDED');
    await setUserStatus(agent, 'inactive');
    await setUserStatus(agent, 'suspended');
    await reactivate(agent);
    assert.equal(await userStatus(agent), 'suspended', 'even after an intermediate status');
  });

  test("restores the login after the operator took over a super-agent's suspension", async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    await suspend(subAgent, await agentToken(kissi, superAgent));
    await suspend(subAgent);
    await reactivate(subAgent);
    assert.equal(await userStatus(subAgent), 'active');
  });

  test('is the only way to restore the login: PUT /admin/users gets 409 AGENT_SUSPENDED', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assertRefused(await setUserStatus(agent, 'active'), 409, 'AGENT_SUSPENDED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    await reactivate(agent);
    assert.equal((await login(kissi, agent)).status, 200);
  });
});

describe('POST /agents/:id/terminate', () => {
  test('is final: payments, login and status changes are refused, and the record remains', async () => {
    const superAgent = await newAgent(kissi);
    const agent = await newSubAgent(kissi, superAgent);
    await fundAgent(kissi, superAgent, 100);
    const wallet = await bank.wallet(1_000);
    const { token, refresh_token } = await openSession(kissi, agent);
    const reply = await post(`/agents/${agent.id}/terminate`, { reason: 'Left the network' });
    assert.deepEqual([reply.status, reply.json.agent.status], [200, 'terminated']);
    const floatTransfer = { from_agent_id: superAgent.id, to_agent_id: agent.id, amount: 1, pin: superAgent.pin };
    const cashOut = { subscriber_id: wallet.id, agent_id: agent.id, amount: 100, pin: PIN };
    assertRefused(await cashIn(agent, wallet.id), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/agents/transfer', floatTransfer), 403, 'AGENT_TERMINATED');
    assertRefused(await post(`/agents/${agent.id}/fund`, { amount: 1 }), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/wallet/withdraw', cashOut), 403, 'AGENT_TERMINATED');
    assertRefused(await changePin(agent, agent.pin, '2468'), 403, 'AGENT_TERMINATED');
    for (const changeStatus of [suspend, reactivate, terminate]) {
      assertRefused(await changeStatus(agent), 409, 'AGENT_TERMINATED');
    }
    assertRefused(await kissi.call('GET', '/api/v1/agents', { token }), 401, 'UNAUTHORIZED');
    assertRefused(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } }), 401, 'UNAUTHORIZED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal(await userStatus(agent), 'inactive');
    assertRefused(await setUserStatus(agent, 'active'), 409, 'AGENT_TERMINATED');
    assertRefused(await login(kissi, agent), 401, 'UNAUTHORIZED');
    assert.equal(await isFrozen(agent), true);
    const [entry] = await auditLogs(kissi, { action: 'agent.terminate', resource_id: agent.id });
    assert.deepEqual(entry.details, { reason: 'Left the network' });
  });

  test('requires an empty float: 409 FLOAT_NOT_EMPTY with the balance, and nothing changes', async () => {
    const agent = await newAgent(kissi);
    const wallet = await bank.wallet();
    await fundAgent(kissi, agent, 201);
    const token = await agentToken(kissi, agent);
    const reply = assertRefused(await terminate(agent), 409, 'FLOAT_NOT_EMPTY');
    assert.equal(reply.json.balance, 201);
    assert.deepEqual([await statusOf(agent), await isFrozen(agent)], ['active', false]);
    assert.equal((await kissi.call('GET', '/api/v1/agents', { token })).status, 200);
    assert.equal((await cashIn(agent, wallet.id, 200)).json.balance, 0);
    assert.equal((await terminate(agent)).status, 200);
  });

  test('may follow a suspension; the phone number and email stay taken', async () => {
    const agent = await newAgent(kissi);
    await suspend(agent);
    assert.equal((await terminate(agent)).status, 200);
    assert.equal(await userStatus(agent), 'inactive');
    assertRefused(await post('/agents', registrationBody({ phone_number: agent.phone })), 409, 'DUPLICATE_PHONE');
    assertRefused(await post('/agents', registrationBody({ email: agent.email })), 409, 'DUPLICATE_EMAIL');
    assertRefused(await terminate({ id: 'agent_unknown' }), 404, 'NOT_FOUND');
  });

  test('when a termination races with a payment into the float, one of the two is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await newAgent(kissi);
      const [terminated, funded] = await withLockContention(kissi, {
        lock: `select 1 from accounts where id = '${agent.id}' for update`,
        waiters: 2,
        begin: () => Promise.all([terminate(agent), post(`/agents/${agent.id}/fund`, { amount: 500 })]),
      });
      const outcome = [terminated.json.code ?? terminated.status, funded.json.code ?? funded.status];
      if (terminated.status === 200)
        assert.deepEqual([...outcome, await floatOf(kissi, agent)], [200, 'AGENT_SUSPENDED', 0]);
      else assert.deepEqual([...outcome, await floatOf(kissi, agent)], ['FLOAT_NOT_EMPTY', 200, 500]);
    }
  });
});

describe("who may change an agent's status", () => {
  test('a super_agent changes its own sub-agents, but neither itself nor other networks', async () => {
    const [superAgent, other] = [await newAgent(kissi), await newAgent(kissi)];
    const [subAgent, otherSubAgent] = [await newSubAgent(kissi, superAgent), await newSubAgent(kissi, other)];
    const token = await agentToken(kissi, superAgent);
    for (const changeStatus of [suspend, reactivate, terminate]) {
      for (const agent of [superAgent, other, otherSubAgent])
        assertRefused(await changeStatus(agent, token), 403, 'FORBIDDEN');
      assertRefused(await changeStatus({ id: 'agent_unknown' }, token), 404, 'NOT_FOUND');
    }
    assert.equal((await suspend(subAgent, token)).status, 200);
    assertRefused(await suspend(subAgent, token), 409, 'ALREADY_SUSPENDED');
    assert.equal((await reactivate(subAgent, token)).status, 200);
    assert.equal((await terminate(subAgent, token)).status, 200);
    assert.deepEqual([await statusOf(other), await statusOf(otherSubAgent)], ['active', 'active']);
  });

  test("a super_agent cannot lift the operator's suspension; the operator can take over a super-agent's", async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    const token = await agentToken(kissi, superAgent);
    await suspend(subAgent);
    for (const changeStatus of [suspend, reactivate, terminate])
      assertRefused(await changeStatus(subAgent, token), 403, 'FORBIDDEN');
    await reactivate(subAgent);
    assert.equal((await suspend(subAgent, token)).status, 200);
    assert.equal((await suspend(subAgent)).status, 200, 'the operator takes the suspension over');
    assertRefused(await suspend(subAgent), 409, 'ALREADY_SUSPENDED');
    assertRefused(await reactivate(subAgent, token), 403, 'FORBIDDEN');
    assert.equal((await reactivate(subAgent)).status, 200);
    assert.equal(await userStatus(subAgent), 'active');
  });
});

describe('POST /agents/:id/change-pin', () => {
  test('requires the current PIN; the old PIN stops working', async () => {
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const wallet = await bank.wallet();
    const token = await agentToken(kissi, agent);
    const newPin = agent.pin === '2468' ? '1357' : '2468';
    const reply = await changePin(agent, agent.pin, newPin, token);
    assert.deepEqual([reply.status, reply.json], [200, { success: true, message: 'The PIN was changed.' }]);
    assertRefused(await cashIn(agent, wallet.id), 400, 'INVALID_PIN');
    assert.equal((await cashIn({ ...agent, pin: newPin }, wallet.id)).status, 200);
    const [entry] = await auditLogs(kissi, { action: 'agent.change_pin', resource_id: agent.id });
    assert.deepEqual(entry.details, {});
  });

  test('a wrong current PIN or one that is not four digits gets 400 INVALID_PIN', async () => {
    const agent = await newAgent(kissi);
    const wrong = assertRefused(await changePin(agent, wrongPin(agent), '2468'), 400, 'INVALID_PIN');
    assert.equal(wrong.json.attempts_remaining, 2);
    for (const [current, next, field] of [
      ['12', '2468', 'current_pin'],
      [agent.pin, '24680', 'new_pin'],
      [agent.pin, '', 'new_pin'],
    ] as const) {
      const reply = assertRefused(await changePin(agent, current, next), 400, 'INVALID_PIN');
      assert.ok(reply.json.error.startsWith(field), reply.json.error);
    }
    assertRefused(await post(`/agents/${agent.id}/change-pin`, { current_pin: agent.pin }), 400, 'INVALID_REQUEST');
    assertRefused(await changePin({ id: 'agent_unknown' }, '1234', '2468'), 404, 'NOT_FOUND');
    const { id } = await bank.wallet();
    assertRefused(await changePin({ id }, PIN, '2468'), 404, 'NOT_FOUND', 'a subscriber is not an agent');
  });

  test('a super-agent, another agent, support staff and API keys get 403', async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    const [superAgentToken, subAgentToken] = [await agentToken(kissi, superAgent), await agentToken(kissi, subAgent)];
    assertRefused(await changePin(subAgent, subAgent.pin, '2468', superAgentToken), 403, 'FORBIDDEN');
    assertRefused(await changePin(superAgent, superAgent.pin, '2468', subAgentToken), 403, 'FORBIDDEN');
    assertRefused(await changePin(subAgent, subAgent.pin, '2468', bank.key), 403, 'FORBIDDEN');
    assertRefused(
      await changePin(subAgent, subAgent.pin, '2468', await staffToken(kissi, 'support_user')),
      403,
      'FORBIDDEN',
    );
    assert.equal((await changePin(subAgent, subAgent.pin, '2468', subAgentToken)).status, 200);
    assert.equal((await changePin(superAgent, superAgent.pin, '2468', superAgentToken)).status, 200);
  });

  test('one of two concurrent changes with the same current PIN succeeds', async () => {
    const agent = await newAgent(kissi);
    const newPins = ['2468', '1357', '8642'].filter((pin) => pin !== agent.pin).slice(0, 2);
    const replies = await Promise.all(newPins.map((newPin) => changePin(agent, agent.pin, newPin)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
  });
});
