// The work of an administrator in the console: users, API keys with their secrets, saved views, audit log and checks.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type User, user } from '../../support/approvals.ts';
import { ADMIN, type Json } from '../../support/gateway.ts';
import { auditLogs, login } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();
let admin: Screen;
let colleague: User;
let second: Screen;

before(async () => {
  admin = screenOf(await openConsole(browser, kissi.url, ADMIN));
  colleague = await user(kissi, 'system_admin', { first_name: 'Mary', last_name: 'Kargbo' });
  second = screenOf(await openConsole(browser, kissi.url, colleague, { width: 360, dark: true }));
});

const read = async (path: string): Promise<Json> => {
  const reply = await kissi.call('GET', `/api/v1${path}`, { token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
};

const actionsOn = async (id: string) => (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);

const idIn = ({ page }: Screen) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('a user is created with a password shown once, changed, suspended, and gets a new password', async () => {
  const { page, go, open, openFromMenu, confirm, dialog, fact, check } = admin;
  await go('/users');
  await open('New user');
  await dialog.getByLabel('First name').fill('Sahr');
  await dialog.getByLabel('Last name').fill('Momoh');
  await dialog.getByLabel('Email').fill('sahr.momoh@example.com');
  assert.ok(await dialog.getByRole('button', { name: 'Create the user' }).isDisabled(), 'a role is needed');
  await dialog.getByLabel('Role').selectOption('Sub agent (additional agent login)');
  await dialog.getByPlaceholder('Name, phone or account').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Create the user' }).isDisabled(), 'and its agent');
  await dialog.getByLabel('Phone number').fill('+23276400500');
  await dialog.getByLabel('Role').selectOption('Support user');
  await dialog.getByRole('button', { name: 'Create the user' }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  await dialog.getByText('It is also sent to +23276400500 by message.').waitFor();
  const password = await fact('Password');
  const [message] = (await read('/admin/messages?limit=1')).messages;
  assert.deepEqual([message.to, message.text.includes(password)], ['+23276400500', true]);
  await confirm('I have copied it');
  await page.getByRole('heading', { name: 'Sahr Momoh', level: 1 }).waitFor();
  const id = idIn(admin);
  const email = 'sahr.momoh@example.com';
  assert.equal((await login(kissi, { email, password })).status, 200);
  assert.equal(await page.getByText(password).count(), 0);
  await check('a user');

  await open('Edit');
  await dialog.getByLabel('Role').selectOption('Finance user');
  await confirm('Save');
  await page.getByText('Finance user').waitFor();
  assert.equal((await read(`/admin/users/${id}`)).user.role, 'finance_user');

  await openFromMenu('More', 'Suspend');
  await confirm('Suspend');
  await page.getByText('Suspended', { exact: true }).waitFor();
  assert.equal((await login(kissi, { email, password })).status, 401);
  await openFromMenu('More', 'Activate');
  await confirm('Activate');
  await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' });

  await openFromMenu('More', 'Reset the password');
  await dialog.getByRole('button', { name: 'Reset the password' }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  const temporary = await fact('Temporary password');
  await confirm('I have copied it');
  assert.equal((await login(kissi, { email, password })).status, 401);
  assert.equal((await login(kissi, { email, password: temporary })).status, 200);
  const actions = await actionsOn(id);
  for (const action of ['user.create', 'user.update', 'user.reset_password'])
    assert.ok(actions.includes(action), action);
});

test('a key is created for a partner, used, rotated, narrowed and revoked', async () => {
  const { page, go, open, confirm, dialog, fact, check } = admin;
  await go('/keys');
  await open('New key');
  await dialog.getByLabel('Name').fill('Core banking');
  assert.equal(await dialog.getByRole('checkbox', { name: 'inbound:write' }).count(), 0, 'for partners only');
  await dialog.getByText('Partner', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Partner' }).click();
  await page.getByRole('option', { name: 'Rokel Test Bank' }).click();
  assert.ok(await dialog.getByRole('checkbox', { name: 'inbound:write' }).isChecked());
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  const secret = await fact('Signing secret');
  await confirm('I have copied it');
  await page.getByRole('heading', { name: 'Core banking', level: 1 }).waitFor();
  const id = idIn(admin);
  const key = (await read(`/admin/api-keys/${id}`)).api_key;
  assert.deepEqual([key.partner_id, key.scopes], [bank.partnerId, ['payments:read', 'inbound:read', 'inbound:write']]);
  await page.getByText('There are no requests yet').waitFor();
  await check('a key');

  await open('Rotate');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  assert.notEqual(await fact('Signing secret'), secret);
  await confirm('I have copied it');

  await open('Edit');
  await dialog.getByRole('checkbox', { name: 'inbound:write' }).uncheck();
  await confirm('Save');
  await page.getByText('inbound:write').waitFor({ state: 'detached' });
  assert.deepEqual((await read(`/admin/api-keys/${id}`)).api_key.scopes, ['payments:read', 'inbound:read']);

  await open('Revoke');
  await confirm('Revoke');
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  assert.notEqual((await read(`/admin/api-keys/${id}`)).api_key.revoked_at, null);
  assert.equal(await admin.button('Rotate').count(), 0);
  const actions = await actionsOn(id);
  for (const action of ['api_key.create', 'api_key.rotate', 'api_key.update', 'api_key.revoke']) {
    assert.ok(actions.includes(action), `${action}: ${actions}`);
  }
});

test('the secrets of a key that a second administrator approved are collected once', async () => {
  const { page, go, open, confirm, dialog, fact } = admin;
  const approve = async (action: string) => {
    const { approvals } = await read('/admin/approvals?status=pending');
    const { id } = approvals.find((each: Json) => each.action === action);
    await second.go(`/approvals/${id}`);
    await second.open('Approve');
    await second.confirm('Approve');
    await second.page.getByText('Approved and executed', { exact: true }).waitFor();
    return id;
  };
  await go('/approvals/policies');
  await open('Change the policy for Create API keys');
  await dialog.getByLabel('A second user must approve').check();
  await confirm('Save');
  await approve('policies.change');

  await go('/keys');
  await open('New key');
  await dialog.getByLabel('Name').fill('Payroll');
  await dialog.getByRole('checkbox', { name: 'balance:read' }).check();
  await confirm('Create the key');
  await page.getByText('Sent for approval.').first().waitFor();
  const id = await approve('api_keys.create');
  assert.equal(await second.button('Collect the secrets').count(), 0, 'only the requester collects them');
  await second.check('an executed request');

  await go(`/approvals/${id}`);
  await open('Collect the secrets');
  assert.match(await fact('Secret'), /^\S{32,}$/);
  await confirm('I have copied it');
  await admin.button('Collect the secrets').waitFor({ state: 'detached' });
  assert.equal((await actionsOn(id)).filter((action) => action === 'approval.collect_secrets').length, 1);
});

test('a view is saved for colleagues of the role, opened by one, and deleted', async () => {
  const { page, go, openFromMenu, confirm, dialog } = admin;
  await go('/users?role=finance_user&status=active');
  await openFromMenu('Views', 'Save these filters');
  await dialog.getByLabel('Name').fill('Active finance');
  await dialog.getByLabel(/^Share with all users/).check();
  await confirm('Save');
  await page.getByText('The view was saved.').waitFor();
  const { views } = await read('/admin/saved-views?screen=users');
  assert.deepEqual(
    [views[0].name, views[0].shared, views[0].query],
    ['Active finance', true, 'role=finance_user&status=active'],
  );

  await second.go('/users');
  await second.button('Views').click();
  const view = second.page.getByRole('menuitem', { name: /^Active finance/ });
  assert.match(await view.innerText(), /From System Administrator/);
  await second.check('saved views');
  await view.click();
  await second.page.getByText('Sahr Momoh').waitFor();
  assert.ok(second.page.url().endsWith('/users?role=finance_user&status=active'));

  await admin.button('Views').click();
  await page.getByRole('menuitem', { name: 'Delete the view Active finance', exact: true }).click();
  await page.getByText('No saved views yet.').waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await read('/admin/saved-views?screen=users')).total_count, 0);
});

test('the audit log shows an entry with its values before and after, and verifies the chain', async () => {
  const { page, go, dialog, check } = admin;
  const entry = (await auditLogs(kissi, { action: 'user.update' })).find(({ details }) => details.role);
  await go('/audit?action=user.update');
  assert.equal(await page.getByLabel('Action').inputValue(), 'user.update');
  // Beside the row's button.
  await page.getByRole('row', { name: 'User: changed' }).last().getByRole('time').click();
  await dialog.getByText(entry?.hash).waitFor();
  await dialog.getByRole('row', { name: 'Role support_user finance_user' }).waitFor();
  await check('an entry of the audit log');
  await dialog.getByRole('link', { name: 'All entries for this record' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, `?resource_id=${entry?.resource_id}`);
  await page.getByRole('button', { name: 'User: created' }).waitFor();
  await bank.wallet(1_000);
  await admin.button('Verify the chain').click();
  await page.getByText('The chain is unbroken').waitFor();
  const { seals } = (await read('/audit/verify')).heads;
  const [chain, number] = [Math.floor(seals[0].batch / 2 ** 32), seals[0].batch % 2 ** 32];
  await page.getByText(`Ledger: chain ${chain}, batch ${number}`, { exact: true }).waitFor();
});

test('the audit log is filtered to what people did, and to one person by name', async () => {
  const { page, go, check } = admin;
  await bank.wallet(1_000);
  const [entry] = await auditLogs(kissi, { actor_id: bank.keyId });
  assert.equal(entry?.actor_type, 'key', 'a key funded the wallet');
  const byKey = page.getByRole('link', { name: entry.actor_name }).first();
  const byAdmin = page.getByRole('link', { name: 'System Administrator' }).first();
  await go('/audit');
  await byKey.waitFor();
  await page.getByLabel('Made by').selectOption('People');
  await byKey.waitFor({ state: 'detached' });
  await byAdmin.waitFor();
  await page.getByLabel('Made by').selectOption('API keys');
  await byAdmin.waitFor({ state: 'detached' });
  await byKey.waitFor();
  await go('/audit');
  await page.getByLabel('Action').selectOption('Login: logged in');
  await byKey.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).searchParams.get('action'), 'session.login');
  await go('/audit');
  await page.getByRole('combobox', { name: 'Person', exact: true }).selectOption('System Administrator');
  await byKey.waitFor({ state: 'detached' });
  await byAdmin.waitFor();
  await check('the filtered audit log');
  // The filter of a key, whose name is not among those of people, stays visible.
  await go(`/audit?actor_id=${entry.actor_id}`);
  await byKey.waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Person', exact: true }).inputValue(), entry.actor_id);
});

test('roles, health and the list for going live show what the service reports', async () => {
  const { page, go, check, fact } = admin;
  await go('/roles');
  await page.getByLabel('Find a permission').fill('refund');
  const { permissions } = await read('/admin/roles');
  const matching = permissions.filter((each: Json) => /refund/i.test(`${each.permission} ${each.description}`));
  await page.locator('tbody tr').nth(matching.length).waitFor({ state: 'detached' });
  assert.equal(await page.locator('tbody tr').count(), matching.length);
  await check('roles');
  await go('/health');
  await page.getByRole('heading', { name: 'Audit chain' }).waitFor();
  assert.equal(await fact('Version'), (await kissi.call('GET', '/health')).json.version);
  await check('health');
  await go('/production');
  const { checks } = (await kissi.call('GET', '/health/production', { token: await kissi.adminToken() })).json;
  await page.getByText(/^\d+ errors?, \d+ warnings?$/).waitFor();
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), checks.length);
  await page.getByText('APP_ENV is development').waitFor();
  await check('the checks of production');
  await go('/going-live');
  await page.getByText('There are 2.').waitFor();
  // users.change is on with the policy of API keys, and cases.recall and privacy.erase always.
  await page.getByText(/^4 of \d+ are on\./).waitFor();
  await check('the list for going live');
  await admin.open('Confirm: A restore was practised');
  await admin.dialog.getByLabel('What was done, by whom and when').fill('Restored on the standby.');
  await admin.confirm('Confirm');
  await page.getByText('Restored on the standby.').waitFor();
  await page.getByText(/^System Administrator · /).waitFor();
  const confirmed = async () => (await read('/admin/going-live')).items.filter(({ note }: Json) => note !== null);
  assert.deepEqual(
    (await confirmed()).map(({ item, note }: Json) => [item, note]),
    [['restore_practised', 'Restored on the standby.']],
  );
  const [entry] = await auditLogs(kissi, { action: 'going_live.confirm' });
  assert.deepEqual([entry?.resource_id, entry?.details.note], ['restore_practised', 'Restored on the standby.']);
  await check('a confirmed item of the list for going live');
  await admin.shoot('going-live-1280');
  await second.go('/production');
  await second.page.getByText('APP_ENV is development').waitFor();
  await second.check('the checks of production on a phone');
  await second.go('/going-live');
  await second.page.getByText('There are 2.').waitFor();
  await second.check('the list for going live on a phone');
  await second.shoot('going-live-phone');
  await admin.open('Withdraw: A restore was practised');
  await admin.confirm('Withdraw');
  await page.getByRole('button', { name: 'Confirm: A restore was practised' }).waitFor();
  assert.deepEqual(await confirmed(), []);
});

test("the search finds a customer by the end of a phone number, screens, commands and the last records, and the account's menu changes the appearance", async () => {
  const customer = await bank.wallet(0, { first_name: 'Lansana', last_name: 'Fofanah' });
  const { page, dialog, checkOpened } = second;
  await page.getByRole('button', { name: 'Search' }).click();
  await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).fill(customer.phone.slice(-6));
  await dialog.getByText('Lansana Fofanah').waitFor();
  await checkOpened('the search');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lansana Fofanah', level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await dialog.getByRole('combobox').fill('new us');
  await dialog.getByRole('option', { name: 'New user' }).waitFor();
  await checkOpened('the commands');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('First name').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(new URL(page.url()).search, '');
  await page.keyboard.press('Control+K');
  await dialog.getByText('Opened before').waitFor();
  await second.shoot('search-opened-before');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lansana Fofanah', level: 1 }).waitFor();
  const account = page.getByRole('button', { name: 'Account of Mary Kargbo' });
  await account.click();
  await page.getByRole('button', { name: 'Light appearance' }).waitFor();
  await checkOpened('the menu of the account');
  await page.getByRole('button', { name: 'Light appearance' }).click();
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'light');
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Audit log' }).waitFor();
  await second.check('the navigation on a phone');
});
