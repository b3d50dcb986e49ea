// Refunds with the login of a merchant or of finance: own payments only, once per request, and audited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, movementCount, type Wallet } from '../../support/money.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const { merchant } = terminal;
const login = await merchantToken(kissi, merchant);
const other = await newMerchant(kissi);
// The processor keeps the payments less its fee, so it needs a balance to refund in full.
await payment(100_000);

let requests = 0;
const newRequestId = () => `refund-${++requests}`;

async function payment(amount = 10_000): Promise<{ id: string; wallet: Wallet }> {
  const wallet = await bank.wallet(amount);
  const reply = assertStatus(await terminal.pay(await bank.card(wallet), { amount }), 200);
  return { id: reply.json.transaction_id, wallet };
}

function refund(body: Json, token = login, processorId = merchant.id): Promise<CallReply> {
  return kissi.call('POST', `/api/v1/processors/${processorId}/refunds`, {
    token,
    body: { request_id: newRequestId(), ...body },
  });
}

test('a merchant refunds in part, then the rest, with the same reply as a terminal, and each refund is audited', async () => {
  const { id, wallet } = await payment();
  const before = await bank.balance(merchant.id);
  const part = assertStatus(await refund({ transaction_id: id, amount: 4_000, reason: 'Returned goods' }), 200);
  const { transaction_id, ...rest } = part.json;
  assert.deepEqual(rest, {
    success: true,
    original_transaction_id: id,
    amount: 4_000,
    refunded_total: 4_000,
    remaining: 6_000,
    status: 'PARTIALLY_REFUNDED',
  });
  const all = await refund({ transaction_id: id });
  assert.deepEqual([all.json.amount, all.json.remaining, all.json.status], [6_000, 0, 'REFUNDED']);
  assert.equal(await bank.balance(wallet.id), 10_000);
  assert.equal(await bank.balance(merchant.id), before - 10_000);
  assertRefused(await refund({ transaction_id: id }), 422, 'REFUND_EXCEEDS_PAYMENT');
  const logged = await auditLogs(kissi, { action: 'processor.refund' });
  const audited = logged.filter(({ resource_id }) => [transaction_id, all.json.transaction_id].includes(resource_id));
  assert.equal(audited.length, 2, JSON.stringify(logged));
  const { rows } = await kissi.db.query('select actor_type, related_id, narration from movements where id = $1', [
    transaction_id,
  ]);
  assert.deepEqual(rows, [{ actor_type: 'user', related_id: id, narration: 'Returned goods' }]);
});

test('a repeated request refunds once; with other details it is a conflict', async () => {
  const { id, wallet } = await payment();
  const body = { transaction_id: id, amount: 3_000, request_id: newRequestId() };
  const replies = await Promise.all([refund(body), refund(body), refund(body)]);
  for (const reply of replies) assert.equal(reply.text, replies[0]?.text);
  const again = await refund(body);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assertRefused(await refund({ ...body, amount: 3_001 }), 409, 'REQUEST_CONFLICT');
  assert.equal(await bank.balance(wallet.id), 3_000);
});

test('a request id is required, in the body or as X-Request-ID', async () => {
  const { id, wallet } = await payment();
  const request = { token: login, body: { transaction_id: id, amount: 1_000 } };
  const path = `/api/v1/processors/${merchant.id}/refunds`;
  assertRefused(await kissi.call('POST', path, request), 400, 'INVALID_REQUEST');
  const headers = { 'x-request-id': newRequestId() };
  for (const _ of '12') assert.equal((await kissi.call('POST', path, { ...request, headers })).status, 200);
  assert.equal(await bank.balance(wallet.id), 1_000);
});

test('what is no amount is refused', async () => {
  const { id, wallet } = await payment();
  for (const amount of ['1e2', '100.0', '-1', '0', '"1.5"', '""']) {
    const raw = `{"transaction_id":"${id}","request_id":"${newRequestId()}","amount":${amount}}`;
    const reply = await kissi.call('POST', `/api/v1/processors/${merchant.id}/refunds`, { token: login, raw });
    assertRefused(reply, 400, 'INVALID_AMOUNT', amount);
  }
  assert.equal(await bank.balance(wallet.id), 0);
});

test('a refund by the merchant and one by its terminal together never exceed the payment', async () => {
  const { id, wallet } = await payment();
  const replies = await Promise.all([
    refund({ transaction_id: id, amount: 6_000 }),
    terminal.refund(id, { amount: 6_000 }),
    refund({ transaction_id: id, amount: 6_000 }),
  ]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422]);
  assert.equal(await bank.balance(wallet.id), 6_000);
});

test("only payments to the merchant's own processor can be refunded", async () => {
  const { id, wallet } = await payment();
  const otherLogin = await merchantToken(kissi, other);
  const body = { transaction_id: id };
  assertRefused(await refund(body, otherLogin), 403, 'FORBIDDEN');
  // The caller's processor in the path, another processor's payment in the body.
  assertRefused(await refund(body, otherLogin, other.id), 404, 'NOT_FOUND');
  assertRefused(await refund({ transaction_id: 'txn_none' }), 404, 'NOT_FOUND');
  const finance = await staffToken(kissi, 'finance_user');
  assertRefused(await refund(body, finance, other.id), 404, 'NOT_FOUND');
  assertRefused(await refund(body, finance, 'prc_none'), 404, 'NOT_FOUND');
  assertRefused(await refund(body, await staffToken(kissi, 'support_user')), 403, 'FORBIDDEN');
  assertRefused(await refund(body, (await apiKey(kissi, ['payments:write', 'payouts:write'])).key), 403, 'FORBIDDEN');
  assert.equal(await movementCount(kissi, wallet.id), 2);
  assert.equal((await refund(body, finance)).status, 200);
  assert.equal(await bank.balance(wallet.id), 10_000);
});

test('only card payments can be refunded', async () => {
  const { id } = await payment();
  const { json } = await refund({ transaction_id: id });
  // The refund itself: it was paid to the wallet.
  assertRefused(await refund({ transaction_id: json.transaction_id }), 404, 'NOT_FOUND');
});

test('a suspended merchant cannot refund', async () => {
  const { id, wallet } = await payment();
  const admin = await kissi.adminToken();
  const change = (verb: string, body: Json) =>
    kissi.call('POST', `/api/v1/processors/${merchant.id}/${verb}`, { token: admin, body });
  await change('suspend', { reason: 'Review' });
  assertRefused(await refund({ transaction_id: id }), 403, 'PROCESSOR_SUSPENDED');
  assertRefused(await refund({ transaction_id: id }, admin), 403, 'PROCESSOR_SUSPENDED');
  await change('reactivate', {});
  assert.equal(await bank.balance(wallet.id), 0);
});

test("the quote of a refund is for the remaining amount and the caller's own payment", async () => {
  const { id } = await payment();
  const ask = (amount: number, token = login, of = id) =>
    kissi.call('GET', `/api/v1/fee-quote?transaction_type=pos_refund&amount=${amount}&transaction_id=${of}`, { token });
  const { fee, total_debited, total_credited } = (await ask(10_000)).json;
  assert.deepEqual([fee, total_debited, total_credited], [0, 10_000, 10_000]);
  await refund({ transaction_id: id, amount: 4_000 });
  assertRefused(await ask(6_001), 422, 'REFUND_EXCEEDS_PAYMENT');
  assert.equal((await ask(6_000)).status, 200);
  // Another merchant does not learn that the payment exists.
  const [foreign, unknown] = [await ask(1, await merchantToken(kissi, other)), await ask(1, login, 'txn_none')];
  assertRefused(foreign, 404, 'NOT_FOUND');
  assert.deepEqual([foreign.status, foreign.json.error], [unknown.status, unknown.json.error]);
});

test('the quote of a refund has the commission that goes back', async () => {
  const body = { transaction_type: 'pos_payment', party_type: 'sender', fee_type: 'percentage', fee_value: 0.5 };
  const setting = { ...body, debit_enabled: false, credit_enabled: true };
  assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
  const { id } = await payment(9_999);
  const quoted = await kissi.call(
    'GET',
    `/api/v1/fee-quote?transaction_type=pos_refund&amount=3333&transaction_id=${id}`,
    { token: login },
  );
  const done = await refund({ transaction_id: id, amount: 3_333 });
  assert.ok(done.json.commission_returned > 0, done.text);
  assert.equal(quoted.json.payee_fee, done.json.commission_returned);
});
