// What agents and merchants change on their own, on a phone: new customers, keys of terminals and bank accounts. Support
// helps a customer who got no code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { newAgent } from '../../support/agents.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { balanceOf, type Merchant, messageTo, newMerchant } from '../../support/processors.ts';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { sendSigned, terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const PHONE = { width: 360 };

const { kissi, bank, browser } = await consoleForFile({ env: { PHONE_VERIFICATION: 'required' } });

const press = (page: Page, name: string) => page.locator('#main').getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

const passwordOf = async (phone: string) =>
  /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';

const codeSentTo = async (phone: string) => /\b\d{6}\b/.exec((await messageTo(kissi, phone)).text)?.[0] ?? '';

async function openShop({ email, phone }: Pick<Merchant, 'email' | 'phone'>) {
  return openConsole(browser, kissi.url, { email, password: await passwordOf(phone) }, PHONE);
}

test('an agent registers a customer with the code that the customer got', async () => {
  const { page, check, expectRefusal, close } = await openConsole(browser, kissi.url, await newAgent(kissi), PHONE);
  await page.getByRole('link', { name: 'New customer' }).last().click();
  await field(page, "Customer's phone number").fill('076 811 811');
  await field(page, 'First name').fill('Fatmata');
  await field(page, 'Last name').fill('Kargbo');
  await page.getByLabel("Customer's new PIN").fill(PIN);
  await page.getByLabel('The same PIN again').fill('9999');
  await page.getByText('The two PINs differ.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Register' }).isDisabled(), true);
  await page.getByLabel('The same PIN again').fill(PIN);
  await check('a new customer');
  await press(page, 'Register');

  await page.getByText('A message with 6 digits was sent to +23276811811.').waitFor();
  const old = await codeSentTo('+23276811811');
  kissi.clock.advance(2 * MINUTE_MS);
  await press(page, 'Send a new code');
  await page.getByText('The code was sent.').waitFor();
  const code = await codeSentTo('+23276811811');
  assert.notEqual(code, old);
  await field(page, 'Code').fill(code === '111111' ? '222222' : '111111');
  await press(page, 'Confirm');
  await page
    .getByRole('alert')
    .getByText(/code is wrong/)
    .waitFor();
  expectRefusal(401);
  await field(page, 'Code').fill(code);
  await check('the code of a registration');
  await press(page, 'Confirm');
  await page.getByText('The customer is registered.').waitFor();
  await check('a registered customer');
  const found = await kissi.call('GET', '/api/v1/subscribers?phone_number=%2B23276811811', {
    token: await kissi.adminToken(),
  });
  assert.deepEqual(
    found.json.subscribers.map(({ status, first_name }: Record<string, unknown>) => [status, first_name]),
    [['ACTIVE', 'Fatmata']],
  );
  await page.getByRole('link', { name: 'Cash in' }).last().click();
  await page.getByLabel("Customer's phone or card number").fill('076811811');
  await page.getByText('Fatmata Kargbo').waitFor();
  await close();
});

test('support sends a customer a new code, and enters it', async () => {
  const phone = '+23276811813';
  const body = { phone_number: phone, first_name: 'Sorie', last_name: 'Kamara', pin: PIN };
  const { id } = assertStatus(await kissi.asAdmin.post('/subscribers', body), 201).json.subscriber;
  const old = await codeSentTo(phone);
  const staff = await staffMember(kissi, 'support_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const { page, go, open, openFromMenu, confirm, dialog, close } = screen;
  await go(`/customers/${id}`);
  kissi.clock.advance(2 * MINUTE_MS);
  await openFromMenu('More', 'Send a new code');
  await confirm('Send the code');
  await page.getByText('The code was sent.').waitFor();
  const code = await codeSentTo(phone);
  assert.notEqual(code, old);
  await open('Enter the code');
  await dialog.getByLabel('Code').fill(code);
  await confirm('Verify the number');
  await page.getByText('The phone number is verified.').waitFor();
  const { subscriber } = (await kissi.asAdmin.get(`/subscribers/${id}`)).json;
  assert.equal(subscriber.status, 'ACTIVE');
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
  assert.deepEqual(actions.slice(0, 2), ['subscriber.verify_phone', 'subscriber.resend_code']);
  await close();
});

test('a merchant creates a key that takes payments, sees its secret once, and revokes it', async () => {
  const merchant = await newMerchant(kissi);
  const { page, go, check, close } = await openShop(merchant);
  await go('/shop/terminals');
  await page.getByText('No terminal has a key').waitFor();
  await press(page, 'New key');
  await field(page, 'Name').fill('Till 2');
  await check('a new key');
  await press(page, 'Create the key');
  const secrets = page.getByRole('dialog', { name: "The key's secrets" });
  await secrets.waitFor();
  const [id = '', secret = ''] = await secrets.locator('dd').allInnerTexts();
  await check('the secrets of a key');
  await secrets.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('Till 2').waitFor();
  assert.equal((await page.content()).includes(secret.trim()), false, 'it is shown once');

  const key = { id: id.trim(), secret: secret.trim() };
  const { card } = await bank.customer(50_000);
  const pay = async () => {
    const terminal = await terminalOf(kissi, { merchant });
    const body = { ...terminal.payment(card), encrypted_pin: undefined, pin: PIN };
    return (await sendSigned(kissi, '/api/v1/pos/payment', body, { key })).status;
  };
  assert.equal(await pay(), 200);
  await page.getByRole('button', { name: 'Revoke Till 2' }).click();
  await page.getByText('This cannot be undone.').waitFor();
  await check('before a key is revoked');
  await press(page, 'Revoke');
  await page.getByText('The key was revoked.').waitFor();
  assert.equal(await pay(), 401);
  const actions = (await auditLogs(kissi, { resource_id: key.id, limit: '10' })).map(({ action }) => action);
  assert.deepEqual(actions.toSorted(), ['api_key.create', 'api_key.revoke']);
  await close();
});

test('a merchant stores a bank account, is paid out to it, and removes it', async () => {
  const terminal = await terminalOf(kissi);
  const { merchant } = terminal;
  const { card } = await bank.customer(50_000);
  assert.equal((await terminal.pay(card, { amount: 20_000 })).status, 200);
  const before = await balanceOf(kissi, merchant.id);
  const { page, go, check, close } = await openShop(merchant);
  await go('/shop/payouts');
  await press(page, 'Pay out to the bank');
  await page.getByText('No bank account is stored yet.').waitFor();
  await press(page, 'Add an account');
  await field(page, 'Account number').fill('003-001234567');
  await field(page, 'Bank').last().fill('Rokel Commercial Bank');
  await check('a new bank account');
  await press(page, 'Add');
  await page.getByText('The bank account is stored.').waitFor();

  await field(page, 'Amount').fill('100');
  await press(page, 'Continue');
  await page.getByRole('definition').getByText('Rokel Commercial Bank').waitFor();
  await press(page, 'Pay out');
  await page.getByText('The pay-out is on its way to the bank').waitFor();
  assert.equal(await balanceOf(kissi, merchant.id), before - 10_000);
  await press(page, 'Close');
  await page.getByRole('button', { name: 'Remove 003001234567' }).click();
  await page.getByText('Earlier ones stay as they are.').waitFor();
  await check('before a bank account is removed');
  await press(page, 'Remove');
  await page.getByText('None yet. Pay-outs go to stored accounts only.').waitFor();
  for (const action of ['bank_account.create', 'bank_account.remove']) {
    assert.equal((await auditLogs(kissi, { action, limit: '10' })).length, 1, action);
  }
  await close();
});

test('an administrator gives a merchant a second login, which works', async () => {
  const merchant = await newMerchant(kissi);
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'system_admin'));
  await go(`/merchants/${merchant.id}`);
  await press(page, 'Add a login');
  const dialog = page.getByRole('dialog');
  const office = { email: 'office@shop.example', phone: '+23276811812' };
  await dialog.getByLabel('First name').fill('Isha');
  await dialog.getByLabel('Last name').fill('Bangura');
  await dialog.getByLabel('Email').fill(office.email);
  await dialog.getByLabel('Phone number').fill(office.phone);
  await check('a second login');
  await dialog.getByRole('button', { name: 'Add the login' }).click();
  await page.getByText('The login was created. Its password was sent to the phone.').waitFor();
  await close();
  const opened = await openShop(office);
  await opened.page.getByText('Sales by hour').or(opened.page.getByText('No sales yet today')).first().waitFor();
  await opened.close();
});
