// A customer's personal data in the console: corrected by support, exported, and erased by two users of compliance.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { user } from '../../support/approvals.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { passRetention } from '../../support/privacy.ts';
import { auditRows, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const YEARS_AGO = Date.now() - 6 * 366 * DAY_MS;
const { kissi, bank, browser } = await consoleForFile({ clock: testClock(YEARS_AGO) });

const stored = async (id: string) => {
  const { rows } = await kissi.db.query('select erased_at, first_name from subscribers where id = $1', [id]);
  return rows[0];
};

test('one user exports the data and asks for the erasure, another approves it, and the customer is gone', async () => {
  const old = await bank.wallet(0, { first_name: 'Mariatu', last_name: 'Turay' });
  await passRetention(kissi);
  kissi.clock.set(Date.now());
  const used = await bank.wallet(1_000, { first_name: 'Sorie', last_name: 'Conteh' });
  const asking = await user(kissi, 'compliance_user', { first_name: 'Isatu', last_name: 'Bangura' });
  const screen = screenOf(await openConsole(browser, kissi.url, asking));
  const { page, go, openFromMenu, dialog, check, confirm } = screen;

  await go(`/customers/${used.id}`);
  await openFromMenu('More', 'Erase personal data');
  await dialog.getByLabel('Reason').fill('Letter 11');
  await dialog.getByRole('button', { name: 'Ask for the erasure' }).click();
  await dialog.getByText('The wallet has a balance.').waitFor();
  await dialog.getByText(/^The law requires it to be kept until \d{1,2} \w+ \d{4}\.$/).waitFor();
  await screen.checkOpened('the reasons of a refusal');
  screen.expectRefusal(409);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await stored(used.id)).erased_at, null);

  await go(`/customers/${old.id}`);
  await page.getByRole('heading', { name: 'Mariatu Turay', level: 1 }).waitFor();
  await openFromMenu('More', 'Export personal data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `personal-data-${old.id}.json`);
  assert.match(await readFile(await download.path(), 'utf8'), /Mariatu/);
  assert.equal((await auditRows(kissi, { resource_id: old.id, actor_id: asking.id })).length, 1, 'the export');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await openFromMenu('More', 'Erase personal data');
  await dialog.getByLabel('Reason').fill('Letter 12');
  await confirm('Ask for the erasure');
  await page.getByText('Sent for approval. A second user decides in Approvals.').waitFor();
  assert.equal((await stored(old.id)).erased_at, null, 'nothing is erased by one user');
  await check('the customer whose erasure was asked for');

  const second = screenOf(await openConsole(browser, kissi.url, await user(kissi, 'compliance_user'), { width: 360 }));
  await second.go('/approvals');
  await second.page.getByText('Erase the personal data of subscriber Mariatu Turay for good.').click();
  await second.page.getByRole('heading', { name: "Erase a customer's personal data", level: 1 }).waitFor();
  await second.page.getByRole('heading', { name: 'Why it may be erased' }).waitFor();
  assert.equal(await second.fact('Customer'), 'Mariatu Turay');
  assert.match(await second.fact('The law required it to be kept until'), /^\d{1,2} \w+ \d{4}$/);
  await second.page.getByText('Letter 12').waitFor();
  await second.check('the request of an erasure on a phone');
  await second.open('Approve');
  await second.confirm('Approve');
  await second.page.getByText('The personal data was erased.').waitFor();
  assert.equal(await second.page.getByText('Mariatu').count(), 0);
  const { erased_at, first_name } = await stored(old.id);
  assert.deepEqual([erased_at !== null, first_name], [true, '']);
  await second.check('the approved erasure');
  await second.go(`/customers/${old.id}`);
  await second.page.getByText('There is no such customer').waitFor();
  second.expectRefusal(404);
  await second.check('the page of an erased customer');
  await Promise.all([screen.close(), second.close()]);
});

test('support activates a registration that waits, and corrects its data', async () => {
  const body = { phone_number: '+23276500600', first_name: 'Kadiatu', last_name: 'Sankoh', email: 'k@example.com' };
  const made = await kissi.asAdmin.post('/subscribers', { ...body, pin: PIN, status: 'PENDING' });
  const { id } = assertStatus(made, 201).json.subscriber;
  const staff = await staffMember(kissi, 'support_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const { page, go, open, openFromMenu, confirm, dialog, close } = screen;
  const recordOf = async () => assertStatus(await kissi.asAdmin.get(`/subscribers/${id}`), 200).json.subscriber;
  await go(`/customers/${id}`);
  await open('Activate');
  await confirm('Activate');
  await page.getByText('The wallet is active.').waitFor();
  assert.equal((await recordOf()).status, 'ACTIVE');

  await openFromMenu('More', 'Change data');
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'nothing is changed yet');
  await dialog.getByLabel('First name').fill('Kadijatu');
  await dialog.getByLabel('Address').fill('12 Kissy Road');
  await dialog.getByLabel('Email').fill('');
  await confirm('Save');
  await page.getByRole('heading', { name: 'Kadijatu Sankoh', level: 1 }).waitFor();
  const { first_name, address, email, phone_number } = await recordOf();
  assert.deepEqual([first_name, address, email, phone_number], ['Kadijatu', '12 Kissy Road', null, '+23276500600']);
  const actions = (await auditRows(kissi, { resource_id: id, actor_id: staff.id })).map(({ action }) => action);
  for (const action of ['subscriber.activate', 'subscriber.update']) assert.ok(actions.includes(action), `${actions}`);
  await close();
});
