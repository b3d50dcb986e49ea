// The webhooks of the OpenAPI document, compared with deliveries: of real credits, and examples of the other events.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { MERCHANT_EVENTS } from '../../src/webhooks/merchant-event.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { newReference, testBank } from '../support/inbound.ts';
import { bankForFile } from '../support/money.ts';
import { resolvedDocument, withoutExtraProperties } from '../support/openapi.ts';
import { staffToken } from '../support/staff.ts';
import { deliver, receiver } from './receiver.ts';

const hooks = await receiver();
const { kissi, bank: operator } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
after(() => hooks.close());
const bank = await testBank(kissi, { webhook_url: hooks.url });
const { webhooks } = resolvedDocument(kissi.gateway.app.openApi()) as Json;

test('the document lists exactly the events that are sent, with their headers and fields', async () => {
  const wallet = await operator.wallet();
  const { json: credited } = await bank.credit({ reference: newReference(), amount: 5_000, msisdn: wallet.phone });
  await bank.credit({ reference: newReference(), amount: 5_000, msisdn: '+23276000001' });
  await bank.credit({ reference: newReference(), amount: 5_000, currency: 'USD', msisdn: wallet.phone });
  const path = `/api/v1/admin/inbound/${credited.data.inbound_id}/reverse`;
  const body = { reason: 'Sent twice by the bank', request_id: 'reverse-1' };
  assertStatus(await kissi.call('POST', path, { body, token: await staffToken(kissi, 'finance_user') }), 200);
  await deliver(kissi);
  assert.equal(hooks.received.length, 4);
  const endpoint = { partner_id: bank.partnerId, url: hooks.url, events: ['payout.sent'] };
  const made = assertStatus(await kissi.asAdmin.post('/webhook-endpoints', endpoint), 201);
  for (const type of MERCHANT_EVENTS) {
    assertStatus(await kissi.asAdmin.post(`/webhook-endpoints/${made.json.webhook_endpoint.id}/test`, { type }), 200);
    await deliver(kissi);
  }
  const events = hooks.received.map(({ json }) => json.event ?? json.type);
  assert.deepEqual(new Set(events), new Set(Object.keys(webhooks)));
  for (const { json, headers } of hooks.received) {
    const { parameters, requestBody } = webhooks[json.event ?? json.type].post;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validate = ajv.compile(withoutExtraProperties(requestBody.content['application/json'].schema) as object);
    assert.ok(validate(json), `${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`);
    const documented = parameters.map(({ name }: Json) => name.toLowerCase());
    const sent = Object.keys(headers).filter((name) => /^(x-hook|webhook)-/.test(name));
    for (const name of sent) assert.ok(documented.includes(name), name);
    for (const { name, required } of parameters) assert.ok(!required || sent.includes(name.toLowerCase()), name);
  }
});
