// Commissions: what they pay, what refunds take back, and that paying oneself or buying and returning earns nothing.
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { agentToken, floatOf, fundAgent, newAgent, type TestAgent } from '../../support/agents.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, totalBalance } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['fee_setting'] });
const admin = await kissi.adminToken();
afterEach(async () => {
  await kissi.db.database.queries.deleteFrom('fee_settings').execute();
});

const CREDIT = { debit_enabled: false, credit_enabled: true };
const flat = (fee_value: number, rest: object = CREDIT) => ({ fee_type: 'flat', fee_value, ...rest });
const percent = (fee_value: number, rest: object = CREDIT) => ({ fee_type: 'percentage', fee_value, ...rest });

async function setFee(transaction_type: string, party_type: string, pricing: object): Promise<Json> {
  const body = { transaction_type, party_type, ...pricing };
  return assertStatus(await kissi.call('PUT', '/api/v1/fee-settings', { body, token: admin }), 200).json;
}

const income = () => totalBalance(kissi, 'fee_income');

/** An agent that also owns the wallet it serves. */
async function selfDealingAgent(float: number) {
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
  const ownBalance = async () => (await floatOf(kissi, agent as TestAgent)) + (await bank.balance(wallet.id));
  return { cashIn, cashOut, ownBalance };
}

async function expectOk(reply: Promise<CallReply>): Promise<Json> {
  const { json } = assertStatus(await reply, 200);
  return json;
}

describe('an agent that deals with itself', () => {
  test('earns nothing from a flat commission on small deposits', async () => {
    await setFee('agent_cashin', 'agent', flat(0.5));
    const { cashIn, cashOut, ownBalance } = await selfDealingAgent(1_000);
    for (let n = 0; n < 20; n++) {
      await expectOk(cashIn(50));
      await expectOk(cashOut(49));
    }
    assert.ok((await ownBalance()) <= 1_000, `1,000 became ${await ownBalance()}`);
  });

  test('earns nothing from flat commissions in both directions, or from many deposits and one withdrawal', async () => {
    await setFee('agent_cashin', 'agent', flat(2));
    await setFee('wallet_withdraw', 'agent', flat(2));
    const { cashIn, cashOut, ownBalance } = await selfDealingAgent(100_000);
    for (let n = 0; n < 10; n++) await expectOk(cashIn(2_000));
    await expectOk(cashOut(19_000));
    for (let n = 0; n < 5; n++) {
      await expectOk(cashIn(200));
      await expectOk(cashOut(200));
    }
    assert.ok((await ownBalance()) <= 100_000, `100,000 became ${await ownBalance()}`);
  });

  test('earns nothing from rounding: commissions round down', async () => {
    await setFee('agent_cashin', 'agent', percent(0.5));
    const { cashIn, ownBalance } = await selfDealingAgent(10_000);
    for (let n = 0; n < 10; n++) assert.equal((await expectOk(cashIn(199))).total_debited, 199);
    assert.equal(await ownBalance(), 10_000);
    assert.equal((await expectOk(cashIn(200))).total_debited, 199);
  });

  test('is paid the configured commission on ordinary deposits, from fee income', async () => {
    await setFee('agent_cashin', 'agent', flat(0.5));
    const { cashIn, cashOut, ownBalance } = await selfDealingAgent(1_000_000);
    const before = await income();
    const { transaction_id, total_debited, agent_id } = await expectOk(cashIn(100_000));
    assert.equal(total_debited, 100_000 - 50);
    const { transactions } = (await bank.get(`/agents/${agent_id}/transactions`)).json;
    const [deposit, funding] = transactions;
    assert.deepEqual(
      [deposit.transaction_id, deposit.amount, deposit.fee, deposit.commission],
      [transaction_id, 100_000, 0, 50],
    );
    assert.equal(deposit.balance_after, funding.balance_after - deposit.amount - deposit.fee + deposit.commission);
    assert.equal(funding.commission, 0);
    assert.equal(await income(), before - 50);
    await expectOk(cashOut(99_000));
    assert.equal(await income(), before - 50 + 990);
    assert.equal(await ownBalance(), 1_000_000 + 50 - 990);
  });
});

describe('refunds take back commissions', () => {
  let terminal: Terminal;
  const { customer } = bank;
  before(async () => {
    terminal = await terminalOf(kissi);
    // Gives the merchant a balance to refund from.
    const { card } = await customer(500_000);
    await expectOk(terminal.pay(card, { amount: 500_000 }));
  });

  test("buying and returning leaves the customer's balance unchanged despite cashback", async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const { wallet, card } = await customer();
    const before = await income();
    for (let n = 0; n < 3; n++) {
      const { transaction_id } = await expectOk(terminal.pay(card, { amount: 50_000 }));
      assert.equal(await bank.balance(wallet.id), 51_000);
      const reply = await expectOk(terminal.refund(transaction_id));
      assert.deepEqual([reply.amount, reply.commission_returned, reply.status], [50_000, 1_000, 'REFUNDED']);
      assert.equal(await bank.balance(wallet.id), 100_000);
    }
    assert.equal(await income(), before + 3 * 500, 'the fees of the merchant are kept');
    const [refund] = (await bank.get(`/transactions?subscriber_id=${wallet.id}&limit=1`)).json.transactions;
    assert.deepEqual(
      [refund.type, refund.amount, refund.fee, refund.balance_after],
      ['pos_refund', 50_000, 1_000, 100_000],
    );
  });

  test('102 refunds of 99 take back the commission of 100, like one refund of the whole payment', async () => {
    await setFee('pos_payment', 'sender', percent(1));
    await setFee('pos_payment', 'processor', percent(1));
    const merchantTerminal = await terminalOf(kissi);
    const { wallet, card } = await customer(10_098);
    const before = await income();
    const { transaction_id } = await expectOk(merchantTerminal.pay(card, { amount: 10_098 }));
    const { id } = merchantTerminal.merchant;
    assert.deepEqual([await bank.balance(wallet.id), await bank.balance(id)], [100, 10_198]);
    let returned = 0;
    for (let slice = 0; slice < 102; slice++) {
      const reply = await expectOk(merchantTerminal.refund(transaction_id, { amount: 99 }));
      returned += reply.commission_returned ?? 0;
    }
    assert.equal(returned, 100);
    assert.deepEqual([await bank.balance(wallet.id), await bank.balance(id)], [10_098, 0]);
    assert.equal(await income(), before);
  });

  test('any slicing takes back the share of the sum, even when the refunds arrive at once', async () => {
    await setFee('pos_payment', 'sender', percent(3.3333));
    await setFee('pos_payment', 'processor', percent(0.7));
    const { int } = seededRandom(20_261_116);
    for (let round = 0; round < 6; round++) {
      const merchantTerminal = await terminalOf(kissi);
      const amount = int(1_000, 10_000);
      const { wallet, card } = await customer(amount);
      const { transaction_id } = await expectOk(merchantTerminal.pay(card, { amount }));
      const accounts = [wallet.id, merchantTerminal.merchant.id];
      const [cashback = 0, held = 0] = await Promise.all(accounts.map((id) => bank.balance(id)));
      const slices = Array.from({ length: 12 }, () => int(1, Math.floor(amount / 14)));
      const returned = (refunded: number, earned: number) => Math.floor((earned * refunded) / amount);
      const expectAfter = async (refunded: number) => {
        const [left, kept] = await Promise.all(accounts.map((id) => bank.balance(id)));
        assert.equal(left, cashback + refunded - returned(refunded, cashback), `wallet, ${refunded} of ${amount}`);
        assert.equal(kept, held - refunded - returned(refunded, held - amount), `merchant, ${refunded} of ${amount}`);
      };
      const replies = await Promise.all(
        slices.map((slice) => expectOk(merchantTerminal.refund(transaction_id, { amount: slice }))),
      );
      const sum = slices.reduce((total, slice) => total + slice, 0);
      await expectAfter(sum);
      // Each reply states what it took back after what was refunded before it.
      for (const { amount: part, refunded_total, commission_returned = 0 } of replies) {
        const expected = returned(refunded_total, cashback) - returned(refunded_total - part, cashback);
        assert.equal(commission_returned, expected);
      }
      await expectOk(merchantTerminal.refund(transaction_id));
      await expectAfter(amount);
      assert.deepEqual(await Promise.all(accounts.map((id) => bank.balance(id))), [amount, 0]);
    }
  });

  test('in proportion to the refunded part, rounded down, and never more than was earned', async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const { wallet, card } = await customer(10_000);
    const { transaction_id } = await expectOk(terminal.pay(card, { amount: 9_999 }));
    // The cashback was 199.
    assert.equal(await bank.balance(wallet.id), 200);
    const returned = [];
    for (const amount of [1, 3_333, 50, 51])
      returned.push((await expectOk(terminal.refund(transaction_id, { amount }))).commission_returned);
    assert.deepEqual(returned, [undefined, 66, 1, 1]);
    const rest = await expectOk(terminal.refund(transaction_id));
    assert.deepEqual([rest.amount, rest.commission_returned, rest.remaining], [6_564, 131, 0]);
    assert.equal(await bank.balance(wallet.id), 200 + 9_999 - 199);
  });

  test('by the commission earned at payment time, whatever the current settings are', async () => {
    await setFee('pos_payment', 'sender', percent(2));
    const first = await customer();
    const withCashback = (await expectOk(terminal.pay(first.card, { amount: 10_000 }))).transaction_id;
    await setFee('pos_payment', 'sender', percent(0));
    const second = await customer();
    const withoutCashback = (await expectOk(terminal.pay(second.card, { amount: 10_000 }))).transaction_id;
    await setFee('pos_payment', 'sender', percent(50));
    assert.equal((await expectOk(terminal.refund(withCashback))).commission_returned, 200);
    assert.equal('commission_returned' in (await expectOk(terminal.refund(withoutCashback))), false);
    assert.deepEqual([await bank.balance(first.wallet.id), await bank.balance(second.wallet.id)], [100_000, 100_000]);
    const { rows } = await kissi.db.query('select details from movements where related_id = $1', [withCashback]);
    assert.equal('earned' in rows[0].details, false, 'a refund earns no commission');
  });

  test('from the merchant too, in addition to the refunded amount', async () => {
    await setFee('pos_payment', 'processor', percent(1));
    const merchantTerminal = await terminalOf(kissi);
    const { card } = await customer();
    const { transaction_id } = await expectOk(merchantTerminal.pay(card, { amount: 10_000 }));
    assert.equal(await bank.balance(merchantTerminal.merchant.id), 10_100);
    await expectOk(merchantTerminal.refund(transaction_id, { amount: 5_000 }));
    assert.equal(await bank.balance(merchantTerminal.merchant.id), 5_050);
    await expectOk(merchantTerminal.refund(transaction_id));
    assert.equal(await bank.balance(merchantTerminal.merchant.id), 0);
    const { totals } = (await bank.get(`/processors/${merchantTerminal.merchant.id}/transactions`)).json;
    assert.deepEqual([totals.commissions, totals.fees, totals.net, totals.balance_change], [100, 100, 0, 0]);
  });

  test('a merchant that cannot pay back the commission gets 402 INSUFFICIENT_BALANCE', async () => {
    await setFee('pos_payment', 'processor', percent(1));
    const merchantTerminal = await terminalOf(kissi);
    const { wallet, card } = await customer();
    const { transaction_id } = await expectOk(merchantTerminal.pay(card, { amount: 10_000 }));
    const body = { to_subscriber_id: wallet.id, amount: 50 };
    await expectOk(
      kissi.call('POST', `/api/v1/processors/${merchantTerminal.merchant.id}/transfer`, { body, token: admin }),
    );
    assertRefused(await merchantTerminal.refund(transaction_id), 402, 'INSUFFICIENT_BALANCE');
  });

  test('in full when the cashback was 100 %', async () => {
    await setFee('pos_payment', 'sender', percent(100));
    const { wallet, card } = await customer();
    const { transaction_id } = await expectOk(terminal.pay(card, { amount: 777 }));
    assert.equal(await bank.balance(wallet.id), 100_000);
    assert.equal((await expectOk(terminal.refund(transaction_id))).commission_returned, 777);
    assert.equal(await bank.balance(wallet.id), 100_000);
  });
});

describe('the message of PUT /fee-settings', () => {
  const SAVED = 'The fee setting was saved.';
  const messageAfter = async (...setting: Parameters<typeof setFee>) => (await setFee(...setting)).message;

  test('has no warning when fees cover the commissions', async () => {
    assert.equal(await messageAfter('pos_payment', 'sender', percent(1)), SAVED);
    assert.equal(await messageAfter('agent_cashin', 'agent', percent(1)), SAVED, 'the withdrawal fee is 1 %');
    assert.equal(await messageAfter('transfer_p2p', 'sender', percent(3, { debit_enabled: true })), SAVED);
  });

  test('warns when the percentages of a type pay out more than they charge, whichever setting causes it', async () => {
    assert.match(
      await messageAfter('pos_payment', 'sender', percent(1.0001)),
      /percentages of pos_payment .* more than they charge/,
    );
    await setFee('pos_payment', 'sender', percent(1));
    assert.match(await messageAfter('pos_payment', 'processor', percent(0.9, { debit_enabled: true })), /pos_payment/);
    await setFee('agent_cashin', 'agent', percent(1));
    const lowered = await messageAfter('wallet_withdraw', 'sender', percent(0.5, { debit_enabled: true }));
    assert.match(lowered, /agent_cashin/);
    assert.doesNotMatch(lowered, /pos_payment|wallet_withdraw/);
  });

  test('explains that a flat commission is capped by the fees of the same payment', async () => {
    assert.equal(
      await messageAfter('transfer_p2p', 'recipient', flat(1)),
      `${SAVED} A flat commission is limited to the fees of the same payment.`,
    );
  });
});
