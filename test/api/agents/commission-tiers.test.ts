// Commission tiers: their percentages, who changes them, what agents of each tier earn, and percentages that are refused.
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import {
  agentToken,
  floatOf,
  fundAgent,
  newAgent,
  newSubAgent,
  registrationBody,
  type TestAgent,
} from '../../support/agents.ts';
import { decide, pendingOf, setPolicy } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { apiKey, auditLogs, messageTo, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['fee_setting'] });
const admin = await kissi.adminToken();
const finance = await staffToken(kissi, 'finance_user');
const TIERS = '/api/v1/admin/commission-tiers';

const put = (body: object, token = finance) => kissi.call('PUT', TIERS, { body, token });
const tiers = async (token = finance) => (await kissi.call('GET', TIERS, { token })).json;
const putAgent = ({ id }: TestAgent, body: object, token = admin) =>
  kissi.call('PUT', `/api/v1/agents/${id}`, { body, token });

afterEach(async () => {
  await kissi.db.database.queries.deleteFrom('fee_settings').execute();
  await put({ standard: 100, premium: 120 });
});

const EARNS = { debit_enabled: false, credit_enabled: true };

async function setFee(transaction_type: string, party_type: string, pricing: object): Promise<Json> {
  const body = { transaction_type, party_type, ...pricing };
  return assertStatus(await kissi.call('PUT', '/api/v1/fee-settings', { body, token: admin }), 200).json;
}

const percentage = (fee_value: number, rest: object = EARNS) => ({ fee_type: 'percentage', fee_value, ...rest });
const flat = (fee_value: number, rest: object = EARNS) => ({ fee_type: 'flat', fee_value, ...rest });

async function fundedAgent(terms: object = {}): Promise<TestAgent> {
  const agent = await newAgent(kissi, { ...terms });
  await fundAgent(kissi, agent, 1_000_000);
  return agent;
}

/** What the agent earns by a deposit of the amount. */
async function earnedBy(agent: TestAgent, amount: number): Promise<number> {
  const wallet = await bank.wallet();
  const before = await floatOf(kissi, agent);
  const body = { agent_id: agent.id, subscriber_id: wallet.id, amount, pin: agent.pin };
  assertStatus(await kissi.call('POST', '/api/v1/agents/cashin', { body, token: await agentToken(kissi, agent) }), 200);
  return (await floatOf(kissi, agent)) - before + amount;
}

describe('the percentages of the tiers', () => {
  test('are 100 and 120 at first, for finance, administrators and auditors', async () => {
    for (const role of ['finance_user', 'audit_user'] as const) {
      assert.deepEqual(await tiers(await staffToken(kissi, role)), { standard: 100, premium: 120 });
    }
    assert.deepEqual(await tiers(admin), { standard: 100, premium: 120 });
    assertRefused(await kissi.call('GET', TIERS, { token: await staffToken(kissi, 'support_user') }), 403, 'FORBIDDEN');
    assertRefused(await put({ premium: 1 }, await staffToken(kissi, 'audit_user')), 403, 'FORBIDDEN');
  });

  test('are changed one by one or together, with an audit entry for each that changes', async () => {
    const reply = assertStatus(await put({ premium: 130.1234 }), 200);
    assert.deepEqual([reply.json.success, reply.json.standard, reply.json.premium], [true, 100, 130.1234]);
    assert.equal((await put({ standard: 90.5, premium: 130.1234 })).status, 200);
    assert.deepEqual(await tiers(), { standard: 90.5, premium: 130.1234 });
    const logs = await auditLogs(kissi, { action: 'commission_tier.update' });
    const own = logs.map(({ resource_id, details }: Json) => [resource_id, details]).slice(0, 2);
    assert.deepEqual(own, [
      ['standard', { from: 100, to: 90.5 }],
      ['premium', { from: 120, to: 130.1234 }],
    ]);
  });

  test('must be from 0 to 500 with at most 4 decimals', async () => {
    for (const premium of [-1, 500.0001, 1e9, 120.00001, '120', null, {}]) {
      const reply = await put({ premium });
      if (premium === null) assertRefused(reply, 400, 'INVALID_REQUEST');
      else assertRefused(reply, 400, 'INVALID_REQUEST', JSON.stringify(premium));
    }
    assertRefused(await put({}), 400, 'INVALID_REQUEST');
    assertRefused(await put({ custom: 100 }), 400, 'INVALID_REQUEST');
    assert.equal((await put({ standard: 0, premium: 500 })).status, 200);
    assert.deepEqual(await tiers(), { standard: 0, premium: 500 });
  });
});

test('a change waits for a system_admin under the policy fees.change', async () => {
  await setPolicy(kissi, 'fees.change', { enabled: true });
  const approval = pendingOf(await put({ premium: 150 }));
  assert.deepEqual(await tiers(), { standard: 100, premium: 120 });
  assert.deepEqual([approval.action, approval.summary.after], ['fees.change', { premium: 150 }]);
  const approve = (token: string) =>
    kissi.call('POST', `/api/v1/admin/approvals/${approval.id}/approve`, { body: {}, token });
  assertRefused(await approve(await staffToken(kissi, 'finance_user')), 404, 'NOT_FOUND');
  assertStatus(await approve(admin), 200);
  assert.deepEqual(await tiers(), { standard: 100, premium: 150 });
  await setPolicy(kissi, 'fees.change', { enabled: false });
});

describe('an agent earns', () => {
  test("its tier's percentage, rounded down once, from the next payment on", async () => {
    await setFee('agent_cashin', 'agent', percentage(0.3333));
    const [standard, premium] = [await fundedAgent(), await fundedAgent({ commission_tier: 'premium' })];
    const custom = await fundedAgent({ commission_tier: 'custom', commission_percent: 50 });
    const amount = 99_999;
    const share = (percent: bigint) => Number((99_999n * 3_333n * percent) / 100_000_000n);
    assert.equal(await earnedBy(standard, amount), share(100n));
    assert.equal(await earnedBy(premium, amount), share(120n));
    assert.equal(await earnedBy(custom, amount), share(50n));
    await put({ standard: 0, premium: 200 });
    assert.equal(await earnedBy(standard, amount), 0);
    assert.equal(await earnedBy(premium, amount), share(200n));
  });

  test('a flat commission by its tier, but never more than the payment leaves the operator', async () => {
    await setFee('agent_cashin', 'agent', flat(0.5));
    const premium = await fundedAgent({ commission_tier: 'premium' });
    assert.equal(await earnedBy(premium, 100_000), 60);
    assert.equal(await earnedBy(premium, 1_000), 10, 'a withdrawal leaves 1 %');
    // What a withdrawal leaves is reckoned with the percentage of the agent that earns most.
    await setFee('wallet_withdraw', 'agent', percentage(0.5));
    assert.equal(await earnedBy(premium, 1_000), 4);
  });

  test('nothing more by paying itself, whatever the tier', async () => {
    await setFee('agent_cashin', 'agent', percentage(0.4));
    await setFee('wallet_withdraw', 'agent', percentage(0.4));
    const agent = await fundedAgent({ commission_tier: 'premium' });
    const wallet = await bank.wallet();
    const token = await agentToken(kissi, agent);
    for (let n = 0; n < 5; n++) {
      const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
      assert.equal((await kissi.call('POST', '/api/v1/agents/cashin', { body, token })).status, 200);
      const out = { subscriber_id: wallet.id, agent_id: agent.id, amount: 9_900, pin: PIN };
      assert.equal((await bank.post('/wallet/withdraw', out)).status, 200);
    }
    assert.ok((await floatOf(kissi, agent)) + (await bank.balance(wallet.id)) <= 1_000_000);
  });
});

describe('the percentage of a custom agent', () => {
  test('is required for the tier custom, refused for others, and cleared with the tier', async () => {
    const agent = await newAgent(kissi);
    assertRefused(await putAgent(agent, { commission_tier: 'custom' }), 400, 'INVALID_REQUEST');
    assertRefused(await putAgent(agent, { commission_percent: 80 }), 400, 'INVALID_REQUEST');
    assertRefused(
      await putAgent(agent, { commission_tier: 'premium', commission_percent: 80 }),
      400,
      'INVALID_REQUEST',
    );
    const reply = assertStatus(await putAgent(agent, { commission_tier: 'custom', commission_percent: 80.25 }), 200);
    assert.deepEqual([reply.json.agent.commission_tier, reply.json.agent.commission_percent], ['custom', 80.25]);
    const [log] = await auditLogs(kissi, { action: 'agent.update' });
    assert.deepEqual(log.details.commission_percent, { from: null, to: 80.25 });
    assert.equal((await putAgent(agent, reply.json.agent)).status, 200, 'the record that GET returned is no change');
    const cleared = await putAgent(agent, { ...reply.json.agent, commission_tier: 'standard' });
    assert.deepEqual([cleared.status, 'commission_percent' in cleared.json.agent], [200, false]);
    const again = await putAgent(agent, { commission_tier: 'custom' });
    assertRefused(again, 400, 'INVALID_REQUEST', 'the old percentage is not kept');
  });

  test('can be given at registration, by the operator only', async () => {
    const registered = await newAgent(kissi, { commission_tier: 'custom', commission_percent: 12.5 });
    const { agent } = (await kissi.call('GET', `/api/v1/agents/${registered.id}`, { token: admin })).json;
    assert.equal(agent.commission_percent, 12.5);
    const withoutPercent = await newAgent(kissi, { commission_tier: 'custom' });
    const record = (await kissi.call('GET', `/api/v1/agents/${withoutPercent.id}`, { token: admin })).json.agent;
    assert.deepEqual([record.commission_tier, record.commission_percent], ['custom', null]);
    const parent = await newAgent(kissi);
    const sub = await newSubAgent(kissi, parent, { commission_tier: 'custom', commission_percent: 10 });
    assertRefused(await putAgent(sub, { commission_percent: 20 }, await agentToken(kissi, parent)), 403, 'FORBIDDEN');
  });

  test('is that of the tier standard if a custom agent has none', async () => {
    await setFee('agent_cashin', 'agent', percentage(0.5));
    const agent = await fundedAgent({ commission_tier: 'custom' });
    await put({ standard: 80 });
    assert.equal(await earnedBy(agent, 10_000), 40);
  });

  test('must be from 0 to 500', async () => {
    const agent = await newAgent(kissi, { commission_tier: 'custom', commission_percent: 1 });
    for (const commission_percent of [-1, 501, 1.00001, '5', {}]) {
      assertRefused(await putAgent(agent, { commission_percent }), 400, 'INVALID_REQUEST');
    }
  });
});

describe('percentages under which a type would pay out more than it charges', () => {
  test('are refused for tiers, agents and registrations, and nothing changes', async () => {
    await setFee('agent_cashin', 'agent', percentage(0.8));
    assertRefused(await put({ premium: 125.0001 }), 422, 'COMMISSION_EXCEEDS_FEES');
    assert.deepEqual(await tiers(), { standard: 100, premium: 120 });
    assert.equal((await put({ premium: 125 })).status, 200);
    const agent = await newAgent(kissi, { commission_tier: 'custom', commission_percent: 100 });
    assertRefused(await putAgent(agent, { commission_percent: 126 }), 422, 'COMMISSION_EXCEEDS_FEES');
    assert.equal((await putAgent(agent, { commission_percent: 125 })).status, 200);
    assert.equal((await putAgent(agent, { commission_percent: 1 })).status, 200);
  });

  test('cause a warning in the reply to a fee setting, reckoned with the highest percentage that an agent has', async () => {
    const warned = async (value: number) =>
      /agent_cashin/.test((await setFee('agent_cashin', 'agent', percentage(value))).message);
    await newAgent(kissi, { commission_tier: 'custom', commission_percent: 200 });
    assert.deepEqual([await warned(0.5), await warned(0.5001)], [false, true]);
  });

  test('are refused even if a fee setting is changed at the same time', async () => {
    await newAgent(kissi, { commission_tier: 'premium' });
    const [first, second] = await Promise.all([
      put({ premium: 190 }),
      kissi.call('PUT', '/api/v1/fee-settings', {
        body: { transaction_type: 'agent_cashin', party_type: 'agent', ...percentage(0.9) },
        token: admin,
      }),
    ]);
    assert.equal(second.status, 200);
    if (first.status === 200) assert.match(second.json.message, /agent_cashin/);
    else assertRefused(first, 422, 'COMMISSION_EXCEEDS_FEES');
  });
});

describe('under the policy fees.change', () => {
  const terms = async (id: string) =>
    (await kissi.db.query('select commission_tier, commission_percent from agents where id = $1', [id])).rows[0];
  let second = '';

  // The file's last tests: once there are two administrators, the policy cannot be disabled by one.
  before(async () => {
    await setPolicy(kissi, 'fees.change', { enabled: true });
    second = await staffToken(kissi, 'system_admin');
  });

  test('other terms of an agent wait for another system_admin, and changes of other fields do not', async () => {
    const agent = await newAgent(kissi);
    const body = { commission_tier: 'custom', commission_percent: 90, location: 'Bo' };
    const { id, action, summary } = pendingOf(await putAgent(agent, body));
    assert.deepEqual([action, summary.text], ['fees.change', `Change what agent ${agent.id} earns.`]);
    assert.deepEqual(summary.after, { location: 'Bo', commission_tier: 'custom', commission_percent: 90 });
    pendingOf(await putAgent(agent, { commission_tier: 'premium' }));
    const { key } = await apiKey(kissi, ['agents:write']);
    assertRefused(await putAgent(agent, body, key), 403, 'APPROVAL_REQUIRED');
    assert.deepEqual(await terms(agent.id), { commission_tier: 'standard', commission_percent: null });
    assertRefused(await decide(kissi, id, 'approve', { token: admin }), 403, 'FORBIDDEN');
    assert.equal((await decide(kissi, id, 'approve', { token: second })).status, 200);
    assert.deepEqual(await terms(agent.id), { commission_tier: 'custom', commission_percent: 900_000 });
    assert.equal((await putAgent(agent, { location: 'Kenema', settlement_mode: 'weekly' })).status, 200);
    assert.equal((await putAgent(agent, { location: 'Makeni' }, key)).status, 200);
  });

  test('an agent with other terms than standard is registered after approval, and gets its credentials then', async () => {
    const register = (extra: object, token = admin) =>
      kissi.call('POST', '/api/v1/agents', { body: registrationBody({ ...extra }), token });
    const { key } = await apiKey(kissi, ['agents:write']);
    const count = async () => (await kissi.db.query('select count(*)::int as n from agents')).rows[0].n;
    const registered = await count();
    assertRefused(await register({ commission_tier: 'premium' }, key), 403, 'APPROVAL_REQUIRED');
    const { id } = pendingOf(await register({ commission_tier: 'custom', commission_percent: 80 }));
    assert.equal(await count(), registered);
    const { json } = await decide(kissi, id, 'approve', { token: second });
    const { agent_id } = json.approval.result;
    assert.deepEqual(await terms(agent_id), { commission_tier: 'custom', commission_percent: 800_000 });
    const { rows } = await kissi.db.query('select phone_number from agents where id = $1', [agent_id]);
    assert.match((await messageTo(kissi, rows[0].phone_number)).text, /^PIN: \d{4}$/m);
    assert.equal((await register({}, key)).status, 201, 'the terms of everybody need no approval');
  });
});
