// Tests the marking of a politically exposed person: it hides payments, so one user alone cannot do or undo it unnoticed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { type AuthorizedStaff, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, auditLogs, auditRows } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
await setPolicy(kissi, 'kyc.raise', { enabled: true });
const maker = await user(kissi, 'compliance_user');
const checker = await user(kissi, 'compliance_user');

const put = (id: string, body: object, { token }: { token: string }): Promise<CallReply> =>
  kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body });

async function isPep(id: string): Promise<boolean> {
  const { rows } = await kissi.db.query('select is_pep from subscribers where id = $1', [id]);
  return rows[0].is_pep;
}

async function withAccess(): Promise<AuthorizedStaff> {
  const staff = await newAuthorizedStaff(kissi, 'compliance_user');
  await openAccess(kissi, staff);
  return staff;
}

async function marked(): Promise<{ id: string; approvalId: string }> {
  const { id } = await bank.wallet();
  const { id: approvalId } = pendingOf(await put(id, { is_pep: true }, maker));
  assertStatus(await decide(kissi, approvalId, 'approve', checker), 200);
  return { id, approvalId };
}

const entriesOf = (id: string) => auditRows(kissi, { resource_id: id, action: 'subscriber.mark_pep' });

describe('under the policy kyc.raise', () => {
  test('marking a subscriber waits for another user of compliance', async () => {
    const { id } = await bank.wallet();
    const approval = pendingOf(await put(id, { is_pep: true }, maker));
    assert.equal(approval.action, 'kyc.raise');
    assert.equal(approval.summary.text, `Set is_pep to true for subscriber ${id}.`);
    assert.deepEqual([approval.summary.before, approval.summary.after], [{ is_pep: false }, { is_pep: true }]);
    assert.deepEqual([await isPep(id), (await entriesOf(id)).length], [false, 0]);
    assertRefused(await decide(kissi, approval.id, 'approve', maker), 403, 'FORBIDDEN');
    assert.equal(await isPep(id), false);
    assert.equal((await decide(kissi, approval.id, 'approve', checker)).status, 200);
    assert.deepEqual([await isPep(id), (await entriesOf(id)).length], [true, 1]);
  });

  test('a rejected marking leaves the subscriber as it is', async () => {
    const { id } = await bank.wallet();
    const { id: approvalId } = pendingOf(await put(id, { is_pep: true }, maker));
    assert.equal((await decide(kissi, approvalId, 'reject', checker)).status, 200);
    assert.deepEqual([await isPep(id), (await entriesOf(id)).length], [false, 0]);
  });

  test('removing the mark waits too, and requester and approver need access', async () => {
    const { id } = await marked();
    assertRefused(await put(id, { is_pep: false }, maker), 403, 'PEP_ACCESS_REQUIRED');
    const [requester, approver] = [await withAccess(), await withAccess()];
    const { id: approvalId } = pendingOf(await put(id, { is_pep: false }, requester));
    assertRefused(await decide(kissi, approvalId, 'approve', checker), 403, 'PEP_ACCESS_REQUIRED');
    assert.equal(await isPep(id), true);
    assert.equal((await decide(kissi, approvalId, 'approve', approver)).status, 200);
    assert.equal(await isPep(id), false);
    const [entry] = await auditLogs(kissi, { resource_id: id, action: 'subscriber.unmark_pep' });
    const { actor_id, details } = entry as Json;
    assert.deepEqual([actor_id, details], [requester.id, { approval_id: approvalId, approved_by: approver.id }]);
  });

  test('a marking cannot pass under the policy for changes of numbers', async () => {
    const { id } = await bank.wallet();
    const admin = { token: await kissi.adminToken() };
    assertRefused(await put(id, { is_pep: true, phone_number: '+23276555001' }, admin), 400, 'INVALID_REQUEST');
    assert.equal(await isPep(id), false);
  });

  test('the value that a subscriber has already needs no approval', async () => {
    const { id } = await bank.wallet();
    assert.equal((await put(id, { is_pep: false }, maker)).status, 200);
  });
});

test('a reader of the audit log without access sees that somebody was marked, by whom and when', async () => {
  const { id, approvalId } = await marked();
  const [stored] = await entriesOf(id);
  assert.deepEqual(stored.details, { approval_id: approvalId, approved_by: checker.id });
  const auditor = await user(kissi, 'audit_user');
  const path = `/api/v1/audit/logs?action=subscriber.mark_pep&actor_id=${maker.id}`;
  const { json } = await kissi.call('GET', path, auditor);
  const entry = json.logs.find((each: Json) => each.id === stored.id);
  assert.deepEqual([entry.actor_id, entry.action], [maker.id, 'subscriber.mark_pep']);
});
