// Tests GET /agents/{id}/transactions: an agent's side of its movements, exact totals, and who may read them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, assertRefused, fundAgent, newAgent, newSubAgent, type TestAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId, PIN, type Wallet } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { apiKey, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

const path = ({ id }: { id: string }, query = '') => `/api/v1/agents/${id}/transactions${query}`;

async function history(agent: { id: string }, query = '', token = bank.key): Promise<Json> {
  return assertStatus(await kissi.call('GET', path(agent, query), { token }), 200).json;
}

async function post(route: string, body: object): Promise<Json> {
  return assertStatus(await bank.post(route, body), 200).json;
}

const cashIn = (agent: TestAgent, { phone }: Wallet, amount: number) =>
  post('/agents/cashin', { agent_id: agent.id, phone_number: phone, amount, pin: agent.pin });

const superAgent = await newAgent(kissi);
const sub = await newSubAgent(kissi, superAgent);
await fundAgent(kissi, superAgent, 1_000_000);
const customer = await bank.wallet(100_000);
const { id: from_agent_id, pin } = superAgent;
await post('/agents/transfer', { from_agent_id, to_agent_id: sub.id, amount: 300_000, pin });
const deposit = await cashIn(sub, customer, 20_000);
const cash = { subscriber_id: customer.id, agent_id: sub.id, amount: 5_000, pin: PIN };
await post('/wallet/withdraw', cash);
await post(`/agents/${sub.id}/return-float`, { amount: 1_000, request_id: newFundingId() });

describe("an agent's history", () => {
  test('shows its movements from its side, with totals that add up to its float', async () => {
    const page = await history(sub);
    const types = page.transactions.map(({ type, direction }: Json) => `${type} ${direction}`);
    assert.deepEqual(types, [
      'agent_return debit',
      'wallet_withdraw credit',
      'agent_cashin debit',
      'agent_transfer credit',
    ]);
    const float = await bank.balance(sub.id);
    let expected = 0;
    assert.deepEqual(page.totals, {
      count: 4,
      cash_in: 20_000,
      cash_in_count: 1,
      cash_out: 5_000,
      cash_out_count: 1,
      funded: 0,
      returned: 1_000,
      transferred_in: 300_000,
      transferred_out: 0,
      fees: 100,
      commissions: 0,
      balance_change: float,
    });
    assert.equal(float, 300_000 - 20_000 - 100 + 5_000 - 1_000);
    assert.equal(page.transactions[0].balance_after, float);
    for (const { direction, amount, fee, commission, balance_after } of page.transactions.toReversed()) {
      expected += (direction === 'credit' ? amount : -amount) - fee + commission;
      assert.equal(balance_after, expected, 'each record explains the change of the balance');
    }
    const above = (await history(superAgent)).totals;
    assert.deepEqual([above.funded, above.transferred_out, above.balance_change], [1_000_000, 300_000, 700_000]);
  });

  test('is filtered and paged like every history; later pages have no totals', async () => {
    const deposits = await history(sub, '?type=agent_cashin');
    assert.deepEqual([deposits.total_count, deposits.totals.cash_in], [1, 20_000]);
    const first = await history(sub, '?limit=3');
    const last = await history(sub, `?limit=3&cursor=${first.next_cursor}`);
    assert.deepEqual([first.total_count, last.transactions.length, last.totals, last.next_cursor], [4, 1, null, null]);
    assert.deepEqual((await history(sub, '?status=REVERSED')).totals.count, 0);
    assertRefused(await kissi.call('GET', path(sub, '?cursor=x'), { token: bank.key }), 400, 'INVALID_REQUEST');
  });

  test('is open to the agent and its super-agent, not to other agents', async () => {
    const [upper, lower] = [await agentToken(kissi, superAgent), await agentToken(kissi, sub)];
    const stranger = await agentToken(kissi, await newAgent(kissi));
    for (const token of [upper, lower]) {
      const { transactions } = await history(sub, '', token);
      assert.equal(transactions.length, 4);
      assert.ok(!('actor_id' in transactions[0]), 'authors are for staff');
    }
    assertRefused(await kissi.call('GET', path(superAgent), { token: lower }), 403, 'FORBIDDEN');
    assertRefused(await kissi.call('GET', path(sub), { token: stranger }), 403, 'FORBIDDEN');
    assertRefused(await kissi.call('GET', path({ id: 'agent_none' }), { token: bank.key }), 404, 'NOT_FOUND');
  });

  test('is open to staff who see payments, not to sales or keys with an owner', async () => {
    for (const role of ['finance_user', 'support_user', 'compliance_user', 'audit_user'] as const) {
      const [record] = (await history(sub, '', await staffToken(kissi, role))).transactions;
      assert.equal(record.actor_id, bank.keyId);
    }
    const sales = await staffToken(kissi, 'sales_user');
    assertRefused(await kissi.call('GET', path(sub), { token: sales }), 403, 'FORBIDDEN');
    const key = await apiKey(kissi, ['payments:read'], { partner_id: bank.partnerId, bearer: true });
    assertRefused(await kissi.call('GET', path(sub), { token: key.key }), 403, 'FORBIDDEN');
  });

  test('shows payments of politically exposed customers to agents only, and without the person', async () => {
    await markPep(kissi, customer.id);
    const seenBy = async (token: string) => {
      const { transactions } = await history(sub, '?type=agent_cashin', token);
      assert.equal(transactions[0].transaction_id, deposit.transaction_id);
      return transactions[0].counterparty;
    };
    const { transactions } = await history(sub, '', await staffToken(kissi, 'support_user'));
    assert.ok(transactions.every(({ transaction_id }: Json) => transaction_id !== deposit.transaction_id));
    assert.ok(transactions.every(({ balance_after }: Json) => balance_after === null));
    assert.equal(await seenBy(await agentToken(kissi, superAgent)), null);
    assert.equal(await seenBy(await agentToken(kissi, sub)), null);
  });
});
