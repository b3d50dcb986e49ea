// Agents' floats: funding from the treasury, cash-in to wallets, cash-out, and the refusals of each.
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
  type TestAgent,
  wrongPin,
} from '../../support/agents.ts';
import { bankForFile, MAX_BALANCE, movementCount, PIN, totalBalance } from '../../support/money.ts';
import { apiKey, assertStatus, auditLogs, refusedAttemptCount, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const post = (path: string, body: unknown, token = admin, headers: Record<string, string> = {}) =>
  kissi.call('POST', `/api/v1${path}`, { body, token, headers });
const fund = (id: string, body: unknown, token = admin) => post(`/agents/${id}/fund`, body, token);
const cashIn = (body: unknown, token = bank.key) => post('/agents/cashin', body, token);
const setFee = (party_type: string, fee: Record<string, unknown>) =>
  kissi.call('PUT', '/api/v1/fee-settings', {
    body: { transaction_type: 'agent_cashin', party_type, fee_type: 'flat', ...fee },
    token: admin,
  });
const deleteFee = (party: string) =>
  kissi.call('DELETE', `/api/v1/fee-settings/agent_cashin/${party}`, { token: admin });

const treasury = () => totalBalance(kissi, 'treasury');

const INVALID_AMOUNTS = [0, -1, 0.5, 1e21, 2 ** 53, '', '-1', '1.0', '1e2', ' 1', '0', '٣', '9007199254740992'];
const MALFORMED_AMOUNTS = [null, true, [], {}, undefined];

describe('POST /agents/:id/fund', () => {
  test("debits the treasury without a fee and returns the transaction with the float's balance", async () => {
    const agent = await newAgent(kissi);
    const before = await treasury();
    const reply = await fund(agent.id, { amount: '250000', request_id: 'fund-1', description: ' March ' });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id } = reply.json;
    assert.match(transaction_id, /^txn_[0-9A-Z]{26}$/);
    assert.deepEqual(reply.json, {
      success: true,
      message: 'The float was funded.',
      transaction_id,
      request_id: 'fund-1',
      status: 'COMPLETED',
      amount: 250_000,
      fee: 0,
      total_debited: 250_000,
      currency: 'SLE',
      balance: 250_000,
      created_at: new Date(kissi.clock.now()).toISOString(),
      agent_id: agent.id,
    });
    assert.deepEqual([await floatOf(kissi, agent), await treasury()], [250_000, before - 250_000]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_fund', 'March', 0]);
    assert.match(rows[0].from_account, /^sys_treasury_\d\d$/);
    const [entry] = await auditLogs(kissi, { action: 'agent.fund', resource_id: transaction_id });
    assert.deepEqual([entry.details.payee, entry.details.amount], [agent.id, 250_000]);
  });

  test('funds super-agents and sub-agents for finance_user, system_admin and keys with treasury:write', async () => {
    const superAgent = await newAgent(kissi);
    const subAgent = await newSubAgent(kissi, superAgent);
    const finance = await staffToken(kissi, 'finance_user');
    for (const [index, token] of [admin, finance, bank.key].entries()) {
      assert.equal((await fund(superAgent.id, { amount: 10, request_id: `fund-super-${index}` }, token)).status, 200);
      assert.equal((await fund(subAgent.id, { amount: 10, request_id: `fund-sub-${index}` }, token)).status, 200);
    }
    assert.deepEqual([await floatOf(kissi, superAgent), await floatOf(kissi, subAgent)], [30, 30]);
    const [superAgentToken, subAgentToken] = [await agentToken(kissi, superAgent), await agentToken(kissi, subAgent)];
    const { key: readKey } = await apiKey(kissi, ['payments:read', 'payments:write', 'payouts:write', 'balance:read']);
    for (const token of [superAgentToken, subAgentToken, readKey, await staffToken(kissi, 'support_user')]) {
      assertRefused(await fund(superAgent.id, { amount: 10 }, token), 403, 'FORBIDDEN');
    }
    assert.equal(await floatOf(kissi, superAgent), 30);
  });

  test('rejects API keys that belong to a partner, because the treasury belongs to the operator', async () => {
    const agent = await newAgent(kissi);
    const { key } = await apiKey(kissi, ['payments:write', 'treasury:write'], { partner_id: bank.partnerId });
    assertRefused(await fund(agent.id, { amount: 10 }, key), 403, 'FORBIDDEN');
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('replays a repeated request byte for byte; different details get 409 REQUEST_CONFLICT', async () => {
    const [agent, other] = [await newAgent(kissi), await newAgent(kissi)];
    const body = { amount: 700, request_id: 'again', description: 'Top-up' };
    const first = await fund(agent.id, body);
    kissi.clock.advance(1_000);
    const second = await fund(agent.id, { ...body, amount: '700' });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    for (const change of [{ amount: 701 }, { amount: 0 }, { description: 'Other' }]) {
      assertRefused(await fund(agent.id, { ...body, ...change }), 409, 'REQUEST_CONFLICT');
    }
    assertRefused(await fund(other.id, body), 409, 'REQUEST_CONFLICT');
    assert.deepEqual([await floatOf(kissi, agent), await floatOf(kissi, other)], [700, 0]);
    const byKey = await fund(agent.id, body, bank.key);
    assert.deepEqual([byKey.json.transaction_id, byKey.json.balance], [first.json.transaction_id, undefined]);
    assert.equal(await floatOf(kissi, agent), 700);
  });

  test('an unknown agent gets 404, an invalid amount 400', async () => {
    const agent = await newAgent(kissi);
    const { id } = await bank.wallet();
    for (const unknownId of ['agent_unknown', 'sys_suspense', id, bank.partnerId]) {
      assertRefused(await fund(unknownId, { amount: 1 }), 404, 'NOT_FOUND', unknownId);
    }
    for (const amount of INVALID_AMOUNTS)
      assertRefused(await fund(agent.id, { amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const amount of MALFORMED_AMOUNTS) assertRefused(await fund(agent.id, { amount }), 400, 'INVALID_REQUEST');
    assert.equal(await movementCount(kissi, agent.id), 0);
  });
});

describe('POST /agents/cashin', () => {
  test('debits the float by amount plus fee and credits the wallet with the amount', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    const reply = assertStatus(await cashIn({ ...body, request_id: 'cash-1', description: 'Counter 2' }), 200);
    const { transaction_id } = reply.json;
    assert.deepEqual(reply.json, {
      success: true,
      message: 'The cash-in was completed.',
      transaction_id,
      request_id: 'cash-1',
      status: 'COMPLETED',
      amount: 10_000,
      fee: 50,
      total_debited: 10_050,
      currency: 'SLE',
      balance: 89_950,
      created_at: new Date(kissi.clock.now()).toISOString(),
      agent_id: agent.id,
      subscriber_id: wallet.id,
    });
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [89_950, 10_000]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_cashin', 'Counter 2', 50]);
  });

  test('finds the wallet by id, by phone number in any format, or by card serial', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const base = { agent_id: agent.id, amount: '1000', pin: agent.pin };
    const identifiers = [
      { subscriber_id: wallet.id },
      { phone_number: wallet.phone },
      { phone_number: `0${wallet.phone.slice(4)}` },
      { card_serial: serial },
      { card_serial: serial.toLowerCase() },
    ];
    for (const identifier of identifiers) {
      const reply = assertStatus(await cashIn({ ...base, ...identifier }), 200);
      assert.equal(reply.json.subscriber_id, wallet.id);
    }
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [100_000 - 5 * 1_005, 5_000]);
  });

  test('rejects a request that does not name exactly one valid wallet with 400 INVALID_REQUEST', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const base = { agent_id: agent.id, amount: 100, pin: agent.pin };
    const invalid = [
      {},
      { subscriber_id: wallet.id, phone_number: wallet.phone },
      { phone_number: wallet.phone, card_serial: 'CARD-1' },
      { subscriber_id: wallet.id, phone_number: wallet.phone, card_serial: 'CARD-1' },
      { phone_number: '12' },
      { subscriber_id: 7 },
    ];
    for (const identifiers of invalid) {
      assertRefused(await cashIn({ ...base, ...identifiers }), 400, 'INVALID_REQUEST', JSON.stringify(identifiers));
    }
    assert.equal(await floatOf(kissi, agent), 1_000);
  });

  test("applies the current fee settings and pays the agent's commission from fee income", async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    await setFee('agent', { fee_value: 0.2, debit_enabled: false, credit_enabled: true });
    await setFee('recipient', { fee_value: 1 });
    const reply = await cashIn(body);
    assert.deepEqual([reply.json.fee, reply.json.total_debited, reply.json.balance], [0, 9_980, 90_020]);
    assert.equal(await bank.balance(wallet.id), 9_900);
    await deleteFee('agent');
    await deleteFee('recipient');
    assert.equal((await cashIn(body)).json.fee, 50);
  });

  test('exceeding the float, fee included, gets 400 INSUFFICIENT_FLOAT with available and required amounts', async () => {
    const agent = await newFundedAgent(kissi, 10_049);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    const reply = assertRefused(await cashIn(body), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([reply.json.available, reply.json.required], [10_049, 10_050]);
    await fundAgent(kissi, agent, 1);
    assert.equal((await cashIn(body)).json.balance, 0);
  });

  test('enforces the status, card, type and balance rules of the wallet', async () => {
    const agent = await newFundedAgent(kissi, 2 * MAX_BALANCE);
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const base = { agent_id: agent.id, amount: 100, pin: agent.pin };
    const valid = { ...base, subscriber_id: wallet.id };
    assertRefused(await cashIn({ ...base, subscriber_id: 'sub_unknown' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, phone_number: '+23276999999' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, subscriber_id: agent.id }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, card_serial: 'CARD-UNKNOWN' }), 404, 'CARD_NOT_FOUND');
    await post(`/cards/${serial}/block`, { reason: 'Lost' });
    assertRefused(await cashIn({ ...base, card_serial: serial }), 403, 'CARD_BLOCKED');
    assertRefused(await cashIn({ ...valid, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assert.equal((await cashIn({ ...valid, amount: MAX_BALANCE })).status, 200, 'no daily limit on incoming money');
    const restricted = await bank.wallet();
    await post(`/subscribers/${restricted.id}/block`, { reason: 'Review', transaction_types: ['agent_cashin'] });
    assertRefused(await cashIn({ ...base, subscriber_id: restricted.id }), 403, 'TRANSACTION_TYPE_DISABLED');
    await post(`/subscribers/${wallet.id}/block`, { reason: 'Lost' });
    assertRefused(await cashIn(valid), 403, 'SUBSCRIBER_BLOCKED');
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assertRefused(await cashIn({ ...base, subscriber_id: pending.id }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test("checks in the contract's order: shape, existence, status, PIN, amount, limits, float", async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const invalid = { agent_id: agent.id, subscriber_id: wallet.id, amount: 0, pin: wrongPin(agent) };
    assertRefused(await cashIn({ ...invalid, agent_id: 'agent_x', pin: '12' }), 400, 'INVALID_PIN');
    assertRefused(await cashIn({ ...invalid, agent_id: 'agent_x', subscriber_id: 'sub_x' }), 404, 'NOT_FOUND');
    assertRefused(await cashIn({ ...invalid, subscriber_id: 'sub_x' }), 404, 'SUBSCRIBER_NOT_FOUND');
    const reply = assertRefused(await cashIn(invalid), 400, 'INVALID_PIN');
    assert.equal(reply.json.attempts_remaining, 2);
    const valid = { ...invalid, pin: agent.pin };
    for (const amount of INVALID_AMOUNTS) assertRefused(await cashIn({ ...valid, amount }), 400, 'INVALID_AMOUNT');
    for (const amount of MALFORMED_AMOUNTS) assertRefused(await cashIn({ ...valid, amount }), 400, 'INVALID_REQUEST');
    for (const literal of ['1e2', '100.0']) {
      const raw = JSON.stringify({ ...valid, amount: null }).replace('"amount":null', `"amount":${literal}`);
      const reply = await kissi.call('POST', '/api/v1/agents/cashin', { raw, token: bank.key });
      assertRefused(reply, 400, 'INVALID_AMOUNT', literal);
    }
    assertRefused(await cashIn({ ...valid, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await cashIn({ ...valid, amount: Number.MAX_SAFE_INTEGER }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await cashIn({ ...valid, amount: 1_000 }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [1_000, 0]);
  });

  test("requires the agent's own PIN, not the wallet's or another agent's", async () => {
    const [agent, other] = [await newFundedAgent(kissi, 1_000), await newAgent(kissi)];
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100 };
    for (const pin of [PIN, other.pin]) {
      if (pin !== agent.pin) assertRefused(await cashIn({ ...body, pin }), 400, 'INVALID_PIN');
    }
    assert.equal((await cashIn({ ...body, pin: agent.pin })).status, 200);
  });

  test('replays a repeated request byte for byte after the agent is suspended; different details get 409', async () => {
    const agent = await newFundedAgent(kissi, 10_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, phone_number: wallet.phone, amount: 500, pin: agent.pin, request_id: 'cash-2' };
    const first = await cashIn(body);
    await post(`/agents/${agent.id}/suspend`, { reason: 'Audit' });
    const retry = { ...body, amount: '500', phone_number: `0${wallet.phone.slice(4)}`, pin: wrongPin(agent) };
    const second = await cashIn(retry);
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    const { phone_number: _, ...withoutPhone } = body;
    for (const other of [
      { ...body, amount: 501 },
      { ...body, description: 'x' },
      { ...withoutPhone, subscriber_id: wallet.id },
    ]) {
      assertRefused(await cashIn(other), 409, 'REQUEST_CONFLICT');
    }
    assert.equal(await bank.balance(wallet.id), 500);
  });

  test('replays a cash-in by card however the serial is written', async () => {
    const agent = await newFundedAgent(kissi, 10_000);
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const body = { agent_id: agent.id, amount: 500, pin: agent.pin, request_id: 'cash-3' };
    const first = await cashIn({ ...body, card_serial: serial });
    for (const card_serial of [serial.toLowerCase(), ` ${serial} `]) {
      const again = await cashIn({ ...body, card_serial });
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
    assertRefused(await cashIn({ ...body, card_serial: await bank.card(wallet) }), 409, 'REQUEST_CONFLICT');
    assert.equal(await bank.balance(wallet.id), 500);
  });

  test('one of twenty concurrent cash-ins that each need the whole float succeeds', async () => {
    const agent = await newFundedAgent(kissi, 10_050);
    const wallets = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    const replies = await Promise.all(
      wallets.map(({ id }) => cashIn({ agent_id: agent.id, subscriber_id: id, amount: 10_000, pin: agent.pin })),
    );
    const codes = replies.map(({ status, json }) => json.code ?? status);
    assert.equal(codes.filter((code) => code === 200).length, 1, codes.join());
    assert.equal(codes.filter((code) => code === 'INSUFFICIENT_FLOAT').length, 19, codes.join());
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test("appears on the wallet's statement as a deposit at that agent", async () => {
    const agent = await newFundedAgent(kissi, 10_000);
    const wallet = await bank.wallet();
    await cashIn({ agent_id: agent.id, subscriber_id: wallet.id, amount: 500, pin: agent.pin });
    const body = { subscriber_id: wallet.id, from: '2026-01-01', to: '2026-12-31' };
    const { entries } = (await bank.post('/wallet/account-statement', body)).json;
    assert.deepEqual([entries[0].description, entries[0].credit], ['Cash deposit, Kissy Road Traders', 500]);
  });
});

describe('access to floats', () => {
  test("agents' users cash in from their own float only: another agent's gets 403, an unknown agent 404", async () => {
    const [superAgent, other] = [await newFundedAgent(kissi, 10_000), await newFundedAgent(kissi, 10_000)];
    const subAgent = await newSubAgent(kissi, superAgent);
    await fundAgent(kissi, subAgent, 10_000);
    const wallet = await bank.wallet();
    const cashInFrom = (agent: TestAgent) => ({
      agent_id: agent.id,
      subscriber_id: wallet.id,
      amount: 100,
      pin: agent.pin,
    });
    const [superAgentToken, subAgentToken] = [await agentToken(kissi, superAgent), await agentToken(kissi, subAgent)];
    assert.equal((await cashIn(cashInFrom(superAgent), superAgentToken)).status, 200);
    assert.equal((await cashIn(cashInFrom(subAgent), subAgentToken)).status, 200);
    for (const [token, agent] of [
      [superAgentToken, subAgent],
      [superAgentToken, other],
      [subAgentToken, superAgent],
      [subAgentToken, other],
    ] as const) {
      assertRefused(await cashIn(cashInFrom(agent), token), 403, 'FORBIDDEN');
    }
    assertRefused(
      await cashIn({ ...cashInFrom(superAgent), agent_id: 'agent_unknown' }, superAgentToken),
      404,
      'NOT_FOUND',
    );
    assert.equal(await bank.balance(wallet.id), 200);
    const entries = await auditLogs(kissi, { action: 'agent.cashin', actor_id: subAgent.userId });
    assert.deepEqual([entries.length, entries[0].details.payer], [1, subAgent.id]);
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.cashin.refused', actor_id: subAgent.userId }), 2);
  });

  test("a cash-in rejected for another agent's float does not count as a PIN attempt", async () => {
    const [agent, attacker] = [await newFundedAgent(kissi, 1_000), await newAgent(kissi)];
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: wrongPin(agent) };
    const token = await agentToken(kissi, attacker);
    for (let i = 0; i < 5; i++) assertRefused(await cashIn(body, token), 403, 'FORBIDDEN');
    assert.equal((await cashIn({ ...body, pin: agent.pin })).status, 200);
  });

  test("a system_admin cashes in from any agent's float", async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: agent.pin };
    assert.equal((await cashIn(body, admin)).status, 200);
  });

  test("agents' users see only their own payments in GET /transactions", async () => {
    const superAgent = await newFundedAgent(kissi, 10_000);
    const subAgent = await newSubAgent(kissi, superAgent);
    await fundAgent(kissi, subAgent, 5_000);
    const wallet = await bank.wallet(20_000);
    await cashIn({ agent_id: subAgent.id, subscriber_id: wallet.id, amount: 1_000, pin: subAgent.pin });
    const withdrawal = { subscriber_id: wallet.id, agent_id: subAgent.id, amount: 2_000, pin: PIN };
    assert.equal((await bank.post('/wallet/withdraw', withdrawal)).status, 200);
    const token = await agentToken(kissi, subAgent);
    const { json } = await kissi.call('GET', '/api/v1/transactions', { token });
    assert.deepEqual(
      json.transactions.map((transaction: { type: string; direction: string; balance_after: number }) => [
        transaction.type,
        transaction.direction,
        transaction.balance_after,
      ]),
      [
        ['wallet_withdraw', 'credit', 5_995],
        ['agent_cashin', 'debit', 3_995],
        ['agent_fund', 'credit', 5_000],
      ],
    );
    assert.equal(json.total_count, 3);
    const asSuperAgent = await kissi.call('GET', '/api/v1/transactions', {
      token: await agentToken(kissi, superAgent),
    });
    assert.deepEqual([asSuperAgent.json.total_count, asSuperAgent.json.transactions[0].type], [1, 'agent_fund']);
    const ofSubscriber = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${wallet.id}`, { token });
    assertRefused(ofSubscriber, 403, 'FORBIDDEN');
  });
});

describe('cash-out at an agent', () => {
  test('requires a known, active agent', async () => {
    const agent = await newAgent(kissi);
    const wallet = await bank.wallet(10_000);
    const body = { subscriber_id: wallet.id, agent_id: agent.id, amount: 1_000, pin: PIN };
    assert.equal((await bank.post('/wallet/withdraw', body)).status, 200);
    assert.equal(await floatOf(kissi, agent), 1_000);
    await post(`/agents/${agent.id}/suspend`, { reason: 'Audit' });
    assertRefused(await bank.post('/wallet/withdraw', body), 403, 'AGENT_SUSPENDED');
    const terminated = await newAgent(kissi);
    await post(`/agents/${terminated.id}/terminate`, {});
    assertRefused(await bank.post('/wallet/withdraw', { ...body, agent_id: terminated.id }), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/wallet/withdraw', { ...body, agent_id: 'agent_unknown' }), 404, 'NOT_FOUND');
    assert.equal(await bank.balance(wallet.id), 10_000 - 1_010);
  });
});
