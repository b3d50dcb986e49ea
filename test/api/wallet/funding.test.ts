// Tests funding of wallets from partners and cash withdrawals at agents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeAccount } from '../../../src/ledger/accounts.ts';
import {
  bankForFile,
  DAILY_LIMIT,
  MAX_BALANCE,
  newAgentFloat,
  newPartner,
  PIN,
  WRONG_PIN,
} from '../../support/money.ts';
import { apiKey, assertRefused, assertStatus, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });
const finance = await staffToken(kissi, 'finance_user');

const fund = (body: object, token = finance) => kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token });
const withdraw = (body: object) => bank.post('/wallet/withdraw', body);
const asAdmin = async (path: string, body: object = {}, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });

describe('funding from a partner', () => {
  test('credits the wallet without a fee and increases what the partner owes', async () => {
    const partner = await newPartner(kissi);
    const { id } = await bank.wallet();
    const reply = await fund({ partner_id: partner, subscriber_id: id, amount: '25000', description: 'Salary' });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id: _, created_at: __, ...rest } = reply.json;
    assert.deepEqual(rest, {
      success: true,
      message: 'The wallet was funded.',
      request_id: null,
      status: 'COMPLETED',
      amount: 25_000,
      fee: 0,
      total_debited: 25_000,
      currency: 'SLE',
      balance: 25_000,
      partner_id: partner,
      subscriber_id: id,
    });
    assert.deepEqual([await bank.balance(id), await bank.balance(partner)], [25_000, -25_000]);
  });

  test('finds the wallet by partner_wallet_id', async () => {
    const { id } = await bank.wallet();
    await asAdmin(`/subscribers/${id}`, { partner_wallet_id: 'rokel-0042' }, 'PUT');
    const reply = await fund({ partner_id: bank.partnerId, partner_wallet_id: 'rokel-0042', amount: 10 });
    assert.deepEqual([reply.status, reply.json.subscriber_id], [200, id]);
    const unknown = await fund({ partner_id: bank.partnerId, partner_wallet_id: 'rokel-0043', amount: 10 });
    assertRefused(unknown, 404, 'SUBSCRIBER_NOT_FOUND');
  });

  test('normalizes partner_wallet_id, even when it recognizes a repeated request', async () => {
    const { id } = await bank.wallet();
    await asAdmin(`/subscribers/${id}`, { partner_wallet_id: ' Caf\u00e9-7 ' }, 'PUT');
    const body = { partner_id: bank.partnerId, amount: 10, request_id: 'fund-padded-1' };
    const first = await fund({ ...body, partner_wallet_id: '  Cafe\u0301-7\t' });
    assert.deepEqual([first.status, first.json.subscriber_id], [200, id], first.text);
    const again = await fund({ ...body, partner_wallet_id: 'Caf\u00e9-7' });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(await bank.balance(id), 10);
  });

  test('is refused with the documented codes in the documented order', async () => {
    const suspended = await newPartner(kissi, 'suspended');
    const { id } = await bank.wallet();
    const valid = { partner_id: bank.partnerId, subscriber_id: id, amount: 100 };
    const both = { ...valid, partner_wallet_id: 'x' };
    for (const body of [both, { ...valid, subscriber_id: undefined }]) {
      assertRefused(await fund(body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await fund({ ...valid, partner_id: 'ptn_unknown', amount: 0 }), 404, 'NOT_FOUND');
    assertRefused(await fund({ ...valid, partner_id: 'sys_treasury_00' }), 404, 'NOT_FOUND');
    assertRefused(await fund({ ...valid, subscriber_id: 'sub_unknown', amount: 0 }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await fund({ ...valid, partner_id: suspended, amount: 0 }), 403, 'PARTNER_SUSPENDED');
    assertRefused(await fund({ ...valid, amount: 0 }), 400, 'INVALID_AMOUNT');
    assertRefused(await fund({ ...valid, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await fund({ ...valid, amount: Number.MAX_SAFE_INTEGER }), 422, 'MAX_BALANCE_EXCEEDED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x', transaction_types: ['vult_fund'] });
    assertRefused(await fund(valid), 403, 'TRANSACTION_TYPE_DISABLED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await fund({ ...valid, amount: 0 }), 403, 'SUBSCRIBER_BLOCKED');
    assert.equal(await bank.balance(id), 0);
  });

  test('is refused beyond the floor of the clearing account', async () => {
    const partner = await newPartner(kissi);
    await changeAccount(kissi.db.database.queries, partner, { floor: -1_000 });
    const { id } = await bank.wallet();
    const body = { partner_id: partner, subscriber_id: id };
    assert.equal((await fund({ ...body, amount: 1_000 })).status, 200);
    assertRefused(await fund({ ...body, amount: 1 }), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
  });

  test("with a partner's key is possible only from that partner", async () => {
    const [own, other] = [await newPartner(kissi), await newPartner(kissi)];
    const { key } = await apiKey(kissi, ['payments:write'], { partner_id: own });
    const { id } = await bank.wallet();
    assert.equal((await fund({ partner_id: own, subscriber_id: id, amount: 1 }, key)).status, 200);
    assertRefused(await fund({ partner_id: other, subscriber_id: id, amount: 1 }, key), 403, 'FORBIDDEN');
  });

  test("with a partner's key shows no balance, neither then nor later", async () => {
    const partner_id = await newPartner(kissi);
    const { key } = await apiKey(kissi, ['payments:write', 'payments:read'], { partner_id });
    const { id } = await bank.wallet(987_654);
    const body = { partner_id, subscriber_id: id, amount: 1, request_id: 'one-unit' };
    const [first, again] = [await fund(body, key), await fund(body, key)];
    assert.deepEqual([first.status, first.json.amount, again.text], [200, 1, first.text], first.text);
    const outcome = await kissi.call('GET', '/api/v1/requests/one-unit', { token: key });
    assert.equal(outcome.json.transaction_id, first.json.transaction_id, outcome.text);
    const byFinance = assertStatus(await fund(body), 200);
    for (const { text } of [first, again, outcome, byFinance]) assert.ok(!/balance|987655/.test(text), text);
    assert.equal(await bank.balance(id), 987_655);
  });

  test('by finance writes an audit entry with the transaction id', async () => {
    const token = await staffToken(kissi, 'finance_user');
    const { id } = await bank.wallet();
    const reply = assertStatus(await fund({ partner_id: bank.partnerId, subscriber_id: id, amount: 777 }, token), 200);
    const [entry] = await auditLogs(kissi, { action: 'wallet.fund' });
    assert.equal(entry.resource_id, reply.json.transaction_id);
    assert.deepEqual(entry.details, { payer: bank.partnerId, payee: id, amount: 777, fee: 0 });
    assert.equal(entry.actor_type, 'user');
    const verification = await kissi.asAdmin.get('/audit/verify');
    assert.equal(verification.json.valid, true);
  });
});

describe('withdrawing cash', () => {
  test("debits the amount and a fee of 1% and credits the agent's float", async () => {
    const [{ id }, agent] = [await bank.wallet(50_000), await newAgentFloat(kissi)];
    const reply = assertStatus(await withdraw({ subscriber_id: id, agent_id: agent, amount: 10_000, pin: PIN }), 200);
    const { amount, fee, total_debited, balance } = reply.json;
    assert.deepEqual(
      { amount, fee, total_debited, balance },
      {
        amount: 10_000,
        fee: 100,
        total_debited: 10_100,
        balance: 39_900,
      },
    );
    assert.deepEqual([await bank.balance(id), await bank.balance(agent)], [39_900, 10_000]);
  });

  test('is refused with the documented codes in the documented order', async () => {
    const [{ id }, agent] = [await bank.wallet(1_000), await newAgentFloat(kissi)];
    const valid = { subscriber_id: id, agent_id: agent, amount: 100, pin: PIN };
    assertRefused(await withdraw({ ...valid, pin: '12' }), 400, 'INVALID_PIN');
    assertRefused(await withdraw({ ...valid, subscriber_id: 'sub_x', pin: WRONG_PIN }), 404, 'SUBSCRIBER_NOT_FOUND');
    const otherWallet = await bank.wallet();
    for (const agent_id of ['agent_unknown', otherWallet.id, bank.partnerId, 'sys_treasury_00']) {
      assertRefused(await withdraw({ ...valid, agent_id, pin: WRONG_PIN }), 404, 'NOT_FOUND');
    }
    assertRefused(await withdraw({ ...valid, pin: WRONG_PIN, amount: 0 }), 401, 'INVALID_PIN');
    assertRefused(await withdraw({ ...valid, amount: 0 }), 400, 'INVALID_AMOUNT');
    assertRefused(await withdraw({ ...valid, amount: DAILY_LIMIT + 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertRefused(await withdraw({ ...valid, amount: 1_000 }), 402, 'INSUFFICIENT_BALANCE');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await withdraw({ ...valid, pin: WRONG_PIN }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('counts against the same daily limit as transfers', async () => {
    const [from, to, agent] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet(), await newAgentFloat(kissi)];
    const cash = { subscriber_id: from.id, agent_id: agent, amount: DAILY_LIMIT - 500, pin: PIN };
    assert.equal((await withdraw(cash)).status, 200);
    const pay = (amount: number) =>
      bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN });
    assertRefused(await pay(501), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.equal((await pay(500)).status, 200);
  });
});
