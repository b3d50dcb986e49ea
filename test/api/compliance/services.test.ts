// Alerts raised by internal services: signatures, the hash of the body, replays and access to other routes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { ALERTS, alertBody, SERVICE_ENV, serviceCall, serviceRequest } from '../../support/compliance.ts';
import { assertStatus, gatewayForFile, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const kissi = await gatewayForFile({ env: SERVICE_ENV });

/** Advances the clock so that no two tests sign in the same second. */
const nextSecond = () => kissi.clock.advance(1_000);
const alertCount = async () => (await kissi.db.query('select count(*)::int as n from compliance_alerts')).rows[0].n;

test("a service raises an alert when the signed query carries the body's hash", async () => {
  const bank = await createBank(kissi);
  const { id: subscriber_id } = await bank.wallet();
  const reply = assertStatus(await serviceCall(kissi, alertBody({ subscriber_id, severity: 'CRITICAL' })), 201);
  const { id, status, severity, figures, due_at, created_at } = reply.json.alert;
  assert.match(id, /^alert_[0-9A-Z]{26}$/);
  assert.deepEqual([status, severity, due_at], ['open', 'CRITICAL', created_at]);
  assert.deepEqual(figures, { reported_by: { type: 'service', id: 'fraud' } });
  const [entry] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([entry.action, entry.actor_type, entry.actor_id], ['compliance_alert.create', 'service', 'fraud']);
  assert.equal(entry.details.signature_covers_body, true);
});

test('a body that does not match the signed hash gets 401 INVALID_SIGNATURE and raises no alert', async () => {
  nextSecond();
  const before = await alertCount();
  const { headers, target } = serviceRequest(kissi, JSON.stringify(alertBody()));
  for (const raw of [JSON.stringify(alertBody({ severity: 'LOW' })), `${JSON.stringify(alertBody())} `, '']) {
    assertRefused(await kissi.call('POST', target, { raw, headers }), 401, 'INVALID_SIGNATURE');
  }
  for (const hash of ['', 'x', '0'.repeat(64)]) {
    assertRefused(await serviceCall(kissi, alertBody(), { bodyHash: hash }), 401, 'INVALID_SIGNATURE', hash);
  }
  // A signed query with two hashes, the first of another body.
  const raw = JSON.stringify(alertBody());
  const twoHashes = serviceRequest(kissi, raw, { bodyHash: `${'0'.repeat(64)}&${target.split('?')[1]}` });
  assertRefused(
    await kissi.call('POST', twoHashes.target, { raw, headers: twoHashes.headers }),
    401,
    'INVALID_SIGNATURE',
  );
  // A hash that was added after signing.
  const withoutHash = serviceRequest(kissi, raw, { bodyHash: null });
  assertRefused(await kissi.call('POST', target, { raw, headers: withoutHash.headers }), 401, 'INVALID_SIGNATURE');
  assert.equal(await alertCount(), before);
});

test('repeating a signed request returns the same alert', async () => {
  nextSecond();
  const before = await alertCount();
  const replies = await Promise.all(Array.from({ length: 5 }, () => serviceCall(kissi, alertBody())));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.equal(await alertCount(), before + 1);
  assert.equal((await auditLogs(kissi, { resource_id: replies[0]?.json.alert.id })).length, 1);
});

test('different bodies in the same second raise different alerts when each body is signed', async () => {
  nextSecond();
  const first = await serviceCall(kissi, alertBody({ description: 'One.' }));
  const second = await serviceCall(kissi, alertBody({ description: 'Two.' }));
  const ofOtherService = await serviceCall(kissi, alertBody({ description: 'One.' }), { name: 'ledger' });
  assert.equal(new Set([first, second, ofOtherService].map(({ json }) => json.alert.id)).size, 3);
});

test('one signature without body_sha256 raises one alert for each different body within its window', async () => {
  nextSecond();
  const before = await alertCount();
  const signed = serviceRequest(kissi, '', { bodyHash: null });
  const send = (raw: string) => kissi.call('POST', signed.target, { raw, headers: signed.headers });
  const bodies = Array.from({ length: 5 }, (_, i) => JSON.stringify(alertBody({ description: `Number ${i}.` })));
  const replies = await Promise.all(bodies.map(send));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  const ids = replies.map(({ json }) => json.alert.id);
  assert.equal(new Set(ids).size, 5);
  assert.equal(await alertCount(), before + 5);
  const [entry] = await auditLogs(kissi, { resource_id: ids[0] });
  assert.equal(entry.details.signature_covers_body, false);
  // Each body counts once, however it is formatted and however often it is sent at the same time.
  const again = await Promise.all([...bodies, ...bodies, ...bodies.map((body) => ` ${body}\n`)].map(send));
  assert.deepEqual([...new Set(again.map(({ json }) => json.alert.id))].sort(), [...ids].sort());
  assert.equal(await alertCount(), before + 5);
  kissi.clock.advance(5 * MINUTE_MS + 1_000);
  assertRefused(await send(JSON.stringify(alertBody({ description: 'Late.' }))), 401, 'EXPIRED_TIMESTAMP');
  assert.equal(await alertCount(), before + 5);
});

test('SERVICE_BODY_HASH=required refuses a request of a service without body_sha256', async () => {
  const strict = await testGateway({ env: { ...SERVICE_ENV, SERVICE_BODY_HASH: 'required' } });
  try {
    const refused = assertRefused(await serviceCall(strict, alertBody(), { bodyHash: null }), 401, 'UNAUTHORIZED');
    assert.match(refused.json.error, /body_sha256/);
    const wrong = await serviceCall(strict, alertBody(), { bodyHash: null, signedText: 'x' });
    assertRefused(wrong, 401, 'INVALID_SIGNATURE');
    assert.equal((await strict.db.query('select count(*)::int as n from compliance_alerts')).rows[0].n, 0);
    assert.equal((await serviceCall(strict, alertBody())).status, 201);
    assertStatus(await strict.call('POST', ALERTS, { body: alertBody(), token: await strict.adminToken() }), 201);
  } finally {
    await strict.close();
  }
});

test('repeating the request returns the same alert after it was resolved', async () => {
  nextSecond();
  const { id } = (await serviceCall(kissi, alertBody())).json.alert;
  const body = { resolution: 'Investigated.' };
  await kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token: await kissi.adminToken() });
  const { status, json } = await serviceCall(kissi, alertBody());
  assert.deepEqual([status, json.alert.id, json.alert.status], [201, id, 'resolved']);
});

test('a request with an invalid, foreign, missing or expired signature raises no alert', async () => {
  nextSecond();
  const before = await alertCount();
  const raw = JSON.stringify(alertBody());
  const { headers, target } = serviceRequest(kissi, raw);
  const invalid = { ...headers, 'x-service-signature': '0'.repeat(64) };
  assertRefused(await kissi.call('POST', target, { raw, headers: invalid }), 401, 'INVALID_SIGNATURE');
  const otherService = { ...headers, 'x-service-name': 'ledger' };
  assertRefused(await kissi.call('POST', target, { raw, headers: otherService }), 401, 'INVALID_SIGNATURE');
  assertRefused(await kissi.call('POST', target, { raw }), 401, 'UNAUTHORIZED');
  const { 'x-service-signature': _, ...unsigned } = headers;
  assertRefused(await kissi.call('POST', target, { raw, headers: unsigned }), 401, 'UNAUTHORIZED');
  kissi.clock.advance(5 * MINUTE_MS + 1_000);
  assertRefused(await kissi.call('POST', target, { raw, headers }), 401, 'EXPIRED_TIMESTAMP');
  assert.equal(await alertCount(), before);
});

test('the request body is validated by the same schema as for staff', async () => {
  nextSecond();
  assertRefused(await serviceCall(kissi, alertBody({ severity: 'x' })), 400, 'INVALID_REQUEST');
  assertRefused(await serviceCall(kissi, alertBody({ subscriber_id: 'sub_x' })), 404, 'SUBSCRIBER_NOT_FOUND');
  const token = await kissi.adminToken();
  const reply = await kissi.call('POST', `${ALERTS}?body_sha256=x`, { body: alertBody(), token });
  assertRefused(reply, 400, 'INVALID_REQUEST');
});

test('services are rejected on all other compliance routes', async () => {
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
