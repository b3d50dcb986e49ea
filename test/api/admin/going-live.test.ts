// What administrators confirm before going live: with a note, by whom, when, audited, and by nobody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { assertRefused, auditLogs, openSession, staffMember, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const PATH = '/api/v1/admin/going-live';
const admin = await staffMember(kissi, 'system_admin');
const { token } = await openSession(kissi, admin);
const post = (path: string, body?: unknown, by = token) => kissi.call('POST', `${PATH}/${path}`, { body, token: by });
const items = async () => assertStatus(await kissi.call('GET', PATH, { token }), 200).json.items;
const one = async (name: string) => (await items()).find(({ item }: Json) => item === name);

test('nothing is confirmed at first', async () => {
  const all = await items();
  assert.equal(all.length, 5);
  for (const { item, ...rest } of all) {
    assert.deepEqual(rest, { note: null, confirmed_by: null, confirmed_by_name: null, confirmed_at: null }, item);
  }
});

test('a confirmation keeps its note, who and when, and is audited; a later one replaces it', async () => {
  const note = 'Restored on the standby on 3 May.';
  const { item } = assertStatus(await post('restore_practised/confirm', { note: ` ${note} ` }), 200).json;
  assert.deepEqual(item, {
    item: 'restore_practised',
    note,
    confirmed_by: admin.id,
    confirmed_by_name: 'Test Person',
    confirmed_at: new Date(kissi.clock.now()).toISOString(),
  });
  assert.deepEqual(await one('restore_practised'), item);
  kissi.clock.advance(1_000);
  assertStatus(await post('restore_practised/confirm', { note: 'Again.' }), 200);
  const { note: later, confirmed_at } = await one('restore_practised');
  assert.deepEqual([later, confirmed_at], ['Again.', new Date(kissi.clock.now()).toISOString()]);
  const entries = await auditLogs(kissi, { resource_id: 'restore_practised', action: 'going_live.confirm' });
  assert.deepEqual(entries.map(({ details }) => details.note).sort(), ['Again.', note]);
  assert.ok(entries.every(({ actor_id }) => actor_id === admin.id));
});

test('a confirmation is withdrawn once, and the audit log keeps it', async () => {
  assertStatus(await post('anchors_kept/confirm', { note: 'In the safe.' }), 200);
  assertStatus(await post('anchors_kept/withdraw'), 200);
  assert.equal((await one('anchors_kept')).confirmed_at, null);
  assertRefused(await post('anchors_kept/withdraw'), 404, 'NOT_FOUND');
  const [entry, ...others] = await auditLogs(kissi, { resource_id: 'anchors_kept', action: 'going_live.withdraw' });
  assert.deepEqual([entry.details.note, others.filter(({ details }) => details.note).length], ['In the safe.', 0]);
});

test('an unknown item and a missing note are refused', async () => {
  assertRefused(await post('other/confirm', { note: 'x' }), 404, 'NOT_FOUND');
  assertRefused(await post('other/withdraw'), 404, 'NOT_FOUND');
  for (const body of [{}, { note: '  ' }]) {
    assertRefused(await post('terms_reviewed/confirm', body), 400, 'INVALID_REQUEST');
  }
  assert.equal((await one('terms_reviewed')).confirmed_at, null);
});

test('only administrators read, confirm and withdraw', async () => {
  for (const role of ['audit_user', 'compliance_user', 'finance_user'] as const) {
    const by = await staffToken(kissi, role);
    assertStatus(await kissi.call('GET', PATH, { token: by }), 403);
    assertStatus(await post('terms_reviewed/confirm', { note: 'x' }, by), 403);
    assertStatus(await post('restore_practised/withdraw', undefined, by), 403);
  }
  assert.equal((await one('terms_reviewed')).confirmed_at, null);
  assert.equal((await one('restore_practised')).note, 'Again.');
});
