// Tests the events of payment requests: the payee learns how each ended, once, in the commit of the change.
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { confirm, decline, LAB, shopOf } from '../../support/payment-requests.ts';
import { assertRefused, balanceOf } from '../../support/processors.ts';
import { type Receiver, receiver } from '../../webhooks/receiver.ts';
import { arrived, newShop, onlyEvent, type Shop } from './support.ts';

const kissi = await testGateway({ env: { ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true' } });
const bank = await createBank(kissi);
after(() => kissi.close());
const EVENTS = ['paid', 'declined', 'expired', 'cancelled'].map((name) => `payment_request.${name}`);

let shop: Shop;
let asking: Awaited<ReturnType<typeof shopOf>>;
let server: Receiver;
beforeEach(async () => {
  shop = await newShop(kissi, bank);
  asking = await shopOf(kissi, shop.merchant);
  server = await receiver();
  await shop.endpoint(server.url, EVENTS);
});
afterEach(() => server.close());

test('a paid request sends the request as the API shows it, and its payment', async () => {
  const payer = await bank.wallet(50_000);
  const before = await balanceOf(kissi, shop.merchant.id);
  const metadata = { order: 7 };
  const { id } = await asking.asked({ amount: 12_500, reference: 'O-7', metadata });
  const paid = assertStatus(await confirm(kissi, id, payer.id), 200).json;
  const { payment, ...request } = await onlyEvent(kissi, server, 'payment_request.paid');
  assert.deepEqual(request, await asking.read(id));
  assert.deepEqual(
    [request.status, request.metadata, request.transaction_ids],
    ['paid', metadata, [paid.transaction_id]],
  );
  const { transaction_id, amount, fee } = payment;
  assert.deepEqual([transaction_id, amount], [paid.transaction_id, 12_500]);
  assert.equal(await balanceOf(kissi, shop.merchant.id), before + 12_500 - fee);
});

test('its payment is payment.completed too, for endpoints that chose it', async () => {
  await shop.endpoint(server.url, ['payment.completed']);
  const payer = await bank.wallet(50_000);
  const { id } = await asking.asked({ amount: 900 });
  const paid = assertStatus(await confirm(kissi, id, payer.id), 200).json;
  const events = (await arrived(kissi, server)).map(({ json }) => json as Json);
  const completed = events.find(({ type }) => type === 'payment.completed')?.data.object;
  assert.deepEqual(events.map(({ type }) => type).toSorted(), ['payment.completed', 'payment_request.paid']);
  assert.deepEqual([completed.transaction_id, completed.payment_request_id], [paid.transaction_id, id]);
});

test('a reusable request sends an event for each payment and stays open', async () => {
  const { id } = await asking.asked({ amount: null, single_use: false });
  for (const amount of [100, 200]) {
    const payer = await bank.wallet(1_000);
    assertStatus(await confirm(kissi, id, payer.id, { amount }), 200);
    const { status, payment, payment_count } = await onlyEvent(kissi, server, 'payment_request.paid');
    assert.deepEqual([status, payment.amount, payment_count], ['open', amount, amount / 100]);
  }
});

test('payments of a link at once, and its end, send how many payments there are by then', async () => {
  const { id } = await asking.asked({ amount: 100, single_use: false });
  const payers = await Promise.all([...'12345'].map(() => bank.wallet(1_000)));
  for (const paid of await Promise.all(payers.map((payer) => confirm(kissi, id, payer.id)))) assertStatus(paid, 200);
  assertStatus(await asking.send('POST', `/payment-requests/${id}/cancel`, {}), 200);
  const events = (await arrived(kissi, server)).map(({ json }) => json as Json);
  const counts = (outcome: string) =>
    events.filter(({ type }) => type === `payment_request.${outcome}`).map(({ data }) => data.object.payment_count);
  assert.deepEqual([counts('paid').toSorted(), counts('cancelled')], [[1, 2, 3, 4, 5], [5]]);
});

test('a declined, a cancelled and an expired request send one event each', async () => {
  const payer = await bank.wallet(50_000);
  const declined = await asking.asked({ payer_phone: payer.phone });
  assertStatus(await decline(kissi, declined.id, payer.id), 200);
  const { id, status, failure } = await onlyEvent(kissi, server, 'payment_request.declined');
  assert.deepEqual([id, status, failure], [declined.id, 'declined', 'DECLINED']);
  const cancelled = await asking.asked();
  for (const _ of '12') assertStatus(await asking.send('POST', `/payment-requests/${cancelled.id}/cancel`, {}), 200);
  assert.equal((await onlyEvent(kissi, server, 'payment_request.cancelled')).id, cancelled.id);
  const expired = await asking.asked();
  kissi.clock.advance(HOUR_MS);
  for (const _ of '12') await kissi.gateway.services.paymentRequests.expireDue();
  assert.equal((await onlyEvent(kissi, server, 'payment_request.expired')).failure, 'EXPIRED');
  assertRefused(await confirm(kissi, expired.id, payer.id), 409, 'EXPIRED');
});

test('a payment that is refused sends nothing', async () => {
  const payer = await bank.wallet(50);
  const { id } = await asking.asked();
  assertRefused(await confirm(kissi, id, payer.id), 402, 'INSUFFICIENT_BALANCE');
  assert.deepEqual(await arrived(kissi, server), []);
});
