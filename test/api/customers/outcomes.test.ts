// What became of a customer's own payment, asked by its request_id without the PIN.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownPhone } from '../../support/customers.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

test('a payment is completed, with the reply that was sent; others are unknown, whoever asks', async () => {
  const [wallet, other] = [await bank.wallet(100_000), await bank.wallet()];
  const phone = await knownPhone(kissi, wallet);
  const quoted = { type: 'transfer', phone_number: other.phone, amount: 2_500 };
  const { quote } = assertStatus(await phone.post('/me/quote', quoted), 200).json;
  const body = { quote_id: quote.id, pin: PIN, request_id: 'outcome-1' };
  const before = assertStatus(await phone.get('/me/requests/outcome-1'), 200).json;
  assert.deepEqual([before.status, before.transaction_id, before.reply], ['unknown', null, null]);
  assertRefused(await phone.post('/me/transfers', { ...body, pin: WRONG_PIN }), 401, 'INVALID_PIN');
  assert.equal((await phone.get('/me/requests/outcome-1')).json.status, 'unknown');
  const paid = assertStatus(await phone.post('/me/transfers', body), 200).json;
  const found = assertStatus(await phone.get('/me/requests/outcome-1'), 200).json;
  assert.deepEqual([found.status, found.transaction_id, found.reply], ['completed', paid.transaction_id, paid]);
  const payee = await knownPhone(kissi, other);
  assert.equal((await payee.get('/me/requests/outcome-1')).json.status, 'unknown');
});

test('the outcome of a cash-out code does not have its digits', async () => {
  const phone = await knownPhone(kissi, await bank.wallet(100_000));
  const body = { amount: 10_000, pin: PIN, request_id: 'outcome-2' };
  const { cash_out_code } = assertStatus(await phone.post('/me/cash-out-codes', body), 201).json;
  const { status, reply } = assertStatus(await phone.get('/me/requests/outcome-2'), 200).json;
  assert.equal(status, 'completed');
  assert.equal(reply.cash_out_code.id, cash_out_code.id);
  assert.doesNotMatch(JSON.stringify(reply), new RegExp(cash_out_code.code));
});
