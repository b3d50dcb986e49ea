// Money that comes into wallets from partners, and leaves them as cash at agents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeAccount } from '../../src/ledger/accounts.ts';
import { bankForFile, DAILY_LIMIT, MAX_BALANCE, newAgentFloat, newPartner, PIN, WRONG_PIN } from '../support/money.ts';
import { apiKey, assertRefused, auditLogs, staffToken } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();

const fund = (body: object, token = bank.key) =>
  kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token });
const withdraw = (body: object) => bank.post('/wallet/withdraw', body);
const asAdmin = async (path: string, body: object = {}, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });

describe('funding from a partner', () => {
  test('credits the wallet without a fee and lets the partner owe it', async () => {
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

  test('finds the wallet by its id at the partner', async () => {
    const { id } = await bank.wallet();
    await asAdmin(`/subscribers/${id}`, { partner_wallet_id: 'rokel-0042' }, 'PUT');
    const reply = await fund({ partner_id: bank.partnerId, partner_wallet_id: 'rokel-0042', amount: 10 });
    assert.deepEqual([reply.status, reply.json.subscriber_id], [200, id]);
    const nobody = await fund({ partner_id: bank.partnerId, partner_wallet_id: 'rokel-0043', amount: 10 });
    assertRefused(nobody, 404, 'SUBSCRIBER_NOT_FOUND');
  });

  test('finds it however its id at the partner is typed, and knows the request again', async () => {
    const { id } = await bank.wallet();
    await asAdmin(`/subscribers/${id}`, { partner_wallet_id: ' Caf\u00e9-7 ' }, 'PUT');
    const body = { partner_id: bank.partnerId, amount: 10, request_id: 'fund-padded-1' };
    const first = await fund({ ...body, partner_wallet_id: '  Cafe\u0301-7\t' });
    assert.deepEqual([first.status, first.json.subscriber_id], [200, id], first.text);
    const again = await fund({ ...body, partner_wallet_id: 'Caf\u00e9-7' });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(await bank.balance(id), 10);
  });

  test('refuses what the contract says, in its order', async () => {
    const suspended = await newPartner(kissi, 'suspended');
    const { id } = await bank.wallet();
    const right = { partner_id: bank.partnerId, subscriber_id: id, amount: 100 };
    const both = { ...right, partner_wallet_id: 'x' };
    for (const body of [both, { ...right, subscriber_id: undefined }]) {
      assertRefused(await fund(body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await fund({ ...right, partner_id: 'ptn_nobody', amount: 0 }), 404, 'NOT_FOUND');
    assertRefused(await fund({ ...right, partner_id: 'sys_treasury_00' }), 404, 'NOT_FOUND');
    assertRefused(await fund({ ...right, subscriber_id: 'sub_nobody', amount: 0 }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await fund({ ...right, partner_id: suspended, amount: 0 }), 403, 'PARTNER_SUSPENDED');
    assertRefused(await fund({ ...right, amount: 0 }), 400, 'INVALID_AMOUNT');
    assertRefused(await fund({ ...right, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await fund({ ...right, amount: Number.MAX_SAFE_INTEGER }), 422, 'MAX_BALANCE_EXCEEDED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x', transaction_types: ['vult_fund'] });
    assertRefused(await fund(right), 403, 'TRANSACTION_TYPE_DISABLED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await fund({ ...right, amount: 0 }), 403, 'SUBSCRIBER_BLOCKED');
    assert.equal(await bank.balance(id), 0);
  });

  test('a partner whose clearing account has a floor owes no more than that', async () => {
    const partner = await newPartner(kissi);
    await changeAccount(kissi.db.database.queries, partner, { floor: -1_000 });
    const { id } = await bank.wallet();
    const body = { partner_id: partner, subscriber_id: id };
    assert.equal((await fund({ ...body, amount: 1_000 })).status, 200);
    assertRefused(await fund({ ...body, amount: 1 }), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
  });

  test('a key that belongs to a partner funds from that partner only', async () => {
    const [own, other] = [await newPartner(kissi), await newPartner(kissi)];
    const { key } = await apiKey(kissi, ['payments:write'], { partner_id: own });
    const { id } = await bank.wallet();
    assert.equal((await fund({ partner_id: own, subscriber_id: id, amount: 1 }, key)).status, 200);
    assertRefused(await fund({ partner_id: other, subscriber_id: id, amount: 1 }, key), 403, 'FORBIDDEN');
  });

  test('by finance is audited, with the movement it speaks of', async () => {
    const token = await staffToken(kissi, 'finance_user');
    const { id } = await bank.wallet();
    const reply = await fund({ partner_id: bank.partnerId, subscriber_id: id, amount: 777 }, token);
    assert.equal(reply.status, 200, reply.text);
    const [entry] = await auditLogs(kissi, { action: 'wallet.fund' });
    assert.equal(entry.resource_id, reply.json.transaction_id);
    assert.deepEqual(entry.details, { payer: bank.partnerId, payee: id, amount: 777, fee: 0 });
    assert.equal(entry.actor_type, 'user');
    const verdict = await kissi.call('GET', '/api/v1/audit/verify', { token: await kissi.adminToken() });
    assert.equal(verdict.json.valid, true);
  });
});

describe('withdrawing cash', () => {
  test('debits amount and one per cent, and credits the float of the agent', async () => {
    const [{ id }, agent] = [await bank.wallet(50_000), await newAgentFloat(kissi)];
    const reply = await withdraw({ subscriber_id: id, agent_id: agent, amount: 10_000, pin: PIN });
    assert.equal(reply.status, 200, reply.text);
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

  test('refuses what the contract says, in its order', async () => {
    const [{ id }, agent] = [await bank.wallet(1_000), await newAgentFloat(kissi)];
    const right = { subscriber_id: id, agent_id: agent, amount: 100, pin: PIN };
    assertRefused(await withdraw({ ...right, pin: '12' }), 400, 'INVALID_PIN');
    assertRefused(await withdraw({ ...right, subscriber_id: 'sub_x', pin: WRONG_PIN }), 404, 'SUBSCRIBER_NOT_FOUND');
    const elsewhere = await bank.wallet();
    for (const agent_id of ['agent_nobody', elsewhere.id, bank.partnerId, 'sys_treasury_00']) {
      assertRefused(await withdraw({ ...right, agent_id, pin: WRONG_PIN }), 404, 'NOT_FOUND');
    }
    assertRefused(await withdraw({ ...right, pin: WRONG_PIN, amount: 0 }), 401, 'INVALID_PIN');
    assertRefused(await withdraw({ ...right, amount: 0 }), 400, 'INVALID_AMOUNT');
    assertRefused(await withdraw({ ...right, amount: DAILY_LIMIT + 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertRefused(await withdraw({ ...right, amount: 1_000 }), 402, 'INSUFFICIENT_BALANCE');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await withdraw({ ...right, pin: WRONG_PIN }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('counts towards the same limit of a day as transfers', async () => {
    const [from, to, agent] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet(), await newAgentFloat(kissi)];
    const cash = { subscriber_id: from.id, agent_id: agent, amount: DAILY_LIMIT - 500, pin: PIN };
    assert.equal((await withdraw(cash)).status, 200);
    const pay = (amount: number) =>
      bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN });
    assertRefused(await pay(501), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.equal((await pay(500)).status, 200);
  });
});
