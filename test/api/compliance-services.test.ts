// Alerts that internal services raise: who is believed, what of the request is signed, and what a signature is good for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { ALERTS, alertBody, SERVICE_ENV, serviceCall, serviceRequest } from '../support/compliance.ts';
import { gatewayForFile } from '../support/gateway.ts';
import { createBank } from '../support/money.ts';
import { assertRefused, auditLogs } from '../support/staff.ts';

const kissi = await gatewayForFile({ env: SERVICE_ENV });

/** So that no two tests sign in the same second. */
const nextSecond = () => kissi.clock.advance(1_000);
const count = async () => (await kissi.db.query('select count(*)::int as n from compliance_alerts')).rows[0].n;

test('a service raises an alert with the hash of the body in the signed query', async () => {
  const bank = await createBank(kissi);
  const { id: subscriber_id } = await bank.wallet();
  const reply = await serviceCall(kissi, alertBody({ subscriber_id, severity: 'CRITICAL' }));
  assert.equal(reply.status, 201, reply.text);
  const { id, status, severity, figures, due_at, created_at } = reply.json.alert;
  assert.match(id, /^alert_[0-9A-Z]{26}$/);
  assert.deepEqual([status, severity, due_at], ['open', 'CRITICAL', created_at]);
  assert.deepEqual(figures, { reported_by: { type: 'service', id: 'fraud' } });
  const [entry] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([entry.action, entry.actor_type, entry.actor_id], ['compliance_alert.create', 'service', 'fraud']);
  assert.equal(entry.details.signature_covers_body, true);
});

test('a body that is not the one whose hash is signed is 401, and nothing is raised', async () => {
  nextSecond();
  const before = await count();
  const { headers, target } = serviceRequest(kissi, JSON.stringify(alertBody()));
  for (const raw of [JSON.stringify(alertBody({ severity: 'LOW' })), `${JSON.stringify(alertBody())} `, '']) {
    assertRefused(await kissi.call('POST', target, { raw, headers }), 401, 'INVALID_SIGNATURE');
  }
  for (const hash of ['', 'x', '0'.repeat(64)]) {
    assertRefused(await serviceCall(kissi, alertBody(), { bodyHash: hash }), 401, 'INVALID_SIGNATURE', hash);
  }
  // A second hash, of another body, in the query that was signed.
  const raw = JSON.stringify(alertBody());
  const two = serviceRequest(kissi, raw, { bodyHash: `${'0'.repeat(64)}&${target.split('?')[1]}` });
  assertRefused(await kissi.call('POST', two.target, { raw, headers: two.headers }), 401, 'INVALID_SIGNATURE');
  // A hash that was put there after signing.
  const bare = serviceRequest(kissi, raw, { bodyHash: null });
  assertRefused(await kissi.call('POST', target, { raw, headers: bare.headers }), 401, 'INVALID_SIGNATURE');
  assert.equal(await count(), before);
});

test('the same signed request again is the same alert', async () => {
  nextSecond();
  const before = await count();
  const replies = await Promise.all(Array.from({ length: 5 }, () => serviceCall(kissi, alertBody())));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.equal(await count(), before + 1);
  assert.equal((await auditLogs(kissi, { resource_id: replies[0]?.json.alert.id })).length, 1);
});

test('two alerts of one second are two when each body is signed', async () => {
  nextSecond();
  const one = await serviceCall(kissi, alertBody({ description: 'One.' }));
  const two = await serviceCall(kissi, alertBody({ description: 'Two.' }));
  const others = await serviceCall(kissi, alertBody({ description: 'One.' }), { name: 'ledger' });
  assert.equal(new Set([one, two, others].map(({ json }) => json.alert.id)).size, 3);
});

test("by the interface's string alone a service is believed too, and its signature serves for one body", async () => {
  nextSecond();
  const before = await count();
  const sent = serviceRequest(kissi, '', { bodyHash: null });
  const send = (body: unknown) => kissi.call('POST', sent.target, { raw: JSON.stringify(body), headers: sent.headers });
  const reply = await send(alertBody());
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.json.alert;
  const [entry] = await auditLogs(kissi, { resource_id: id });
  assert.equal(entry.details.signature_covers_body, false);
  // The one who overheard it: the same again does nothing, and another body is refused.
  assert.equal((await send(alertBody())).json.alert.id, id);
  const forged = await send(alertBody({ description: 'Something else.' }));
  assertRefused(forged, 409, 'REPLAYED_REQUEST');
  assert.match(forged.json.error, /body_sha256/);
  assert.equal(await count(), before + 1);
  nextSecond();
  const next = await serviceCall(kissi, alertBody({ description: 'Something else.' }), { bodyHash: null });
  assert.equal(next.status, 201);
});

test('what became of an alert since does not make its request another one', async () => {
  nextSecond();
  const { id } = (await serviceCall(kissi, alertBody())).json.alert;
  const body = { resolution: 'Looked into.' };
  await kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token: await kissi.adminToken() });
  const { status, json } = await serviceCall(kissi, alertBody());
  assert.deepEqual([status, json.alert.id, json.alert.status], [201, id, 'resolved']);
});

test('a service that is not believed raises nothing', async () => {
  nextSecond();
  const before = await count();
  const raw = JSON.stringify(alertBody());
  const { headers, target } = serviceRequest(kissi, raw);
  const wrong = { ...headers, 'x-service-signature': '0'.repeat(64) };
  assertRefused(await kissi.call('POST', target, { raw, headers: wrong }), 401, 'INVALID_SIGNATURE');
  const another = { ...headers, 'x-service-name': 'ledger' };
  assertRefused(await kissi.call('POST', target, { raw, headers: another }), 401, 'INVALID_SIGNATURE');
  assertRefused(await kissi.call('POST', target, { raw }), 401, 'UNAUTHORIZED');
  const { 'x-service-signature': _, ...unsigned } = headers;
  assertRefused(await kissi.call('POST', target, { raw, headers: unsigned }), 401, 'UNAUTHORIZED');
  kissi.clock.advance(5 * MINUTE_MS + 1_000);
  assertRefused(await kissi.call('POST', target, { raw, headers }), 401, 'EXPIRED_TIMESTAMP');
  assert.equal(await count(), before);
});

test('what a service sends is held against the same schema', async () => {
  nextSecond();
  assertRefused(await serviceCall(kissi, alertBody({ severity: 'x' })), 400, 'INVALID_REQUEST');
  assertRefused(await serviceCall(kissi, alertBody({ subscriber_id: 'sub_x' })), 404, 'SUBSCRIBER_NOT_FOUND');
  const token = await kissi.adminToken();
  const reply = await kissi.call('POST', `${ALERTS}?body_sha256=x`, { body: alertBody(), token });
  assertRefused(reply, 400, 'INVALID_REQUEST');
});

test('no other route of compliance lets a service in', async () => {
  nextSecond();
  const { id } = (await serviceCall(kissi, alertBody())).json.alert;
  const routes = [
    ['GET', ALERTS],
    ['GET', `${ALERTS}/${id}`],
    ['PUT', `${ALERTS}/${id}`],
    ['POST', `${ALERTS}/${id}/resolve`],
    ['POST', '/api/v1/compliance/check'],
    ['POST', '/api/v1/compliance/rules'],
    ['GET', '/api/v1/compliance/rules'],
    ['GET', '/api/v1/compliance/account-rules'],
  ];
  for (const [method = '', path = ''] of routes) {
    const raw = method === 'GET' ? '' : JSON.stringify({ status: 'dismissed', resolution: 'x' });
    const { headers, target } = serviceRequest(kissi, raw, { method, path });
    const reply = await kissi.call(method, target, raw === '' ? { headers } : { raw, headers });
    assertRefused(reply, 401, 'UNAUTHORIZED', `${method} ${path}`);
  }
});
