// Tests webhook endpoints: who manages whose, limits, addresses, secrets, and the deliveries and replays of their owners.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { DAY_MS, iso } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { testBank } from '../../support/inbound.ts';
import { createBank } from '../../support/money.ts';
import { apiKey, assertRefused, auditRows, staffToken } from '../../support/staff.ts';
import { sendSigned, signatureHeaders } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';
import {
  acknowledge,
  answering,
  commitEvent,
  completed,
  deliver,
  partnerAt,
  receiver,
} from '../../webhooks/receiver.ts';
import { arrived, newShop, type Shop } from './support.ts';

const kissi = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const strict = await testGateway({ db: kissi.db, clock: kissi.clock });
const bank = await createBank(kissi);
const server = await receiver();
after(async () => {
  await server.close();
  await strict.close();
  await kissi.close();
});
const URL_ = 'https://shop.example/hooks';
const EVENTS = ['payment.completed', 'payment.refunded'];

let shop: Shop;
beforeEach(async () => {
  shop = await newShop(kissi, bank);
  server.behave(acknowledge);
  server.received.length = 0;
});

const create = (by: Shop, extra: object = {}) =>
  by.call('POST', '/webhook-endpoints', { url: URL_, events: EVENTS, ...extra });
const listed = async (by: Shop, query = ''): Promise<string[]> => {
  const { json } = assertStatus(await by.call('GET', `/webhook-endpoints${query}`), 200);
  return json.webhook_endpoints.map(({ id }: Json) => id);
};

describe('an endpoint', () => {
  test('is created by a login of the merchant, with a secret that is shown once', async () => {
    const { json } = assertStatus(await create(shop), 201);
    const { id, created_at, updated_at, created_by, ...rest } = json.webhook_endpoint;
    assert.match(id, /^whe_/);
    assert.match(json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([created_at, updated_at], [iso(kissi.clock.now()), iso(kissi.clock.now())]);
    assert.equal(created_by, shop.merchant.userId);
    const expected = { processor_id: shop.merchant.id, partner_id: null, url: URL_, events: EVENTS };
    assert.deepEqual(rest, { ...expected, previous_secret_valid_until: null });
    const read = assertStatus(await shop.call('GET', `/webhook-endpoints/${id}`), 200);
    assert.deepEqual(read.json, { webhook_endpoint: json.webhook_endpoint });
    assert.equal(read.text.includes('whsec_'), false);
    const { rows } = await kissi.db.query('select sealed_secret from webhook_endpoints where id = $1', [id]);
    assert.equal(rows[0].sealed_secret.includes(json.secret), false);
    const [audited] = await auditRows(kissi, { action: 'webhook_endpoint.create', resource_id: id });
    assert.deepEqual(audited.details, { owner_id: shop.merchant.id, url: URL_, events: EVENTS });
  });

  test('is changed, and tells its new events to the next payment', async () => {
    const { id } = await shop.endpoint(server.url, ['payment.refunded']);
    const { card } = await bank.customer(50_000);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    assert.deepEqual(await arrived(kissi, server), []);
    const change = { events: ['payment.completed'] };
    const { json } = assertStatus(await shop.call('PUT', `/webhook-endpoints/${id}`, change), 200);
    assert.deepEqual([json.webhook_endpoint.url, json.webhook_endpoint.events], [server.url, change.events]);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    assert.equal((await arrived(kissi, server)).length, 1);
  });

  test('that is deleted gets nothing more, not even what waits', async () => {
    const { id } = await shop.endpoint(server.url, ['payment.completed']);
    server.behave(answering(500));
    const { card } = await bank.customer(50_000);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    await arrived(kissi, server);
    assertStatus(await shop.call('DELETE', `/webhook-endpoints/${id}`), 204);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    kissi.clock.advance(60_000);
    assert.deepEqual(await arrived(kissi, server), []);
    const { rows } = await kissi.db.query('select status from webhook_deliveries where endpoint_id = $1', [id]);
    assert.deepEqual(rows, [{ status: 'abandoned' }]);
    assertRefused(await shop.call('GET', `/webhook-endpoints/${id}`), 404, 'NOT_FOUND');
    assert.deepEqual(await listed(shop), []);
  });

  test('is one of at most five of an owner, however many are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(shop)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 409, 409, 409]);
    assertRefused(await create(shop), 409, 'WEBHOOK_ENDPOINT_LIMIT');
    const ids = await listed(shop);
    assert.equal(ids.length, 5);
    assertStatus(await create(await newShop(kissi, bank)), 201);
    assertStatus(await shop.call('DELETE', `/webhook-endpoints/${ids[0]}`), 204);
    assertStatus(await create(shop), 201);
  });

  const WRONG: [string, object, RegExp][] = [
    ['a scheme other than http', { url: 'ftp://shop.example/' }, /^url must be an http or https URL/],
    ['a password in the address', { url: 'https://a:b@shop.example/' }, /^url must not contain a user name/],
    ['no events', { events: [] }, /events/],
    ['an unknown event', { events: ['payment.lost'] }, /events/],
    ['an event twice', { events: ['payment.voided', 'payment.voided'] }, /events/],
    ['an event of partners', { events: ['credit.completed'] }, /which only partners get/],
  ];
  for (const [what, extra, message] of WRONG) {
    test(`is refused with ${what}`, async () => {
      assert.match(assertRefused(await create(shop, extra), 400, 'INVALID_REQUEST').json.error, message);
    });
  }

  for (const url of [
    'http://127.0.0.1/',
    'https://localhost/x',
    'https://[::1]/',
    'http://10.1.2.3/',
    'https://0x7f.1/',
  ]) {
    test(`is refused with the private address ${url}, also in a change`, async () => {
      const { token } = shop;
      const send = (method: 'POST' | 'PUT', path: string, body: object) =>
        strict.call(method, `/api/v1/webhook-endpoints${path}`, { body, token });
      assertRefused(await send('POST', '', { url, events: EVENTS }), 400, 'INVALID_REQUEST');
      const { json } = assertStatus(await create(shop), 201);
      assertRefused(await send('PUT', `/${json.webhook_endpoint.id}`, { url }), 400, 'INVALID_REQUEST');
    });
  }
});

describe('owners', () => {
  test('see and change only their own endpoints', async () => {
    const { json } = assertStatus(await create(shop), 201);
    const path = `/webhook-endpoints/${json.webhook_endpoint.id}`;
    const other = await newShop(kissi, bank);
    assert.deepEqual(await listed(other), []);
    assert.deepEqual(await listed(other, `?processor_id=${shop.merchant.id}`), []);
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PUT', '', { events: ['payment.voided'] }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
    ] as const) {
      assertRefused(await other.call(method, `${path}${rest}`, body), 404, 'NOT_FOUND', `${method} ${rest}`);
    }
    assertRefused(await create(other, { processor_id: shop.merchant.id }), 403, 'FORBIDDEN');
    const after = assertStatus(await shop.call('GET', path), 200);
    assert.deepEqual(after.json.webhook_endpoint, json.webhook_endpoint);
  });

  test("may be managed by a merchant's signed key, whose signature covers the body", async () => {
    const { key } = shop.terminal;
    const path = '/api/v1/webhook-endpoints';
    const body = { url: URL_, events: EVENTS };
    const { json } = assertStatus(await sendSigned(kissi, path, body, { key }), 201);
    assert.equal(json.webhook_endpoint.created_by, key.id);
    assert.equal(json.webhook_endpoint.processor_id, shop.merchant.id);
    const at = iso(kissi.clock.now());
    const headers = signatureHeaders(key, { method: 'POST', path, at, body: JSON.stringify(body) });
    const changed = await kissi.call('POST', path, { body: { ...body, url: 'https://evil.example/' }, headers });
    assertRefused(changed, 401, 'INVALID_SIGNATURE');
  });

  test('are named by staff, and exist', async () => {
    const post = (body: object) => kissi.asAdmin.post('/webhook-endpoints', { url: URL_, events: EVENTS, ...body });
    const partner = await partnerAt(kissi, null);
    const { json } = assertStatus(await post({ partner_id: partner.id, events: ['credit.failed'] }), 201);
    assert.equal(json.webhook_endpoint.partner_id, partner.id);
    assertRefused(await post({}), 400, 'INVALID_REQUEST');
    assertRefused(await post({ partner_id: partner.id, processor_id: shop.merchant.id }), 400, 'INVALID_REQUEST');
    assertRefused(await post({ processor_id: 'proc_unknown' }), 404, 'NOT_FOUND');
    assertRefused(await post({ partner_id: shop.merchant.id }), 404, 'NOT_FOUND');
    const found = await kissi.asAdmin.get(`/webhook-endpoints?partner_id=${partner.id}`);
    assert.deepEqual(
      found.json.webhook_endpoints.map(({ id }: Json) => id),
      [json.webhook_endpoint.id],
    );
    const token = await staffToken(kissi, 'support_user');
    assertRefused(await kissi.call('GET', '/api/v1/webhook-endpoints', { token }), 403, 'FORBIDDEN');
  });
});

describe("a partner's endpoints", () => {
  test('get the credit events they chose with the body of before, besides the webhook_url', async () => {
    const url = await receiver();
    const partner = await partnerAt(kissi, url.url);
    const key = await apiKey(kissi, ['inbound:write', 'inbound:read'], { partner_id: partner.id });
    const body = { url: server.url, events: ['credit.completed'] };
    assertStatus(await sendSigned(kissi, '/api/v1/webhook-endpoints', body, { key }), 201);
    const { rows } = await kissi.db.query('select webhook_endpoints from partners where id = $1', [partner.id]);
    const event = completed({ ...partner, ...rows[0] });
    await commitEvent(kissi, event);
    const [own] = await arrived(kissi, server);
    const [old] = url.received;
    assert.ok(own && old);
    assert.deepEqual(own.json, old.json);
    assert.equal(own.json.reference, event.reference);
    assert.notEqual(own.id, old.id);
    await url.close();
  });
});

test('a credit over the API and its reversal arrive at an endpoint of the partner, which has no webhook_url', async () => {
  const sender = await testBank(kissi);
  const owned = { partner_id: sender.partnerId, url: server.url, events: ['credit.completed', 'credit.reversed'] };
  assertStatus(await kissi.asAdmin.post('/webhook-endpoints', owned), 201);
  const wallet = await bank.wallet();
  const reference = 'ENDPOINT-1';
  const { json } = assertStatus(await sender.credit({ reference, amount: 5_000, msisdn: wallet.phone }), 200);
  const reversal = { reason: 'Sent twice by the bank', request_id: 'endpoint-reverse-1' };
  assertStatus(await kissi.asAdmin.post(`/admin/inbound/${json.data.inbound_id}/reverse`, reversal), 200);
  await deliver(kissi);
  await deliver(kissi);
  const events = server.received.map((received) => [received.json.event, received.json.reference]);
  assert.deepEqual(events, [
    ['credit.completed', reference],
    ['credit.reversed', reference],
  ]);
});

describe('secrets', () => {
  test('are rotated at once without an overlap, and with one of a chosen length', async () => {
    const { id } = await shop.endpoint(server.url, EVENTS);
    const rotate = async (body?: object) => shop.call('POST', `/webhook-endpoints/${id}/rotate-secret`, body);
    const until = ({ json }: { json: Json }) => json.webhook_endpoint.previous_secret_valid_until;
    const usual = assertStatus(await rotate(), 200);
    assert.equal(until(usual), iso(kissi.clock.now() + DAY_MS));
    assert.equal(until(assertStatus(await rotate({ overlap_seconds: 60 }), 200)), iso(kissi.clock.now() + 60_000));
    assert.equal(until(assertStatus(await rotate({ overlap_seconds: 0 }), 200)), null);
    assertRefused(await rotate({ overlap_seconds: -1 }), 400, 'INVALID_REQUEST');
    assertRefused(await rotate({ overlap_seconds: 8 * 86_400 }), 400, 'INVALID_REQUEST');
  });
});

describe('deliveries', () => {
  test('are listed, read and replayed by their owner alone', async () => {
    const { id: endpointId } = await shop.endpoint(server.url, EVENTS);
    server.behave(answering(503));
    const { card } = await bank.customer(50_000);
    const paid = assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    await deliver(kissi);
    const query = `event=payment.completed&status=pending&endpoint_id=${endpointId}&reference=${paid.json.transaction_id}`;
    const { json } = assertStatus(await shop.call('GET', `/webhook-deliveries?${query}`), 200);
    const [listedDelivery] = json.deliveries;
    assert.equal(json.total_count, 1);
    const { id, processor_id, partner_id, endpoint_id, inbound_id } = listedDelivery;
    assert.deepEqual([processor_id, partner_id, endpoint_id, inbound_id], [shop.merchant.id, null, endpointId, null]);
    const read = assertStatus(await shop.call('GET', `/webhook-deliveries/${id}`), 200);
    assert.deepEqual(
      read.json.delivery.attempts.map(({ status, signature_valid }: Json) => [status, signature_valid]),
      [[503, true]],
    );
    const other = await newShop(kissi, bank);
    assertRefused(await other.call('GET', `/webhook-deliveries/${id}`), 404, 'NOT_FOUND');
    assertRefused(await other.call('POST', `/webhook-deliveries/${id}/replay`), 404, 'NOT_FOUND');
    assert.equal((await other.call('GET', '/webhook-deliveries')).json.total_count, 0);
    server.behave(acknowledge);
    assertStatus(await shop.call('POST', `/webhook-deliveries/${id}/replay`), 200);
    await deliver(kissi);
    const [first, second, ...more] = server.received;
    assert.deepEqual([first?.id, second?.id, more], [id, id, []]);
    assert.deepEqual(first?.raw, second?.raw);
    const [audited] = await auditRows(kissi, { action: 'webhook_delivery.replay', resource_id: id });
    assert.equal(audited.details.processor_id, shop.merchant.id);
  });

  test('to one owner that hang do not delay those to another', async () => {
    const hanging = await receiver(() => undefined);
    const slow = await newShop(kissi, bank);
    await slow.endpoint(hanging.url, EVENTS);
    await shop.endpoint(server.url, EVENTS);
    const { card } = await bank.customer(100_000);
    for (let n = 0; n < 3; n++) assertStatus(await slow.terminal.pay(card, { amount: 100 }), 200);
    assertStatus(await shop.terminal.pay(card, { amount: 100 }), 200);
    await kissi.gateway.services.webhooks.deliver();
    await waitFor('the event to the other owner', () => server.received.length > 0);
    await hanging.close();
    await kissi.gateway.services.webhooks.settled();
  });
});

describe('test events', () => {
  test('are sent to the endpoint, of its own type or as an example', async () => {
    const { id } = await shop.endpoint(server.url, ['payment.voided']);
    const { json } = assertStatus(await shop.call('POST', `/webhook-endpoints/${id}/test`), 200);
    const [own] = await arrived(kissi, server);
    assert.deepEqual([own?.id, own?.json.type], [json.delivery_id, 'endpoint.test']);
    assert.deepEqual(own?.json.data, { object: { webhook_endpoint_id: id } });
    assertStatus(await shop.call('POST', `/webhook-endpoints/${id}/test`, { type: 'payment.refunded' }), 200);
    const [example] = await arrived(kissi, server);
    assert.equal(example?.json.type, 'payment.refunded');
    assert.equal(example?.json.data.object.example, true);
    assertRefused(await shop.call('POST', `/webhook-endpoints/${id}/test`, { type: 'x' }), 400, 'INVALID_REQUEST');
  });
});
