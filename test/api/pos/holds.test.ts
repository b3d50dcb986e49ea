// Tests what people and programs see of holds: lists, one hold, and what is held of balances and statements.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, staffToken } from '../../support/staff.ts';
import { newRequestId, sendSigned, signatureHeaders, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const merchant = await newMerchant(kissi);
const terminal = await terminalOf(kissi, { merchant });
const expired = await authorized();
kissi.clock.advance(7 * DAY_MS);
const support = await staffToken(kissi, 'support_user');
const login = await merchantToken(kissi, merchant);

const read = (path: string, token = support) => kissi.call('GET', `/api/v1${path}`, { token });
const holds = async (query: string, token = support): Promise<Json[]> =>
  assertStatus(await read(`/holds?${query}`, token), 200).json.holds;
const ids = (found: Json[]) => found.map(({ id }) => id);

async function authorized(amount = 10_000, extra: object = {}) {
  const { wallet, card } = await bank.customer(100_000);
  const reply = assertStatus(await terminal.pay(card, { amount, capture: false, ...extra }), 200);
  return { wallet, card, id: reply.json.transaction_id as string, requestId: reply.json.request_id };
}
const end = (what: 'capture' | 'void', id: string, extra: object = {}) =>
  terminal.send(`/pos/payment/${id}/${what}`, { request_id: newRequestId(), ...extra });

describe('the list of holds', () => {
  test('has each hold with its state, newest first, and filters by customer, merchant and state', async () => {
    const [active, captured, released] = [await authorized(), await authorized(), await authorized()];
    const paid = assertStatus(await end('capture', captured.id, { amount: 4_000 }), 200).json.transaction_id;
    assertStatus(await end('void', released.id), 200);
    const all = await holds(`processor_id=${merchant.id}`);
    assert.deepEqual(ids(all), [released.id, captured.id, active.id, expired.id]);
    assert.deepEqual(
      all.map(({ status, captured_amount, capture_transaction_id }) => [
        status,
        captured_amount,
        capture_transaction_id,
      ]),
      [
        ['released', null, null],
        ['captured', 4_000, paid],
        ['active', null, null],
        ['expired', null, null],
      ],
    );
    for (const { id, status } of all) {
      assert.deepEqual(ids(await holds(`processor_id=${merchant.id}&status=${status}`)), [id]);
    }
    assert.deepEqual(ids(await holds(`subscriber_id=${active.wallet.id}`)), [active.id]);
  });

  test('shows staff who pays whom, until when and how much is reserved', async () => {
    const { id, wallet } = await authorized(7_500);
    const { hold } = assertStatus(await read(`/holds/${id}`), 200).json;
    assert.deepEqual(hold, {
      ...{ id, status: 'active', purpose: 'card_payment', type: 'pos_payment' },
      ...{
        amount: 7_500,
        reserved: 7_500,
        remaining: 7_500,
        captured_amount: null,
        capture_transaction_id: null,
        currency: 'SLE',
      },
      ...{ payer_id: wallet.id, payer_name: hold.payer_name, payee_id: merchant.id, payee_name: hold.payee_name },
      ...{ narration: hold.narration, request_id: hold.request_id, ended_at: null },
      created_at: new Date(kissi.clock.now()).toISOString(),
      expires_at: new Date(kissi.clock.now() + 7 * DAY_MS).toISOString(),
    });
    assert.ok(hold.payer_name && hold.payee_name && hold.request_id);
  });

  test("shows a merchant's login and keys its own holds only, without the customer's id", async () => {
    const { id, wallet } = await authorized();
    const other = await newMerchant(kissi);
    const otherLogin = await merchantToken(kissi, other);
    const [own] = await holds('limit=1', login);
    assert.deepEqual([own?.id, own?.payer_id], [id, null]);
    assert.match(own?.payer_name, /^\S+ \S\.$/);
    assert.deepEqual(await holds('', otherLogin), []);
    assertRefused(await read(`/holds/${id}`, otherLogin), 404, 'NOT_FOUND');
    assertRefused(await read(`/holds?processor_id=${merchant.id}`, otherLogin), 403, 'FORBIDDEN');
    assertRefused(await read(`/holds?subscriber_id=${wallet.id}`, login), 403, 'FORBIDDEN');
    const key = await apiKey(kissi, ['payments:read', 'payments:write'], { processor_id: merchant.id });
    const path = `/api/v1/holds/${id}`;
    const at = new Date(kissi.clock.now()).toISOString();
    const headers = signatureHeaders(key, { method: 'GET', path, at, body: '' });
    const signed = assertStatus(await kissi.call('GET', path, { headers }), 200).json.hold;
    assert.deepEqual([signed.payer_id, signed.payer_name], [null, undefined]);
  });

  test('is exported, and unknown customers and states are refused', async () => {
    const { id, wallet } = await authorized();
    const headers = { accept: 'text/csv' };
    const csv = await kissi.call('GET', `/api/v1/holds?subscriber_id=${wallet.id}`, { token: support, headers });
    assert.equal(csv.status, 200, csv.text);
    assert.ok(csv.text.includes(id));
    assertRefused(await read('/holds?subscriber_id=sub_none'), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await read('/holds?status=open'), 400, 'INVALID_REQUEST');
    assertRefused(await read('/holds/txn_none'), 404, 'NOT_FOUND');
  });
});

test('a captured payment is found by its slip, which was printed when it was authorised', async () => {
  const { id } = await authorized();
  const paid = assertStatus(await end('capture', id), 200).json.transaction_id;
  const admin = await kissi.adminToken();
  for (const q of [id, id.slice(-6), paid]) {
    const { hits } = assertStatus(await read(`/search?q=${q}`, admin), 200).json;
    const found = hits.find(({ id: each }: Json) => each === paid);
    assert.ok(found, `${q} finds ${JSON.stringify(hits)}`);
  }
  const { transaction } = assertStatus(await read(`/transactions/${paid}`, admin), 200).json;
  assert.equal(transaction.authorization_code, id.slice(-6));
});

describe('what is held', () => {
  test('is shown beside balances, and terminals see what is available', async () => {
    const { wallet, card } = await authorized(30_000);
    const balance = assertStatus(await kissi.asAdmin.post(`/wallet/balance/${wallet.id}`, { pin: PIN }), 200).json;
    assert.deepEqual(
      [balance.balance, balance.held, balance.available, balance.available_formatted],
      [100_000, 30_000, 70_000, '700.00 SLE'],
    );
    const { subscriber } = assertStatus(await read(`/subscribers/${wallet.id}`), 200).json;
    assert.deepEqual(
      [subscriber.balance, subscriber.held, subscriber.available],
      ['1,000.00 SLE', '300.00 SLE', '700.00 SLE'],
    );
    const path = '/api/v1/pos/verify-card';
    const verified = assertStatus(
      await sendSigned(kissi, path, { card_serial: card }, { key: terminal.key }),
      200,
    ).json;
    assert.deepEqual([verified.balance, verified.balance_formatted], [70_000, '700.00 SLE']);
  });

  test('stands in a statement as it was at the end of the period', async () => {
    const { wallet, id } = await authorized(30_000);
    const from = new Date(kissi.clock.now() - DAY_MS).toISOString();
    const held = new Date(kissi.clock.now()).toISOString();
    kissi.clock.advance(1_000);
    assertStatus(await end('capture', id), 200);
    const later = new Date(kissi.clock.now()).toISOString();
    const statement = (to: string, format = 'json') =>
      bank.post('/wallet/account-statement', { subscriber_id: wallet.id, from, to, format });
    const then = assertStatus(await statement(held), 200).json;
    assert.deepEqual([then.closing_balance, then.closing_held], [100_000, 30_000]);
    const now = assertStatus(await statement(later), 200).json;
    assert.deepEqual([now.closing_balance, now.closing_held], [70_000, 0]);
    assert.match(
      (await statement(held, 'csv')).text,
      /closing_held,Of it held for authorised payments,,,,,,300\.00,SLE/,
    );
    assert.doesNotMatch((await statement(later, 'csv')).text, /closing_held/);
  });
});
