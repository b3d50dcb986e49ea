// Outcomes of alerts' reviews: stored, audited, listed, exported, and found by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALERTS, raiseAlert } from '../../support/compliance.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { assertRefused, auditLogs, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const token = await staffToken(kissi, 'compliance_user');
const put = (id: string, body: unknown) => kissi.call('PUT', `${ALERTS}/${id}`, { body, token });
const resolve = (id: string, body: unknown) => kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token });
const found = async (query: string) =>
  assertStatus(await kissi.call('GET', `${ALERTS}?${query}`, { token }), 200).json.alerts.map(({ id }: Json) => id);

test('a resolved alert keeps its outcome, which is audited', async () => {
  const { id } = await raiseAlert(kissi);
  const body = { resolution: 'Reported to the FIU.', outcome: 'confirmed_reported' };
  const { alert } = assertStatus(await resolve(id, body), 200).json;
  assert.deepEqual([alert.status, alert.resolution, alert.outcome], ['resolved', body.resolution, body.outcome]);
  assert.equal((await kissi.call('GET', `${ALERTS}/${id}`, { token })).json.alert.outcome, 'confirmed_reported');
  const [entry] = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve' });
  assert.deepEqual(entry.details.outcome, { from: null, to: 'confirmed_reported' });
});

test('without an outcome an alert is resolved as before', async () => {
  const { id } = await raiseAlert(kissi);
  const { alert } = assertStatus(await resolve(id, { resolution: 'Known.' }), 200).json;
  assert.deepEqual([alert.status, alert.outcome], ['resolved', null]);
  const [entry] = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve' });
  assert.ok(!('outcome' in entry.details));
});

test('a dismissed alert takes only an outcome that says nothing was wrong', async () => {
  const { id } = await raiseAlert(kissi);
  const closed = { status: 'dismissed', resolution: 'A salary.' };
  for (const outcome of ['confirmed_reported', 'confirmed_blocked']) {
    assertRefused(await put(id, { ...closed, outcome }), 400, 'INVALID_REQUEST');
  }
  assert.equal((await kissi.call('GET', `${ALERTS}/${id}`, { token })).json.alert.status, 'open');
  const { alert } = assertStatus(await put(id, { ...closed, outcome: 'customer_explained' }), 200).json;
  assert.deepEqual([alert.status, alert.outcome], ['dismissed', 'customer_explained']);
});

test('an outcome belongs to a closed alert, is one of the codes, and is final', async () => {
  const { id } = await raiseAlert(kissi);
  assertRefused(await put(id, { notes: 'x', outcome: 'false_positive' }), 400, 'INVALID_REQUEST');
  assertRefused(await resolve(id, { resolution: 'x', outcome: 'other' }), 400, 'INVALID_REQUEST');
  assertStatus(await resolve(id, { resolution: 'x', outcome: 'false_positive' }), 200);
  const { alert } = (await kissi.call('GET', `${ALERTS}/${id}`, { token })).json;
  assertRefused(await put(id, { ...alert, outcome: 'confirmed_blocked' }), 409, 'ALREADY_RESOLVED');
  assert.deepEqual((await kissi.call('GET', `${ALERTS}/${id}`, { token })).json.alert, alert);
});

test('alerts are found by their outcome, and exported with it', async () => {
  const { id } = await raiseAlert(kissi);
  const { id: open } = await raiseAlert(kissi);
  assertStatus(await resolve(id, { resolution: 'Blocked.', outcome: 'confirmed_blocked' }), 200);
  const blocked = await found('outcome=confirmed_blocked');
  assert.ok(blocked.includes(id) && !blocked.includes(open));
  assert.ok(!(await found('outcome=false_positive')).includes(id));
  const headers = { accept: 'text/csv' };
  const { text } = await kissi.call('GET', `${ALERTS}?outcome=confirmed_blocked`, { token, headers });
  const [names = '', ...rows] = text.split('\n');
  const column = names.trim().split(',').indexOf('outcome');
  assert.ok(column > 0, names);
  assert.match(rows.find((row) => row.includes(id)) ?? '', /confirmed_blocked/);
});
