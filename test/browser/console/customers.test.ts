// The work of support and compliance with customers, transactions and the overview, in a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { floatOf, fundAgent, newFundedAgent } from '../../support/agents.ts';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { lastCodeSentTo, markPep, newAuthorizedStaff } from '../../support/pep.ts';
import { balanceOf } from '../../support/processors.ts';
import { auditLogs, auditRows, messageTo, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();

const recordOf = async (id: string) => {
  const reply = await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.subscriber;
};

const written = (minorUnits: number) =>
  (minorUnits / 100).toLocaleString('en-SL', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

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
  await dialog(page).getByLabel('Card serial').fill('KSI-700001');
  await confirm(page, 'Link');
  await button(page, 'Add a child card: KSI-700001').click();
  await dialog(page).getByLabel('Card serial').fill('KSI-700002');
  await dialog(page).getByLabel('Daily limit (optional)').fill('1,250.50');
  assert.equal(await dialog(page).getByText('minor units').count(), 0);
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
  await dialog(page).getByText('The old PIN works until then').waitFor();
  await confirm(page, 'Send the code', 'Forgot it');
  await page.getByText('A code for a new PIN was sent').waitFor();
  assert.equal((await messageTo(kissi, '+23276990011')).kind, 'pin_reset_code');

  await page.getByRole('button', { name: 'Block', exact: true }).first().click();
  await confirm(page, 'Block', 'Phone stolen');
  await page.getByText('Blocked: the wallet neither pays nor receives').waitFor();
  const record = await recordOf(id);
  assert.deepEqual([record.status, record.block_reason], ['BLOCKED', 'Phone stolen']);
  const { json: me } = await kissi.call('GET', `/api/v1/admin/users/${staff.id}`, { token: await kissi.adminToken() });
  const notice = page.getByRole('alert').filter({ hasText: 'Phone stolen' });
  await notice.getByText(`${me.user.first_name} ${me.user.last_name}`, { exact: true }).waitFor();
  assert.equal(await notice.getByText(staff.id).count(), 0, 'the name instead of the id');
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

test('a balance and the payments that changed it are read again together, of a customer, an agent and a merchant', async () => {
  const [payer, payee] = [await bank.customer(90_000), await bank.wallet(50_000)];
  const agent = await newFundedAgent(kissi, 90_000);
  const terminal = await terminalOf(kissi);
  const staff = await staffMember(kissi, 'system_admin');
  const { page, go, close } = await openConsole(browser, kissi.url, staff, { movesTime: true });
  const transfer = { sender_id: payer.wallet.id, recipient_id: payee.id, amount: 12_300, pin: PIN };
  const screens = [
    {
      path: `/customers/${payee.id}`,
      title: 'Wallet',
      pay: async () => assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200),
      balance: () => bank.balance(payee.id),
    },
    {
      path: `/agents/${agent.id}`,
      title: 'Float',
      pay: () => fundAgent(kissi, agent, 12_300),
      balance: () => floatOf(kissi, agent),
    },
    {
      path: `/merchants/${terminal.merchant.id}`,
      title: 'Balance',
      pay: async () => assert.equal((await terminal.pay(payer.card, { amount: 12_300 })).status, 200),
      balance: () => balanceOf(kissi, terminal.merchant.id),
    },
  ];
  for (const { path, title, pay, balance } of screens) {
    await go(path);
    const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    const payment = page.getByRole('row').filter({ hasText: '+123.00' });
    await panel
      .getByText(written(await balance()))
      .first()
      .waitFor();
    await page.getByText(/^1–1( of 1 payments)?$|^There are no payments yet$/).waitFor();
    assert.equal(await payment.count(), 0, path);
    await pay();
    await page.clock.fastForward(31_000);
    await panel
      .getByText(written(await balance()))
      .first()
      .waitFor();
    await payment.first().waitFor();
  }
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
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await lastCodeSentTo(kissi, staff.phone));
  await button(page, 'Open the record').click();
  await page.getByRole('heading', { name: 'Fatmata Koroma', level: 1 }).waitFor();

  // The search does not remember the name for longer than the access lasts.
  await page.keyboard.press('Control+K');
  await dialog(page).getByRole('combobox').fill(wallet.phone);
  await dialog(page).getByRole('option', { name: wallet.phone }).click();
  await button(page, 'Raise the KYC level').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await dialog(page).getByText('Opened before').waitFor();
  assert.equal(await dialog(page).getByRole('option').count(), 1);
  assert.doesNotMatch(await dialog(page).innerText(), /Fatmata/);
  await close();
});

test('support blocks and unblocks a card, changes its limit, unlinks it, and blocks a lost one for good', async () => {
  const { wallet, card } = await bank.customer(50_000);
  const lost = await bank.card(wallet);
  const staff = await staffMember(kissi, 'support_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff, { width: 360, dark: true }));
  const { page, go, open, confirm, dialog, check, close } = screen;
  const cardOf = async (serial: string) => (await bank.get(`/cards/${serial}`)).json.card;
  await go(`/customers/${wallet.id}`);
  await open(`Block: ${card}`);
  await dialog.getByLabel('Reason (optional)').fill('Left at home');
  await confirm('Block');
  await screen.button(`Unblock: ${card}`).waitFor();
  assert.equal((await cardOf(card)).status, 'blocked');
  await check('a customer with a blocked card on a phone');
  await open(`Unblock: ${card}`);
  await confirm('Unblock');
  await page.getByText('The card is unblocked.').waitFor();

  await open(`Name and limit: ${card}`);
  await dialog.getByLabel('Card name').fill('Market card');
  await dialog.getByLabel('Daily limit').fill('1,250.50');
  await confirm('Save');
  await page.getByText('0.00 of 1,250.50 today').waitFor();
  const limited = await cardOf(card);
  assert.deepEqual([limited.status, limited.label, limited.daily_limit], ['active', 'Market card', 125_050]);
  await open(`Name and limit: ${card}`);
  await dialog.getByLabel('Daily limit').fill('');
  await confirm('Save');
  await page.getByText('0.00 of 1,250.50 today').waitFor({ state: 'detached' });
  assert.equal((await cardOf(card)).daily_limit, null);

  await open(`Block: ${lost}`);
  await dialog.getByLabel('Lost or stolen').check();
  assert.ok(await dialog.getByRole('button', { name: 'Block', exact: true }).isDisabled(), 'a reason is needed');
  await dialog.getByLabel('Reason').fill('Stolen at the market');
  await confirm('Block');
  await page.getByText(lost, { exact: true }).waitFor({ state: 'detached' });
  assert.notEqual((await cardOf(lost)).retired_at, null);
  await open(`Unlink: ${card}`);
  await confirm('Unlink');
  await page.getByText('No card is linked to this wallet.').waitFor();
  const actions = (await auditLogs(kissi, { resource_id: card })).map(({ action }) => action);
  for (const action of ['card.block', 'card.unblock', 'card.update', 'card.unlink'])
    assert.ok(actions.includes(action), `${action}: ${actions}`);
  await close();
});

test('compliance unlocks an account, blocks and allows a type of payments, and marks a politically exposed person', async () => {
  const [wallet, other] = [await bank.wallet(50_000), await bank.wallet(0)];
  const pay = (pin: string) =>
    bank.post('/wallet/transfer', { sender_id: wallet.id, recipient_id: other.id, amount: 1_000, pin });
  const codes = [await pay(WRONG_PIN), await pay(WRONG_PIN), await pay(WRONG_PIN), await pay(PIN)].map(
    ({ json }) => json.code,
  );
  assert.equal(codes.at(-1), 'ACCOUNT_LOCKED');
  const staff = await staffMember(kissi, 'compliance_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const { page, go, open, openFromMenu, confirm, dialog, check, close } = screen;
  await go(`/customers/${wallet.id}`);
  await page.getByText('The account is locked').waitFor();
  await check('a customer whose account is locked');
  await openFromMenu('More', 'Unlock the account');
  await confirm('Unlock');
  await page.getByText('The account is locked').waitFor({ state: 'detached' });

  await open('Block Transfer');
  await dialog.getByLabel('Reason').fill('Asked for by the court');
  await confirm('Block');
  await screen.button('Allow Transfer').waitFor();
  assert.equal((await pay(PIN)).json.code, 'TRANSACTION_TYPE_DISABLED');
  await open('Allow Transfer');
  await confirm('Allow');
  await screen.button('Block Transfer').waitFor();
  assert.equal((await pay(PIN)).status, 200);

  await openFromMenu('More', 'Mark as politically exposed');
  await confirm('Confirm');
  await page.getByText('You are not authorized to open such records.').waitFor();
  assert.equal(await page.getByText(wallet.phone).count(), 0, 'the record is no longer shown');
  const actions = (await auditRows(kissi, { resource_id: wallet.id })).map(({ action }) => action);
  for (const action of ['subscriber.unlock', 'subscriber.block', 'subscriber.enable_types', 'subscriber.update'])
    assert.ok(actions.includes(action), `${action}: ${actions}`);
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
    await page
      .getByRole('cell', { name: written(balance_after), exact: true })
      .first()
      .waitFor();
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
  // Counts are kept for five seconds.
  kissi.clock.advance(10_000);
  const { json } = await kissi.call('GET', '/api/v1/admin/overview', { token });
  assert.equal(json.alerts.overdue, 1);
  const { today, today_full_hours: full } = json;
  // In the first hour of a day there is nothing to compare.
  const isFirstHour = full.current.from === full.current.to;
  const shown = (isFirstHour ? today : full).current.payments;
  const since = today.current.payments - full.current.payments;
  const span = isFirstHour ? /^Compared with last \w+day from / : /^Until \d\d:00 UTC, against last \w+day until /;
  for (const view of [
    { width: 360, dark: true },
    { width: 1440, dark: false },
  ]) {
    const { page, check, close } = await openConsole(browser, kissi.url, staff, view);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const payments = page.locator('section').filter({ hasText: 'Today against last week' });
    await payments.getByText(String(shown), { exact: true }).first().waitFor();
    await payments.getByText(span).waitFor();
    if (!isFirstHour) await payments.getByText(`+ ${since} since `).first().waitFor();
    const alerts = page.getByRole('link', { name: /^Alerts past due/ });
    assert.match(await alerts.innerText(), /\n1$/);
    await page.locator('canvas').first().waitFor();
    await check(`the overview at ${view.width} pixels`);
    await alerts.click();
    await page.getByText('1–1 of 1 alerts').waitFor();
    assert.equal(new URL(page.url()).search, '?view=all&overdue=true&sort=due_at');
    await close();
  }
});
