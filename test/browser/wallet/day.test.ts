// A customer's day in the web wallet, on a phone of 360 pixels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { newMerchant } from '../../support/processors.ts';
import { logIn, openWallet, readKept, walletsForFile } from './wallet.ts';

const { kissi, bank, browser } = await walletsForFile();

test('a customer logs in, sends, pays, asks, withdraws, blocks a card and logs out', async () => {
  const { wallet, card } = await bank.customer(500_000);
  const other = await bank.wallet(0, { first_name: 'Mohamed', last_name: 'Conteh' });
  const phone = await openWallet(browser, kissi);
  const { page, tap, type, sees } = phone;
  await logIn(phone, kissi, wallet);

  assert.equal(await page.getByText('5,000.00').count(), 1, 'only the funding in the list');
  await tap('Show the balance');
  await sees('available');
  assert.match(await page.locator('.balance').innerText(), /SLE\s5,000\.00/);

  await tap('Send');
  await type('To whom?', other.phone.replace('+232', '0'));
  await tap('Go on');
  await type('Amount', '25.50');
  await tap('Go on');
  await sees('Mohamed C.');
  await type('Your PIN', PIN);
  await tap('Send SLE 25.50');
  await sees('Mohamed C. has the money.');
  assert.equal(await bank.balance(other.id), 2_550);
  await tap('Receipt');
  await sees('Open the receipt');
  assert.match(
    (await page.getByRole('link', { name: 'Open the receipt' }).getAttribute('href')) ?? '',
    /\/r\/[\w-]{22}$/,
  );
  await phone.check('receipt');
  await tap('Back');

  const { id } = await newMerchant(kissi);
  const { merchant_number } = assertStatus(await kissi.asAdmin.get(`/processors/${id}`), 200).json.processor;
  await tap('Pay');
  await type('Code, merchant number or link', merchant_number);
  await tap('Go on');
  await type('Amount', '40');
  await tap('Go on');
  await type('Your PIN', PIN);
  await tap('Pay SLE 40.00');
  await sees('has the money');
  await tap('Done');

  await tap('Ask');
  await type('Amount', '15');
  await type('What for?', 'Rice');
  await tap('Ask');
  await page.getByRole('img', { name: 'QR code of the request' }).waitFor();
  await sees('Share the link');
  await tap('Back');

  await tap('Withdraw');
  await type('Amount', '100');
  await tap('Go on');
  await type('Your PIN', PIN);
  await tap('Get the code');
  await sees(/minutes left/);
  const code = (await page.locator('.big .amount').innerText()).replaceAll(' ', '');
  assert.match(code, /^\d{8}$/);
  await tap('Done');

  await tap('More');
  await tap(/^Cards/);
  await tap('Block');
  await tap('Block this card');
  await page.getByRole('button', { name: 'Unblock' }).waitFor();
  assert.equal(assertStatus(await bank.get(`/cards/${card}`), 200).json.card.status, 'blocked');
  await tap('Back');
  await tap('Log out');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await phone.check('logged out');
  const kept = await readKept(page);
  assert.deepEqual(Object.keys(kept.local).sort(), ['kissi-language', 'kissi-wallet-device']);
  await type('Your PIN', PIN);
  await tap('Open');
  await page.getByRole('heading', { name: 'Hello, Aminata' }).waitFor();
  await phone.close();
});
