// Commissions: what they pay, what they never pay, and that nobody lives on paying themselves, buying and returning.
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { agentToken, floatOf, fundAgent, newAgent, type TestAgent } from '../support/agents.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { bankForFile, PIN, totalBalance } from '../support/money.ts';
import { assertRefused } from '../support/processors.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
afterEach(async () => {
  await kissi.db.database.queries.deleteFrom('fee_settings').execute();
});

const CREDIT = { debit_enabled: false, credit_enabled: true };
const flat = (fee_value: number, rest: object = CREDIT) => ({ fee_type: 'flat', fee_value, ...rest });
const percent = (fee_value: number, rest: object = CREDIT) => ({ fee_type: 'percentage', fee_value, ...rest });

async function setFee(transaction_type: string, party_type: string, terms: object): Promise<Json> {
  const body = { transaction_type, party_type, ...terms };
  const reply = await kissi.call('PUT', '/api/v1/fee-settings', { body, token: admin });
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

const income = () => totalBalance(kissi, 'fee_income');

/** An agent, and a wallet that is the agent's own too. */
async function selfDealer(float: number) {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, float);
  const token = await agentToken(kissi, agent);
  const wallet = await bank.wallet();
  const cashIn = (amount: number) => {
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount, pin: agent.pin };
    return kissi.call('POST', '/api/v1/agents/cashin', { body, token });
  };
  const cashOut = (amount: number) =>
    bank.post('/wallet/withdraw', { subscriber_id: wallet.id, agent_id: agent.id, amount, pin: PIN });
  const worth = async () => (await floatOf(kissi, agent as TestAgent)) + (await bank.balance(wallet.id));
  return { cashIn, cashOut, worth };
}

async function done(reply: Promise<CallReply>): Promise<Json> {
  const { status, json, text } = await reply;
  assert.equal(status, 200, text);
  return json;
}

describe('an agent that deals with itself', () => {
  test('earns nothing by a flat commission on small deposits', async () => {
    await setFee('agent_cashin', 'agent', flat(0.5));
    const { cashIn, cashOut, worth } = await selfDealer(1_000);
    for (let n = 0; n < 20; n++) {
      await done(cashIn(50));
      await done(cashOut(49));
    }
    assert.ok((await worth()) <= 1_000, `1,000 became ${await worth()}`);
  });

  test('earns nothing by flat commissions both ways, nor by many deposits that leave at once', async () => {
    await setFee('agent_cashin', 'agent', flat(2));
    await setFee('wallet_withdraw', 'agent', flat(2));
    const { cashIn, cashOut, worth } = await selfDealer(100_000);
    for (let n = 0; n < 10; n++) await done(cashIn(2_000));
    await done(cashOut(19_000));
    for (let n = 0; n < 5; n++) {
      await done(cashIn(200));
      await done(cashOut(200));
    }
    assert.ok((await worth()) <= 100_000, `100,000 became ${await worth()}`);
  });

  test('earns nothing by rounding: half a unit is none', async () => {
    await setFee('agent_cashin', 'agent', percent(0.5));
    const { cashIn, worth } = await selfDealer(10_000);
    for (let n = 0; n < 10; n++) assert.equal((await done(cashIn(199))).total_debited, 199);
    assert.equal(await worth(), 10_000);
    assert.equal((await done(cashIn(200))).total_debited, 199);
  });

  test('is paid on ordinary deposits what the setting says, from fee income', async () => {
    await setFee('agent_cashin', 'agent', flat(0.5));
    const { cashIn, cashOut, worth } = await selfDealer(1_000_000);
    const before = await income();
    assert.equal((await done(cashIn(100_000))).total_debited, 100_000 - 50);
    assert.equal(await income(), before - 50);
    await done(cashOut(99_000));
    assert.equal(await income(), before - 50 + 990);
    assert.equal(await worth(), 1_000_000 + 50 - 990);
  });
});

describe('a refund takes back what the payment had earned its sides', () => {
  let shop: Terminal;
  const { customer } = bank;
  before(async () => {
    shop = await terminalOf(kissi);
    // So that there is always something to refund from.
    const { card } = await customer(500_000);
    await done(shop.pay(card, { amount: 500_000 }));
  });

  test('cashback is not kept: buying and returning leaves the customer as before', async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const { wallet, card } = await customer();
    const before = await income();
    for (let n = 0; n < 3; n++) {
      const { transaction_id } = await done(shop.pay(card, { amount: 50_000 }));
      assert.equal(await bank.balance(wallet.id), 51_000);
      const reply = await done(shop.refund(transaction_id));
      assert.deepEqual([reply.amount, reply.commission_returned, reply.status], [50_000, 1_000, 'REFUNDED']);
      assert.equal(await bank.balance(wallet.id), 100_000);
    }
    assert.equal(await income(), before + 3 * 500, 'the merchant’s fees stay');
    const [seen] = (await bank.get(`/transactions?subscriber_id=${wallet.id}&limit=1`)).json.transactions;
    assert.deepEqual([seen.type, seen.amount, seen.fee, seen.balance_after], ['pos_refund', 50_000, 1_000, 100_000]);
  });

  test('in proportion to the part that is refunded, rounded down, and never more than was earned', async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const { wallet, card } = await customer(10_000);
    const { transaction_id } = await done(shop.pay(card, { amount: 9_999 }));
    // 199 were earned.
    assert.equal(await bank.balance(wallet.id), 200);
    const parts = [];
    for (const amount of [1, 3_333, 50, 51])
      parts.push((await done(shop.refund(transaction_id, { amount }))).commission_returned);
    assert.deepEqual(parts, [undefined, 66, undefined, 1]);
    const rest = await done(shop.refund(transaction_id));
    assert.deepEqual([rest.amount, rest.commission_returned, rest.remaining], [6_564, 130, 0]);
    assert.equal(await bank.balance(wallet.id), 200 + 9_999 - 66 - 1 - 130);
  });

  test('by what was earned then, whatever the settings are now', async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const first = await customer();
    const earned = (await done(shop.pay(first.card, { amount: 10_000 }))).transaction_id;
    await setFee('pos_payment', 'sender', percent(0));
    const second = await customer();
    const plain = (await done(shop.pay(second.card, { amount: 10_000 }))).transaction_id;
    await setFee('pos_payment', 'sender', percent(50));
    assert.equal((await done(shop.refund(earned))).commission_returned, 200);
    assert.equal('commission_returned' in (await done(shop.refund(plain))), false);
    assert.deepEqual([await bank.balance(first.wallet.id), await bank.balance(second.wallet.id)], [100_000, 100_000]);
    const { rows } = await kissi.db.database.pool.query('select details from movements where related_id = $1', [
      earned,
    ]);
    assert.equal('earned' in rows[0].details, false, 'a refund has earned nobody anything');
  });

  test('from the merchant too, who pays it beside the refund', async () => {
    await setFee('pos_payment', 'processor', percent(1));
    const own = await terminalOf(kissi);
    const { card } = await customer();
    const { transaction_id } = await done(own.pay(card, { amount: 10_000 }));
    assert.equal(await bank.balance(own.merchant.id), 10_100);
    await done(own.refund(transaction_id, { amount: 5_000 }));
    assert.equal(await bank.balance(own.merchant.id), 5_050);
    await done(own.refund(transaction_id));
    assert.equal(await bank.balance(own.merchant.id), 0);
    const { totals } = (await bank.get(`/processors/${own.merchant.id}/transactions`)).json;
    assert.deepEqual([totals.commissions, totals.fees, totals.net, totals.balance_change], [100, 100, 0, 0]);
  });

  test('of a merchant that does not have it is 402, as of one that does not have the money', async () => {
    await setFee('pos_payment', 'processor', percent(1));
    const own = await terminalOf(kissi);
    const { wallet, card } = await customer();
    const { transaction_id } = await done(own.pay(card, { amount: 10_000 }));
    const body = { to_subscriber_id: wallet.id, amount: 50 };
    await done(kissi.call('POST', `/api/v1/processors/${own.merchant.id}/transfer`, { body, token: admin }));
    assertRefused(await own.refund(transaction_id), 402, 'INSUFFICIENT_BALANCE');
  });

  test('all of it, where all was given as cashback', async () => {
    await setFee('pos_payment', 'sender', percent(100));
    const { wallet, card } = await customer();
    const { transaction_id } = await done(shop.pay(card, { amount: 777 }));
    assert.equal(await bank.balance(wallet.id), 100_000);
    assert.equal((await done(shop.refund(transaction_id))).commission_returned, 777);
    assert.equal(await bank.balance(wallet.id), 100_000);
  });
});

describe('saving a setting tells', () => {
  const SAVED = 'The fee setting was saved.';
  const says = async (...setting: Parameters<typeof setFee>) => (await setFee(...setting)).message;

  test('nothing more where fees cover what is paid out', async () => {
    assert.equal(await says('pos_payment', 'sender', percent(1)), SAVED);
    assert.equal(await says('agent_cashin', 'agent', percent(1)), SAVED, 'a withdrawal brings 1 %');
    assert.equal(await says('transfer_p2p', 'sender', percent(3, { debit_enabled: true })), SAVED);
  });

  test('where the percentages of a type pay out more than they charge, whichever setting makes it so', async () => {
    assert.match(
      await says('pos_payment', 'sender', percent(1.0001)),
      /percentages of pos_payment .* more than they charge/,
    );
    await setFee('pos_payment', 'sender', percent(1));
    assert.match(await says('pos_payment', 'processor', percent(0.9, { debit_enabled: true })), /pos_payment/);
    await setFee('agent_cashin', 'agent', percent(1));
    const lowered = await says('wallet_withdraw', 'sender', percent(0.5, { debit_enabled: true }));
    assert.match(lowered, /agent_cashin/);
    assert.doesNotMatch(lowered, /pos_payment|wallet_withdraw/);
  });

  test('how far a flat commission goes', async () => {
    assert.equal(
      await says('transfer_p2p', 'recipient', flat(1)),
      `${SAVED} A flat commission is paid as far as the fees of the same payment go.`,
    );
  });
});
