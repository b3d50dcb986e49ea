// The work of an administrator with partners and their webhooks, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();

test('an administrator records a settlement and rotates the secret of the webhook', async () => {
  await bank.wallet(50_000);
  const id = bank.partnerId;
  const partner = async () =>
    (await kissi.call('GET', `/api/v1/admin/partners/${id}`, { token: await kissi.adminToken() })).json.partner;
  const owed = (await partner()).outstanding;
  const staff = await staffMember(kissi, 'system_admin');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await go(`/partners/${id}`);
  await check('a partner');

  await button('Record a settlement').click();
  await dialog.getByLabel('Amount received').fill('120.50');
  await dialog.getByLabel('Reference of the bank transfer').fill('BT-1');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Record the settlement' }).click();
  await dialog.getByText('The settlement was recorded').waitFor();
  assert.equal((await partner()).outstanding, owed - 12_050);
  await page.keyboard.press('Escape');

  await button('Rotate the secret').click();
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  await button('I have copied it').click();
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action, actor_id }) => `${action} ${actor_id}`);
  for (const action of ['partner.settle', 'partner.rotate_secret']) {
    assert.ok(actions.includes(`${action} ${staff.id}`), `${action}: ${actions}`);
  }
  await close();
});
