// Tests that a service's webhooks in production go to https URLs only.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { gatewayForFile, testGateway } from '../support/gateway.ts';
import { newMerchant } from '../support/processors.ts';
import {
  acknowledge,
  answering,
  commitEvent,
  completed,
  deliver,
  deliveryOf,
  partnerAt,
  receiver,
} from './receiver.ts';

const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const MESSAGING_APP_SECRET = 'Zk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE';

const staging = await gatewayForFile({ env: { ...env, APP_ENV: 'staging', MESSAGING_APP_SECRET } });
const production = await testGateway({
  ...{ db: staging.db, clock: staging.clock },
  env: { ...env, APP_ENV: 'production', MESSAGING_APP_SECRET },
});
after(() => production.close());
const bank = await receiver(answering(500));
after(() => bank.close());

const token = await staging.adminToken();

test('an http URL is refused with 400 in production, when a partner is created and when it is updated', async () => {
  const path = '/api/v1/admin/partners';
  for (const webhook_url of ['http://bank.example/hooks', 'HTTP://bank.example/', 'http://127.0.0.1:9000/']) {
    const created = await production.call('POST', path, { body: { name: 'Bank', webhook_url }, token });
    assert.deepEqual([created.status, created.json.code], [400, 'INVALID_REQUEST'], webhook_url);
    assert.equal(created.json.error, 'webhook_url must be an https URL.');
  }
  const body = { name: 'Bank', webhook_url: 'https://bank.example/hooks' };
  const { json } = await production.call('POST', path, { body, token });
  const url = `${path}/${json.partner.id}`;
  const updated = await production.call('PUT', url, { body: { webhook_url: 'http://bank.example/hooks' }, token });
  assert.deepEqual([updated.status, updated.json.error], [400, 'webhook_url must be an https URL.']);
  assert.equal((await production.call('GET', url, { token })).json.partner.webhook_url, body.webhook_url);
  assert.equal(
    (await staging.call('PUT', url, { body: { webhook_url: 'http://bank.example/hooks' }, token })).status,
    200,
  );
});

test('an event for an http URL that was stored before is not sent in production, and retried', async () => {
  const partner = await partnerAt(staging, bank.url);
  const id = await commitEvent(production, completed(partner));
  await deliver(production);
  const { status, made } = await deliveryOf(production, id);
  assert.deepEqual([status, made.length, bank.received.length], ['pending', 1, 0]);
  assert.deepEqual([made[0].http_status, made[0].error], [null, "The partner's webhook_url is not https."]);
  bank.behave(acknowledge);
  staging.clock.advance(30 * SECOND_MS);
  await deliver(staging);
  assert.deepEqual([(await deliveryOf(staging, id)).status, bank.received.length], ['delivered', 1]);
});

test('an endpoint needs https in production, and gets no examples there, which a shop could take for payments', async () => {
  const { id: processor_id } = await newMerchant(staging);
  const path = '/api/v1/webhook-endpoints';
  const body = { processor_id, url: 'http://shop.example/hooks', events: ['payment.completed'] };
  const refused = await production.call('POST', path, { body, token });
  assert.deepEqual([refused.status, refused.json.error], [400, 'url must be an https URL.']);
  const stored = await staging.call('POST', path, { body: { ...body, url: bank.url }, token });
  assert.equal(stored.status, 201, stored.text);
  const test = `${path}/${stored.json.webhook_endpoint.id}/test`;
  const example = await production.call('POST', test, { body: { type: 'payment.completed' }, token });
  assert.deepEqual([example.status, example.json.code], [400, 'INVALID_REQUEST']);
  const before = bank.received.length;
  const sent = await production.call('POST', test, { token });
  assert.equal(sent.status, 200, sent.text);
  await deliver(production);
  const { made } = await deliveryOf(production, sent.json.delivery_id);
  assert.deepEqual([made[0].error, bank.received.length], ["The endpoint's url is not https.", before]);
});
