// A forgotten password in the console: from the login page to the code, the new password and the login.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageTo, staffMember } from '../../support/staff.ts';
import { assertAccessible, assertFitsWidth, openPage, PHONE_WIDTH } from '../page.ts';
import { consoleForFile, consoleUrl } from './console.ts';

const { kissi, browser } = await consoleForFile();
const PHONE = '+23276781234';
const NEW = 'Remembered-Password-5';

test('a user without a password gets a code, chooses a new one and logs in, on a phone', async () => {
  const staff = await staffMember(kissi, 'support_user', { phone_number: PHONE });
  const { page, close } = await openPage(browser, consoleUrl(kissi.url), { width: PHONE_WIDTH, dark: true });
  const check = async (label: string) => {
    await assertFitsWidth(page, label);
    await assertAccessible(page, label);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${label}.png` });
  };
  await page.getByLabel('Email').fill(staff.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  assert.equal(await page.getByLabel('Email').inputValue(), staff.email);
  await check('the name');
  await page.getByRole('button', { name: 'Send a code' }).click();
  await page.getByLabel('Code from the message').fill('000000');
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW);
  await check('the code');
  await page.getByRole('button', { name: 'Replace the password' }).click();
  await page.getByText('The code is wrong or has expired').waitFor();
  const code = /\b\d{6}\b/.exec((await messageTo(kissi, PHONE)).text)?.[0] ?? '';
  await page.getByLabel('Code from the message').fill(code);
  await page.getByRole('button', { name: 'Replace the password' }).click();
  await page.getByText('Your password was replaced').waitFor();
  await check('done');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(staff.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(NEW);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#main').waitFor();
  await close();
});
