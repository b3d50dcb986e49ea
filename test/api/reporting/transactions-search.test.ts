// Tests the search filters of GET /transactions: slip numbers, parties and amounts, combined, paged and limited to the owner.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, assertRefused, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, newFundingId, PIN, type Wallet } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { apiKey, staffToken } from '../../support/staff.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();

type Query = Record<string, string | number>;

async function search(query: Query, token = bank.key): Promise<Json> {
  return assertStatus(await kissi.call('GET', `/api/v1/transactions?${params(query)}`, { token }), 200).json;
}
const params = (query: Query) => new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));
const ids = (page: Json): string[] => page.transactions.map((record: Json) => record.transaction_id);
const found = async (query: Query, token?: string) => ids(await search(query, token));
const refused = (query: Query, token = bank.key) =>
  kissi.call('GET', `/api/v1/transactions?${params(query)}`, { token });

async function transfer(from: Wallet, to: Wallet, amount: number, extra: object = {}): Promise<Json> {
  const reply = await bank.post('/wallet/transfer', {
    ...{ sender_id: from.id, recipient_id: to.id, amount, pin: PIN, ...extra },
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

const partner = await testBank(kissi);
const terminal = await terminalOf(kissi);
const agent = await newAgent(kissi);
await fundAgent(kissi, agent, 1_000_000);
const customer = await bank.customer(500_000);
const other = await bank.wallet(10_000);
/** One movement of each kind with the customer. */
const sent = await transfer(customer.wallet, other, 1_234, { request_id: 'slip-1' });
const paid: Json = (await terminal.pay(customer.card, { amount: 4_321 })).json;
const cash = { agent_id: agent.id, phone_number: customer.wallet.phone, amount: 2_500, pin: agent.pin };
const cashIn: Json = (await kissi.call('POST', '/api/v1/agents/cashin', { body: cash, token: bank.key })).json;
const reference = newReference();
const credit = { reference, amount: 7_000, msisdn: customer.wallet.phone };
const credited: Json = (await partner.credit(credit)).json.data;

describe('a slip', () => {
  test('is found by transaction id', async () => {
    const page = await search({ transaction_id: sent.transaction_id });
    assert.deepEqual(ids(page), [sent.transaction_id]);
    assert.deepEqual([page.total_count, page.next_cursor, 'total_is_minimum' in page], [1, null, false]);
    assert.deepEqual(await found({ transaction_id: 'txn_00000000000000000000000000' }), []);
    assert.deepEqual(await found({ transaction_id: "'; --" }), []);
  });

  test('is found by request id, whichever credential used it', async () => {
    const second = await apiKey(kissi, ['payments:write']);
    const body = { sender_id: other.id, recipient_id: customer.wallet.id, amount: 5, pin: PIN, request_id: 'slip-1' };
    const again = assertStatus(await kissi.call('POST', '/api/v1/wallet/transfer', { body, token: second.key }), 200);
    assert.deepEqual(await found({ request_id: 'slip-1' }), [again.json.transaction_id, sent.transaction_id]);
    assert.deepEqual(await found({ request_id: 'slip-1', min_amount: 1_000 }), [sent.transaction_id]);
    assert.deepEqual(await found({ request_id: 'slip' }), []);
    const one = await search({ request_id: 'slip-1', limit: 1 });
    assert.deepEqual([one.total_count, one.total_is_minimum], [1, true]);
    const two = await search({ request_id: 'slip-1', limit: 1, cursor: one.next_cursor });
    assert.deepEqual([ids(two), two.total_count, two.next_cursor], [[sent.transaction_id], 2, null]);
  });

  test("is found by a partner's reference, together with its reversal", async () => {
    assert.deepEqual(await found({ reference }), [credited.transaction_id]);
    const token = await kissi.adminToken();
    const path = `/api/v1/admin/inbound/${credited.inbound_id}/reverse`;
    assertStatus(await kissi.call('POST', path, { body: { reason: 'sent twice' }, token }), 200);
    const both = await found({ reference });
    assert.equal(both.length, 2);
    assert.equal(both[1], credited.transaction_id);
    assert.deepEqual(await found({ reference, type: 'inbound_credit' }), [credited.transaction_id]);
    assert.deepEqual(await found({ reference: reference.toLowerCase() }), []);
  });

  test('is found by the authorization code of a card payment, typed in any case', async () => {
    const code = paid.authorization_code;
    assert.deepEqual(await found({ authorization_code: code }), [paid.transaction_id]);
    assert.deepEqual(await found({ authorization_code: ` ${code.toLowerCase()} ` }), [paid.transaction_id]);
    assert.deepEqual(await found({ authorization_code: code, reference: 'none' }), []);
    assert.deepEqual(await found({ authorization_code: sent.transaction_id.slice(-6) }), [], 'a transfer has none');
  });

  test('of a captured payment was printed when it was authorised, and is found by that code', async () => {
    const [shop, payer] = [await terminalOf(kissi), await bank.customer(5_000)];
    const held = assertStatus(await shop.pay(payer.card, { amount: 900, capture: false }), 200).json;
    const { authorization_code } = held;
    assert.deepEqual(await found({ authorization_code }), [], 'nothing has been paid yet');
    const path = `/pos/payment/${held.transaction_id}/capture`;
    const captured = assertStatus(await shop.send(path, { request_id: newRequestId() }), 200).json;
    const [{ id }] = (await kissi.db.query('select id from hold_ends where hold_id = $1', [held.transaction_id])).rows;
    assert.deepEqual(await found({ authorization_code }), [id]);
    assert.deepEqual(await found({ authorization_code, transaction_id: id }), [id]);
    assert.deepEqual(await found({ authorization_code, transaction_id: paid.transaction_id }), []);
    assert.deepEqual(await found({ authorization_code, subscriber_id: other.id }), []);
    assert.equal(captured.authorization_code, authorization_code);
  });
});

describe('parties', () => {
  test('list the movements of an agent, a processor or a partner from its side', async () => {
    const [ofAgent] = (await search({ agent_id: agent.id })).transactions;
    assert.deepEqual([ofAgent.transaction_id, ofAgent.direction], [cashIn.transaction_id, 'debit']);
    const [ofMerchant] = (await search({ processor_id: terminal.merchant.id })).transactions;
    assert.deepEqual([ofMerchant.transaction_id, ofMerchant.direction], [paid.transaction_id, 'credit']);
    assert.equal(ofMerchant.balance_after, 4_321 - ofMerchant.fee);
    assert.ok((await found({ partner_id: partner.partnerId })).includes(credited.transaction_id));
  });

  test('can be combined: a customer at a merchant, at an agent, or with two others', async () => {
    const subscriber_id = customer.wallet.id;
    const page = await search({ subscriber_id, processor_id: terminal.merchant.id });
    assert.deepEqual(ids(page), [paid.transaction_id]);
    assert.deepEqual(
      [page.transactions[0].direction, page.transactions[0].counterparty],
      ['debit', terminal.merchant.id],
    );
    assert.deepEqual(await found({ subscriber_id, agent_id: agent.id }), [cashIn.transaction_id]);
    assert.deepEqual(await found({ subscriber_id, agent_id: agent.id, processor_id: terminal.merchant.id }), []);
    const code = paid.authorization_code;
    const [slip] = (await search({ subscriber_id, authorization_code: code })).transactions;
    assert.deepEqual([slip.transaction_id, slip.direction, slip.amount], [paid.transaction_id, 'debit', 4_321]);
    const history = (await search({ subscriber_id })).transactions;
    assert.deepEqual(
      slip,
      history.find(({ transaction_id }: Json) => transaction_id === paid.transaction_id),
    );
    assert.deepEqual(await found({ subscriber_id: other.id, authorization_code: code }), []);
  });

  test('that do not exist are refused', async () => {
    for (const name of ['agent_id', 'processor_id', 'partner_id']) {
      assertRefused(await refused({ [name]: customer.wallet.id }), 404, 'NOT_FOUND', name);
    }
    assertRefused(await refused({ subscriber_id: agent.id }), 404, 'SUBSCRIBER_NOT_FOUND');
  });
});

describe('amounts', () => {
  test('are inclusive bounds, in all movements and in the history of one account', async () => {
    const query = { min_amount: 1_234, max_amount: 4_321 };
    const all = await search(query);
    assert.ok(all.transactions.every(({ amount }: Json) => amount >= 1_234 && amount <= 4_321));
    for (const { transaction_id } of [sent, paid, cashIn]) assert.ok(ids(all).includes(transaction_id));
    assert.equal(all.total_count, all.transactions.length);
    const ofCustomer = [cashIn, paid, sent].map(({ transaction_id }) => transaction_id);
    assert.deepEqual(await found({ subscriber_id: customer.wallet.id, ...query }), ofCustomer);
    assert.deepEqual(await found({ subscriber_id: customer.wallet.id, min_amount: 1_235, max_amount: 4_320 }), [
      cashIn.transaction_id,
    ]);
    assert.deepEqual(await found({ max_amount: 0 }), []);
  });

  test('page by cursor and count what the pages showed', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    for (let n = 0; n < 7; n++) await transfer(from, to, n % 2 === 0 ? 600 + n : 7);
    for (const account of [{ subscriber_id: from.id }, { subscriber_id: to.id }, {}]) {
      const query = { ...account, min_amount: 600, max_amount: 606, limit: 3 };
      const first = await search(query);
      assert.deepEqual(
        first.transactions.map(({ amount }: Json) => amount),
        [606, 604, 602],
      );
      assert.deepEqual([first.total_count, first.total_is_minimum], [3, true]);
      const last = await search({ ...query, cursor: first.next_cursor });
      assert.deepEqual(
        last.transactions.map(({ amount }: Json) => amount),
        [600],
      );
      assert.deepEqual([last.total_count, 'total_is_minimum' in last, last.next_cursor], [4, false, null]);
      const skipped = await search({ ...query, offset: 3 });
      assert.deepEqual([skipped.total_count, skipped.transactions.length], [4, 1]);
      const beyond = await search({ ...query, offset: 9 });
      assert.deepEqual([beyond.transactions, beyond.total_is_minimum], [[], true]);
    }
  });

  test('that are not whole numbers, or cross, are refused', async () => {
    for (const min_amount of ['-1', '1.5', 'x', '1e3', '1'.repeat(16)]) {
      assertRefused(await refused({ min_amount }), 400, 'INVALID_REQUEST', min_amount);
    }
    assertRefused(await refused({ min_amount: 2, max_amount: 1 }), 400, 'INVALID_REQUEST');
  });

  test('do not reveal the amount of a politically exposed person', async () => {
    const [pep, friend] = [await bank.wallet(50_000), await bank.wallet()];
    const { transaction_id } = await transfer(pep, friend, 31_337, { request_id: 'pep-slip' });
    await markPep(kissi, pep.id);
    const support = await staffToken(kissi, 'support_user');
    const slip = await search({ request_id: 'pep-slip' }, support);
    assert.deepEqual([slip.transactions, slip.total_count, slip.next_cursor], [[], 0, null]);
    for (const max_amount of [31_336, 31_337]) {
      const page = await search({ transaction_id, max_amount }, support);
      assert.deepEqual([page.transactions, page.total_count, page.next_cursor], [[], 0, null], String(max_amount));
    }
    assertRefused(await refused({ subscriber_id: pep.id, min_amount: 1 }, support), 403, 'PEP_ACCESS_REQUIRED');
    const authorized = await newAuthorizedStaff(kissi, 'compliance_user');
    await openAccess(kissi, authorized);
    const page = await search({ transaction_id, min_amount: 31_337 }, authorized.token);
    assert.equal(page.transactions[0].payer_id, pep.id);
  });
});

describe('owners', () => {
  test('find only movements of their own account', async () => {
    const merchant = await merchantToken(kissi, terminal.merchant);
    const key = await apiKey(kissi, ['payments:read'], { processor_id: terminal.merchant.id, bearer: true });
    const agentUser = await agentToken(kissi, agent);
    const elsewhere = await terminalOf(kissi);
    const foreign = (await elsewhere.pay(customer.card, { amount: 50 })).json;
    for (const token of [merchant, key.key]) {
      const [own] = (await search({ authorization_code: paid.authorization_code }, token)).transactions;
      assert.deepEqual([own.transaction_id, own.direction], [paid.transaction_id, 'credit']);
      for (const query of [
        { transaction_id: foreign.transaction_id },
        { authorization_code: foreign.authorization_code },
        { transaction_id: sent.transaction_id },
        { request_id: 'slip-1' },
        { reference },
        { min_amount: 50, max_amount: 50 },
      ]) {
        assert.deepEqual(await found(query, token), [], JSON.stringify(query));
      }
      assert.deepEqual(await found({ processor_id: terminal.merchant.id, min_amount: 4_321 }, token), [
        paid.transaction_id,
      ]);
      for (const query of [
        { processor_id: elsewhere.merchant.id },
        { agent_id: agent.id },
        { partner_id: partner.partnerId },
        { subscriber_id: customer.wallet.id },
      ]) {
        assertRefused(await refused(query, token), 403, 'FORBIDDEN', JSON.stringify(query));
      }
    }
    assert.deepEqual(await found({ transaction_id: cashIn.transaction_id, agent_id: agent.id }, agentUser), [
      cashIn.transaction_id,
    ]);
    const sub = await newSubAgent(kissi, agent);
    assertRefused(await refused({ agent_id: sub.id }, agentUser), 403, 'FORBIDDEN');
    const mine = await apiKey(kissi, ['payments:read'], { partner_id: partner.partnerId, bearer: true });
    assert.ok((await found({ reference }, mine.key)).includes(credited.transaction_id));
    assert.deepEqual(await found({ transaction_id: paid.transaction_id }, mine.key), []);
    await bank.post('/wallet/fund-from-partner', {
      ...{ partner_id: bank.partnerId, subscriber_id: other.id, amount: 9, request_id: newFundingId() },
    });
    assert.deepEqual(await found({ min_amount: 9, max_amount: 9 }, mine.key), []);
  });
});
