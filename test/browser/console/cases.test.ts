// Cases in the console: a recall in three clicks from a customer's call, the work on a case, and what compliance decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { heldOf, ownCase, recalled, strangers, transferTo } from '../../support/cases.ts';
import { again } from '../../support/customers.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const caseOf = async (id: string) => (await kissi.asAdmin.get(`/cases/${id}`)).json.case;
const caseId = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

for (const [width, dark] of [
  [360, true],
  [1280, false],
] as const) {
  test(`support recalls a transfer in three clicks from the customer's page, at ${width} pixels`, async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    await transferTo(sender, recipient.wallet.phone, 40_000);
    const staff = await staffMember(kissi, 'support_user');
    const { page, go, check, close } = await openConsole(browser, kissi.url, staff, { width, dark });
    await go(`/customers/${sender.wallet.id}`);
    await page.getByText('−400.00').first().click();
    await page.getByRole('button', { name: 'Recall', exact: true }).click();
    await page.getByRole('dialog').getByText('Never ask for the PIN yourself').waitFor();
    await shoot(page, `recall-dialog-${width}`);
    await page.getByRole('button', { name: 'Open the recall', exact: true }).click();
    await page.getByRole('heading', { name: /^Wrong transfer · C-/, level: 1 }).waitFor();
    await page.getByText('Nothing is held yet').waitFor();
    const id = caseId(page);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);

    assertStatus(await sender.post(`/me/cases/${id}/confirm`, { pin: PIN }), 200);
    await go('/cases');
    await page.getByText('Recipient asked').first().waitFor();
    await check('the queue of cases');
    await shoot(page, `cases-${width}`);
    await go(`/cases/${id}`);
    await page.getByText(/is held in the recipient's wallet until/).waitFor();
    await page.getByText('Both wallets').waitFor();
    assert.equal(await heldOf(kissi, recipient.wallet.id), 40_000);
    await check('a case with a recall');
    await shoot(page, `case-${width}`);
    await close();
  });
}

test('support takes a case, writes into it, adds a file, waits, investigates and resolves it', async () => {
  const customer = await bank.wallet();
  const staff = await staffMember(kissi, 'support_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const { page, go, button, open, openFromMenu, confirm, dialog, check, close } = screen;
  await go(`/customers/${customer.id}`);
  await open('Open a case');
  await dialog.getByLabel('What it is about').selectOption('agent');
  await dialog.getByLabel(/^What happened/).fill('The agent at Lumley asked for the PIN.');
  await button('Open the case').click();
  await page.getByRole('heading', { name: /^An agent · C-/, level: 1 }).waitFor();
  const id = caseId(page);
  await page.getByText('By staff, who opened it').waitFor();
  await open('Take the case');
  await confirm('Take');
  assert.equal((await caseOf(id)).assignee_id, staff.id);

  await page.getByRole('textbox', { name: 'New note' }).fill('Called the agent.');
  await button('Add the note').click();
  await page.getByText('Called the agent.').waitFor();
  await page.getByText('Message to the customer', { exact: true }).click();
  await page.getByRole('textbox', { name: 'New message' }).fill('We are asking the agent.');
  await button('Send the message').click();
  await page.getByRole('listitem').getByText('We are asking the agent.').waitFor();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.locator('input[type=file]').setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('button', { name: 'Open receipt.png', exact: true }).waitFor();

  for (const [label, submit, state] of [
    ['Wait for the customer', 'Wait', 'waiting_customer'],
    ['Wait for the other side', 'Wait', 'waiting_other_party'],
  ] as const) {
    await openFromMenu('More', label);
    await dialog.getByLabel('Reason').fill('Photo of the receipt');
    await confirm(submit);
    assert.equal((await caseOf(id)).state, state);
  }
  await open('Investigate');
  await dialog.getByLabel('Reason').fill('The photo is here');
  await confirm('Investigate');
  await openFromMenu('More', 'Give it more time');
  await dialog.getByLabel('Reason').fill('The agent travels');
  await confirm('Give more time');
  assert.equal((await caseOf(id)).is_complex, true);
  await check('a case being worked on');
  await openFromMenu('More', 'Give it back');
  await confirm('Give back');
  assert.equal((await caseOf(id)).assignee_id, null);
  await openFromMenu('More', 'Resolve');
  await dialog.getByLabel('Reason').fill('The agent was warned');
  await confirm('Resolve');
  await page.getByText('Resolved').first().waitFor();
  const { state, timeline, files } = await caseOf(id);
  assert.deepEqual([state, files.length, timeline.at(-1).text], ['resolved', 1, 'The agent was warned']);
  await check('a resolved case');
  await close();
});

test('an administrator assigns a case to somebody else and rejects it; the register is exported', async () => {
  const customer = await bank.wallet();
  const body = { kind: 'other', subscriber_id: customer.id, description: 'Wants a loan.' };
  const { id, number } = assertStatus(await kissi.asAdmin.post('/cases', body), 201).json.case;
  const other = await staffMember(kissi, 'support_user', { first_name: 'Isatu', last_name: 'Bangura' });
  const screen = screenOf(await openConsole(browser, kissi.url, await staffMember(kissi, 'system_admin')));
  const { page, go, openFromMenu, confirm, dialog, check, close } = screen;
  await go(`/cases/${id}`);
  await openFromMenu('More', 'Assign');
  await dialog.getByLabel('User').selectOption({ label: 'Isatu Bangura' });
  await confirm('Assign');
  assert.equal((await caseOf(id)).assignee_id, other.id);
  await openFromMenu('More', 'Reject');
  await dialog.getByLabel('Reason').fill('We make no loans');
  await confirm('Reject');
  assert.equal((await caseOf(id)).state, 'rejected');
  await go('/cases?view=all');
  await page.getByText(number).first().waitFor();
  await check('the register of cases');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV', exact: true }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^register-of-cases/);
  await close();
});

test('compliance asks a recipient outside the rules, extends the hold and enters a legal order', async () => {
  const [sender, recipient] = await strangers(kissi, bank);
  await transferTo(sender, recipient.wallet.phone, 1_000);
  const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 25_000));
  kissi.clock.advance(HOUR_MS);
  const screen = screenOf(await openConsole(browser, kissi.url, await staffMember(kissi, 'compliance_user')));
  const { page, go, open, confirm, dialog, check, close } = screen;
  await go(`/cases/${id}`);
  await page.getByText('Compliance decides whether the recipient is asked').waitFor();
  await check('a recall that staff decide');
  await open('Ask the recipient');
  await dialog.getByLabel('Reason').fill('The sender paid a shop of this name before');
  await confirm('Hold and ask');
  await page.getByText(/is held in the recipient's wallet until/).waitFor();
  assert.equal(await heldOf(kissi, recipient.wallet.id), 25_000);
  await open('Extend the hold');
  await dialog.getByLabel('Reason').fill('Three customers report this number');
  await confirm('Request approval');
  await page.getByText('Sent for approval').first().waitFor();
  await open('Legal order');
  await dialog.getByLabel(/^Court or authority/).fill('High Court 2026/417');
  await dialog.getByLabel(/^What it orders/).fill('Return to the sender');
  await confirm('Request approval');
  await dialog.waitFor({ state: 'detached' });
  const { rows } = await kissi.db.query(
    "select operation from approvals where status = 'pending' and input -> 'params' ->> 'id' = $1 order by id",
    [id],
  );
  assert.deepEqual(
    rows.map(({ operation }: { operation: string }) => operation),
    ['cases.extend_hold', 'cases.legal_order'],
  );
  assert.equal(await heldOf(kissi, recipient.wallet.id), 25_000, 'nothing moves before the approval');
  const phone = await again(kissi, recipient);
  assertStatus(await phone.post(`/me/cases/${id}/contest`, {}), 200);
  assert.equal((await ownCase(phone, id)).recall.state, 'contested');
  await close();
});
