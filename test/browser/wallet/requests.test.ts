// Payment requests in the wallet: from the payment page and back, links that many pay, blocked payees; and what a new phone may do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../../support/gateway.ts';
import { PIN, type Wallet } from '../../support/money.ts';
import { confirm, LAB, shopOf } from '../../support/payment-requests.ts';
import { logIn, openWallet, walletsForFile, walletUrl } from './wallet.ts';

const SUPPORT = { USSD_SERVICE_CODE: '*715#', SUPPORT_NUMBER: '117' };
const { kissi, bank, browser } = await walletsForFile({ env: { ...LAB, ...SUPPORT } });
const shop = await shopOf(kissi);

async function customer(wallet?: Wallet) {
  const own = wallet ?? (await bank.wallet(500_000));
  const phone = await openWallet(browser, kissi);
  await logIn(phone, kissi, own);
  return { wallet: own, phone, page: phone.page };
}

test('a payer goes on from the payment page in the wallet, and comes back to it', async () => {
  const { wallet, phone, page } = await customer();
  const asked = await shop.asked({ amount: 1_800 });
  await page.goto(walletUrl(kissi).replace('/wallet/', new URL(asked.url).pathname));
  await phone.tap('Pay in your web wallet');
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await phone.sees('Total');
  await phone.type('Your PIN', PIN);
  await phone.tap('Pay SLE 18.00');
  await phone.sees('has the money');
  await phone.check('paid by link');
  await phone.tap('Back to the payment page');
  await phone.sees('has received the money');
  assert.equal((await shop.read(asked.id)).status, 'paid');
  assert.equal(await bank.balance(wallet.id), 498_200);
  await phone.close();
});

test('a link that many pay stays open and counts', async () => {
  const { wallet, phone, page } = await customer();
  await phone.tap('Ask');
  await phone.type('Amount', '20');
  await phone.type('What for?', 'Wedding gift');
  await page.getByLabel('Many can pay it').check();
  assert.equal(await page.getByLabel('Whom? (optional)').count(), 0);
  await phone.check('a request for many');
  await phone.tap('Ask');
  await page.getByRole('img', { name: 'QR code of the request' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  for (const payer of [await bank.wallet(10_000), await bank.wallet(10_000)]) {
    assertStatus(await confirm(kissi, id, payer.id), 200);
  }
  await page.reload();
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
  await phone.sees('Open, payments so far: 2');
  assert.equal(await bank.balance(wallet.id), 504_000);
  await phone.tap('Cancel the request');
  await phone.sees('Cancelled');
  await phone.close();
});

test('a payee who is blocked is not heard of until it is undone', async () => {
  const { wallet, phone } = await customer();
  const asked = await shop.asked({ payer_phone: wallet.phone });
  const name = asked.payee_name as string;
  await phone.tap('More');
  await phone.tap(/^Requests/);
  await phone.page.getByText(`${name} asks you to pay`).click();
  await phone.tap(`Block ${name}`);
  await phone.check('blocking');
  await phone.tap('Decline and block');
  await phone.page.getByRole('heading', { name: 'Hello, Aminata' }).waitFor();
  assert.equal((await shop.read(asked.id)).status, 'declined');
  await phone.tap('More');
  await phone.tap(/^Requests/);
  await phone.sees(`You hear nothing of ${name}.`);
  await phone.check('a blocked payee');
  await phone.tap('Unblock');
  await phone.page.getByText(`You hear nothing of ${name}.`).waitFor({ state: 'detached' });
  await phone.close();
});

test('a new phone says what it may still pay, sends PIN changes to USSD, and is last in the list', async () => {
  const { wallet, phone, page } = await customer();
  await phone.tap('Show the balance');
  const left = page.getByText('Today you can still pay');
  const before = await left.innerText();
  await phone.tap('Pay');
  await phone.type('Code, merchant number or link', (await shop.asked({ amount: 5_000 })).code);
  await phone.tap('Go on');
  await phone.type('Your PIN', PIN);
  await phone.tap('Pay SLE 50.00');
  await phone.tap('Done');
  await phone.tap('Show the balance');
  await left.waitFor();
  const cents = (text: string) => Number(text.replaceAll(/\D/g, ''));
  await page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(before)})`);
  assert.equal(cents(before) - cents(await left.innerText()), 5_000);

  await phone.tap('More');
  await phone.tap('Change the PIN');
  await phone.sees('To change it now, dial *715#.');
  await phone.check('a PIN that cannot be changed');
  const other = await openWallet(browser, kissi);
  await other.sees('No wallet yet? Dial *715# or ask an agent. Phone lost or stolen? Call 117.');
  await logIn(other, kissi, wallet);
  await other.tap('Remove it');
  await other.sees('This phone');
  assert.deepEqual(
    (await other.page.locator('.card p').allInnerTexts()).map((text) => text === 'This phone'),
    [false, true],
  );
  await other.page.getByRole('button', { name: 'Remove' }).last().click();
  await other.sees('This phone forgets the wallet.');
  await other.check('removing this phone');
  await Promise.all([phone.close(), other.close()]);
});
