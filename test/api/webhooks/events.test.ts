// Tests the events of merchants: which payment sends which, what they say, and that the library standardwebhooks verifies them.
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { assertStatus, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { assertRefused, balanceOf, PAYOUT_ACCOUNT } from '../../support/processors.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';
import { answering, deliver, type Receiver, receiver } from '../../webhooks/receiver.ts';
import { arrived, newShop, onlyEvent, type Shop } from './support.ts';

const kissi = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const bank = await createBank(kissi);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});
const EVERY_PAYMENT = ['completed', 'authorized', 'captured', 'voided', 'expired', 'refunded'].map(
  (name) => `payment.${name}`,
);

let shop: Shop;
let server: Receiver;
beforeEach(async () => {
  shop = await newShop(kissi, bank);
  server = await receiver();
});
afterEach(() => server.close());

const listen = (events: string[] = EVERY_PAYMENT) => shop.endpoint(server.url, events);

async function authorized(amount = 10_000) {
  const { wallet, card } = await bank.customer(100_000);
  const { json } = assertStatus(await shop.terminal.pay(card, { amount, capture: false }), 200);
  return { wallet, card, id: json.transaction_id as string };
}

const end = (what: 'capture' | 'void', id: string, extra: object = {}) =>
  shop.terminal.send(`/pos/payment/${id}/${what}`, { request_id: newRequestId(), ...extra });

describe('a card payment', () => {
  test('at a terminal sends payment.completed with what the API replied', async () => {
    await listen();
    const { wallet, card } = await bank.customer(50_000);
    const merchantBefore = await balanceOf(kissi, shop.merchant.id);
    const request = shop.terminal.payment(card, { amount: 12_500 });
    const { json } = assertStatus(await shop.terminal.send('/pos/payment', request), 200);
    const { success, receipt, ...replied } = json;
    assert.deepEqual(await onlyEvent(kissi, server, 'payment.completed'), {
      ...replied,
      channel: 'pos',
      terminal_id: 'T-0001',
      request_id: request.request_id,
    });
    assert.deepEqual([success, typeof receipt], [true, 'string']);
    assert.equal(await balanceOf(kissi, wallet.id), 37_500);
    assert.equal(await balanceOf(kissi, shop.merchant.id), merchantBefore + 12_500 - json.fee);
  });

  test('in an app sends its metadata too', async () => {
    await listen();
    const { card } = await bank.customer(50_000);
    const metadata = { order: 7, note: null };
    assertStatus(await shop.terminal.payInApp(card, { amount: 900, metadata }), 200);
    const object = await onlyEvent(kissi, server, 'payment.completed');
    assert.deepEqual([object.channel, object.terminal_id, object.metadata], ['in_app', null, metadata]);
  });

  test('that is refused sends nothing, and a repeated request no second event', async () => {
    await listen();
    const { card } = await bank.customer(1_000);
    assertRefused(await shop.terminal.pay(card, { amount: 1_001 }), 402, 'INSUFFICIENT_BALANCE');
    assert.deepEqual(await arrived(kissi, server), []);
    const request = shop.terminal.payment(card, { amount: 1_000 });
    for (let n = 0; n < 2; n++) assertStatus(await shop.terminal.send('/pos/payment', request), 200);
    await onlyEvent(kissi, server, 'payment.completed');
  });

  test('at another merchant, or with an event that no endpoint chose, writes no delivery', async () => {
    await listen(['payment.refunded']);
    const other = await newShop(kissi, bank);
    const { card } = await bank.customer(50_000);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    assertStatus(await other.terminal.pay(card, { amount: 100 }), 200);
    assert.deepEqual(await arrived(kissi, server), []);
    const { rows } = await kissi.db.query('select 1 from webhook_deliveries where processor_id = $1', [
      other.merchant.id,
    ]);
    assert.deepEqual(rows, []);
  });

  test('goes to each endpoint that chose it, under ids of their own', async () => {
    await listen(['payment.completed']);
    await listen(['payment.completed', 'payment.voided']);
    await listen(['payment.voided']);
    const { card } = await bank.customer(50_000);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    const [first, second, ...more] = await arrived(kissi, server);
    assert.deepEqual(more, []);
    assert.notEqual(first?.id, second?.id);
    assert.deepEqual(first?.json.data, second?.json.data);
  });

  test('through a key of the operator sends the event to the merchant too', async () => {
    await listen();
    const operated = await terminalOf(kissi, { merchant: shop.merchant });
    const { card } = await bank.customer(50_000);
    const paid = assertStatus(await operated.pay(card, { amount: 700 }), 200);
    await onlyEvent(kissi, server, 'payment.completed');
    assertStatus(await operated.refund(paid.json.transaction_id, { amount: 300 }), 200);
    const refunded = await onlyEvent(kissi, server, 'payment.refunded');
    assert.deepEqual([refunded.amount, refunded.remaining], [300, 400]);
  });
});

describe('an authorised payment', () => {
  test('sends payment.authorized, and payment.captured with what was captured', async () => {
    await listen();
    const { wallet, id } = await authorized(10_000);
    const opened = await onlyEvent(kissi, server, 'payment.authorized');
    assert.deepEqual([opened.transaction_id, opened.status, opened.amount], [id, 'AUTHORIZED', 10_000]);
    assertStatus(await end('capture', id, { amount: 6_000 }), 200);
    const captured = await onlyEvent(kissi, server, 'payment.captured');
    assert.equal(captured.authorization_transaction_id, id);
    assert.deepEqual([captured.status, captured.amount, captured.released], ['CAPTURED', 6_000, 4_000]);
    assert.equal(captured.processor_id, shop.merchant.id);
    assert.equal(await balanceOf(kissi, wallet.id), 94_000);
  });

  test('sends payment.voided when it is voided, once', async () => {
    await listen();
    const { wallet, id } = await authorized();
    await arrived(kissi, server);
    assertStatus(await end('void', id), 200);
    assertRefused(await end('void', id), 409, 'ALREADY_VOIDED');
    const object = await onlyEvent(kissi, server, 'payment.voided');
    assert.deepEqual([object.transaction_id, object.status], [id, 'VOIDED']);
    assert.equal(await balanceOf(kissi, wallet.id), 100_000);
  });

  test('sends payment.expired when it expires', async () => {
    await listen();
    const { wallet, id } = await authorized();
    await arrived(kissi, server);
    kissi.clock.advance(7 * DAY_MS);
    await kissi.gateway.services.holdExpiry.run();
    const object = await onlyEvent(kissi, server, 'payment.expired');
    assert.deepEqual([object.transaction_id, object.status, object.amount], [id, 'EXPIRED', 10_000]);
    assert.equal(object.processor_id, shop.merchant.id);
    assert.equal(await balanceOf(kissi, wallet.id), 100_000);
  });

  test('is told in order, even if the first event must be repeated', async () => {
    await listen();
    server.behave(answering(500));
    const { id } = await authorized();
    await deliver(kissi);
    assertStatus(await end('capture', id), 200);
    await deliver(kissi);
    assert.deepEqual(
      server.received.map(({ json }) => json.type),
      ['payment.authorized'],
    );
    server.behave((response) => void response.writeHead(200).end());
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    await deliver(kissi);
    assert.deepEqual(
      server.received.map(({ json }) => json.type),
      ['payment.authorized', 'payment.authorized', 'payment.captured'],
    );
  });
});

describe('refunds and pay-outs', () => {
  test('a refund sends payment.refunded with what is left', async () => {
    await shop.endpoint(server.url, ['payment.refunded']);
    const { wallet, card } = await bank.customer(50_000);
    const { json } = assertStatus(await shop.terminal.pay(card, { amount: 5_000 }), 200);
    assertStatus(await shop.terminal.refund(json.transaction_id, { amount: 2_000 }), 200);
    const object = await onlyEvent(kissi, server, 'payment.refunded');
    assert.equal(object.original_transaction_id, json.transaction_id);
    assert.deepEqual([object.amount, object.remaining, object.status], [2_000, 3_000, 'PARTIALLY_REFUNDED']);
    assert.equal(await balanceOf(kissi, wallet.id), 47_000);
  });

  test('a pay-out sends payout.sent, and payout.returned when it comes back', async () => {
    await shop.endpoint(server.url, ['payout.sent', 'payout.returned']);
    const body = { amount: 4_000, bank_account: PAYOUT_ACCOUNT, request_id: newRequestId() };
    const { json } = assertStatus(await shop.call('POST', `/processors/${shop.merchant.id}/payout`, body), 200);
    const sent = await onlyEvent(kissi, server, 'payout.sent');
    assert.deepEqual([sent.transaction_id, sent.status, sent.amount], [json.transaction_id, 'IN_TRANSIT', 4_000]);
    assert.equal('balance' in sent, false);
    assert.equal(await balanceOf(kissi, shop.merchant.id), 96_000);
    const path = `/processors/${shop.merchant.id}/payouts/${json.transaction_id}/return`;
    assertStatus(await kissi.asAdmin.post(path, { reason: 'Account closed' }), 200);
    const returned = await onlyEvent(kissi, server, 'payout.returned');
    assert.deepEqual([returned.original_transaction_id, returned.status], [json.transaction_id, 'RETURNED']);
    assert.equal(await balanceOf(kissi, shop.merchant.id), 100_000);
  });
});

describe('signatures', () => {
  /** The library compares with the machine's clock. */
  function verified(secret: string, { raw, headers }: (typeof server.received)[number], at: number): unknown {
    const { now } = Date;
    Date.now = () => at;
    try {
      return new Webhook(secret).verify(raw.toString(), headers as Record<string, string>);
    } finally {
      Date.now = now;
    }
  }

  test('are verified by the library standardwebhooks, and with both secrets during a rotation', async () => {
    const { id, secret } = await shop.endpoint(server.url, ['payment.completed']);
    const { card } = await bank.customer(50_000);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    const [first] = await arrived(kissi, server);
    assert.ok(first);
    const at = kissi.clock.now();
    assert.deepEqual(verified(secret, first, at), first.json);
    assert.equal(first.headers['webhook-id'], first.headers['x-hook-event-id']);
    assert.throws(() => verified(secret, { ...first, raw: Buffer.from('{}') }, at), /No matching signature/);
    const { json } = assertStatus(await shop.call('POST', `/webhook-endpoints/${id}/rotate-secret`), 200);
    assert.notEqual(json.secret, secret);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    const [second] = await arrived(kissi, server);
    assert.ok(second);
    for (const valid of [secret, json.secret]) assert.deepEqual(verified(valid, second, at), second.json);
    kissi.clock.advance(DAY_MS);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    const [third] = await arrived(kissi, server);
    assert.ok(third);
    assert.deepEqual(verified(json.secret, third, kissi.clock.now()), third.json);
    assert.throws(() => verified(secret, third, kissi.clock.now()), /No matching signature/);
    assert.equal(third.headers['x-hook-signature-previous'], undefined);
  });
});
