// Notes of staff about a subscriber: added, listed, kept unchanged, protected for PEPs and audited without their text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const support = await user(kissi, 'support_user', { first_name: 'Isatu', last_name: 'Bangura' });
const compliance = await user(kissi, 'compliance_user');

const add = (id: string, text: unknown, token = support.token): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/subscribers/${id}/notes`, { token, body: { text } });
async function list(id: string, query = '', token = support.token): Promise<Json> {
  return assertStatus(await kissi.call('GET', `/api/v1/subscribers/${id}/notes${query}`, { token }), 200).json;
}

test('a note has its author and time, and the newest is listed first', async () => {
  const { id } = await bank.wallet();
  const first = assertStatus(await add(id, '  Lost the phone.\nCalls back tomorrow. '), 201);
  const { note } = first.json;
  assert.deepEqual(note, {
    id: note.id,
    subscriber_id: id,
    text: 'Lost the phone.\nCalls back tomorrow.',
    author_id: support.id,
    author_name: 'Isatu Bangura',
    created_at: new Date(kissi.clock.now()).toISOString(),
  });
  kissi.clock.advance(60_000);
  const second = (await add(id, 'Documents seen', compliance.token)).json.note;
  const { notes, total_count } = await list(id);
  assert.deepEqual([notes, total_count], [[second, note], 2]);
  assert.deepEqual((await list(id, '?limit=1&offset=1')).notes, [note]);
  assert.deepEqual((await list((await bank.wallet()).id)).notes, []);
});

test('the list can be exported as CSV', async () => {
  const { id } = await bank.wallet();
  await add(id, 'Asked for a "statement", twice');
  const headers = { accept: 'text/csv' };
  const reply = await kissi.call('GET', `/api/v1/subscribers/${id}/notes`, { token: support.token, headers });
  assert.match(reply.text, /^id,subscriber_id,text,author_id,author_name,created_at\r?\n/);
  assert.match(reply.text, /"Asked for a ""statement"", twice"/);
});

test('a text has 1 to 2,000 characters; markup and formulas are kept as text', async () => {
  const { id } = await bank.wallet();
  for (const text of ['', '   ', 'x'.repeat(2_001), 'a\u0000b', '\u202Eabc', 7, null, undefined]) {
    assertRefused(await add(id, text), 400, 'INVALID_REQUEST', String(text));
  }
  for (const text of ['x'.repeat(2_000), '😀'.repeat(2_000), '<script>alert(1)</script>', '=1+1']) {
    assert.equal((await add(id, text)).json.note.text, text);
  }
  assert.equal((await list(id)).total_count, 4);
});

test('a note is audited without its text, and an unknown subscriber has none', async () => {
  const { id } = await bank.wallet();
  const { note } = (await add(id, 'Very private')).json;
  const [entry] = await auditLogs(kissi, { resource_id: note.id });
  assert.deepEqual(
    [entry.action, entry.actor_id, entry.details.subscriber_id],
    ['subscriber.add_note', support.id, id],
  );
  assert.ok(!JSON.stringify(entry).includes('Very private'));
  assertRefused(await add('sub_none', 'x'), 404, 'NOT_FOUND');
  const unknown = await kissi.call('GET', '/api/v1/subscribers/sub_none/notes', { token: support.token });
  assertRefused(unknown, 404, 'NOT_FOUND');
});

test('the service itself can neither change nor delete a note', async () => {
  const { id } = await bank.wallet();
  const { note } = (await add(id, 'Stays')).json;
  const { queries } = kissi.db.database;
  const change = queries.updateTable('subscriber_notes').set({ text: 'x' }).where('id', '=', note.id);
  await assert.rejects(change.execute(), /permission denied/);
  await assert.rejects(queries.deleteFrom('subscriber_notes').where('id', '=', note.id).execute(), /permission denied/);
});

test('notes about a PEP need open access', async () => {
  const { id } = await bank.wallet();
  await add(id, 'Before');
  await markPep(kissi, id);
  assertRefused(await add(id, 'x'), 403, 'PEP_ACCESS_REQUIRED');
  const refused = await kissi.call('GET', `/api/v1/subscribers/${id}/notes`, { token: support.token });
  assertRefused(refused, 403, 'PEP_ACCESS_REQUIRED');
  const staff = await newAuthorizedStaff(kissi, 'support_user');
  await openAccess(kissi, staff);
  assert.equal((await list(id, '', staff.token)).notes[0].text, 'Before');
});
