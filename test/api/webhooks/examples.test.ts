// Tests examples of events: each has the fields of a real one, with values of the same kind.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { MERCHANT_EVENTS } from '../../../src/webhooks/merchant-event.ts';
import { loginOf, paid as paidInBulk, rowsTo } from '../../support/bulk-execution.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { confirm, decline, LAB, shopOf } from '../../support/payment-requests.ts';
import { PAYOUT_ACCOUNT } from '../../support/processors.ts';
import { newRequestId } from '../../support/terminal.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { arrived, newShop } from './support.ts';

const kissi = await testGateway({ env: { ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true' } });
const bank = await createBank(kissi);
const server = await receiver();
after(async () => {
  await server.close();
  await kissi.close();
});
const shop = await newShop(kissi, bank);
const asking = await shopOf(kissi, shop.merchant);
const { id: endpointId } = await shop.endpoint(server.url, [...MERCHANT_EVENTS]);

test('an example has the fields of a real event of its type', async () => {
  await causeEveryEvent();
  const real = await objectsByType();
  assert.deepEqual([...real.keys()].toSorted(), [...MERCHANT_EVENTS].toSorted());
  for (const type of MERCHANT_EVENTS) {
    assertStatus(await asking.send('POST', `/webhook-endpoints/${endpointId}/test`, { type }), 200);
    const { example, ...object } = (await objectsByType()).get(type) ?? {};
    assert.equal(example, true, type);
    assert.deepEqual(shapeOf(object), shapeOf(real.get(type)), type);
    assert.equal(object.status, real.get(type)?.status, type);
    assert.equal(object.processor_id, shop.merchant.id, type);
  }
});

async function causeEveryEvent(): Promise<void> {
  const { card } = await bank.customer(500_000);
  const paid = async (extra: object) => {
    const { json } = assertStatus(await shop.terminal.pay(card, { amount: 1_000, ...extra }), 200);
    return json.transaction_id as string;
  };
  const end = async (what: string, id: string) =>
    assertStatus(await shop.terminal.send(`/pos/payment/${id}/${what}`, { request_id: newRequestId() }), 200);
  assertStatus(await shop.terminal.refund(await paid({}), {}), 200);
  await end('capture', await paid({ capture: false }));
  await end('void', await paid({ capture: false }));
  await paid({ capture: false });
  const payout = { amount: 4_000, bank_account: PAYOUT_ACCOUNT, request_id: newRequestId() };
  const sent = assertStatus(await shop.call('POST', `/processors/${shop.merchant.id}/payout`, payout), 200).json;
  const path = `/processors/${shop.merchant.id}/payouts/${sent.transaction_id}/return`;
  assertStatus(await kissi.asAdmin.post(path, { reason: 'Account closed' }), 200);
  const payer = await bank.wallet(50_000);
  const logins = { uploader: await loginOf(kissi, shop.merchant), approver: await loginOf(kissi, shop.merchant) };
  await paidInBulk(kissi, { merchant: shop.merchant, ...logins }, rowsTo([payer]));
  const ask = async (extra = {}) =>
    (await asking.asked({ metadata: { order: 7 }, reference: 'O-7', ...extra })).id as string;
  assertStatus(await decline(kissi, await ask({ payer_phone: payer.phone }), payer.id), 200);
  assertStatus(await asking.send('POST', `/payment-requests/${await ask()}/cancel`, {}), 200);
  await ask();
  kissi.clock.advance(HOUR_MS);
  await kissi.gateway.services.paymentRequests.expireDue();
  kissi.clock.advance(7 * DAY_MS);
  await kissi.gateway.services.holdExpiry.run();
  assertStatus(await confirm(kissi, await ask(), payer.id), 200);
}

/** The first of each type: a payment at the terminal comes before that of a request. */
async function objectsByType(): Promise<Map<string, Json>> {
  const objects = new Map<string, Json>();
  for (let events = await arrived(kissi, server); events.length > 0; events = await arrived(kissi, server)) {
    for (const { json } of events) if (!objects.has(json.type)) objects.set(json.type, json.data.object);
  }
  return objects;
}

/** The fields with the types of their values, sorted by name. Null fits every text. */
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return 'list';
  if (value === null || typeof value !== 'object') return value === null ? 'string' : typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, shapeOf(value[name])]),
  );
}
