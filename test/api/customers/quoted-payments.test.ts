// Tests quotes and what they pay: price and name before the PIN, once, in time, for one wallet and device, on two gateways.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { staticQr } from '../../../src/qr/payment-codes.ts';
import { again, newPhone, type Phone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { newId, quoted, quotesForFile } from '../../support/quoted.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, second, bank, balance, shop, phonesOf } = await quotesForFile();
const friend = await bank.wallet(0, { first_name: 'Foday', last_name: 'Sesay' });

const [payer, stranger] = (await phonesOf(await bank.wallet(9_000_000), await bank.wallet(500_000))) as [Phone, Phone];
const wallet = payer.wallet.id;

/** The same session on the other gateway. */
const onSecond = ({ token }: Phone, path: string, body: unknown) =>
  second.call('POST', `/api/v1${path}`, { token, body });

const toFriend = (amount: number, extra: Json = {}) => ({
  type: 'transfer',
  phone_number: friend.phone,
  amount,
  ...extra,
});
const toShop = async (amount: number) => ({ type: 'merchant', merchant_number: await merchantNumber(), amount });

async function merchantNumber(): Promise<string> {
  return (await kissi.asAdmin.get(`/processors/${shop.merchant.id}`)).json.processor.merchant_number;
}

const confirmation = (quote: Json, extra: Json = {}) => ({
  quote_id: quote.id,
  pin: PIN,
  request_id: newId(),
  ...extra,
});

function confirm(phone: Phone, path: string, quote: Json, extra: Json = {}): Promise<CallReply> {
  return phone.post(path, confirmation(quote, extra));
}

/** In percent. */
async function setTransferFee(fee_value: number): Promise<void> {
  const fee = { fee_type: 'percentage', fee_value, debit_enabled: true, credit_enabled: false };
  const setting = { transaction_type: 'transfer_p2p', party_type: 'sender', ...fee };
  assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
}

describe('a quote', () => {
  test('shows the masked name, the fee and what leaves the wallet, and the transfer costs just that', async () => {
    await setTransferFee(1.5);
    const quote = await quoted(payer, toFriend(40_000));
    const { id: _id, expires_at, ...shown } = quote;
    assert.deepEqual(shown, {
      ...{ type: 'transfer', recipient_name: 'Foday S.', amount: 40_000, fee: 600, total: 40_600, currency: 'SLE' },
      payment_request_id: null,
    });
    assert.equal(Date.parse(expires_at), kissi.clock.now() + 5 * MINUTE_MS);
    const [before, received] = [await balance(wallet), await balance(friend.id)];
    const paid = assertStatus(await confirm(payer, '/me/transfers', quote), 200).json;
    assert.deepEqual([paid.status, paid.amount, paid.fee, paid.total_debited], ['COMPLETED', 40_000, 600, 40_600]);
    assert.deepEqual([await balance(wallet), await balance(friend.id)], [before - 40_600, received + 40_000]);
    const { rows } = await kissi.db.query('select actor_type, actor_id from movements where id = $1', [
      paid.transaction_id,
    ]);
    assert.deepEqual(rows[0], { actor_type: 'subscriber', actor_id: wallet });
  });

  test('names people by account number, and merchants by number and by their static QR code', async () => {
    const { json } = await kissi.asAdmin.get(`/subscribers/${friend.id}`);
    const { account_number } = json.subscriber;
    assert.equal((await quoted(payer, { type: 'transfer', account_number, amount: 5 })).recipient_name, 'Foday S.');
    const byNumber = await quoted(payer, await toShop(7_000));
    const qr = staticQr(loadConfig({}).qr, { name: 'Any Name', merchantNumber: await merchantNumber() });
    const byQr = await quoted(payer, { type: 'payment_request', qr, amount: 7_000 });
    assert.deepEqual([byNumber.type, byQr.type], ['merchant', 'merchant']);
    assert.deepEqual([byNumber.recipient_name, byQr.recipient_name], ['Lumley Beach Grill', 'Lumley Beach Grill']);
  });

  for (const [name, body, status, code] of [
    ['two payees', { ...toFriend(10), account_number: '1234567897' }, 400, 'INVALID_REQUEST'],
    ['no payee', { type: 'transfer', amount: 10 }, 400, 'INVALID_REQUEST'],
    ['a field of another type', { type: 'merchant', phone_number: friend.phone, amount: 10 }, 400, 'INVALID_REQUEST'],
    ['an unknown type', { type: 'gift', phone_number: friend.phone, amount: 10 }, 400, 'INVALID_REQUEST'],
    ['no phone number', { type: 'transfer', phone_number: 'Foday', amount: 10 }, 400, 'INVALID_REQUEST'],
    ['another operator’s QR code', { type: 'merchant', qr: '000201', amount: 10 }, 400, 'INVALID_REQUEST'],
    ['an unknown number', { type: 'transfer', phone_number: '+23299000001', amount: 10 }, 404, 'SUBSCRIBER_NOT_FOUND'],
    ['an unknown request', { type: 'payment_request', code: '0123456784' }, 404, 'NOT_FOUND'],
    ['no amount', { type: 'transfer', phone_number: friend.phone }, 400, 'INVALID_AMOUNT'],
    ['zero', toFriend(0), 400, 'INVALID_AMOUNT'],
    ['a fraction', toFriend(1.5), 400, 'INVALID_AMOUNT'],
    ['the payer', { type: 'transfer', phone_number: payer.wallet.phone, amount: 10 }, 400, 'SAME_ACCOUNT'],
  ] as const) {
    test(`is refused for ${name}`, async () => {
      assertRefused(await payer.post('/me/quote', body), status, code);
    });
  }

  test('pays once, whatever the request id, and a repeated request gets the same reply', async () => {
    const quote = await quoted(payer, toFriend(1_000));
    const request = confirmation(quote);
    const first = assertStatus(await payer.post('/me/transfers', request), 200);
    const repeated = await payer.post('/me/transfers', request);
    assert.equal(repeated.text, first.text);
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    const before = await balance(wallet);
    assertRefused(await confirm(payer, '/me/transfers', quote), 409, 'QUOTE_USED');
    const other = await quoted(payer, toFriend(1_000));
    assertRefused(
      await confirm(payer, '/me/transfers', other, { request_id: request.request_id }),
      409,
      'REQUEST_CONFLICT',
    );
    assert.equal(await balance(wallet), before);
  });

  test('confirmed on two gateways at once pays once', async () => {
    for (let round = 0; round < 5; round++) {
      const quote = await quoted(payer, toFriend(2_000));
      const before = await balance(wallet);
      const replies = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          n % 2 === 0 ? confirm(payer, '/me/transfers', quote) : onSecond(payer, '/me/transfers', confirmation(quote)),
        ),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      for (const reply of replies) if (reply.status === 409) assertRefused(reply, 409, 'QUOTE_USED');
      assert.equal(await balance(wallet), before - quote.total);
    }
  });

  test('lives five minutes, exactly, and its repeated request is answered after them', async () => {
    const [early, late] = [await quoted(payer, toFriend(3_000)), await quoted(payer, toFriend(3_000))];
    const request = confirmation(early);
    kissi.clock.advance(5 * MINUTE_MS - 1);
    const paid = assertStatus(await payer.post('/me/transfers', request), 200);
    kissi.clock.advance(1);
    assertRefused(await confirm(payer, '/me/transfers', late), 409, 'EXPIRED');
    kissi.clock.advance(2 * DAY_MS);
    const known = await again(kissi, payer);
    Object.assign(payer, known);
    assert.equal((await payer.post('/me/transfers', request)).text, paid.text);
    assertRefused(await confirm(payer, '/me/transfers', late), 404, 'NOT_FOUND');
    Object.assign(stranger, await again(kissi, stranger));
  });

  test('is refused once the fee has changed, with a new quote that pays', async () => {
    await setTransferFee(1);
    const [quote, other] = [await quoted(payer, toFriend(10_000)), await quoted(payer, toFriend(20_000))];
    const paidBefore = confirmation(other);
    const paid = assertStatus(await payer.post('/me/transfers', paidBefore), 200);
    await setTransferFee(2);
    const before = await balance(wallet);
    const { json } = assertRefused(await confirm(payer, '/me/transfers', quote), 409, 'QUOTE_CHANGED');
    assert.equal(await balance(wallet), before);
    assert.deepEqual(
      [json.quote.amount, json.quote.fee, json.quote.total, json.quote.recipient_name],
      [10_000, 200, 10_200, 'Foday S.'],
    );
    assertStatus(await confirm(payer, '/me/transfers', json.quote), 200);
    assert.equal(await balance(wallet), before - 10_200);
    assert.equal((await payer.post('/me/transfers', paidBefore)).text, paid.text, 'repeated at the old price');
    assertRefused(await confirm(payer, '/me/transfers', other), 409, 'QUOTE_USED', 'paid, whatever the price is now');
  });

  test('counts wrong PINs like every payment, and moves nothing', async () => {
    const quote = await quoted(stranger, toFriend(500));
    const before = await balance(stranger.wallet.id);
    assertRefused(await confirm(stranger, '/me/transfers', quote, { pin: '12' }), 400, 'INVALID_PIN');
    const wrong = assertRefused(
      await confirm(stranger, '/me/transfers', quote, { pin: WRONG_PIN }),
      401,
      'INVALID_PIN',
    );
    assert.equal(wrong.json.attempts_remaining, 2);
    assert.equal(await balance(stranger.wallet.id), before);
    assertStatus(await confirm(stranger, '/me/transfers', quote), 200);
  });

  test('is refused for lack of money and above the daily limit, and pays later', async () => {
    const poor = (await phonesOf(await bank.wallet(1_000)))[0] as Phone;
    const quote = await quoted(poor, toFriend(2_000));
    assertRefused(await confirm(poor, '/me/transfers', quote), 402, 'INSUFFICIENT_BALANCE');
    await bank.fund(poor.wallet, 5_000);
    assertStatus(await confirm(poor, '/me/transfers', quote), 200);
    Object.assign(payer, await again(kissi, payer));
    Object.assign(stranger, await again(kissi, stranger));
  });
});

describe('somebody else’s quote', () => {
  test('pays nothing: not in another wallet, on another device, changed, or by another route', async () => {
    const quote = await quoted(payer, toFriend(1_500));
    const untouched = await balance(stranger.wallet.id);
    assertRefused(await confirm(stranger, '/me/transfers', quote), 404, 'NOT_FOUND');
    const other = await newPhone(kissi, payer.wallet);
    assertRefused(await confirm(other, '/me/transfers', quote), 404, 'NOT_FOUND', 'another device of the wallet');
    assertRefused(await confirm(payer, '/me/payments', quote), 404, 'NOT_FOUND', 'the route of merchants');
    assertRefused(await confirm(payer, '/me/payment-requests/prq_1/approve', quote), 404, 'NOT_FOUND');
    for (const id of ['quote', `${quote.id}A`, quote.id.slice(0, -2), flipped(quote.id), 'A'.repeat(200)]) {
      assertRefused(await confirm(payer, '/me/transfers', { id }), 404, 'NOT_FOUND', id);
    }
    assert.equal(await balance(stranger.wallet.id), untouched);
    assertStatus(await confirm(payer, '/me/transfers', quote), 200);
  });

  test('says nothing of the payee', async () => {
    const { id } = await quoted(payer, toFriend(1_500));
    assert.ok(!Buffer.from(id, 'base64url').includes('sub_'));
  });

  test('ends with the device: a blocked and unblocked wallet needs a new one', async () => {
    const [phone] = (await phonesOf(await bank.wallet(50_000))) as [Phone];
    const quote = await quoted(phone, toFriend(1_000));
    const { id } = phone.wallet;
    assertStatus(await kissi.asAdmin.post(`/subscribers/${id}/block`, { reason: 'Stolen phone' }), 200);
    assertRefused(await confirm(phone, '/me/transfers', quote), 401, 'UNAUTHORIZED');
    assertStatus(await kissi.asAdmin.post(`/subscribers/${id}/unblock`), 200);
    assertRefused(await confirm(await newPhone(kissi, phone.wallet), '/me/transfers', quote), 404, 'NOT_FOUND');
    Object.assign(payer, await again(kissi, payer));
    Object.assign(stranger, await again(kissi, stranger));
  });
});

function flipped(id: string): string {
  const bytes = Buffer.from(id, 'base64url');
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

describe('paying a merchant', () => {
  test('is an in-app payment with the amount that the payer enters, and can be refunded', async () => {
    const before = await balance(shop.merchant.id);
    const quote = await quoted(payer, await toShop(30_000));
    const paid = assertStatus(await confirm(payer, '/me/payments', quote), 200).json;
    const { rows } = await kissi.db.query('select type, fee, narration, details from movements where id = $1', [
      paid.transaction_id,
    ]);
    const { type, fee, narration, details } = rows[0] as Json;
    assert.deepEqual(
      [type, narration, details.channel, details.merchant_id],
      ['pos_payment', 'Lumley Beach Grill', 'in_app', shop.merchant.merchantId],
    );
    assert.equal(await balance(shop.merchant.id), before + 30_000 - Number(fee));
    const refund = { request_id: newId(), transaction_id: paid.transaction_id, amount: 10_000 };
    assert.equal(assertStatus(await shop.send('POST', '/pos/refund', refund), 200).json.remaining, 20_000);
  });

  test('is refused for a suspended merchant, before and after the quote', async () => {
    const quote = await quoted(payer, await toShop(1_000));
    const { id } = shop.merchant;
    assertStatus(await kissi.asAdmin.post(`/processors/${id}/suspend`, { reason: 'Checked' }), 200);
    assertRefused(await payer.post('/me/quote', await toShop(1_000)), 403, 'PROCESSOR_SUSPENDED');
    assertRefused(await confirm(payer, '/me/payments', quote), 403, 'PROCESSOR_SUSPENDED');
    assertStatus(await kissi.asAdmin.post(`/processors/${id}/reactivate`), 200);
    assertStatus(await confirm(payer, '/me/payments', quote), 200);
  });
});

describe('the request id', () => {
  const ofTransaction = (records: Json[], id: string) =>
    records.find(({ transaction_id }) => transaction_id === id)?.request_id;

  /** In the history, the statement and the details. */
  async function seenBy(phone: Phone, id: string): Promise<(string | null)[]> {
    const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
    const { transactions } = (await phone.get('/me/transactions')).json;
    const { entries } = (await phone.get(`/me/statement?from=${day}&to=${day}`)).json;
    const { transaction } = (await phone.get(`/me/transactions/${id}`)).json;
    return [ofTransaction(transactions, id), ofTransaction(entries, id), transaction.request_id];
  }

  test('of a transfer is seen by its sender and the operator, not by the recipient', async () => {
    const request_id = newId();
    const quote = await quoted(payer, { ...toFriend(500), phone_number: stranger.wallet.phone });
    const { transaction_id: id } = assertStatus(await confirm(payer, '/me/transfers', quote, { request_id }), 200).json;
    assert.deepEqual(await seenBy(payer, id), [request_id, request_id, request_id]);
    assert.deepEqual(await seenBy(stranger, id), [null, null, null]);
    const { transactions } = (await kissi.asAdmin.get(`/transactions?subscriber_id=${stranger.wallet.id}`)).json;
    assert.equal(ofTransaction(transactions, id), request_id);
  });

  test('of a payment in the app is not the merchant’s; that of a card’s payment is', async () => {
    const quote = await quoted(payer, await toShop(500));
    const { transaction_id: id } = assertStatus(await confirm(payer, '/me/payments', quote), 200).json;
    const listed = assertStatus(await shop.send('GET', '/transactions'), 200).json.transactions;
    assert.equal(ofTransaction(listed, id), null);
    assert.equal(assertStatus(await shop.send('GET', `/transactions/${id}`), 200).json.transaction.request_id, null);
    const terminal = await terminalOf(kissi, { merchant: shop.merchant });
    const { wallet: holder, card } = await bank.customer(10_000);
    const request_id = newId();
    const bought = assertStatus(await terminal.pay(card, { amount: 100, request_id }), 200).json;
    const later = assertStatus(await shop.send('GET', '/transactions'), 200).json.transactions;
    assert.equal(ofTransaction(later, bought.transaction_id), request_id);
    assert.deepEqual(await seenBy(await newPhone(kissi, holder), bought.transaction_id), [null, null, null]);
  });
});
