// The treasury and agents' floats: the maximum for one funding, and POST /agents/:id/return-float.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  agentToken,
  assertRefused,
  floatOf,
  fundAgent,
  newAgent,
  newFundedAgent,
  newSubAgent,
} from '../../support/agents.ts';
import { testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount, totalBalance } from '../../support/money.ts';
import { newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const FUND_MAX = 1_000_000_000;
const DAY_MS = 86_400_000;

const { kissi, bank } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const post = (path: string, body: unknown, token = admin) => kissi.call('POST', `/api/v1${path}`, { body, token });
const fund = ({ id }: { id: string }, body: object, token = admin) => post(`/agents/${id}/fund`, body, token);
const returnFloat = ({ id }: { id: string }, body: object, token = admin) =>
  post(`/agents/${id}/return-float`, body, token);
const treasury = () => totalBalance(kissi, 'treasury');

describe('the maximum for one funding', () => {
  test('is AGENT_FUND_MAX, by default 10,000,000.00 SLE: more gets 422 AMOUNT_OUT_OF_RANGE', async () => {
    const agent = await newAgent(kissi);
    for (const amount of [FUND_MAX + 1, Number.MAX_SAFE_INTEGER, '9007199254739991']) {
      const reply = assertRefused(await fund(agent, { amount }), 422, 'AMOUNT_OUT_OF_RANGE');
      assert.match(reply.json.error, /^amount must be at most 10,000,000\.00 SLE/);
    }
    assert.equal(await movementCount(kissi, agent.id), 0);
    assert.equal((await fund(agent, { amount: FUND_MAX })).status, 200);
    assert.equal((await fund(agent, { amount: 1 })).status, 200, 'the maximum applies per funding');
    assert.equal(await floatOf(kissi, agent), FUND_MAX + 1);
  });

  test('applies to API keys too; lowering it does not change replayed replies', async () => {
    const agent = await newAgent(kissi);
    const body = { amount: 5_000, request_id: 'before-lowering' };
    const first = await fund(agent, body);
    const strict = await testGateway({ db: kissi.db, clock: kissi.clock, env: { AGENT_FUND_MAX: '4999' } });
    try {
      const again = await strict.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token: admin });
      assert.deepEqual([again.status, again.text], [200, first.text]);
      const other = { body: { amount: 5_000, request_id: 'too-much' }, token: bank.key };
      assertRefused(await strict.call('POST', `/api/v1/agents/${agent.id}/fund`, other), 422, 'AMOUNT_OUT_OF_RANGE');
    } finally {
      await strict.close();
    }
    assert.equal(await floatOf(kissi, agent), 5_000);
  });

  test("exhausting the treasury's range gets 422 MAX_BALANCE_EXCEEDED, not a server error", async () => {
    const unlimited = String(Number.MAX_SAFE_INTEGER);
    const other = await testGateway({ env: { AGENT_FUND_MAX: unlimited, TREASURY_DAILY_LIMIT: unlimited } });
    try {
      const atMaximum = await newAgent(other);
      await fundAgent(other, atMaximum, Number.MAX_SAFE_INTEGER);
      // The daily limit is used up; on the next day only the range of the account is left.
      other.clock.advance(DAY_MS);
      const token = await other.adminToken();
      for (const { id } of [atMaximum, await newAgent(other)]) {
        const reply = await other.call('POST', `/api/v1/agents/${id}/fund`, { body: { amount: 5 }, token });
        assertRefused(reply, 422, 'MAX_BALANCE_EXCEEDED');
      }
    } finally {
      await other.close();
    }
  });
});

describe('POST /agents/:id/return-float', () => {
  test('credits the treasury without a fee and returns the transaction with the remaining balance', async () => {
    const agent = await newFundedAgent(kissi, 5_000);
    const before = await treasury();
    const reply = await returnFloat(agent, { amount: '2000', request_id: 'return-1', description: ' Closing ' });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id } = reply.json;
    assert.deepEqual(reply.json, {
      success: true,
      message: 'The float was returned.',
      transaction_id,
      request_id: 'return-1',
      status: 'COMPLETED',
      amount: 2_000,
      fee: 0,
      total_debited: 2_000,
      currency: 'SLE',
      balance: 3_000,
      created_at: new Date(kissi.clock.now()).toISOString(),
      agent_id: agent.id,
    });
    assert.deepEqual([await floatOf(kissi, agent), await treasury()], [3_000, before + 2_000]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].from_account], ['agent_return', 'Closing', agent.id]);
    assert.match(rows[0].to_account, /^sys_treasury_\d\d$/);
    const [entry] = await auditLogs(kissi, { action: 'agent.return_float', resource_id: transaction_id });
    assert.deepEqual([entry.details.payer, entry.details.amount], [agent.id, 2_000]);
    const transactions = await kissi.call('GET', '/api/v1/transactions?type=agent_return', {
      token: await agentToken(kissi, agent),
    });
    assert.deepEqual([transactions.json.total_count, transactions.json.transactions[0].direction], [1, 'debit']);
  });

  test('works for a suspended agent, which can then be terminated; other payments stay refused', async () => {
    const agent = await newFundedAgent(kissi, 700);
    await post(`/agents/${agent.id}/suspend`, { reason: 'Under review' });
    assertRefused(await fund(agent, { amount: 1 }), 403, 'AGENT_SUSPENDED');
    assertRefused(await post(`/agents/${agent.id}/terminate`, {}), 409, 'FLOAT_NOT_EMPTY');
    assert.equal((await returnFloat(agent, { amount: 700 })).json.balance, 0);
    assert.equal((await post(`/agents/${agent.id}/terminate`, {})).status, 200);
    assertRefused(await returnFloat(agent, { amount: 1 }), 403, 'AGENT_TERMINATED');
  });

  test('more than the float gets 400 INSUFFICIENT_FLOAT, an unknown agent 404, an invalid amount 400', async () => {
    const agent = await newFundedAgent(kissi, 100);
    const reply = assertRefused(await returnFloat(agent, { amount: 101 }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([reply.json.available, reply.json.required], [100, 101]);
    for (const id of ['agent_unknown', 'sys_suspense', bank.partnerId]) {
      assertRefused(await returnFloat({ id }, { amount: 1 }), 404, 'NOT_FOUND', id);
    }
    for (const amount of [0, -1, 1.5, '1e2', '', 2 ** 53]) {
      assertRefused(await returnFloat(agent, { amount }), 400, 'INVALID_AMOUNT', String(amount));
    }
    assert.equal(await floatOf(kissi, agent), 100);
    const [refused] = await auditLogs(kissi, { action: 'agent.return_float.refused', resource_id: agent.id });
    assert.equal(refused.details.code, 'INVALID_AMOUNT');
  });

  test("rejects agents' users, other staff roles, keys without treasury:write, and keys of partners and merchants with 403", async () => {
    const superAgent = await newFundedAgent(kissi, 100);
    const subAgent = await newSubAgent(kissi, superAgent);
    const merchant = await newMerchant(kissi);
    const tokens = [
      await agentToken(kissi, superAgent),
      await agentToken(kissi, subAgent),
      await staffToken(kissi, 'support_user'),
      (await apiKey(kissi, ['payments:read', 'payments:write', 'payouts:write'])).key,
      (await apiKey(kissi, ['payments:write', 'treasury:write'], { partner_id: bank.partnerId })).key,
      (await apiKey(kissi, ['payments:write', 'treasury:write'], { processor_id: merchant.id })).key,
    ];
    for (const token of tokens) assertRefused(await returnFloat(superAgent, { amount: 1 }, token), 403, 'FORBIDDEN');
    for (const [request_id, token] of [
      ['return-finance', await staffToken(kissi, 'finance_user')],
      ['return-key', bank.key],
    ] as const) {
      assert.equal((await returnFloat(superAgent, { amount: 1, request_id }, token)).status, 200);
    }
    assert.equal(await floatOf(kissi, superAgent), 98);
  });

  test('replays a repeated request byte for byte; different details or a funding under its id get 409', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const body = { amount: 300, request_id: 'return-again' };
    const first = await returnFloat(agent, body);
    const second = await returnFloat(agent, { ...body, amount: '300' });
    assert.deepEqual([second.text, second.headers.get('idempotent-replayed')], [first.text, 'true']);
    assertRefused(await returnFloat(agent, { ...body, amount: 301 }), 409, 'REQUEST_CONFLICT');
    assertRefused(await fund(agent, body), 409, 'REQUEST_CONFLICT');
    assert.equal(await floatOf(kissi, agent), 700);
  });

  test('concurrent returns never exceed the float, even while the agent is being terminated', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const replies = await withLockContention(kissi, {
      lock: `select 1 from accounts where id = '${agent.id}' for update`,
      waiters: 2,
      begin: () =>
        Promise.all([
          post(`/agents/${agent.id}/terminate`, {}),
          ...Array.from({ length: 15 }, () => returnFloat(agent, { amount: 100 })),
        ]),
    });
    const returned = replies.slice(1).filter(({ status }) => status === 200).length;
    assert.ok(returned <= 10);
    assert.equal(await floatOf(kissi, agent), 1_000 - returned * 100);
    for (const reply of replies) assert.ok(reply.status < 500, reply.text);
  });
});
