// The work of an administrator with partners, their credits and their webhooks, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADMIN, type Json } from '../../support/gateway.ts';
import { type TestBank, testBank } from '../../support/inbound.ts';
import { auditLogs } from '../../support/staff.ts';
import { acknowledge, answering, deliver, type Receiver, receiver } from '../../webhooks/receiver.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
let admin: Screen;
let hooks: Receiver;
let sender: TestBank;

before(async () => {
  await kissi.adminToken();
  admin = screenOf(await openConsole(browser, kissi.url, ADMIN));
  hooks = await receiver(answering(500));
  sender = await testBank(kissi, { name: 'Sierra Commercial Bank', webhook_url: hooks.url });
});
after(() => hooks.close());

const partnerOf = async (id: string): Promise<Json> =>
  (await kissi.call('GET', `/api/v1/admin/partners/${id}`, { token: await kissi.adminToken() })).json.partner;

async function assertAudited(id: string, actions: string[]): Promise<void> {
  const recorded = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
  for (const action of actions) assert.ok(recorded.includes(action), `${action}: ${recorded}`);
}

const idIn = ({ page }: Screen) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('a partner is created with its secret shown once, changed, suspended and reactivated', async () => {
  const { page, go, open, confirm, dialog, fact, check } = admin;
  await go('/partners');
  await open('New partner');
  await dialog.getByLabel('Name').fill('Union Trust Bank');
  await dialog.getByLabel('Maximum it may owe').fill('2,500,000');
  await dialog.getByLabel('Allowed addresses').fill('198.51.100.7\n203.0.113.0/24');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  assert.match(await fact('Secret'), /^\S{32,}$/);
  await confirm('I have copied it');
  await page.getByRole('heading', { name: 'Union Trust Bank', level: 1 }).waitFor();
  const id = idIn(admin);
  const created = await partnerOf(id);
  assert.deepEqual(
    [created.outstanding_limit, created.ip_allowlist],
    [2_500_000_00, ['198.51.100.7', '203.0.113.0/24']],
  );

  await open('Edit');
  await dialog.getByLabel('Allowed addresses').fill('not an address');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('INVALID_REQUEST').waitFor();
  admin.expectRefusal(400);
  await dialog.getByLabel('Allowed addresses').fill('198.51.100.7');
  await dialog.getByLabel('Largest credit').fill('10,000');
  await confirm('Save');
  await page.getByText('SLE 10,000.00').first().waitFor();
  const changed = await partnerOf(id);
  assert.deepEqual([changed.max_amount, changed.ip_allowlist], [10_000_00, ['198.51.100.7']]);

  await open('Suspend');
  await confirm('Suspend');
  await page.getByText('Suspended', { exact: true }).waitFor();
  assert.equal((await partnerOf(id)).status, 'suspended');
  await check('a suspended partner');
  await open('Reactivate');
  await confirm('Reactivate');
  await page.getByText('Active', { exact: true }).waitFor();
  assert.equal((await partnerOf(id)).status, 'active');
  await assertAudited(id, ['partner.create', 'partner.update']);
});

test('a settlement is recorded; the secret of the webhook and a key are rotated', async () => {
  await bank.wallet(50_000);
  const id = bank.partnerId;
  const owed = (await partnerOf(id)).outstanding;
  const { go, open, pay, confirm, dialog, check } = admin;
  await go(`/partners/${id}`);
  await open('Record a settlement');
  await dialog.getByLabel('Amount received').fill('120.50');
  await dialog.getByLabel('Bank transfer reference').fill('BT-1');
  await pay('Record the settlement', 'The settlement was recorded');
  assert.equal((await partnerOf(id)).outstanding, owed - 12_050);
  await open('Rotate the secret');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  await confirm('I have copied it');
  await assertAudited(id, ['partner.settle', 'partner.rotate_secret']);
  await check('a partner');

  await go(`/partners/${sender.partnerId}`);
  await open('Rotate the key Test key');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  assert.notEqual(await admin.fact('Signing secret'), sender.key.secret);
  await confirm('I have copied it');
  await assertAudited(sender.key.id, ['api_key.rotate']);
});

test('a failed delivery shows its request and reply, and reaches the partner when it is replayed', async () => {
  const wallet = await bank.wallet(0);
  const credited = await sender.credit({ reference: 'SCB-1', amount: 25_000, msisdn: wallet.phone });
  assert.equal(credited.status, 200, credited.text);
  await deliver(kissi);
  const { page, go, open, confirm, dialog, check } = admin;
  await go('/deliveries?status=pending');
  await page.getByText('credit.completed').first().click();
  await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
  await page.getByText('Signature valid').waitFor();
  const request = await page.getByRole('group', { name: 'Request' }).innerText();
  assert.match(request, /^POST http.*\/hooks\?tenant=7\n/);
  assert.match(request.toLowerCase(), /x-hook-signature: \S+/);
  await check('a failed delivery');
  hooks.behave(acknowledge);
  await open('Replay');
  await confirm('Replay');
  await page.getByText('The event is sent again.').waitFor();
  await deliver(kissi);
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Attempt 2' }).waitFor();
  const [first, second] = hooks.received;
  assert.deepEqual([second?.id, second?.json], [first?.id, first?.json]);
  assert.equal(hooks.received.length, 2);

  await go('/deliveries');
  const event = page.getByRole('row').filter({ hasText: 'credit.completed' }).first();
  await event.getByRole('checkbox').check();
  await open('Replay');
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await dialog.getByText('Done', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await deliver(kissi);
  assert.deepEqual([hooks.received.length, hooks.received.at(-1)?.id], [3, first?.id]);
  assert.equal((await auditLogs(kissi, { action: 'webhook_delivery.replay' })).length, 2);
});

test('an inbound credit is reversed once, with the reason that the partner gets', async () => {
  const wallet = await bank.wallet(0);
  const credited = await sender.credit({ reference: 'SCB-2', amount: 31_000, msisdn: wallet.phone });
  assert.equal(credited.status, 200, credited.text);
  const owed = await sender.outstanding();
  const { page, go, open, pay, dialog, check } = admin;
  await go('/credits?reference=SCB-2');
  await page.getByText('SCB-2').click();
  await page.getByRole('heading', { name: /^SLE.310\.00$/, level: 1 }).waitFor();
  await open('Reverse');
  await dialog.getByLabel('Reason').fill('Sent to the wrong person');
  await pay('Reverse the credit', 'The credit was reversed');
  await page.getByText('Sent to the wrong person').waitFor();
  assert.equal(await admin.button('Reverse').count(), 0);
  assert.equal(await bank.balance(wallet.id), 0);
  assert.equal(await sender.outstanding(), owed - 31_000);
  await check('a reversed credit');
  await page.getByRole('link', { name: 'Show the reversal' }).click();
  await page.getByRole('heading', { name: /310\.00/, level: 1 }).waitFor();
});

test('a list that is read again stays readable', async () => {
  const { page, go, check } = admin;
  await go('/partners');
  const list = page.locator('[aria-busy]').filter({ hasText: 'Sierra Commercial Bank' });
  await list.waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/admin/partners?**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByLabel('Name', { exact: true }).fill('Sierra');
  await list.and(page.locator('[aria-busy="true"]')).waitFor();
  await check('partners that are read again');
  held.resolve();
  await list.and(page.locator('[aria-busy="false"]')).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});
