// Approvals of changes: fees, rules, KYC levels, users, API keys, partners and policies; and their secrets.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { assertRefused } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, type User, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { apiKey, auditLogs, login, runChore, staffMember } from '../../support/staff.ts';

const DAY_MS = 86_400_000;
const { kissi, bank } = await bankForFile();
const first = { token: await kissi.adminToken() };
const second = await user(kissi, 'system_admin');
const compliance = await user(kissi, 'compliance_user');
const reviewer = await user(kissi, 'compliance_user');

const call = (method: string, path: string, body: object | null, { token }: { token: string } = first) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const approve = (id: string, by: { token: string } = second) => decide(kissi, id, 'approve', by);

async function approved(reply: CallReply, by: { token: string } = second): Promise<Json> {
  const decision = assertStatus(await approve(pendingOf(reply).id, by), 200);
  assert.equal(decision.json.approval.status, 'executed');
  return decision.json.approval;
}

/** There are two administrators, so both of them change a policy. */
async function setPolicy(action: string, enabled: boolean): Promise<void> {
  const reply = await call('PUT', '/admin/approval-policies', { action, enabled });
  if (reply.status === 202) await approved(reply);
  else assert.equal(reply.status, 200, reply.text);
}

const ACTIONS = ['fees.change', 'rules.change', 'kyc.raise', 'users.change', 'api_keys.create', 'partners.change'];
beforeEach(async () => {
  for (const action of ACTIONS) await setPolicy(action, true);
});

describe('a policy change', () => {
  test('needs a second system_admin once there are two, and is executed by its approval', async () => {
    const body = { action: 'partners.settle', enabled: true, threshold: 5_000 };
    const reply = await call('PUT', '/admin/approval-policies', body);
    const approval = pendingOf(reply);
    assert.equal(approval.action, 'policies.change');
    assert.deepEqual(approval.summary, {
      text: 'Require approval for partners.settle.',
      before: { enabled: false, threshold: null },
      after: { enabled: true, threshold: 5_000 },
      parties: [],
    });
    const current = async () =>
      (await call('GET', '/admin/approval-policies', null)).json.policies.find(
        ({ action }: Json) => action === 'partners.settle',
      );
    assert.equal((await current()).enabled, false);
    assertRefused(await approve(approval.id, first), 403, 'FORBIDDEN');
    assertRefused(await approve(approval.id, compliance), 404, 'NOT_FOUND');
    assert.equal((await approve(approval.id)).status, 200);
    assert.deepEqual([(await current()).enabled, (await current()).threshold], [true, 5_000]);
    await setPolicy('partners.settle', false);
  });

  test('that changes nothing needs no approval', async () => {
    const reply = await call('PUT', '/admin/approval-policies', { action: 'fees.change', enabled: true });
    assert.deepEqual([reply.status, reply.json.policy.enabled], [200, true]);
  });
});

describe('fees.change', () => {
  const setting = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'flat', fee_value: 2.25 };
  const current = async () => (await call('GET', '/fee-settings/transfer_p2p/sender', null)).json;

  test('changes and deletes a setting only when it is approved', async () => {
    const before = await current();
    assert.equal(before.is_default, true);
    const reply = await call('PUT', '/fee-settings', setting);
    assert.equal(pendingOf(reply).summary.after.fee_value, 2.25);
    assert.deepEqual(await current(), before);
    assert.deepEqual(await auditLogs(kissi, { action: 'fee_setting.update' }), []);
    const approval = await approved(reply);
    assert.equal(approval.result.setting.fee_value, 2.25);
    assert.equal((await current()).fee_value, 2.25);
    const [entry] = await auditLogs(kissi, { action: 'fee_setting.update' });
    assert.deepEqual([entry.details.approval_id, entry.details.approved_by], [approval.id, second.id]);
    assert.deepEqual(entry.user_names, { [second.id]: 'Test Person' });
    const removal = await call('DELETE', '/fee-settings/transfer_p2p/sender', null);
    assert.equal((await current()).fee_value, 2.25);
    await approved(removal);
    assert.deepEqual(await current(), before);
  });

  test('refuses what the immediate change would refuse', async () => {
    assertRefused(await call('PUT', '/fee-settings', { ...setting, fee_value: 0.001 }), 400, 'INVALID_REQUEST');
    assertRefused(await call('DELETE', '/fee-settings/pos_payment/sender', null), 404, 'NOT_FOUND');
  });
});

describe('rules.change', () => {
  const rule = { name: 'Large', kind: 'amount', transaction_types: ['transfer_p2p'], outcome: 'flag', threshold: 900 };

  test('adds and changes a rule when another compliance_user approves it', async () => {
    const approval = await approved(await call('POST', '/compliance/rules', rule, compliance), reviewer);
    const { id } = approval.result.rule;
    const change = await call('PUT', `/compliance/rules/${id}`, { threshold: 901 }, compliance);
    assert.deepEqual(pendingOf(change).summary.before, { threshold: 900 });
    assert.deepEqual(pendingOf(change).summary.after, { threshold: 901 });
    assert.equal((await call('GET', `/compliance/rules/${id}`, null)).json.rule.threshold, 900);
    await approved(change, reviewer);
    assert.equal((await call('GET', `/compliance/rules/${id}`, null)).json.rule.threshold, 901);
  });

  test('is 403 APPROVAL_REQUIRED for API keys', async () => {
    await setPolicy('api_keys.create', false);
    const { key } = await apiKey(kissi, ['compliance:write']);
    assertRefused(await call('POST', '/compliance/rules', rule, { token: key }), 403, 'APPROVAL_REQUIRED');
  });
});

describe('kyc.raise', () => {
  const documents = { id_number: '', id_type: 'PASSPORT', id_document_url: 'https://example.com/1', address: 'Lumley' };
  const levelOf = async (id: string) => (await call('GET', `/subscribers/${id}`, null)).json.subscriber.kyc_level;
  let count = 0;
  const wallet = (balance = 0) => bank.wallet(balance, { ...documents, id_number: `KYC-${++count}` });

  test('raises the level when another user of compliance approves it', async () => {
    const { id } = await wallet(2_299_00);
    const reply = await call('PUT', `/subscribers/${id}`, { kyc_level: 3 }, compliance);
    assert.deepEqual(pendingOf(reply).summary.before, { kyc_level: 1 });
    assert.deepEqual(pendingOf(reply).summary.after, { kyc_level: 3 });
    assert.deepEqual(pendingOf(reply).summary.parties, [{ id, name: 'Aminata Kamara' }]);
    assert.equal(await levelOf(id), 1);
    await approved(reply, reviewer);
    assert.equal(await levelOf(id), 3);
  });

  test('does not cover other updates, nor a lower level', async () => {
    const { id } = await wallet();
    assert.equal((await call('PUT', `/subscribers/${id}`, { address: 'Aberdeen' })).status, 200);
    await approved(await call('PUT', `/subscribers/${id}`, { kyc_level: 2 }, compliance), reviewer);
    assert.equal((await call('PUT', `/subscribers/${id}`, { kyc_level: 1 }, compliance)).status, 200);
    assert.equal(await levelOf(id), 1);
  });

  test('refuses a level whose requirements are not on file, at the request and at the approval', async () => {
    const plain = await bank.wallet();
    const refused = await call('PUT', `/subscribers/${plain.id}`, { kyc_level: 2 }, compliance);
    assertRefused(refused, 422, 'KYC_REQUIREMENT_MISSING');
    const { id } = await wallet();
    const { id: approvalId } = pendingOf(await call('PUT', `/subscribers/${id}`, { kyc_level: 2 }, compliance));
    const other = await bank.wallet(0, { ...documents, id_number: `KYC-${count}` });
    await approved(await call('PUT', `/subscribers/${other.id}`, { kyc_level: 2 }, compliance), reviewer);
    const failed = assertRefused(await approve(approvalId, reviewer), 422, 'EXECUTION_REFUSED');
    assert.equal(failed.json.refusal_code, 'DUPLICATE_IDENTITY');
    assert.equal((await getApproval(kissi, approvalId, compliance)).status, 'failed');
    assert.equal(await levelOf(id), 1);
  });

  test('of a politically exposed person is hidden from, and not decided by, users without PEP access', async () => {
    const { id } = await wallet();
    await approved(await call('PUT', `/subscribers/${id}`, { is_pep: true }, compliance), reviewer);
    const [pepMaker, pepChecker] = [await pepUser(), await pepUser()];
    const { id: approvalId } = pendingOf(await call('PUT', `/subscribers/${id}`, { kyc_level: 2 }, pepMaker));
    const hidden = await getApproval(kissi, approvalId, reviewer);
    assert.deepEqual([hidden.params, hidden.input, hidden.summary], [null, null, null]);
    assertRefused(await approve(approvalId, reviewer), 403, 'PEP_ACCESS_REQUIRED');
    const ofPerson = async (user: User) =>
      (await kissi.call('GET', `/api/v1/admin/approvals?party_id=${id}`, { token: user.token })).json.total_count;
    assert.deepEqual([await ofPerson(compliance), await ofPerson(pepMaker)], [0, 2]);
    const seen = await getApproval(kissi, approvalId, pepChecker);
    assert.deepEqual([seen.input.kyc_level, seen.summary.parties], [2, [{ id, name: null }]]);
    const { rows } = await kissi.db.query('select summary::text from approvals where id = $1', [approvalId]);
    assert.doesNotMatch(rows[0].summary, /Aminata/, 'the name is not stored');
    assert.equal((await approve(approvalId, pepChecker)).status, 200);
  });
});

describe('users.change', () => {
  const body = {
    email: '',
    password: 'Initial-Secret-77',
    first_name: 'New',
    last_name: 'Person',
    role: 'support_user',
  };
  let count = 0;
  const newUser = () => ({ ...body, email: `approved${++count}@example.com` });

  test('creates the user with the password of the request, which is stored encrypted and then erased', async () => {
    const input = newUser();
    const reply = await call('POST', '/admin/users', input);
    const approval = pendingOf(reply);
    assert.ok(!reply.text.includes(input.password));
    assert.deepEqual(approval.summary.hidden_fields, ['password']);
    assert.equal(approval.input.email, input.email);
    assert.equal((await login(kissi, input)).status, 401);
    assert.ok(!(await stored(approval.id)).includes(input.password));
    const done = await approved(reply);
    assert.ok(!JSON.stringify(done).includes(input.password));
    assert.equal((await login(kissi, input)).status, 200);
    const { sealed_input } = await row(approval.id);
    assert.equal(sealed_input, null);
    const entries = JSON.stringify(await auditLogs(kissi, { resource_id: approval.id }));
    assert.ok(!entries.includes(input.password));
    assert.ok(!kissi.logs().includes(input.password));
  });

  test('makes the checks again when it is approved: a name that is taken by then fails', async () => {
    const input = newUser();
    const [one, two] = [await call('POST', '/admin/users', input), await call('POST', '/admin/users', input)];
    await approved(one);
    const failed = assertRefused(await approve(pendingOf(two).id), 422, 'EXECUTION_REFUSED');
    assert.equal(failed.json.refusal_code, 'USER_EXISTS');
    assert.equal((await row(pendingOf(two).id)).sealed_input, null);
    assertRefused(await call('POST', '/admin/users', input), 409, 'USER_EXISTS');
    assertRefused(await call('POST', '/admin/users', { ...newUser(), password: 'weak' }), 400, 'INVALID_REQUEST');
  });

  test('covers updates and password resets; the temporary password goes to the requester once', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const update = await call('PUT', `/admin/users/${staff.id}`, { role: 'finance_user' });
    assert.deepEqual(pendingOf(update).summary.after, { role: 'finance_user' });
    assert.equal((await approved(update)).result.user.role, 'finance_user');
    const approval = await approved(await call('POST', `/admin/users/${staff.id}/reset-password`, null));
    assert.equal(approval.result.temporary_password, undefined);
    assert.equal(approval.secrets_available, true);
    assert.equal((await login(kissi, staff)).status, 401);
    assertRefused(await decide(kissi, approval.id, 'collect-secrets', second), 403, 'FORBIDDEN');
    const collected = await decide(kissi, approval.id, 'collect-secrets', first);
    const password = collected.json.secrets.temporary_password;
    assert.equal((await login(kissi, { ...staff, password })).status, 200);
    assertRefused(await decide(kissi, approval.id, 'collect-secrets', first), 409, 'NO_SECRETS');
  });

  test('of two approvers at once creates one user', async () => {
    const third = await user(kissi, 'system_admin');
    const input = newUser();
    const { id } = pendingOf(await call('POST', '/admin/users', input));
    const replies = await Promise.all([approve(id), approve(id, third), approve(id)]);
    const statuses = replies.map(({ status }) => status);
    assert.ok(statuses.includes(200), statuses.join());
    assert.ok(
      statuses.every((status) => status === 200 || status === 409),
      statuses.join(),
    );
    const created = kissi.db.database.queries.selectFrom('users').select('id').where('email', '=', input.email);
    assert.equal((await created.execute()).length, 1);
    assert.equal((await auditLogs(kissi, { action: 'approval.approve', resource_id: id })).length, 1);
  });
});

describe('api_keys.create', () => {
  const body = { name: 'Till', scopes: ['balance:read'] };

  test('issues the key on approval; key and secret go to the requester once and are in no other place', async () => {
    const reply = await call('POST', '/admin/api-keys', body);
    const keys = async () => (await call('GET', '/admin/api-keys', null)).json.total_count;
    const before = await keys();
    const approval = await approved(reply);
    assert.equal(await keys(), before + 1);
    assert.deepEqual([approval.result.key, approval.result.secret], [undefined, undefined]);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => decide(kissi, approval.id, 'collect-secrets', first)),
    );
    const [collected, ...others] = replies.toSorted((a, b) => a.status - b.status);
    for (const other of others) assertRefused(other, 409, 'NO_SECRETS');
    const { key, secret } = collected?.json.secrets ?? {};
    const wallet = await bank.wallet(70);
    assert.equal((await call('GET', `/balance/${wallet.id}`, null, { token: key })).json.balance, 70);
    const everything = (await stored(approval.id)) + JSON.stringify(await auditLogs(kissi, {})) + kissi.logs();
    for (const value of [key, secret]) assert.ok(!everything.includes(value));
    assert.equal((await getApproval(kissi, approval.id, first)).secrets_available, false);
  });

  test('secrets that nobody collects are erased after seven days', async () => {
    const approval = await approved(await call('POST', '/admin/api-keys', body));
    kissi.clock.advance(7 * DAY_MS);
    await relogin();
    await runChore(kissi, 'expire and complete approvals');
    assert.equal((await row(approval.id)).sealed_result, null);
    assertRefused(await decide(kissi, approval.id, 'collect-secrets', first), 409, 'NO_SECRETS');
  });
});

describe('partners.change', () => {
  test('creates a partner, whose webhook secret the requester collects, and changes its terms', async () => {
    const created = await approved(await call('POST', '/admin/partners', { name: 'Approved bank' }));
    const { id } = created.result.partner;
    const { json } = await decide(kissi, created.id, 'collect-secrets', first);
    assert.ok(json.secrets.webhook_secret.length > 20);
    const change = await call('PUT', `/admin/partners/${id}`, { max_amount: 77 });
    assert.deepEqual(pendingOf(change).summary.after, { max_amount: 77 });
    await approved(change);
    assert.equal((await call('GET', `/admin/partners/${id}`, null)).json.partner.max_amount, 77);
    assertRefused(await call('PUT', '/admin/partners/ptn_unknown', { max_amount: 77 }), 404, 'NOT_FOUND');
  });
});

async function pepUser(): Promise<User> {
  const staff = await newAuthorizedStaff(kissi, 'compliance_user');
  await openAccess(kissi, staff);
  return staff;
}

async function relogin(): Promise<void> {
  first.token = await kissi.adminToken();
  for (const each of [second, compliance, reviewer]) each.token = (await login(kissi, each)).json.token;
}

function row(id: string) {
  return kissi.db.database.queries.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function stored(id: string): Promise<string> {
  const { sealed_input, sealed_result, ...rest } = await row(id);
  return JSON.stringify(rest) + String(sealed_input) + String(sealed_result);
}
