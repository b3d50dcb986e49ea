// Tests payment requests of customers: what they are asked, approving from two devices, declining, blocking, asking others.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { again, newPhone, type Phone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { PIN, type Wallet } from '../../support/money.ts';
import { shopOf } from '../../support/payment-requests.ts';
import { assertRefused } from '../../support/processors.ts';
import { newId, quoted, quotesForFile } from '../../support/quoted.ts';

const { kissi, second, bank, balance, shop, phonesOf } = await quotesForFile();
const other = await shopOf(kissi);

const wallets: Wallet[] = [];
for (let n = 0; n < 8; n++) wallets.push(await bank.wallet(500_000));
const phones = await phonesOf(...wallets);
const next = () => phones.pop() as Phone;

async function approve(phone: Phone, id: string, extra: Json = {}): Promise<CallReply> {
  const quote = await quoted(phone, { type: 'payment_request', payment_request_id: id });
  return phone.post(`/me/payment-requests/${id}/approve`, {
    quote_id: quote.id,
    pin: PIN,
    request_id: newId(),
    ...extra,
  });
}

const incoming = async (phone: Phone): Promise<Json[]> =>
  assertStatus(await phone.get('/me/payment-requests/incoming'), 200).json.payment_requests;

describe('a request to the customer', () => {
  test('is listed, opened, quoted and approved; then it is no longer asked', async () => {
    const phone = next();
    const asked = await shop.asked({ payer_phone: phone.wallet.phone, amount: 12_000, reference: 'INV-1' });
    await shop.asked({ amount: 9 });
    const [listed, ...others] = await incoming(phone);
    assert.deepEqual([listed?.id, listed?.payee_name, others.length], [asked.id, 'Lumley Beach Grill', 0]);
    const { json } = assertStatus(await phone.get(`/payment-requests/by-code/${asked.code}`), 200);
    assert.deepEqual([json.payment_request.id, json.payment_request.amount], [asked.id, 12_000]);
    const token = new URL(asked.url, 'http://x').pathname.split('/').pop();
    const byLink = assertStatus(await phone.get(`/payment-requests/by-code/${token}`), 200).json.payment_request;
    assert.equal(byLink.id, asked.id);
    await new Promise(setImmediate);
    assert.match(kissi.logs(), /"route":"\/api\/v1\/payment-requests\/by-code\/:code"/);
    assert.ok(!kissi.logs().includes(String(token)), 'whoever reads the log must not be able to open the link');
    for (const named of [{ code: asked.code }, { qr: asked.qr }, { payment_request_id: asked.id }]) {
      const quote = await quoted(phone, { type: 'payment_request', ...named });
      assert.deepEqual([quote.payment_request_id, quote.amount, quote.type], [asked.id, 12_000, 'payment_request']);
    }
    const paid = assertStatus(await approve(phone, asked.id), 200).json;
    assert.deepEqual([paid.payment_request_id, paid.amount], [asked.id, 12_000]);
    assert.deepEqual(await incoming(phone), []);
    const read = assertStatus(await phone.get(`/me/payment-requests/${asked.id}`), 200).json;
    assert.deepEqual([read.direction, read.payment_request.status], ['incoming', 'paid']);
    assertRefused(
      await phone.post('/me/quote', { type: 'payment_request', payment_request_id: asked.id }),
      409,
      'ALREADY_PAID',
    );
  });

  test('shows no ids of its payee and takes no other amount', async () => {
    const phone = next();
    const asked = await shop.asked({ payer_phone: phone.wallet.phone });
    const { text } = assertStatus(await phone.get('/me/payment-requests/incoming'), 200);
    assert.ok(!text.includes(shop.merchant.id) && !text.includes('sub_'), text);
    const body = { type: 'payment_request', payment_request_id: asked.id, amount: 1 };
    const { json } = assertRefused(await phone.post('/me/quote', body), 422, 'AMOUNT_MISMATCH');
    assert.equal(json.required, 10_000);
    const open = await shop.asked({ amount: null });
    assertRefused(
      await phone.post('/me/quote', { ...body, payment_request_id: open.id, amount: undefined }),
      400,
      'INVALID_AMOUNT',
    );
  });

  test('approved from two devices on two gateways is paid once', async () => {
    const phone = next();
    const tablet = await newPhone(kissi, phone.wallet);
    for (let round = 0; round < 4; round++) {
      const asked = await shop.asked({ amount: 1_000 });
      const ask = { type: 'payment_request', payment_request_id: asked.id };
      const quotes = [await quoted(phone, ask), await quoted(tablet, ask)];
      const before = await balance(phone.wallet.id);
      const body = (quote: Json) => ({ quote_id: quote.id, pin: PIN, request_id: newId() });
      const path = `/api/v1/me/payment-requests/${asked.id}/approve`;
      const replies = await Promise.all([
        kissi.call('POST', path, { token: phone.token, body: body(quotes[0]) }),
        second.call('POST', path, { token: tablet.token, body: body(quotes[1]) }),
        second.call('POST', path, { token: phone.token, body: body(quotes[0]) }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
      assert.equal(await balance(phone.wallet.id), before - quotes[0].total);
    }
  });

  test('approved with the quote of another request pays nothing', async () => {
    const phone = next();
    const [one, two] = [await shop.asked({ amount: 100 }), await shop.asked({ amount: 99_000 })];
    const quote = await quoted(phone, { type: 'payment_request', payment_request_id: one.id });
    const body = { quote_id: quote.id, pin: PIN, request_id: newId() };
    assertRefused(await phone.post(`/me/payment-requests/${two.id}/approve`, body), 404, 'NOT_FOUND');
    assert.equal(await balance(phone.wallet.id), 500_000);
    assertStatus(await phone.post(`/me/payment-requests/${one.id}/approve`, body), 200);
  });

  test('is declined once, and after two declines the payee is muted', async () => {
    const phone = next();
    for (let n = 0; n < 2; n++) {
      const asked = await other.asked({ payer_phone: phone.wallet.phone });
      const decline = () => phone.post(`/me/payment-requests/${asked.id}/decline`);
      assertStatus(await decline(), 200);
      assertStatus(await decline(), 200);
      assert.equal((await other.read(asked.id)).status, 'declined');
    }
    const asked = await other.asked({ payer_phone: phone.wallet.phone });
    assert.deepEqual(await incoming(phone), []);
    assert.equal((await other.read(asked.id)).status, 'open');
    assertRefused(await phone.get(`/me/payment-requests/${asked.id}`), 404, 'NOT_FOUND', 'an id alone opens nothing');
  });

  test('comes no more from a blocked payee, until it is unblocked', async () => {
    const phone = next();
    const first = await shop.asked({ payer_phone: phone.wallet.phone });
    assertStatus(await phone.post(`/me/payment-requests/${first.id}/block-payee`), 200);
    assert.deepEqual(await incoming(phone), []);
    await shop.asked({ payer_phone: phone.wallet.phone });
    assert.deepEqual(await incoming(phone), []);
    const { json } = assertStatus(await phone.get('/me/blocked-payees'), 200);
    assert.deepEqual(
      json.blocked_payees.map((blocked: Json) => [blocked.payment_request_id, blocked.payee_name]),
      [[first.id, 'Lumley Beach Grill']],
    );
    assertStatus(await phone.post(`/me/payment-requests/${first.id}/unblock-payee`), 200);
    assert.deepEqual((await phone.get('/me/blocked-payees')).json.blocked_payees, []);
    assert.equal((await incoming(phone)).length, 1);
  });
});

describe('a request of the customer', () => {
  test('is made, paid by a friend, and read by its two parties only', async () => {
    const [payee, friend, stranger] = [next(), phones[0] as Phone, await newPhone(kissi, await bank.wallet())];
    const body = { amount: 4_000, description: 'Lunch', payer_phone: friend.wallet.phone, request_id: newId() };
    const made = assertStatus(await payee.post('/me/payment-requests', body), 201);
    const { id } = made.json.payment_request;
    const repeated = await payee.post('/me/payment-requests', body);
    assert.deepEqual([repeated.status, repeated.json.payment_request.id], [201, id]);
    assertRefused(await payee.post('/me/payment-requests', { ...body, amount: 1 }), 409, 'REQUEST_CONFLICT');
    assert.equal((await incoming(friend))[0]?.payee_name, 'Aminata K.');
    for (const reply of [
      await stranger.get(`/me/payment-requests/${id}`),
      await stranger.post(`/me/payment-requests/${id}/cancel`),
      await friend.post(`/me/payment-requests/${id}/cancel`),
    ]) {
      assertRefused(reply, 404, 'NOT_FOUND');
    }
    const before = await balance(payee.wallet.id);
    assertStatus(await approve(friend, id), 200);
    assert.equal(await balance(payee.wallet.id), before + 4_000);
    const sent = assertStatus(await payee.get('/me/payment-requests?status=paid'), 200).json;
    assert.deepEqual([sent.total_count, sent.payment_requests[0].id], [1, id]);
    assertRefused(await payee.post(`/me/payment-requests/${id}/cancel`), 409, 'ALREADY_PAID');
    assertRefused(await payee.get(`/payment-requests/by-code/${made.json.payment_request.code}`), 400, 'SAME_ACCOUNT');
  });

  test('is made ten times a day, and cancelled', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const make = () => phone.post('/me/payment-requests', { amount: 1, description: 'Tea', request_id: newId() });
    const { id } = assertStatus(await make(), 201).json.payment_request;
    for (let n = 1; n < 10; n++) assertStatus(await make(), 201);
    assertRefused(await make(), 429, 'RATE_LIMITED');
    for (let n = 0; n < 2; n++) {
      const { json } = assertStatus(await phone.post(`/me/payment-requests/${id}/cancel`), 200);
      assert.equal(json.payment_request.status, 'cancelled');
    }
  });
});

describe('look-ups by quotes and codes together', () => {
  test('count a payee who is blocked, or whose request is declined, by an id; not one who asked the customer', async () => {
    const [phone] = (await phonesOf(await bank.wallet(100_000))) as [Phone];
    const asking = await bank.wallet();
    const ids: string[] = [];
    for (let n = 0; n < 22; n++) {
      const { token } = await newPhone(kissi, await bank.wallet());
      const body = { amount: 5, description: 'Tea', request_id: newId() };
      const made = await kissi.call('POST', '/api/v1/me/payment-requests', { token, body });
      ids.push(assertStatus(made, 201).json.payment_request.id);
    }
    const told = await shop.asked({ payer_phone: phone.wallet.phone });
    const answer = (id: string | undefined, verb: string) => phone.post(`/me/payment-requests/${id}/${verb}`);
    for (const [n, id] of ids.slice(0, 20).entries()) {
      assertStatus(await answer(id, n % 2 ? 'block-payee' : 'decline'), 200);
    }
    assertRefused(await answer(ids[20], 'block-payee'), 429, 'TOO_MANY_LOOKUPS');
    assertRefused(await answer(ids[21], 'decline'), 429, 'TOO_MANY_LOOKUPS');
    assertRefused(
      await phone.post('/me/quote', { type: 'transfer', phone_number: asking.phone, amount: 1 }),
      429,
      'TOO_MANY_LOOKUPS',
    );
    assert.equal((await phone.get('/me/blocked-payees')).json.blocked_payees.length, 10);
    assertStatus(await answer(told.id, 'decline'), 200);
    assertStatus(await answer(told.id, 'block-payee'), 200);
  });

  test('count ids of nothing as misses', async () => {
    const [phone] = (await phonesOf(await bank.wallet())) as [Phone];
    const answer = (n: number) => phone.post(`/me/payment-requests/prq_unknown${n}/decline`);
    for (let n = 0; n < 10; n++) assertRefused(await answer(n), 404, 'NOT_FOUND');
    assertRefused(await answer(10), 429, 'TOO_MANY_LOOKUPS');
  });

  test('end at twenty payees in an hour who are not paid', async () => {
    const [phone] = (await phonesOf(await bank.wallet(100_000))) as [Phone];
    const people: Wallet[] = [];
    for (let n = 0; n < 22; n++) people.push(await bank.wallet());
    const lookUp = (n: number) =>
      phone.post('/me/quote', { type: 'transfer', phone_number: people[n]?.phone, amount: 10 });
    for (let n = 0; n < 19; n++) assertStatus(await lookUp(n), 200);
    const asked = await shop.asked();
    assertStatus(await phone.get(`/payment-requests/by-code/${asked.code}`), 200);
    const quote = assertStatus(await lookUp(3), 200).json.quote;
    const refused = assertRefused(await lookUp(20), 429, 'TOO_MANY_LOOKUPS');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assertRefused(await phone.get(`/payment-requests/by-code/${(await other.asked()).code}`), 429, 'TOO_MANY_LOOKUPS');
    assertStatus(await lookUp(0), 200);
    assertStatus(await phone.post('/me/transfers', { quote_id: quote.id, pin: PIN, request_id: newId() }), 200);
    assertStatus(await lookUp(20), 200);
    assertRefused(await lookUp(21), 429, 'TOO_MANY_LOOKUPS', 'the paid one freed one place');
    kissi.clock.advance(HOUR_MS);
    assertStatus(
      await (await again(kissi, phone)).post('/me/quote', {
        type: 'transfer',
        phone_number: people[21]?.phone,
        amount: 1,
      }),
      200,
    );
  });

  test('end at ten misses, on all gateways together', async () => {
    const [phone] = (await phonesOf(await bank.wallet())) as [Phone];
    const friend = await bank.wallet();
    const miss = (n: number) => {
      const body = { type: 'transfer', phone_number: `+2329900${String(n).padStart(4, '0')}`, amount: 1 };
      const gateway = n % 2 === 0 ? kissi : second;
      return gateway.call('POST', '/api/v1/me/quote', { token: phone.token, body });
    };
    const replies = await Promise.all(Array.from({ length: 14 }, (_, n) => miss(n)));
    assert.equal(replies.filter(({ status }) => status === 404).length, 10);
    assert.equal(replies.filter(({ status }) => status === 429).length, 4);
    const hit = await phone.post('/me/quote', { type: 'transfer', phone_number: friend.phone, amount: 1 });
    assertRefused(hit, 429, 'TOO_MANY_LOOKUPS', 'hits are refused as well');
  });
});
