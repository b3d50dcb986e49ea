// Refused payments as customers, merchants, agents and support see them: on every channel, in words, and for 90 days.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent, newSubAgent, wrongPin } from '../../support/agents.ts';
import { knownPhone, newPhone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile, DAILY_LIMIT, MAX_BALANCE, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { apiKey, assertRefused, runChore, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { dial, USSD } from '../../support/ussd.ts';

const { kissi, bank } = await bankForFile({ env: USSD });
let session = { until: 0, token: '' };
/** Of a session that has not expired: the clock moves. */
async function support(): Promise<string> {
  const now = kissi.clock.now();
  if (now >= session.until) session = { until: now + MINUTE_MS, token: await staffToken(kissi, 'support_user') };
  return session.token;
}
const terminal = await terminalOf(kissi);

async function listed(path: string, ownToken?: string): Promise<Json> {
  const token = ownToken ?? (await support());
  await runChore(kissi, 'write refused payments');
  return assertStatus(await kissi.call('GET', `/api/v1${path}`, { token }), 200).json;
}
const refusalsOf = async (path: string, token?: string): Promise<Json[]> => (await listed(path, token)).refusals;
const ofWallet = ({ id }: Wallet, token?: string) => refusalsOf(`/subscribers/${id}/refusals`, token);

const send = (from: Wallet, to: { id: string }, amount: number, extra: Json = {}): Promise<CallReply> =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, ...extra });

const brief = ({ code, reason, excess, amount }: Json) => ({ code, reason, excess, amount });

describe('a refused transfer', () => {
  test('is listed for its sender with time, amount, channel and reason, newest first', async () => {
    const [from, to] = [await bank.wallet(20_000_000), await bank.wallet()];
    assertRefused(await send(from, to, 500, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    const first = new Date(kissi.clock.now()).toISOString();
    kissi.clock.advance(MINUTE_MS);
    assertRefused(await send(from, to, DAILY_LIMIT + 4_000), 422, 'DAILY_LIMIT_EXCEEDED');
    const { refusals, ...counts } = await listed(`/subscribers/${from.id}/refusals`);
    assert.deepEqual(counts, { attempt_count: 2, total_count: 2, limit: 50, offset: 0 });
    const [newest, oldest] = refusals;
    assert.deepEqual(brief(newest), {
      code: 'DAILY_LIMIT_EXCEEDED',
      reason: 'would exceed the daily limit by SLE 40.00',
      excess: 4_000,
      amount: DAILY_LIMIT + 4_000,
    });
    const { id, ...rest } = oldest;
    assert.match(id, /^rfs_/);
    assert.deepEqual(rest, {
      ...{ at: first, last_at: first, attempts: 1, type: 'transfer_p2p', channel: 'api', amount: 500 },
      ...{ code: 'INVALID_PIN', reason: 'wrong PIN', excess: null, place_id: null, place_name: null },
    });
    assert.deepEqual(await ofWallet(to), [], 'the recipient learns nothing');
  });

  test('says by how much the balance was too low, the fee included', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    await send(from, to, 1_250);
    const [refusal] = await ofWallet(from);
    assert.equal(refusal.code, 'INSUFFICIENT_BALANCE');
    assert.match(refusal.reason, /^balance too low by SLE \d+\.\d\d$/);
    assert.ok(refusal.excess >= 250);
  });

  test('does not tell how much the recipient has', async () => {
    const [from, to] = [await bank.wallet(1_000_000), await bank.wallet(MAX_BALANCE - 100)];
    assertRefused(await send(from, to, 101), 422, 'MAX_BALANCE_EXCEEDED');
    assert.deepEqual(await ofWallet(from).then(([one]) => brief(one)), {
      ...{ code: 'MAX_BALANCE_EXCEEDED', reason: 'would exceed the maximum balance', excess: null, amount: 101 },
    });
  });

  test('is not listed if it was no attempt to pay: a PIN of three digits, a repeated request id, a right of the caller', async () => {
    const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
    assertRefused(await send(from, to, 100, { pin: '123' }), 400, 'INVALID_PIN');
    assertStatus(await send(from, to, 100, { request_id: 'refused-1' }), 200);
    assertRefused(await send(from, to, 200, { request_id: 'refused-1' }), 409, 'REQUEST_CONFLICT');
    const agent = await newAgent(kissi);
    const other = await newAgent(kissi);
    const body = { subscriber_id: from.id, agent_id: other.id, amount: 100, pin: PIN, request_id: 'refused-2' };
    const token = await agentToken(kissi, agent);
    assertRefused(await kissi.call('POST', '/api/v1/wallet/withdraw', { token, body }), 403, 'FORBIDDEN');
    assert.deepEqual(await ofWallet(from), []);
    assert.deepEqual(await refusalsOf(`/agents/${other.id}/refusals`), []);
  });
});

describe('customers see their own', () => {
  test('from their wallet, with the reason and the amounts', async () => {
    const phone = await knownPhone(kissi, await bank.wallet(10_000));
    const friend = await bank.wallet();
    const { quote } = assertStatus(
      await phone.post('/me/quote', { type: 'transfer', phone_number: friend.phone, amount: 500 }),
      200,
    ).json;
    const body = { quote_id: quote.id, pin: WRONG_PIN, request_id: 'refused-3' };
    assertRefused(await phone.post('/me/transfers', body), 401, 'INVALID_PIN');
    await phone.post('/me/cash-out-codes', { amount: 999_000, pin: PIN, request_id: 'refused-4' });
    const [code, transfer] = await refusalsOf('/me/refusals', phone.token);
    assert.deepEqual([transfer.channel, transfer.reason, transfer.amount], ['wallet', 'wrong PIN', 500]);
    assert.deepEqual([code.type, code.code], ['wallet_withdraw', 'INSUFFICIENT_BALANCE']);
    assert.match(code.reason, /^balance too low by SLE 9,\d\d\d\.\d\d$/);
  });

  test('and from USSD', async () => {
    const wallet = await bank.wallet(10_000);
    const friend = await bank.wallet();
    await dial(kissi, wallet.phone).type('1', friend.phone, '5', WRONG_PIN);
    const [refusal] = await ofWallet(wallet);
    assert.deepEqual([refusal?.channel, refusal?.code, refusal?.amount], ['ussd', 'INVALID_PIN', 500]);
  });

  test("and no one else's", async () => {
    const [mine, other] = [await newPhone(kissi, await bank.wallet()), await bank.wallet()];
    const stranger = await kissi.call('GET', `/api/v1/subscribers/${other.id}/refusals`, { token: mine.token });
    assertRefused(stranger, 403, 'FORBIDDEN');
    assert.deepEqual(await refusalsOf('/me/refusals', mine.token), []);
  });
});

describe('a refused card payment', () => {
  test('is listed for the customer with the merchant, and for the merchant with its code alone', async () => {
    const { wallet, card } = await bank.customer(1_000);
    assertRefused(await terminal.pay(card, { amount: 4_000 }), 402, 'INSUFFICIENT_BALANCE');
    const [ofCustomer] = await ofWallet(wallet);
    const { merchant } = terminal;
    assert.equal(ofCustomer.place_id, merchant.id);
    assert.equal(
      ofCustomer.place_name,
      (await kissi.asAdmin.get(`/processors/${merchant.id}`)).json.processor.business_name,
    );
    assert.match(ofCustomer.reason, /^balance too low by SLE/);
    const token = await merchantToken(kissi, merchant);
    const [ofMerchant] = await refusalsOf(`/processors/${merchant.id}/refusals`, token);
    const { id: _, at, last_at, ...rest } = ofMerchant;
    assert.deepEqual([at, last_at], [ofCustomer.at, ofCustomer.at]);
    assert.deepEqual(rest, {
      ...{ attempts: 1, type: 'pos_payment', channel: 'api', amount: 4_000, code: 'INSUFFICIENT_BALANCE' },
      ...{ reason: null, excess: null, place_id: null, place_name: null },
    });
    assert.ok(!JSON.stringify(ofMerchant).includes(wallet.id));
    const [forSupport] = await refusalsOf(`/processors/${merchant.id}/refusals`);
    assert.equal(forSupport.reason, 'balance too low', 'the balance is not in it');
  });

  test('with a blocked card is listed for its holder too', async () => {
    const { wallet, card } = await bank.customer();
    assertStatus(await kissi.asAdmin.post(`/cards/${card}/block`, { reason: 'lost' }), 200);
    assertRefused(await terminal.pay(card), 403, 'CARD_BLOCKED');
    assert.deepEqual(
      (await ofWallet(wallet)).map(({ reason }) => reason),
      ['card blocked'],
    );
  });

  test('of another merchant is nothing that a merchant may see', async () => {
    const other = await terminalOf(kissi);
    const path = `/api/v1/processors/${terminal.merchant.id}/refusals`;
    assertRefused(
      await kissi.call('GET', path, { token: await merchantToken(kissi, other.merchant) }),
      403,
      'FORBIDDEN',
    );
  });

  test('on the phone of a customer is not listed for the merchant', async () => {
    const { merchant } = await terminalOf(kissi);
    const phone = await knownPhone(kissi, await bank.wallet(100));
    const { merchant_number } = (await kissi.asAdmin.get(`/processors/${merchant.id}`)).json.processor;
    const { quote } = assertStatus(
      await phone.post('/me/quote', { type: 'merchant', merchant_number, amount: 900 }),
      200,
    ).json;
    await phone.post('/me/payments', { quote_id: quote.id, pin: PIN, request_id: 'refused-5' });
    assert.deepEqual(
      (await refusalsOf('/me/refusals', phone.token)).map(({ code }) => code),
      ['INSUFFICIENT_BALANCE'],
    );
    assert.deepEqual(await refusalsOf(`/processors/${merchant.id}/refusals`), []);
  });
});

describe("an agent's refused payments", () => {
  test('are listed for the agent, its super-agent and the customer, without amounts of the customer', async () => {
    const parent = await newAgent(kissi);
    const agent = await newSubAgent(kissi, parent);
    await fundAgent(kissi, agent, 100_000);
    const wallet = await bank.wallet(1_000);
    const token = await agentToken(kissi, agent);
    const post = (path: string, body: Json) => kissi.call('POST', `/api/v1${path}`, { token, body });
    const cashIn = {
      agent_id: agent.id,
      subscriber_id: wallet.id,
      amount: 700,
      pin: wrongPin(agent),
      request_id: 'refused-6',
    };
    assertStatus(await post('/agents/cashin', cashIn), 400);
    const withdrawal = {
      subscriber_id: wallet.id,
      agent_id: agent.id,
      amount: 5_000,
      pin: PIN,
      request_id: 'refused-7',
    };
    assertRefused(await post('/wallet/withdraw', withdrawal), 402, 'INSUFFICIENT_BALANCE');
    const path = `/agents/${agent.id}/refusals`;
    const own = await refusalsOf(path, token);
    assert.deepEqual(
      own.map(({ code, channel, excess }) => [code, channel, excess]),
      [
        ['INSUFFICIENT_BALANCE', 'agent', null],
        ['INVALID_PIN', 'agent', null],
      ],
    );
    assert.deepEqual(
      own.map(({ reason }) => reason),
      ['balance too low', 'wrong PIN'],
    );
    assert.deepEqual(await refusalsOf(path, await agentToken(kissi, parent)), own);
    const [withdrawn, deposited] = await ofWallet(wallet);
    assert.match(withdrawn.reason, /^balance too low by SLE/);
    assert.deepEqual([deposited.type, deposited.place_id], ['agent_cashin', agent.id]);
    const stranger = await agentToken(kissi, await newAgent(kissi));
    assertRefused(await kissi.call('GET', `/api/v1${path}`, { token: stranger }), 403, 'FORBIDDEN');
  });
});

test('who may not read balances sees no amounts of limits and balances', async () => {
  const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
  await send(from, to, 2_000);
  const hidden = { code: 'INSUFFICIENT_BALANCE', reason: 'balance too low', excess: null, amount: 2_000 };
  const audit = await staffToken(kissi, 'audit_user');
  assert.deepEqual((await ofWallet(from, audit)).map(brief), [hidden]);
  const reader = await apiKey(kissi, ['payments:read']);
  assert.deepEqual((await ofWallet(from, reader.key)).map(brief), [hidden]);
  const both = await apiKey(kissi, ['payments:read', 'balance:read']);
  assert.ok((await ofWallet(from, both.key))[0]?.excess > 0);
  const sales = await staffToken(kissi, 'sales_user');
  assertRefused(await kissi.call('GET', `/api/v1/subscribers/${from.id}/refusals`, { token: sales }), 403, 'FORBIDDEN');
});

test('refusals of politically exposed persons need access, and theirs at a merchant name nobody', async () => {
  const { wallet, card } = await bank.customer(100);
  const { merchant } = await terminalOf(kissi);
  const shop = await terminalOf(kissi, { merchant });
  await shop.pay(card, { amount: 5_000 });
  await markPep(kissi, wallet.id);
  const path = `/api/v1/subscribers/${wallet.id}/refusals`;
  assertRefused(await kissi.call('GET', path, { token: await support() }), 403, 'PEP_ACCESS_REQUIRED');
  const authorized = await newAuthorizedStaff(kissi, 'support_user');
  await openAccess(kissi, authorized);
  assert.equal((await ofWallet(wallet, authorized.token)).length, 1);
  const ofShop = `/processors/${merchant.id}/refusals`;
  assert.deepEqual((await listed(ofShop)).attempt_count, 0);
  const [ofMerchant] = await refusalsOf(ofShop, await merchantToken(kissi, merchant));
  assert.ok(ofMerchant && !JSON.stringify(ofMerchant).includes(wallet.id));
});

test('there are no refusals of a party that does not exist', async () => {
  for (const [path, code] of [
    ['subscribers/sub_none', 'SUBSCRIBER_NOT_FOUND'],
    ['processors/proc_none', 'NOT_FOUND'],
    ['agents/agent_none', 'NOT_FOUND'],
  ] as const) {
    assertRefused(await kissi.call('GET', `/api/v1/${path}/refusals`, { token: await support() }), 404, code);
  }
  await send({ id: 'sub_none', phone: '' }, await bank.wallet(), 100);
  await runChore(kissi, 'write refused payments');
  const { rows } = await kissi.db.query(`select from refusals where party_id = 'sub_none'`);
  assert.equal(rows.length, 0, 'nothing is stored under an invented id');
});

test('after 90 days they are neither shown nor kept', async () => {
  const [from, to] = [await bank.wallet(100), await bank.wallet()];
  await send(from, to, 5_000);
  assert.equal((await ofWallet(from)).length, 1);
  const stored = async () => (await kissi.db.query('select from refusals where party_id = $1', [from.id])).rows.length;
  kissi.clock.advance(90 * DAY_MS - 1_000);
  await runChore(kissi, 'prune refused payments');
  assert.equal((await ofWallet(from)).length, 1);
  kissi.clock.advance(2_000);
  assert.deepEqual(await ofWallet(from), []);
  assert.equal(await stored(), 1);
  await runChore(kissi, 'prune refused payments');
  assert.equal(await stored(), 0);
});

describe('many refusals', () => {
  test('of a kind share a record after five in a minute, and every one is counted, over two gateways', async () => {
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const [from, to] = [await bank.wallet(100), await bank.wallet()];
      const refuse = async () => assertRefused(await send(from, to, 5_000), 402, 'INSUFFICIENT_BALANCE');
      kissi.clock.advance(MINUTE_MS);
      const start = kissi.clock.now();
      for (let n = 0; n < 40; n++) await refuse();
      const body = { sender_id: from.id, recipient_id: to.id, amount: 5_000, pin: PIN };
      for (let n = 0; n < 10; n++) await second.call('POST', '/api/v1/wallet/transfer', { token: bank.key, body });
      // Others are not displaced.
      await send(from, from, 5_000);
      kissi.clock.advance(MINUTE_MS);
      await runChore(second, 'write refused payments');
      const { refusals, attempt_count, total_count } = await listed(`/subscribers/${from.id}/refusals`);
      assert.deepEqual([attempt_count, total_count], [51, 13]);
      const shared = refusals.filter(({ attempts }: Json) => attempts > 1);
      assert.deepEqual(shared.map(({ attempts }: Json) => attempts).sort(), [35, 5].sort());
      assert.ok(shared.every(({ amount, at }: Json) => amount === null && Date.parse(at) >= start));
      assert.equal(refusals.filter(({ code }: Json) => code === 'SAME_ACCOUNT').length, 1);
    } finally {
      await second.close();
    }
  });

  test('are written when the gateway stops', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    const [from, to] = [await bank.wallet(100), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 5_000, pin: PIN };
    for (let n = 0; n < 9; n++) await other.call('POST', '/api/v1/wallet/transfer', { token: bank.key, body });
    await other.close();
    const { rows } = await kissi.db.query('select sum(attempts)::int as n from refusals where party_id = $1', [
      from.id,
    ]);
    assert.equal(rows[0].n, 9);
  });
});

test('the list can be exported as CSV', async () => {
  const [from, to] = [await bank.wallet(100), await bank.wallet()];
  await send(from, to, 5_000);
  await send(from, to, 6_000, { pin: WRONG_PIN });
  await runChore(kissi, 'write refused payments');
  const reply = await kissi.call('GET', `/api/v1/subscribers/${from.id}/refusals`, {
    token: await support(),
    headers: { accept: 'text/csv' },
  });
  assert.match(
    reply.text,
    /^id,at,last_at,attempts,type,channel,amount,code,reason,excess,place_id,place_name,currency\r?\n/,
  );
  assert.equal(reply.text.trim().split('\n').length, 3);
});
