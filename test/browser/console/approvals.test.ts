// Approvals in the console: two windows racing on one request, rejecting with a reason, withdrawing, and policies.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { floatOf, newAgent, type TestAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { ADMIN } from '../../support/gateway.ts';
import { auditLogs, createdByAdmin, openSession, type Staff } from '../../support/staff.ts';
import { type ConsolePage, consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();
let agent: TestAgent;
let requester: User;
let first: User;
let second: User;
/** The administrator is not independent of this user. */
let created: Staff;
/** The windows of the three users, kept open from test to test as in an office. */
let asking: ConsolePage;
let deciding: [ConsolePage, ConsolePage];

before(async () => {
  agent = await newAgent(kissi, { business_name: 'Bo Cash Point' });
  requester = await user(kissi, 'finance_user', { first_name: 'Isatu', last_name: 'Bangura' });
  first = await user(kissi, 'finance_user', { first_name: 'Daniel', last_name: 'Samura' });
  second = await user(kissi, 'finance_user', { first_name: 'Mary', last_name: 'Kargbo' });
  // Before a policy requires a second administrator for it.
  created = await createdByAdmin(kissi, 'finance_user');
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  deciding = await Promise.all([open(first), open(second, { width: 360, dark: true })]);
  asking = await open(requester);
});

async function request(amount: number): Promise<string> {
  const body = { amount, request_id: `fund-${amount}` };
  const reply = await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token: requester.token });
  return pendingOf(reply).id;
}

const open = (who: { email: string; password: string }, view: { width?: number; dark?: boolean } = {}) =>
  openConsole(browser, kissi.url, who, view);

/** Opens the request and its dialog for approving, up to the last click. */
async function readyToApprove({ page, go }: ConsolePage, id: string) {
  await go(`/approvals/${id}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  return page.getByRole('dialog').getByRole('button', { name: 'Approve' });
}

test('a colleague rejects with a reason, which the requester reads; nothing moves', async () => {
  const before = await floatOf(kissi, agent);
  const id = await request(70_000_00);
  const [, window] = deciding;
  const { page } = window;
  await window.go('/approvals');
  await page.getByText('Fund the float of agent Bo Cash Point with 70,000.00 SLE.').waitFor();
  await window.check('inbox');
  await page.getByText('Fund the float of agent Bo Cash Point with 70,000.00 SLE.').click();
  await page.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('button', { name: 'Reject' }).isDisabled(), true, 'a reason is needed');
  await dialog.getByLabel('Reason').fill('The slip is missing');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected. Nothing was changed.').first().waitFor();
  await window.check('rejected request');
  await asking.go(`/approvals/${id}`);
  await asking.page.getByText('The slip is missing').waitFor();
  assert.equal(await asking.page.getByRole('button', { name: 'Withdraw' }).count(), 0);
  assert.equal(await floatOf(kissi, agent), before);
});

test('the requester sees no Approve, and withdraws', async () => {
  const id = await request(80_000_00);
  await asking.go(`/approvals/${id}`);
  await asking.page.getByRole('button', { name: 'Withdraw' }).click();
  assert.equal(await asking.page.getByRole('button', { name: 'Approve' }).count(), 0);
  await asking.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await asking.page.getByText('Withdrawn', { exact: true }).waitFor();
  assert.equal((await getApproval(kissi, id, requester)).status, 'withdrawn');
  await asking.check('withdrawn request');
});

test('an administrator sets a threshold; finance only reads the policies', async () => {
  const admin = await open(ADMIN);
  await admin.go('/approvals/policies');
  await admin.page.getByRole('button', { name: 'Change the policy for Pay out a merchant' }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByLabel('A second user must approve').check();
  await dialog.getByLabel('Above this sum').fill('1,250.50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await admin.page.getByText('Above SLE 1,250.50 a day').waitFor();
  await admin.page.getByText('Stays on while any other policy is on.').waitFor();
  const changeable = admin.page.getByRole('button', { name: /^Change the policy/ });
  const names = await changeable.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
  assert.ok(
    names.some((name) => name.endsWith("Change merchants' bank accounts")),
    names.join(),
  );
  assert.ok(!names.some((name) => name.endsWith('Create or change users')), 'a locked policy cannot be changed');
  await admin.check('policies');
  const { json } = await kissi.call('GET', '/api/v1/admin/approval-policies', { token: first.token });
  const policy = json.policies.find((each: { action: string }) => each.action === 'processors.payout');
  assert.deepEqual([policy.enabled, policy.threshold], [true, 125_050]);
  const [finance] = deciding;
  await finance.go('/approvals/policies');
  await finance.page.getByText('Above SLE 1,250.50 a day').waitFor();
  assert.equal(await finance.page.getByRole('button', { name: /^Change the policy/ }).count(), 0);
});

test('an auditor sees that a KYC level is to be raised, and not the values', async () => {
  await setPolicy(kissi, 'kyc.raise', { enabled: true });
  const documents = {
    id_type: 'PASSPORT',
    id_number: 'A-1',
    id_document_url: 'https://example.com/1',
    address: 'Lumley',
  };
  const { id: customer } = await bank.wallet(0, documents);
  const compliance = await user(kissi, 'compliance_user');
  const body = { kyc_level: 3 };
  const reply = await kissi.call('PUT', `/api/v1/subscribers/${customer}`, { body, token: compliance.token });
  const { id } = pendingOf(reply);
  const officer = await open(compliance);
  await officer.go(`/customers/${customer}`);
  await officer.page.getByRole('link', { name: 'Waiting for approval' }).waitFor();
  assert.equal(await officer.page.getByRole('button', { name: 'Raise the KYC level' }).count(), 0);
  await officer.check('a customer whose level waits for approval');
  await officer.page.getByRole('link', { name: 'Waiting for approval' }).click();
  await officer.page.getByText('Raise the KYC level of').first().waitFor();
  assert.ok(officer.page.url().endsWith(`/approvals/${id}`));
  await officer.close();
  const auditor = await open(await user(kissi, 'audit_user'));
  await auditor.go('/approvals');
  await auditor.page.getByText(`Raise the KYC level of subscriber …${customer.slice(-6)}`).waitFor();
  await auditor.page.getByRole('heading', { name: 'For others to decide' }).waitFor();
  await auditor.check('approvals of an auditor');
  await auditor.go(`/approvals/${id}`);
  await auditor.page.getByText("Your role cannot see this request's values").waitFor();
  assert.equal(await auditor.page.getByRole('button', { name: 'Approve' }).count(), 0);
  await auditor.go('/approvals/apr_01M7MMFTWS2GXK575D83MTSCXW');
  await auditor.page.getByText('There is no such approval.').waitFor();
  auditor.expectRefusal(404);
  await auditor.check('a request that does not exist');
  await auditor.close();
});

test('a request that the user cannot approve is for others to decide', async () => {
  const { token } = await openSession(kissi, created);
  const asked = { body: { amount: 90_000_00 }, token };
  const { id } = pendingOf(await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, asked));
  const admin = await open(ADMIN);
  await admin.go('/approvals');
  const panel = (title: string) =>
    admin.page.locator('section').filter({ has: admin.page.getByRole('heading', { name: title }) });
  await panel('For others to decide').getByText('90,000.00 SLE').waitFor();
  assert.equal(await panel('For you to decide').getByText('90,000.00 SLE').count(), 0);
  await admin.check('requests for others to decide');
  await admin.close();
  assert.equal((await getApproval(kissi, id, { token })).status, 'pending');
});

test('a change of a fee names the payments and has units', async () => {
  await setPolicy(kissi, 'fees.change', { enabled: true });
  const fee = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage', fee_value: 0.8 };
  const terms = { ...fee, debit_enabled: true, credit_enabled: false };
  const { id } = pendingOf(await kissi.asAdmin.put('/fee-settings', terms));
  const admin = await open(ADMIN);
  await admin.go('/approvals');
  await admin.page.getByText('Change the fee of transfers between wallets for the sender.').waitFor();
  await admin.page.getByText(/Fee value: .* → 0.8 %/).waitFor();
  await admin.close();
  assert.equal((await decide(kissi, id, 'withdraw', { token: await kissi.adminToken() })).status, 200);
  await setPolicy(kissi, 'fees.change', { enabled: false });
});

test('the approver of a PIN reset is warned of a new phone number, and sees who changed it', async () => {
  await setPolicy(kissi, 'pin.reset', { enabled: true });
  const { id: customer } = await bank.wallet();
  const changer = await user(kissi, 'support_user', { first_name: 'Hawa', last_name: 'Kallon' });
  const body = { phone_number: '+23276811900' };
  const changed = await kissi.call('PUT', `/api/v1/subscribers/${customer}`, { body, token: changer.token });
  assert.equal(changed.status, 200, changed.text);
  const other = await user(kissi, 'support_user');
  const path = `/api/v1/subscribers/${customer}/reset-pin`;
  const { id } = pendingOf(await kissi.call('POST', path, { body: {}, token: other.token }));
  const approver = await open(await user(kissi, 'support_user'), { width: 360 });
  await approver.go(`/approvals/${id}`);
  await approver.page.getByText('The phone number is new.').waitFor();
  const change = approver.page.getByRole('listitem').filter({ hasText: 'Changed: Phone number' });
  assert.match(await change.innerText(), /Hawa Kallon/);
  await approver.check('the request of a PIN reset');
  await approver.close();
});

test('two users approve at once: one decides, the other reads who did, and the money moves once', async () => {
  const id = await request(60_000_00);
  const buttons = await Promise.all(deciding.map((window) => readyToApprove(window, id)));
  await Promise.all(buttons.map((button) => button.click()));
  const outcomes = deciding.map(({ page }) => page.getByText('Approved and executed', { exact: true }));
  await Promise.all(outcomes.map((outcome) => outcome.waitFor()));
  const { decided_by, decided_by_name, status } = await getApproval(kissi, id, requester);
  assert.equal(status, 'executed');
  const loser = deciding[decided_by === first.id ? 1 : 0];
  const dialog = loser.page.getByRole('dialog');
  await dialog.getByText('ALREADY_DECIDED').waitFor();
  assert.match(await dialog.innerText(), new RegExp(`${decided_by_name} approved it`));
  assert.equal(await dialog.getByRole('button', { name: 'Approve' }).isDisabled(), true);
  assert.equal(await floatOf(kissi, agent), 60_000_00);
  assert.equal((await auditLogs(kissi, { action: 'approval.approve', resource_id: id })).length, 1);
});
