// Fee quotes equal what the payment then costs, require the same permission as the payment, and write nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newFundedAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId, PIN } from '../../support/money.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const [payer, payee] = [await bank.wallet(5_000_000), await bank.wallet(0)];
const agent = await newFundedAgent(kissi, 5_000_000);
const sub = await newSubAgent(kissi, agent);
const merchant = await newMerchant(kissi);

type Query = Record<string, string | number>;
const ask = (query: Query, token = admin) =>
  kissi.call('GET', `/api/v1/fee-quote?${new URLSearchParams(query as Record<string, string>)}`, { token });
async function quote(query: Query, token = admin): Promise<Json> {
  return assertStatus(await ask(query, token), 200).json;
}
async function pay(path: string, body: Json): Promise<Json> {
  return assertStatus(await kissi.call('POST', `/api/v1${path}`, { token: admin, body }), 200).json;
}
const set = async (transaction_type: string, party_type: string, fee_value: number, credit_enabled = false) => {
  const body = { transaction_type, party_type, fee_type: 'percentage', fee_value };
  const flags = { debit_enabled: !credit_enabled, credit_enabled };
  assertStatus(await kissi.call('PUT', '/api/v1/fee-settings', { token: admin, body: { ...body, ...flags } }), 200);
};

/** A movement's postings by account, in minor units. */
async function posted(id: string): Promise<Record<string, number>> {
  const { rows } = await kissi.db.query('select account_id, amount from postings where movement_id = $1', [id]);
  return Object.fromEntries(rows.map(({ account_id, amount }) => [account_id, Number(amount)]));
}

describe('a quote equals the payment', () => {
  // 12,345 at 1.5% is 185.175: the rounding is part of the comparison.
  const amount = 12_345;

  test('for a transfer, with fees on both sides', async () => {
    await set('transfer_p2p', 'recipient', 0.7);
    const quoted = await quote({ transaction_type: 'transfer_p2p', amount });
    const paid = await pay('/wallet/transfer', { sender_id: payer.id, recipient_id: payee.id, amount, pin: PIN });
    const { fee, total_debited, currency } = paid;
    assert.deepEqual([quoted.fee, quoted.total_debited, quoted.currency], [fee, total_debited, currency]);
    assert.equal(quoted.fee, 185);
    assert.equal(quoted.payee_fee, 86);
    const legs = await posted(paid.transaction_id);
    assert.deepEqual([-quoted.total_debited, quoted.total_credited], [legs[payer.id], legs[payee.id]]);
  });

  test("for a withdrawal, with the agent's commission", async () => {
    await set('wallet_withdraw', 'agent', 0.4, true);
    const quoted = await quote({ transaction_type: 'wallet_withdraw', amount, agent_id: agent.id });
    const body = { subscriber_id: payer.id, agent_id: agent.id, amount, pin: PIN };
    const paid = await pay('/wallet/withdraw', body);
    assert.deepEqual([quoted.fee, quoted.total_debited], [paid.fee, paid.total_debited]);
    assert.deepEqual([quoted.payer_commission, quoted.payee_commission], [0, 49]);
    assert.equal((await posted(paid.transaction_id))[agent.id], quoted.total_credited);
  });

  test("for a cash-in, with the percentage for the agent's tier, settled later", async () => {
    await set('agent_cashin', 'agent', 0.2, true);
    const terms = { commission_tier: 'custom', commission_percent: 50, settlement_mode: 'daily' };
    assertStatus(await kissi.call('PUT', `/api/v1/agents/${agent.id}`, { token: admin, body: terms }), 200);
    const quoted = await quote({ transaction_type: 'agent_cashin', amount, agent_id: agent.id });
    const body = { agent_id: agent.id, subscriber_id: payee.id, amount, pin: agent.pin };
    const paid = await pay('/agents/cashin', body);
    assert.deepEqual([quoted.fee, quoted.total_debited], [paid.fee, paid.total_debited]);
    assert.equal(quoted.payer_commission, 12);
    const legs = await posted(paid.transaction_id);
    assert.deepEqual([-quoted.total_debited, quoted.total_credited], [legs[agent.id], legs[payee.id]]);
    assert.ok(Object.values(legs).includes(quoted.payer_commission), 'the commission account is credited');
  });

  test('for funding from a partner', async () => {
    await set('vult_fund', 'recipient', 1);
    const quoted = await quote({ transaction_type: 'vult_fund', amount });
    const body = { partner_id: bank.partnerId, subscriber_id: payee.id, amount, request_id: newFundingId() };
    const paid = await pay('/wallet/fund-from-partner', body);
    assert.equal((await posted(paid.transaction_id))[payee.id], quoted.total_credited);
    assert.equal(quoted.payee_fee, 123);
  });

  test('for the types without fees', async () => {
    const free = { fee: 0, total_debited: amount, payee_fee: 0, total_credited: amount };
    const parties = { agent_fund: agent, agent_return: agent, agent_transfer: agent };
    for (const [transaction_type, { id: agent_id }] of Object.entries(parties)) {
      const { fee, total_debited, payee_fee, total_credited } = await quote({ transaction_type, amount, agent_id });
      assert.deepEqual({ fee, total_debited, payee_fee, total_credited }, free, transaction_type);
    }
    for (const transaction_type of ['processor_transfer', 'processor_payout']) {
      const quoted = await quote({ transaction_type, amount, processor_id: merchant.id });
      assert.deepEqual([quoted.fee, quoted.total_debited], [0, amount], transaction_type);
    }
  });
});

test('a quote writes no row', async () => {
  const count = async () => {
    const text = `select (select count(*) from movements) as movements, (select count(*) from requests) as requests,
      (select count(*) from audit_inbox) + (select count(*) from audit_log) as audited`;
    return (await kissi.db.query(text)).rows[0];
  };
  const before = await count();
  await quote({ transaction_type: 'transfer_p2p', amount: 100 });
  await quote({ transaction_type: 'agent_cashin', amount: 100, agent_id: agent.id });
  assert.deepEqual(await count(), before);
});

describe('who gets a quote', () => {
  const cashIn = (id: string) => ({ transaction_type: 'agent_cashin', amount: 100, agent_id: id });

  test('an agent for its own payments only', async () => {
    const token = await agentToken(kissi, agent);
    assert.equal((await quote(cashIn(agent.id), token)).amount, 100);
    assertRefused(await ask(cashIn(sub.id), token), 403, 'FORBIDDEN');
    assertRefused(await ask({ transaction_type: 'transfer_p2p', amount: 100 }, token), 403, 'FORBIDDEN');
    const transfer = { transaction_type: 'agent_transfer', amount: 100 };
    assertRefused(await ask({ ...transfer, agent_id: sub.id }, await agentToken(kissi, sub)), 403, 'FORBIDDEN');
  });

  test('a merchant for its own processor only', async () => {
    const token = await merchantToken(kissi, merchant);
    const other = await newMerchant(kissi);
    const payout = { transaction_type: 'processor_payout', amount: 100 };
    assert.equal((await quote({ ...payout, processor_id: merchant.id }, token)).fee, 0);
    assertRefused(await ask({ ...payout, processor_id: other.id }, token), 403, 'FORBIDDEN');
    assertRefused(await ask(cashIn(agent.id), token), 403, 'FORBIDDEN');
  });

  test('finance for funding, not for transfers; a key for the payments that its scopes allow', async () => {
    const finance = await staffToken(kissi, 'finance_user');
    assert.equal((await quote({ transaction_type: 'vult_fund', amount: 100 }, finance)).amount, 100);
    assertRefused(await ask({ transaction_type: 'transfer_p2p', amount: 100 }, finance), 403, 'FORBIDDEN');
    const { key } = await apiKey(kissi, ['payments:write']);
    assert.equal((await quote({ transaction_type: 'transfer_p2p', amount: 100 }, key)).amount, 100);
    assertRefused(await ask({ transaction_type: 'vult_fund', amount: 100 }, key), 403, 'FORBIDDEN');
  });
});

test('refuses an invalid amount, a missing or unknown party, and a party of the wrong type', async () => {
  const transfer = { transaction_type: 'transfer_p2p' };
  for (const amount of ['0', '-1', '1.5', '1e3', '9007199254740992', 'ten']) {
    assertRefused(await ask({ ...transfer, amount }), 400, 'INVALID_AMOUNT', amount);
  }
  // The fee takes the total over 2^53.
  assertRefused(await ask({ ...transfer, amount: '9007199254740991' }), 400, 'INVALID_AMOUNT');
  assertRefused(await ask({ ...transfer, amount: 1, agent_id: agent.id }), 400, 'INVALID_REQUEST');
  const cashIn = { transaction_type: 'agent_cashin', amount: 1 };
  assertRefused(await ask(cashIn), 400, 'INVALID_REQUEST');
  assertRefused(await ask({ ...cashIn, agent_id: 'agt_none' }), 404, 'NOT_FOUND');
  const payout = { transaction_type: 'processor_payout', amount: 1, processor_id: 'prc_none' };
  assertRefused(await ask(payout), 404, 'NOT_FOUND');
  assertRefused(await ask({ transaction_type: 'pos_payment', amount: 1 }), 400, 'INVALID_REQUEST');
});
