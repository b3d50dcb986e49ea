// What the wallet does when something goes wrong: a lost connection, a closed page, a hidden phone, an ended device.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../../support/gateway.ts';
import { PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { codeInSvg } from '../../support/pictures.ts';
import { newMerchant } from '../../support/processors.ts';
import type { View } from '../page.ts';
import { logIn, openWallet, readKept, shellKept, type WalletPage, walletsForFile, walletUrl } from './wallet.ts';

const { kissi, bank, browser } = await walletsForFile();

const TRANSFERS = '**/me/transfers';

async function customer(view: View = {}) {
  const wallet = await bank.wallet(500_000);
  const other = await bank.wallet(0, { first_name: 'Mohamed', last_name: 'Conteh' });
  const phone = await openWallet(browser, kissi, view);
  await logIn(phone, kissi, wallet);
  return { wallet, other, phone, page: phone.page };
}

async function confirmTransfer({ tap, type, sees }: WalletPage, other: Wallet, leones: string): Promise<void> {
  await tap('Send');
  await type('To whom?', other.phone);
  await tap('Go on');
  await type('Amount', leones);
  await tap('Go on');
  await sees('Mohamed C.');
  await type('Your PIN', PIN);
  await tap(`Send SLE ${leones}`);
}

/** The service gets the request, and the phone no reply. */
const loseReply = (page: Page) =>
  page.route(TRANSFERS, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });

test('a payment whose reply is lost shows its true result, without the PIN', async () => {
  const { other, phone, page } = await customer();
  await loseReply(page);
  await confirmTransfer(phone, other, '30.00');
  await phone.sees('Mohamed C. has the money.');
  assert.equal(await bank.balance(other.id), 3_000);
  assert.equal((await readKept(page)).local['kissi-wallet-pending'], undefined);
  await phone.close();
});

test('a payment whose page is closed before the reply shows its true result after the next login', async () => {
  const { other, phone, page } = await customer();
  const isSent = page.waitForRequest(TRANSFERS);
  await page.route(TRANSFERS, async (route) => void (await route.fetch()));
  await page.route('**/me/requests/*', (route) => route.abort('internetdisconnected'));
  await confirmTransfer(phone, other, '31.00');
  await isSent;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await phone.sees('Mohamed C. has the money.');
  assert.equal(await bank.balance(other.id), 3_100);
  await phone.close();
});

test('a payment that never arrived can be sent again, and is paid once', async () => {
  const { wallet, other, phone, page } = await customer();
  await page.route(TRANSFERS, (route) => route.abort('connectionreset'));
  await confirmTransfer(phone, other, '32.00');
  await phone.sees('The service has no such payment so far.');
  assert.equal(await bank.balance(other.id), 0);
  await page.unrouteAll();
  await loseReply(page);
  await phone.tap('Send it again');
  await phone.type('Your PIN', WRONG_PIN);
  await phone.tap('Send SLE 32.00');
  await phone.sees('The service has no such payment so far.');
  // A wrong PIN does not make the wallet forget what may have been paid.
  await page.unrouteAll();
  await phone.tap('Send it again');
  await phone.type('Your PIN', WRONG_PIN);
  await phone.tap('Send SLE 32.00');
  await phone.sees('The PIN is wrong.');
  assert.ok((await readKept(page)).local['kissi-wallet-pending']);
  await loseReply(page);
  await phone.type('Your PIN', PIN);
  await phone.tap('Send SLE 32.00');
  await phone.sees('Mohamed C. has the money.');
  assert.deepEqual([await bank.balance(other.id), (await bank.balance(wallet.id)) < 500_000 - 3_200], [3_200, true]);
  await phone.close();
});

test('a payment that can no longer be made is called not paid, and is forgotten', async () => {
  const { other, phone, page } = await customer({ movesTime: true });
  await page.route(TRANSFERS, (route) => route.abort('connectionreset'));
  await confirmTransfer(phone, other, '33.00');
  await phone.sees('The service has no such payment so far.');
  await page.clock.runFor(4 * 60_000);
  await phone.sees('The service has no such payment so far.');
  await page.clock.runFor(4 * 60_000);
  await phone.sees('The payment to Mohamed C. was not made.');
  await phone.check('not paid');
  assert.equal((await readKept(page)).local['kissi-wallet-pending'], undefined);
  await phone.close();
});

test('the PIN is in no storage, no address, no history and no field that is left or hidden', async () => {
  const pin = '7391';
  const wallet = await bank.wallet(500_000, { pin });
  const other = await bank.wallet(0, { first_name: 'Mohamed', last_name: 'Conteh' });
  const phone = await openWallet(browser, kissi);
  const { page, tap, type } = phone;
  const assertNoPin = async (when: string) => {
    const { caches: kept, ...rest } = await readKept(page);
    assert.doesNotMatch(JSON.stringify(rest), new RegExp(`(?<![\\w-])${pin}(?![\\w-])`), when);
    const notShell = kept.filter(([url]) => !/\/wallet\/(assets\/[\w.-]+)?$/.test(url));
    assert.deepEqual(notShell, [], 'only the shell is kept');
  };
  await logIn(phone, kissi, wallet, pin);
  await shellKept(page);
  await assertNoPin('after the login');
  await tap('Send');
  await type('To whom?', other.phone);
  await tap('Go on');
  await type('Amount', '12');
  await tap('Go on');
  const field = page.getByLabel('Your PIN', { exact: true });
  assert.equal(await field.getAttribute('autocomplete'), 'off');
  assert.equal(await field.getAttribute('inputmode'), 'numeric');
  assert.equal(await field.getAttribute('name'), null);
  await field.fill(pin);
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange')); delete document.visibilityState;`);
  assert.equal(await field.inputValue(), '', 'hidden');
  await field.fill('0000');
  await tap('Send SLE 12.00');
  await phone.sees('The PIN is wrong.');
  assert.equal(await field.inputValue(), '', 'refused');
  await page.route(TRANSFERS, (route) => route.abort('connectionreset'));
  await field.fill(pin);
  await tap('Send SLE 12.00');
  await phone.sees('The service has no such payment so far.');
  await assertNoPin('while a payment is pending');
  assert.deepEqual(Object.keys((await readKept(page)).local).sort(), [
    ...['kissi-language', 'kissi-wallet-device', 'kissi-wallet-pending'],
  ]);
  await phone.close();
});

test('opens without a network, with nothing of the customer, and says that the service is not there', async () => {
  const { wallet, phone, page } = await customer();
  await shellKept(page);
  await page.context().setOffline(true);
  await page.goto(`${walletUrl(kissi)}send`);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await phone.sees('The service did not answer.');
  assert.doesNotMatch(await page.content(), new RegExp(`Aminata|${wallet.phone.slice(4)}`));
  await page.context().setOffline(false);
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await page.getByRole('heading', { name: 'Send money' }).waitFor();
  await phone.close();
});

test('asks for the number again once the device has ended elsewhere', async () => {
  const { wallet, phone, page } = await customer();
  assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Stolen phone' }), 200);
  await phone.tap('More');
  await phone.tap(/^Cards/);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.equal((await readKept(page)).local['kissi-wallet-device'], undefined);
  await phone.close();
});

test('a payment request is opened by its link, and paid', async () => {
  const { other, phone, page } = await customer();
  const asked = await openWallet(browser, kissi);
  await logIn(asked, kissi, other, PIN, 'Mohamed');
  await asked.tap('Ask');
  await asked.type('Amount', '15');
  await asked.type('What for?', 'Rice');
  await asked.tap('Ask');
  await asked.page.getByRole('img', { name: 'QR code of the request' }).waitFor();
  const code = await asked.page.locator('dd strong').innerText();
  await phone.tap('Pay');
  await phone.type('Code, merchant number or link', code);
  await phone.tap('Go on');
  await phone.type('Your PIN', PIN);
  await phone.tap('Pay SLE 15.00');
  await phone.sees('Mohamed C. has the money.');
  // The one who asked sees it without doing anything.
  await asked.page.locator('.big.done').waitFor();
  await page.goto(`${walletUrl(kissi)}pay/${code.replaceAll(' ', '')}`);
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await phone.sees('That has already been paid.');
  for (const each of [asked, phone]) await each.close();
});

test('asks only its own service, and breaks no rule of its policy', async () => {
  const wallet = await bank.wallet(10_000);
  const phone = await openWallet(browser, kissi);
  const asked: string[] = [];
  phone.page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await phone.page.evaluate(`globalThis.broken = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => broken.push(violatedDirective))`);
  await logIn(phone, kissi, wallet);
  await phone.tap('More');
  await phone.tap(/^Statement/);
  const download = phone.page.waitForEvent('download');
  await phone.tap('Save as PDF');
  assert.match((await download).suggestedFilename(), /^kissi-\d{4}-\d\d\.pdf$/);
  assert.deepEqual(await phone.page.evaluate('broken'), []);
  assert.deepEqual(
    [...new Set(asked)].filter((origin) => origin !== 'null'),
    [new URL(walletUrl(kissi)).origin],
  );
  await phone.check('statement');
  await phone.close();
});

/** A camera that shows colours, and a detector that finds `code` in its third picture. */
const fakeCamera = (code: string) => `
  let pictures = 0;
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d');
  setInterval(() => { drawing.fillStyle = 'hsl(' + Date.now() % 360 + ' 50% 50%)'; drawing.fillRect(0, 0, 300, 150); }, 50);
  globalThis.BarcodeDetector = class { async detect() { return ++pictures < 3 ? [] : [{ rawValue: '${code}' }]; } };
  navigator.mediaDevices.getUserMedia = async () => (globalThis.stream = canvas.captureStream(20));`;

test('a QR code is read by the camera, which is off afterwards', async () => {
  const { qr, business_name } = await merchantQr();
  const wallet = await bank.wallet(100_000);
  const phone = await openWallet(browser, kissi);
  const { page, tap, type, sees } = phone;
  await page.addInitScript({ content: fakeCamera(qr) });
  await page.reload();
  await logIn(phone, kissi, wallet);
  await tap('Pay');
  await tap('Scan a QR code');
  await type('Amount', '20');
  assert.equal(await page.evaluate('stream.getTracks().some(({ readyState }) => readyState === "live")'), false);
  await tap('Go on');
  await sees(business_name);
  await type('Your PIN', PIN);
  await tap('Pay SLE 20.00');
  await sees('has the money');
  await phone.close();
});

async function merchantQr(): Promise<{ qr: string; business_name: string }> {
  const { id } = await newMerchant(kissi);
  const { business_name } = assertStatus(await kissi.asAdmin.get(`/processors/${id}`), 200).json.processor;
  const svg = assertStatus(await kissi.asAdmin.get(`/processors/${id}/qr?format=svg`), 200).text;
  return { qr: codeInSvg(svg) ?? assert.fail(svg), business_name };
}
