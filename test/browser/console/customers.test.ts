// The work of support and compliance with customers, transactions and the overview, in a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PIN } from '../../support/money.ts';
import { lastCodeSentTo, markPep, newAuthorizedStaff } from '../../support/pep.ts';
import { auditLogs, messageTo, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();

const recordOf = async (id: string) => {
  const reply = await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.subscriber;
};

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Fills in the reason of the open dialog and confirms it. */
async function confirm(page: Page, label: string, reason?: string): Promise<void> {
  if (reason)
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill(reason);
  await dialog(page).getByRole('button', { name: label, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function savedFile(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'latin1') };
}

test('support registers a customer, links cards, writes a note, resets the PIN and blocks the wallet', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go(`/customers`);
  await page.getByRole('link', { name: 'Register a customer' }).click();
  await page.getByLabel('First name').fill('Isatu');
  await page.getByLabel('Last name').fill('Bangura');
  await page.getByLabel('Phone number').fill('076 990011');
  await page.getByLabel(/^PIN/).fill('7083');
  await button(page, 'Register').click();
  await page.getByRole('heading', { name: 'Isatu Bangura', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.equal((await recordOf(id)).phone_number, '+23276990011');

  await button(page, 'Link a card').click();
  await dialog(page).getByLabel('Serial of the card').fill('KSI-700001');
  await confirm(page, 'Link');
  await button(page, 'Add a child card').click();
  await dialog(page).getByLabel('Serial of the card').fill('KSI-700002');
  await dialog(page).getByLabel('Daily limit (optional)').fill('1,250.50');
  await dialog(page).getByText('125,050 minor units').waitFor();
  await confirm(page, 'Add');
  await page.getByText('of KSI-700001').waitFor();
  const child = await bank.get('/cards/KSI-700002');
  assert.deepEqual([child.json.card.parent_serial, child.json.card.daily_limit], ['KSI-700001', 125_050]);

  await page.getByRole('textbox', { name: 'New note' }).fill('Prefers calls after 17:00.');
  await button(page, 'Add the note').click();
  await page.getByRole('article').getByText('Prefers calls after 17:00.').waitFor();
  const notes = await kissi.call('GET', `/api/v1/subscribers/${id}/notes`, { token: await kissi.adminToken() });
  assert.deepEqual([notes.json.total_count, notes.json.notes[0].author_id], [1, staff.id]);

  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Reset the PIN' }).click();
  await confirm(page, 'Send the code', 'Forgot it');
  assert.equal((await messageTo(kissi, '+23276990011')).kind, 'pin_reset_code');

  await page.getByRole('button', { name: 'Block', exact: true }).first().click();
  await confirm(page, 'Block', 'Phone stolen');
  await page.getByText('Blocked: the wallet neither pays nor receives').waitFor();
  const record = await recordOf(id);
  assert.deepEqual([record.status, record.block_reason], ['BLOCKED', 'Phone stolen']);
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action, actor_id }) => [action, actor_id]);
  for (const action of ['subscriber.register', 'subscriber.request_pin_reset', 'subscriber.block']) {
    assert.ok(
      actions.some(([name, actor]) => name === action && actor === staff.id),
      `${action}: ${JSON.stringify(actions)}`,
    );
  }
  assert.equal(await page.getByRole('button', { name: 'Unblock', exact: true }).count(), 0);
  await check('a blocked customer');
  await close();
});

test('compliance unblocks a customer, raises the KYC level, and opens a politically exposed person with a code', async () => {
  const documents = { id_type: 'PASSPORT', id_number: 'SL1234567', id_document_url: 'https://files.example/a.pdf' };
  const wallet = await bank.wallet(50_000, documents);
  const exposed = await bank.wallet(0, { first_name: 'Fatmata', last_name: 'Koroma' });
  await markPep(kissi, exposed.id);
  const token = await kissi.adminToken();
  const blocked = await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/block`, {
    token,
    body: { reason: 'Under review' },
  });
  assert.equal(blocked.status, 200, blocked.text);
  const staff = await newAuthorizedStaff(kissi, 'compliance_user');
  const { page, go, close } = await openConsole(browser, kissi.url, staff);
  await go(`/customers/${wallet.id}`);
  await page.getByText('Under review').waitFor();
  await button(page, 'Unblock').click();
  await confirm(page, 'Unblock', 'Reviewed');
  await page.getByText('Under review').waitFor({ state: 'detached' });
  assert.equal((await recordOf(wallet.id)).status, 'ACTIVE');
  const link = page.getByRole('link', { name: 'Open' }).first();
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  await button(page, 'Raise the KYC level').click();
  await confirm(page, 'Raise to level 2');
  await page.getByText('The KYC level is 2.').waitFor();
  assert.equal((await recordOf(wallet.id)).kyc_level, 2);

  await go(`/customers/${exposed.id}`);
  await button(page, 'Send me a code').click();
  await page.getByLabel('Code').fill(await lastCodeSentTo(kissi, staff.phone));
  await button(page, 'Open the record').click();
  await page.getByRole('heading', { name: 'Fatmata Koroma', level: 1 }).waitFor();
  await close();
});

test('a transaction shows who paid whom, every posting and its evidence; a statement is saved in three formats', async () => {
  const [payer, payee] = [await bank.wallet(100_000), await bank.wallet(0, { first_name: 'Lansana' })];
  const paid = await bank.post('/wallet/transfer', {
    sender_id: payer.id,
    recipient_id: payee.id,
    amount: 23_000,
    pin: PIN,
    request_id: 'rent-1',
  });
  assert.equal(paid.status, 200, paid.text);
  const id = paid.json.transaction_id;
  const staff = await staffMember(kissi, 'support_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go(`/transactions?type=transfer_p2p`);
  await page.getByRole('row').filter({ hasText: '230.00' }).getByText('Transfer', { exact: true }).click();
  await page.getByRole('heading', { name: /Transfer, SLE.230\.00/, level: 1 }).waitFor();
  assert.ok(page.url().endsWith(id));
  const { json } = await bank.get(`/transactions/${id}`);
  for (const { balance_after } of json.transaction.postings) {
    if (balance_after === null) continue;
    const written = (balance_after / 100).toLocaleString('en-SL', { minimumFractionDigits: 2 });
    await page.getByRole('cell', { name: written, exact: true }).first().waitFor();
  }
  const evidence = await savedFile(page, () => button(page, 'Evidence (PDF)').click());
  assert.equal(evidence.name, `${id}.pdf`);
  assert.match(evidence.text, /^%PDF/);
  await check('a transaction');

  await page.getByRole('link', { name: 'Lansana Kamara' }).first().click();
  await page.getByRole('heading', { name: 'Lansana Kamara', level: 1 }).waitFor();
  await button(page, 'Statement').click();
  const begins = { PDF: /^%PDF/, CSV: /^created_at,/, JSON: /^\{\s+"success": true/ };
  for (const [format, beginning] of Object.entries(begins)) {
    assert.match((await savedFile(page, () => button(page, format).click())).text, beginning);
  }
  await close();
});

test('the overview shows the figures of the API, and leads to what waits', async () => {
  const staff = await staffMember(kissi, 'system_admin');
  const token = await kissi.adminToken();
  const alert = { severity: 'CRITICAL', description: 'Many small credits' };
  const raised = await kissi.call('POST', '/api/v1/compliance/alerts', { token, body: alert });
  assert.equal(raised.status, 201, raised.text);
  kissi.clock.advance(1_000);
  const { json } = await kissi.call('GET', '/api/v1/admin/overview', { token });
  assert.equal(json.alerts.overdue, 1);
  for (const view of [
    { width: 360, dark: true },
    { width: 1440, dark: false },
  ]) {
    const { page, check, close } = await openConsole(browser, kissi.url, staff, view);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const payments = page.locator('section').filter({ hasText: 'Today against last week' });
    await payments.getByText(String(json.today.current.payments), { exact: true }).first().waitFor();
    const alerts = page.getByRole('link', { name: /^Alerts past due/ });
    assert.match(await alerts.innerText(), /\n1$/);
    assert.equal(await alerts.getAttribute('href'), '/console/alerts?overdue=true');
    await page.locator('canvas').first().waitFor();
    await check(`the overview at ${view.width} pixels`);
    await close();
  }
});
