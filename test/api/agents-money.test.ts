// Money of agents: floats funded from the treasury, cash taken in for wallets, and what each is refused for.
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
} from '../support/agents.ts';
import { bankForFile, MAX_BALANCE, movementCount, PIN, totalBalance } from '../support/money.ts';
import { apiKey, auditLogs, refusedAttemptCount, staffToken } from '../support/staff.ts';

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
const dropFee = (party: string) => kissi.call('DELETE', `/api/v1/fee-settings/agent_cashin/${party}`, { token: admin });

const treasury = () => totalBalance(kissi, 'treasury');

const NO_AMOUNTS = [0, -1, 0.5, 1e21, 2 ** 53, '', '-1', '1.0', '1e2', ' 1', '0', '٣', '9007199254740992'];
const NO_SHAPES = [null, true, [], {}, undefined];

describe('funding a float', () => {
  test('comes from the treasury, costs nothing, and answers as a transfer does, with the balance of the float', async () => {
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
    const { rows } = await kissi.db.database.pool.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_fund', 'March', 0]);
    assert.match(rows[0].from_account, /^sys_treasury_\d\d$/);
    const [entry] = await auditLogs(kissi, { action: 'agent.fund', resource_id: transaction_id });
    assert.deepEqual([entry.details.payee, entry.details.amount], [agent.id, 250_000]);
  });

  test('is for super-agents and sub-agents, by finance_user, system_admin and keys with payments:write', async () => {
    const boss = await newAgent(kissi);
    const field = await newSubAgent(kissi, boss);
    const finance = await staffToken(kissi, 'finance_user');
    for (const token of [admin, finance, bank.key]) {
      assert.equal((await fund(boss.id, { amount: 10 }, token)).status, 200);
      assert.equal((await fund(field.id, { amount: 10 }, token)).status, 200);
    }
    assert.deepEqual([await floatOf(kissi, boss), await floatOf(kissi, field)], [30, 30]);
    const [own, sub] = [await agentToken(kissi, boss), await agentToken(kissi, field)];
    const { key: reader } = await apiKey(kissi, ['payments:read', 'balance:read']);
    for (const token of [own, sub, reader, await staffToken(kissi, 'support_user')]) {
      assertRefused(await fund(boss.id, { amount: 10 }, token), 403, 'FORBIDDEN');
    }
    assert.equal(await floatOf(kissi, boss), 30);
  });

  test("is not for keys that belong to a partner: the treasury is the house's", async () => {
    const agent = await newAgent(kissi);
    const { key } = await apiKey(kissi, ['payments:write'], { partner_id: bank.partnerId });
    assertRefused(await fund(agent.id, { amount: 10 }, key), 403, 'FORBIDDEN');
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('again is answered byte for byte and moves nothing more; other details are 409 REQUEST_CONFLICT', async () => {
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
    assert.equal((await fund(agent.id, body, bank.key)).json.balance, 1_400, "request ids are each credential's own");
  });

  test('of nobody is 404, of no amount 400', async () => {
    const agent = await newAgent(kissi);
    const { id } = await bank.wallet();
    for (const nobody of ['agent_nobody', 'sys_suspense', id, bank.partnerId]) {
      assertRefused(await fund(nobody, { amount: 1 }), 404, 'NOT_FOUND', nobody);
    }
    for (const amount of NO_AMOUNTS)
      assertRefused(await fund(agent.id, { amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const amount of NO_SHAPES) assertRefused(await fund(agent.id, { amount }), 400, 'INVALID_REQUEST');
    assert.equal(await movementCount(kissi, agent.id), 0);
  });
});

describe('a cash-in', () => {
  test('debits the float by amount and fee, credits the wallet by the amount, and says so', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    const reply = await cashIn({ ...body, request_id: 'cash-1', description: 'Counter 2' });
    assert.equal(reply.status, 200, reply.text);
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
    const { rows } = await kissi.db.database.pool.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_cashin', 'Counter 2', 50]);
  });

  test('finds the wallet by id, by phone however it is written, and by the serial of a card', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const base = { agent_id: agent.id, amount: '1000', pin: agent.pin };
    const names = [
      { subscriber_id: wallet.id },
      { phone_number: wallet.phone },
      { phone_number: `0${wallet.phone.slice(4)}` },
      { card_serial: serial },
      { card_serial: serial.toLowerCase() },
    ];
    for (const name of names) {
      const reply = await cashIn({ ...base, ...name });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.json.subscriber_id, wallet.id);
    }
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [100_000 - 5 * 1_005, 5_000]);
  });

  test('names exactly one wallet: 400 INVALID_REQUEST otherwise', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const base = { agent_id: agent.id, amount: 100, pin: agent.pin };
    const both = [
      {},
      { subscriber_id: wallet.id, phone_number: wallet.phone },
      { phone_number: wallet.phone, card_serial: 'CARD-1' },
      { subscriber_id: wallet.id, phone_number: wallet.phone, card_serial: 'CARD-1' },
      { phone_number: '12' },
      { subscriber_id: 7 },
    ];
    for (const names of both) {
      assertRefused(await cashIn({ ...base, ...names }), 400, 'INVALID_REQUEST', JSON.stringify(names));
    }
    assert.equal(await floatOf(kissi, agent), 1_000);
  });

  test('is priced by the settings of that moment; a commission is paid to the agent from fee income', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    await setFee('agent', { fee_value: 0.2, debit_enabled: false, credit_enabled: true });
    await setFee('recipient', { fee_value: 1 });
    const reply = await cashIn(body);
    assert.deepEqual([reply.json.fee, reply.json.total_debited, reply.json.balance], [0, 9_980, 90_020]);
    assert.equal(await bank.balance(wallet.id), 9_900);
    await dropFee('agent');
    await dropFee('recipient');
    assert.equal((await cashIn(body)).json.fee, 50);
  });

  test('of more than the float holds is 400 INSUFFICIENT_FLOAT with both figures, the fee included', async () => {
    const agent = await newFundedAgent(kissi, 10_049);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 10_000, pin: agent.pin };
    const reply = await cashIn(body);
    assertRefused(reply, 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([reply.json.available, reply.json.required], [10_049, 10_050]);
    await fundAgent(kissi, agent, 1);
    assert.equal((await cashIn(body)).json.balance, 0);
  });

  test('is refused for the wallet as a transfer is', async () => {
    const agent = await newFundedAgent(kissi, 2 * MAX_BALANCE);
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const base = { agent_id: agent.id, amount: 100, pin: agent.pin };
    const right = { ...base, subscriber_id: wallet.id };
    assertRefused(await cashIn({ ...base, subscriber_id: 'sub_nobody' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, phone_number: '+23276999999' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, subscriber_id: agent.id }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await cashIn({ ...base, card_serial: 'CARD-NOBODY' }), 404, 'CARD_NOT_FOUND');
    await post(`/cards/${serial}/block`, { reason: 'Lost' });
    assertRefused(await cashIn({ ...base, card_serial: serial }), 403, 'CARD_BLOCKED');
    assertRefused(await cashIn({ ...right, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assert.equal((await cashIn({ ...right, amount: MAX_BALANCE })).status, 200, 'no limit of a day on what comes in');
    const partly = await bank.wallet();
    await post(`/subscribers/${partly.id}/block`, { reason: 'Review', transaction_types: ['agent_cashin'] });
    assertRefused(await cashIn({ ...base, subscriber_id: partly.id }), 403, 'TRANSACTION_TYPE_DISABLED');
    await post(`/subscribers/${wallet.id}/block`, { reason: 'Lost' });
    assertRefused(await cashIn(right), 403, 'SUBSCRIBER_BLOCKED');
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assertRefused(await cashIn({ ...base, subscriber_id: pending.id }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test("is refused in the contract's order: shape, existence, status, PIN, amount, limits, float", async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const wrong = { agent_id: agent.id, subscriber_id: wallet.id, amount: 0, pin: wrongPin(agent) };
    assertRefused(await cashIn({ ...wrong, agent_id: 'agent_x', pin: '12' }), 400, 'INVALID_PIN');
    assertRefused(await cashIn({ ...wrong, agent_id: 'agent_x', subscriber_id: 'sub_x' }), 404, 'NOT_FOUND');
    assertRefused(await cashIn({ ...wrong, subscriber_id: 'sub_x' }), 404, 'SUBSCRIBER_NOT_FOUND');
    const reply = await cashIn(wrong);
    assertRefused(reply, 400, 'INVALID_PIN');
    assert.equal(reply.json.attempts_remaining, 2);
    const right = { ...wrong, pin: agent.pin };
    for (const amount of NO_AMOUNTS) assertRefused(await cashIn({ ...right, amount }), 400, 'INVALID_AMOUNT');
    for (const amount of NO_SHAPES) assertRefused(await cashIn({ ...right, amount }), 400, 'INVALID_REQUEST');
    for (const literal of ['1e2', '100.0']) {
      const raw = JSON.stringify({ ...right, amount: null }).replace('"amount":null', `"amount":${literal}`);
      const reply = await kissi.call('POST', '/api/v1/agents/cashin', { raw, token: bank.key });
      assertRefused(reply, 400, 'INVALID_AMOUNT', literal);
    }
    assertRefused(await cashIn({ ...right, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await cashIn({ ...right, amount: Number.MAX_SAFE_INTEGER }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await cashIn({ ...right, amount: 1_000 }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(wallet.id)], [1_000, 0]);
  });

  test("needs the PIN of the agent: neither the wallet's nor another agent's opens it", async () => {
    const [agent, other] = [await newFundedAgent(kissi, 1_000), await newAgent(kissi)];
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100 };
    for (const pin of [PIN, other.pin]) {
      if (pin !== agent.pin) assertRefused(await cashIn({ ...body, pin }), 400, 'INVALID_PIN');
    }
    assert.equal((await cashIn({ ...body, pin: agent.pin })).status, 200);
  });

  test('again is answered byte for byte, whatever has changed since; other details are 409', async () => {
    const agent = await newFundedAgent(kissi, 10_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, phone_number: wallet.phone, amount: 500, pin: agent.pin, request_id: 'cash-2' };
    const first = await cashIn(body);
    await post(`/agents/${agent.id}/suspend`, { reason: 'Audit' });
    const retry = { ...body, amount: '500', phone_number: `0${wallet.phone.slice(4)}`, pin: wrongPin(agent) };
    const second = await cashIn(retry);
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    const { phone_number: _, ...unnamed } = body;
    for (const other of [
      { ...body, amount: 501 },
      { ...body, description: 'x' },
      { ...unnamed, subscriber_id: wallet.id },
    ]) {
      assertRefused(await cashIn(other), 409, 'REQUEST_CONFLICT');
    }
    assert.equal(await bank.balance(wallet.id), 500);
  });

  test('by card again is the same however the serial is written', async () => {
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

  test('twenty at once that each need the whole float: exactly one succeeds', async () => {
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

  test("shows on the wallet's statement as a deposit at that agent", async () => {
    const agent = await newFundedAgent(kissi, 10_000);
    const wallet = await bank.wallet();
    await cashIn({ agent_id: agent.id, subscriber_id: wallet.id, amount: 500, pin: agent.pin });
    const body = { subscriber_id: wallet.id, from: '2026-01-01', to: '2026-12-31' };
    const { entries } = (await bank.post('/wallet/account-statement', body)).json;
    assert.deepEqual([entries[0].description, entries[0].credit], ['Cash deposit, Kissy Road Traders', 500]);
  });
});

describe('whose float', () => {
  test("agents' users take cash in from their own float alone: 403 from any other, 404 from nobody's", async () => {
    const [boss, other] = [await newFundedAgent(kissi, 10_000), await newFundedAgent(kissi, 10_000)];
    const field = await newSubAgent(kissi, boss);
    await fundAgent(kissi, field, 10_000);
    const wallet = await bank.wallet();
    const named = (agent: TestAgent) => ({ agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: agent.pin });
    const [asBoss, asField] = [await agentToken(kissi, boss), await agentToken(kissi, field)];
    assert.equal((await cashIn(named(boss), asBoss)).status, 200);
    assert.equal((await cashIn(named(field), asField)).status, 200);
    for (const [token, agent] of [
      [asBoss, field],
      [asBoss, other],
      [asField, boss],
      [asField, other],
    ] as const) {
      assertRefused(await cashIn(named(agent), token), 403, 'FORBIDDEN');
    }
    assertRefused(await cashIn({ ...named(boss), agent_id: 'agent_nobody' }, asBoss), 404, 'NOT_FOUND');
    assert.equal(await bank.balance(wallet.id), 200);
    const made = await auditLogs(kissi, { action: 'agent.cashin', actor_id: field.userId });
    assert.deepEqual([made.length, made[0].details.payer], [1, field.id]);
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.cashin.refused', actor_id: field.userId }), 2);
  });

  test("a refusal for another's float costs that agent no attempt at its PIN", async () => {
    const [agent, thief] = [await newFundedAgent(kissi, 1_000), await newAgent(kissi)];
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: wrongPin(agent) };
    const token = await agentToken(kissi, thief);
    for (let i = 0; i < 5; i++) assertRefused(await cashIn(body, token), 403, 'FORBIDDEN');
    assert.equal((await cashIn({ ...body, pin: agent.pin })).status, 200);
  });

  test('staff other than system_admin, and keys without payments:write, take no cash in', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const wallet = await bank.wallet();
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: agent.pin };
    assert.equal((await cashIn(body, admin)).status, 200);
    for (const role of ['finance_user', 'support_user', 'compliance_user'] as const) {
      assertRefused(await cashIn(body, await staffToken(kissi, role)), 403, 'FORBIDDEN', role);
    }
    const { key } = await apiKey(kissi, ['payments:read', 'subscribers:write']);
    assertRefused(await cashIn(body, key), 403, 'FORBIDDEN');
  });

  test("agents' users see their own payments in GET /transactions, and nobody else's", async () => {
    const boss = await newFundedAgent(kissi, 10_000);
    const field = await newSubAgent(kissi, boss);
    await fundAgent(kissi, field, 5_000);
    const wallet = await bank.wallet(20_000);
    await cashIn({ agent_id: field.id, subscriber_id: wallet.id, amount: 1_000, pin: field.pin });
    const cash = { subscriber_id: wallet.id, agent_id: field.id, amount: 2_000, pin: PIN };
    assert.equal((await bank.post('/wallet/withdraw', cash)).status, 200);
    const token = await agentToken(kissi, field);
    const { json } = await kissi.call('GET', '/api/v1/transactions', { token });
    assert.deepEqual(
      json.transactions.map((seen: { type: string; direction: string; balance_after: number }) => [
        seen.type,
        seen.direction,
        seen.balance_after,
      ]),
      [
        ['wallet_withdraw', 'credit', 5_995],
        ['agent_cashin', 'debit', 3_995],
        ['agent_fund', 'credit', 5_000],
      ],
    );
    assert.equal(json.total_count, 3);
    const asBoss = await kissi.call('GET', '/api/v1/transactions', { token: await agentToken(kissi, boss) });
    assert.deepEqual([asBoss.json.total_count, asBoss.json.transactions[0].type], [1, 'agent_fund']);
    const named = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${wallet.id}`, { token });
    assertRefused(named, 403, 'FORBIDDEN');
  });
});

describe('cash out at an agent', () => {
  test('needs an agent on file that is active', async () => {
    const agent = await newAgent(kissi);
    const wallet = await bank.wallet(10_000);
    const body = { subscriber_id: wallet.id, agent_id: agent.id, amount: 1_000, pin: PIN };
    assert.equal((await bank.post('/wallet/withdraw', body)).status, 200);
    assert.equal(await floatOf(kissi, agent), 1_000);
    await post(`/agents/${agent.id}/suspend`, { reason: 'Audit' });
    assertRefused(await bank.post('/wallet/withdraw', body), 403, 'AGENT_SUSPENDED');
    const gone = await newAgent(kissi);
    await post(`/agents/${gone.id}/terminate`, {});
    assertRefused(await bank.post('/wallet/withdraw', { ...body, agent_id: gone.id }), 403, 'AGENT_TERMINATED');
    assertRefused(await bank.post('/wallet/withdraw', { ...body, agent_id: 'agent_nobody' }), 404, 'NOT_FOUND');
    assert.equal(await bank.balance(wallet.id), 10_000 - 1_010);
  });
});
