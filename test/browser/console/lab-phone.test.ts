// The lab's phones in the console: support plays a payment by USSD, and both phones get the SMS.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { runChore, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const env = { LAB: 'on', NOTICES: 'all', SMS_PROVIDER: 'lab', USSD_SERVICE_CODE: '*715#' };
const { kissi, bank, browser } = await consoleForFile({ env });

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const phoneOf = (page: Page, number: string) => page.getByRole('region', { name: `Phone of ${number}` });

/** By the keyboard alone: the field has the focus when a page comes. */
async function type(phone: Locator, field: 'Answer' | 'PIN', text: string): Promise<void> {
  const input = phone.getByLabel(field, { exact: true });
  await input.waitFor();
  await input.press('Home');
  await input.pressSequentially(text);
  await input.press('Enter');
}

for (const [width, dark] of [
  [360, false],
  [1440, true],
] as const) {
  test(`support dials, sends money with the PIN, and both phones get the SMS, at ${width} pixels`, async () => {
    await runChore(kissi, 'tell customers of payments');
    const [payer, payee] = [await bank.wallet(100_000), await bank.wallet()];
    const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'support_user'), {
      ...{ width, dark },
    });
    await go('/lab/phone');
    await page.getByText('Whose phone?').waitFor();
    await page.getByRole('button', { name: payer.phone }).waitFor();
    await check('whose phone');
    await shoot(page, `lab-choose-${width}`);
    await page.getByRole('button', { name: payer.phone }).click();
    const phone = phoneOf(page, payer.phone);
    assert.equal(await phone.getByLabel('Number to dial').inputValue(), '*715#');
    await page.getByLabel('Phone number or name').fill(payee.phone.replace('+232', '0'));
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const other = phoneOf(page, payee.phone);
    await other.getByRole('tab', { name: 'Messages' }).click();
    await other.getByText('No messages yet').waitFor();
    await check('two phones');
    await shoot(page, `lab-dial-${width}`);

    await phone.getByRole('button', { name: 'Call' }).click();
    await phone.getByText('1 Send money').waitFor();
    await check('the menu');
    await type(phone, 'Answer', '1');
    await phone.getByText("Enter the receiver's phone or account number").waitFor();
    await type(phone, 'Answer', payee.phone);
    await phone.getByText('Enter the amount in leones').waitFor();
    await type(phone, 'Answer', '50');
    const pin = phone.getByLabel('PIN', { exact: true });
    await pin.waitFor();
    assert.equal(await pin.getAttribute('type'), 'password');
    await check('the page that asks for the PIN');
    await shoot(page, `lab-pin-${width}`);
    await type(phone, 'PIN', WRONG_PIN);
    await phone.getByText('Wrong PIN. 2 more tries.').waitFor();
    assert.equal(await pin.inputValue(), '');
    await type(phone, 'PIN', PIN);
    await phone.getByText('You sent SLE 50.00').waitFor();
    assert.equal(await bank.balance(payee.id), 5_000);
    await check('the end of the session');

    await runChore(kissi, 'tell customers of payments');
    await other.getByText('SLE 50.00').waitFor();
    await phone.getByText('New message').waitFor({ state: 'attached' });
    await phone.getByRole('button', { name: 'Close', exact: true }).click();
    await phone.getByRole('tab', { name: 'Messages' }).click();
    await phone.locator('ol').getByText('SLE 50.00').waitFor();
    await check('both inboxes');
    await shoot(page, `lab-inbox-${width}`);
    assert.equal((await page.content()).includes(PIN), false);
    await close();
  });
}

test('other codes are not answered, a shortcut dials through the menus, and a phone is put away', async () => {
  const { phone: number } = await bank.wallet(100_000);
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'support_user'));
  await go(`/lab/phone?phones=${encodeURIComponent(number)}`);
  const phone = phoneOf(page, number);
  await phone.getByLabel('Number to dial').fill('*144#');
  await phone.getByRole('button', { name: 'Call' }).click();
  await phone.getByText('Only *715# is answered here.').waitFor();
  await phone.getByRole('button', { name: 'Pay a code' }).click();
  assert.equal(await phone.getByLabel('Number to dial').inputValue(), '*715*0*#');
  await phone.getByRole('button', { name: 'Balance' }).click();
  for (const key of ['1', '#']) await phone.getByRole('button', { name: key, exact: true }).click();
  assert.equal(await phone.getByLabel('Number to dial').inputValue(), '*715*4*1#1#');
  for (const _ of [1, 2]) await phone.getByRole('button', { name: 'Delete' }).click();
  await phone.getByRole('button', { name: 'Call' }).click();
  await type(phone, 'PIN', PIN);
  await phone.getByText('You have SLE 1,000.00.').waitFor();
  await check('the balance');
  await phone.getByRole('button', { name: `Put the phone of ${number} away` }).click();
  await page.getByText('Whose phone?').waitFor();
  await close();
});
