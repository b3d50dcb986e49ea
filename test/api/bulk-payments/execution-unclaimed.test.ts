// Rows for numbers without a wallet: a code by SMS, which an agent redeems with an identity document, or the money returns.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { floatOf, newFundedAgent, type TestAgent } from '../../support/agents.ts';
import {
  accountOf,
  approve,
  bulkPayer,
  codeSentTo,
  IDENTITY,
  loginOf,
  redeemCode,
  rowsTo,
  uploaded,
  whenEnded,
} from '../../support/bulk-execution.ts';
import { bulkRows, getBulk } from '../../support/bulk-payments.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, messageTo, runChore } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
let numbers = 0;
const newNumber = () => `+23299${String(++numbers).padStart(6, '0')}`;

/** A bulk payment that has sent a code to a number without a wallet. */
async function sent(phone = newNumber(), amount = '100.00') {
  const payer = await bulkPayer(kissi, bank, 20_000_000);
  const payment = await uploaded(kissi, payer, rowsTo([{ phone }], amount), { unclaimed: 'code' });
  assert.deepEqual([payment.code_count, payment.invalid_count], [1, 0]);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  const done = await whenEnded(kissi, payer.approver, payment);
  return { payer, payment, done, phone, code: await codeTo(phone) };
}

const codeTo = (phone: string) => codeSentTo(kissi, phone);
const redeem = (agent: TestAgent, phone: string, code: string, extra: Json = {}) =>
  redeemCode(kissi, agent, phone, code, extra);

async function followed(token: string, { id }: Json): Promise<Json> {
  await runChore(kissi, 'follow codes of bulk payments');
  return getBulk(kissi, token, id);
}

test('a code is redeemed once: the agent gets the amount and its commission, the payer has paid the fee', async () => {
  const agent = await newFundedAgent(kissi, 1_000);
  const { payer, payment, done, phone, code } = await sent();
  assert.deepEqual([done.unclaimed_count, done.unclaimed_amount, done.paid_count], [1, 10_000, 0]);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 20_000_000, held: 10_100 });
  const reply = assertStatus(await redeem(agent, phone, code), 200);
  assert.equal(reply.json.amount, 10_000);
  assert.equal(await floatOf(kissi, agent), 11_000);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 20_000_000 - 10_100, held: 0 });
  assertRefused(await redeem(agent, phone, code), 409, 'ALREADY_PAID');
  const after = await followed(payer.uploader, payment);
  assert.deepEqual([after.unclaimed_count, after.paid_count, after.paid_amount, after.paid_fees], [0, 1, 10_000, 100]);
  const [row] = await bulkRows(kissi, payer.uploader, payment.id);
  assert.deepEqual([row?.status, row?.transaction_id], ['paid', reply.json.transaction_id]);
});

test('the identity document is required, and stored encrypted', async () => {
  const agent = await newFundedAgent(kissi, 1_000);
  const { phone, code } = await sent();
  const without = await redeem(agent, phone, code, { identity_document: undefined });
  assert.match(assertRefused(without, 400, 'INVALID_REQUEST').json.error, /identity_document/);
  const { transaction_id } = assertStatus(await redeem(agent, phone, code), 200).json;
  const { rows } = await kissi.db.query('select * from unclaimed_redemptions where transaction_id = $1', [
    transaction_id,
  ]);
  assert.deepEqual([rows[0].agent_id, rows[0].id_type], [agent.id, 'national_id']);
  assert.ok(!rows[0].sealed_identity.toString('latin1').includes(IDENTITY.number));
});

test('a code that nobody redeems returns after 7 days, with its fee', async () => {
  const agent = await newFundedAgent(kissi, 1_000);
  const { payer, payment, phone, code } = await sent();
  kissi.clock.advance(7 * DAY_MS);
  assertRefused(await redeem(agent, phone, code), 409, 'EXPIRED');
  await kissi.gateway.services.holdExpiry.run();
  const token = await loginOf(kissi, payer.merchant);
  const after = await followed(token, payment);
  assert.deepEqual([after.unclaimed_count, after.returned_count, after.returned_amount], [0, 1, 10_000]);
  const [row] = await bulkRows(kissi, token, payment.id);
  assert.deepEqual([row?.status, row?.reason, row?.transaction_id], ['returned', 'CODE_NOT_REDEEMED', null]);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 20_000_000, held: 0 });
});

test('a redemption and the expiry never both happen', async () => {
  const agent = await newFundedAgent(kissi, 1_000);
  const { payer, phone, code } = await sent();
  kissi.clock.advance(7 * DAY_MS - 1);
  const [reply] = await Promise.all([redeem(agent, phone, code), kissi.gateway.services.holdExpiry.run()]);
  assertStatus(reply, 200);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 20_000_000 - 10_100, held: 0 });
});

describe('limits', () => {
  test('a number gets at most the daily limit of a new wallet on one day', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const phone = newNumber();
    const one = await sent(phone, '60000.00');
    assertStatus(await redeem(agent, phone, one.code), 200);
    const two = await sent(phone, '60000.00');
    assertRefused(await redeem(agent, phone, two.code), 422, 'DAILY_LIMIT_EXCEEDED');
    kissi.clock.advance(DAY_MS);
    assertStatus(await redeem(agent, phone, two.code), 200);
  });

  test('three wrong codes end the code of a number, and the money returns to the payer', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const { payer, phone, code } = await sent();
    const wrong = code === '00000000' ? '00000001' : '00000000';
    for (const _ of [1, 2, 3]) assertRefused(await redeem(agent, phone, wrong), 400, 'INVALID_CODE');
    assertRefused(await redeem(agent, phone, code), 409, 'CANCELLED');
    await runChore(kissi, 'release the money of ended cash-out codes');
    assert.equal((await accountOf(kissi, payer.merchant)).held, 0);
  });

  test('without unclaimed=code such a row is invalid', async () => {
    const payer = await bulkPayer(kissi, bank, 20_000_000);
    const payment = await uploaded(kissi, payer, rowsTo([{ phone: newNumber() }]));
    assert.deepEqual([payment.valid_count, payment.invalid_count], [0, 1]);
    assertRefused(await approve(kissi, payer.approver, payment), 422, 'ROWS_INVALID');
  });

  test('while the payer is suspended nobody redeems its codes', async () => {
    const agent = await newFundedAgent(kissi, 1_000);
    const { payer, phone, code } = await sent();
    assertStatus(await kissi.asAdmin.post(`/processors/${payer.merchant.id}/suspend`, { reason: 'Fraud' }), 200);
    assertRefused(await redeem(agent, phone, code), 403, 'PROCESSOR_SUSPENDED');
  });
});

test('a number that has a wallet by the time of payment is paid into it', async () => {
  const payer = await bulkPayer(kissi, bank, 20_000_000);
  const phone = newNumber();
  const payment = await uploaded(kissi, payer, rowsTo([{ phone }], '100.00'), { unclaimed: 'code' });
  const wallet = await bank.wallet(0, { phone_number: phone });
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  const done = await whenEnded(kissi, payer.approver, payment);
  assert.deepEqual([done.paid_count, done.unclaimed_count, done.paid_fees], [1, 0, 0]);
  assert.equal(await bank.balance(wallet.id), 10_000);
  assert.equal((await accountOf(kissi, payer.merchant)).held, 0);
});

test('a wallet that has left its number is not paid as a code to that number', async () => {
  const payer = await bulkPayer(kissi, bank, 20_000_000);
  const [wallet, other] = [await bank.wallet(), await bank.wallet()];
  const payment = await uploaded(kissi, payer, rowsTo([wallet, other], '100.00'), { unclaimed: 'code' });
  assert.deepEqual([payment.valid_count, payment.code_count], [2, 0]);
  assertStatus(await kissi.asAdmin.put(`/subscribers/${wallet.id}`, { phone_number: newNumber() }), 200);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  const done = await whenEnded(kissi, payer.approver, payment);
  assert.deepEqual([done.failed_count, done.unclaimed_count, done.paid_count], [1, 0, 1]);
  const [row] = await bulkRows(kissi, payer.uploader, payment.id);
  assert.deepEqual([row?.status, row?.reason], ['failed', 'RECIPIENT_UNAVAILABLE']);
  assert.equal(await bank.balance(other.id), 10_000);
  assert.notEqual((await messageTo(kissi, wallet.phone)).kind, 'unclaimed_payment');
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 20_000_000 - 10_000, held: 0 });
});
