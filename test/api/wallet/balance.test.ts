// Tests wallet balances: with the holder's PIN and its lock, and without a PIN for authorized callers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { containsDigits } from '../../support/secrets.ts';
import { assertStatus, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

const getBalance = (id: string, pin: unknown) => bank.post(`/wallet/balance/${id}`, { pin });

test('a new wallet has a zero balance and no last transaction', async () => {
  const { id } = await bank.wallet();
  const reply = assertStatus(await getBalance(id, PIN), 200);
  assert.deepEqual(reply.json, {
    success: true,
    balance: 0,
    balance_formatted: '0.00 SLE',
    ...{ held: 0, available: 0, available_formatted: '0.00 SLE' },
    currency: 'SLE',
    subscriber_id: id,
    last_transaction_at: null,
  });
});

test('the reply has the balance in minor units and formatted, and the time of the last transaction', async () => {
  const { id } = await bank.wallet(1_234_56);
  const at = new Date(kissi.clock.now()).toISOString();
  const reply = await getBalance(id, PIN);
  const { balance, balance_formatted, last_transaction_at } = reply.json;
  assert.deepEqual(
    { balance, balance_formatted, last_transaction_at },
    {
      balance: 1_234_56,
      balance_formatted: '1,234.56 SLE',
      last_transaction_at: at,
    },
  );
  assert.equal((await bank.get(`/balance/${id}`)).text, reply.text, 'the route without a PIN has the same reply');
});

test('a malformed PIN is INVALID_PIN_FORMAT and does not count as an attempt; a non-string is INVALID_REQUEST', async () => {
  const { id } = await bank.wallet();
  for (const pin of ['', '123', '12345', 'abcd', '12 4', '１２３４', '+123']) {
    const reply = await getBalance(id, pin);
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_PIN_FORMAT'], pin);
  }
  for (const pin of [1234, null, ['1234'], undefined]) {
    const reply = await getBalance(id, pin);
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST']);
    assert.match(reply.json.error, /^pin /);
  }
  assert.equal((await getBalance(id, WRONG_PIN)).json.attempts_remaining, 2);
});

test('three wrong PINs lock the account for 30 minutes; all routes share the counter', async () => {
  const { id } = await bank.wallet(500);
  const first = assertStatus(await getBalance(id, WRONG_PIN), 401);
  assert.deepEqual(Object.keys(first.json).sort(), ['attempts_remaining', 'code', 'error', 'success']);
  assert.deepEqual([first.json.success, first.json.code, first.json.attempts_remaining], [false, 'INVALID_PIN', 2]);
  const verify = await kissi.asAdmin.post(`/subscribers/${id}/verify-pin`, { pin: WRONG_PIN });
  assert.equal(verify.json.attempts_remaining, 1);
  const recipient = await bank.wallet();
  const transfer = { sender_id: id, recipient_id: recipient.id, amount: 100, pin: WRONG_PIN };
  const third = await bank.post('/wallet/transfer', transfer);
  assert.deepEqual([third.status, third.json.code, third.json.attempts_remaining], [401, 'INVALID_PIN', 0]);
  const lockedUntil = new Date(kissi.clock.now() + 30 * MINUTE_MS).toISOString();
  for (const reply of [await getBalance(id, PIN), await bank.post('/wallet/transfer', { ...transfer, pin: PIN })]) {
    assert.deepEqual([reply.status, reply.json.code, reply.json.locked_until], [403, 'ACCOUNT_LOCKED', lockedUntil]);
  }
  assert.equal((await bank.get(`/balance/${id}`)).status, 200, 'the route without a PIN is not locked');
  kissi.clock.advance(30 * MINUTE_MS);
  assert.equal((await getBalance(id, PIN)).status, 200);
  assert.equal((await getBalance(id, WRONG_PIN)).json.attempts_remaining, 2, 'a correct PIN resets the counter');
});

test('an unknown subscriber is SUBSCRIBER_NOT_FOUND; SUBSCRIBER_BLOCKED has precedence over the PIN', async () => {
  for (const id of ['sub_unknown', 'sys_fees_00', bank.partnerId]) {
    const replies = [await getBalance(id, PIN), await bank.get(`/balance/${id}`)];
    for (const reply of replies) assert.deepEqual([reply.status, reply.json.code], [404, 'SUBSCRIBER_NOT_FOUND'], id);
  }
  const { id } = await bank.wallet(300);
  await kissi.asAdmin.post(`/subscribers/${id}/block`, { reason: 'Lost phone' });
  const blocked = await getBalance(id, WRONG_PIN);
  assert.deepEqual([blocked.status, blocked.json.code], [403, 'SUBSCRIBER_BLOCKED']);
  assert.equal((await bank.get(`/balance/${id}`)).json.balance, 300, 'the balance is still readable without a PIN');
});

test('a PENDING subscriber can read its balance', async () => {
  const { id } = await bank.wallet(0, { status: 'PENDING' });
  assert.equal((await getBalance(id, PIN)).status, 200);
});

test('a wrong PIN sent by staff is audited without the PIN', async () => {
  const { id } = await bank.wallet();
  const token = await staffToken(kissi, 'support_user');
  await kissi.call('POST', `/api/v1/wallet/balance/${id}`, { body: { pin: WRONG_PIN }, token });
  const [entry] = await auditLogs(kissi, { action: 'wallet.balance.refused' });
  assert.equal(entry.details.code, 'INVALID_PIN');
  assert.ok(!containsDigits(JSON.stringify(entry), WRONG_PIN));
});
