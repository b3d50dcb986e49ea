// Tests cash-out by agents' users: only into their own float, confirmed by the holder's PIN.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, floatOf, newAgent, newSubAgent } from '../../support/agents.ts';
import { bankForFile, DAILY_LIMIT, movementCount, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused, assertStatus, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const superAgent = await newAgent(kissi);
const subAgent = await newSubAgent(kissi, superAgent);
const [superToken, subToken] = [await agentToken(kissi, superAgent), await agentToken(kissi, subAgent)];

const cashOut = (token: string, agent: { id: string }, wallet: Wallet, extra: Record<string, unknown> = {}) =>
  kissi.call('POST', '/api/v1/wallet/withdraw', {
    body: { subscriber_id: wallet.id, agent_id: agent.id, amount: 10_000, pin: PIN, ...extra },
    token,
  });

describe("cash-out by an agent's user", () => {
  test("moves money from the wallet to the agent's own float and shows the float, not the wallet", async () => {
    for (const [agent, token] of [
      [superAgent, superToken],
      [subAgent, subToken],
    ] as const) {
      const wallet = await bank.wallet(77_700);
      const float = await floatOf(kissi, agent);
      const reply = assertStatus(await cashOut(token, agent, wallet, { description: 'Cash for the market' }), 200);
      const { amount, fee, total_debited, balance } = reply.json;
      assert.deepEqual([amount, fee, total_debited, balance], [10_000, 100, 10_100, float + 10_000]);
      assert.doesNotMatch(reply.text, /67600|67,600/, 'the balance of the wallet');
      assert.deepEqual([await bank.balance(wallet.id), await floatOf(kissi, agent)], [67_600, float + 10_000]);
      const [entry] = await auditLogs(kissi, { action: 'wallet.withdraw', actor_id: agent.userId });
      assert.equal(entry.resource_id, reply.json.transaction_id);
      assert.deepEqual(entry.details, { payer: wallet.id, payee: agent.id, amount: 10_000, fee: 100 });
    }
  });

  test('is refused for any other agent, even in the same network, before the subscriber is looked up', async () => {
    const wallet = await bank.wallet(50_000);
    const stranger = await newAgent(kissi);
    const pairs = [
      [superToken, subAgent],
      [subToken, superAgent],
      [superToken, stranger],
      [subToken, { id: 'agent_unknown' }],
    ] as const;
    for (const [token, agent] of pairs) {
      for (const target of [wallet, { id: 'sub_unknown', phone: '' }]) {
        assertRefused(await cashOut(token, agent, target), 403, 'FORBIDDEN');
      }
    }
    const withoutAgent = await staffToken(kissi, 'sub_agent');
    assertRefused(await cashOut(withoutAgent, subAgent, wallet), 403, 'FORBIDDEN');
    assert.equal(await movementCount(kissi, wallet.id), 1, 'only its funding');
  });

  test('needs the PIN of the subscriber and counts wrong ones', async () => {
    const wallet = await bank.wallet(50_000);
    assertRefused(await cashOut(subToken, subAgent, wallet, { pin: subAgent.pin }), 401, 'INVALID_PIN');
    for (const left of [1, 0]) {
      const reply = assertRefused(await cashOut(subToken, subAgent, wallet, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
      assert.equal(reply.json.attempts_remaining, left);
    }
    assertRefused(await cashOut(subToken, subAgent, wallet), 403, 'ACCOUNT_LOCKED');
    assert.equal(await bank.balance(wallet.id), 50_000);
  });

  test("respects the wallet's status, daily limit and balance, and reveals no amount", async () => {
    const wallet = await bank.wallet(DAILY_LIMIT + 500_000);
    const over = await cashOut(subToken, subAgent, wallet, { amount: DAILY_LIMIT + 1 });
    assertRefused(over, 422, 'DAILY_LIMIT_EXCEEDED');
    const poor = await bank.wallet(100);
    const short = assertRefused(await cashOut(subToken, subAgent, poor), 402, 'INSUFFICIENT_BALANCE');
    for (const { json } of [over, short]) assert.deepEqual(Object.keys(json).sort(), ['code', 'error', 'success']);
    await kissi.asAdmin.post(`/subscribers/${poor.id}/block`, { reason: 'Test' });
    assertRefused(await cashOut(subToken, subAgent, poor, { amount: 1 }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('pays once for one request_id, even when it arrives many times at once', async () => {
    const wallet = await bank.wallet(50_000);
    const float = await floatOf(kissi, subAgent);
    const attempts = Array.from({ length: 8 }, () => cashOut(subToken, subAgent, wallet, { request_id: 'cash-out-1' }));
    const replies = await Promise.all(attempts);
    assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, replies[0]?.text ?? '');
    assert.deepEqual([await bank.balance(wallet.id), await floatOf(kissi, subAgent)], [39_900, float + 10_000]);
    const other = await cashOut(subToken, subAgent, wallet, { request_id: 'cash-out-1', amount: 9_999 });
    assertRefused(other, 409, 'REQUEST_CONFLICT');
  });

  test('never pays out more than the wallet holds, whatever arrives at two agents at once', async () => {
    const wallet = await bank.wallet(35_000);
    const before = (await floatOf(kissi, superAgent)) + (await floatOf(kissi, subAgent));
    const attempts = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0 ? cashOut(subToken, subAgent, wallet) : cashOut(superToken, superAgent, wallet),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 3);
    assert.equal(statuses.filter((status) => status === 402).length, 9);
    assert.equal(await bank.balance(wallet.id), 35_000 - 3 * 10_100);
    assert.equal((await floatOf(kissi, superAgent)) + (await floatOf(kissi, subAgent)), before + 30_000);
  });

  test('of a politically exposed person needs the PIN only, as cash-in, and does not say who is one', async () => {
    const wallet = await bank.wallet(50_000);
    await markPep(kissi, wallet.id);
    assertRefused(await cashOut(subToken, subAgent, wallet, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    assertStatus(await cashOut(subToken, subAgent, wallet), 200);
    assert.equal(await bank.balance(wallet.id), 39_900);
  });

  test('ends with the suspension of the agent: its user is out, and staff are told why', async () => {
    const agent = await newSubAgent(kissi, superAgent);
    const token = await agentToken(kissi, agent);
    const wallet = await bank.wallet(50_000);
    const admin = await kissi.adminToken();
    const body = { reason: 'Test' };
    assert.equal((await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body, token: admin })).status, 200);
    assert.equal((await cashOut(token, agent, wallet)).status, 401);
    assertRefused(await cashOut(admin, agent, wallet), 403, 'AGENT_SUSPENDED');
    assert.equal(await bank.balance(wallet.id), 50_000);
  });
});
