// Problems in the wallet: a transfer to the wrong person is asked back and returned, or kept; another problem is reported.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { heldOf } from '../../support/cases.ts';
import { PIN, type Wallet } from '../../support/money.ts';
import { logIn, openWallet, type WalletPage, walletsForFile } from './wallet.ts';

const { kissi, bank, browser } = await walletsForFile();
const folder = process.env.PICTURES;
if (folder) await mkdir(folder, { recursive: true });

/** Their phones are no longer new: a new one can do less. */
async function onPhones(): Promise<{ sender: OnPhone; recipient: OnPhone }> {
  const wallets = [
    await bank.wallet(50_000, { first_name: 'Aminata', last_name: 'Kamara' }),
    await bank.wallet(0, { first_name: 'Foday', last_name: 'Sesay' }),
  ] as const;
  const [sender, recipient] = [await onPhone(wallets[0], 'Aminata'), await onPhone(wallets[1], 'Foday')];
  kissi.clock.advance(DAY_MS);
  return { sender, recipient };
}

interface OnPhone {
  wallet: Wallet;
  phone: WalletPage;
}

async function onPhone(wallet: Wallet, name: string): Promise<OnPhone> {
  const phone = await openWallet(browser, kissi);
  await logIn(phone, kissi, wallet, PIN, name);
  return { wallet, phone };
}

/** Its session has ended since. It opens where it was. */
async function unlock({ phone }: OnPhone): Promise<void> {
  await phone.page.reload();
  await phone.type('Your PIN', PIN);
  await phone.tap('Open');
}

async function check({ phone }: OnPhone, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await phone.check(`${name}, ${colorScheme}`);
    if (folder) await phone.page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** The sender pays the recipient, and asks for the money back from the transfer's page. */
async function askBack(sender: OnPhone, recipient: OnPhone): Promise<void> {
  const { phone } = sender;
  await unlock(sender);
  await phone.tap('Send');
  await phone.type('To whom?', recipient.wallet.phone);
  await phone.tap('Go on');
  await phone.type('Amount', '100');
  await phone.tap('Go on');
  await phone.type('Your PIN', PIN);
  await phone.tap('Send SLE 100.00');
  await phone.tap('Receipt');
  await phone.tap('Sent to the wrong person?');
  await phone.tap('Ask for it back');
  await phone.sees('Tell us what happened.');
  await phone.type('What happened?', 'I typed the wrong number.');
  await phone.type('Your PIN', PIN);
  await check(sender, 'asking back');
  await phone.tap('Ask for it back');
  await phone.sees('The other person is asked, and has until');
  await check(sender, 'asked');
  assert.equal(await heldOf(kissi, recipient.wallet.id), 10_000);
}

test('a transfer to the wrong person comes back when its recipient returns it with the PIN', async () => {
  const { sender, recipient } = await onPhones();
  await askBack(sender, recipient);
  const { phone } = recipient;
  await unlock(recipient);
  await phone.tap('More');
  await phone.tap(/^Problems/);
  await phone.sees('Your answer is needed');
  await check(recipient, 'problems');
  await phone.page.getByText('asks for money back').click();
  await phone.sees('Sent to you by mistake?');
  await check(recipient, 'answer');
  await phone.tap('Return SLE 100.00');
  await phone.type('Your PIN', PIN);
  await check(recipient, 'return');
  await phone.tap('Return SLE 100.00');
  await phone.sees('You returned SLE 100.00.');
  await check(recipient, 'returned');
  assert.deepEqual([await bank.balance(recipient.wallet.id), await heldOf(kissi, recipient.wallet.id)], [0, 0]);
  const fee = 50_000 - (await bank.balance(sender.wallet.id));
  assert.ok(fee >= 0 && fee < 1_000, 'the sender has paid the fee of the transfer only');
  await unlock(sender);
  await sender.phone.sees('SLE 100.00 came back to you.');
  await sender.phone.sees('We ask the other side');
  assert.equal(await sender.phone.page.getByText('waiting_other_party').count(), 0, 'a state in words');
  await check(sender, 'came back');
  await Promise.all([sender.phone.close(), phone.close()]);
});

test('a recipient who says that the money is theirs can use it again', async () => {
  const { sender, recipient } = await onPhones();
  await askBack(sender, recipient);
  const { phone } = recipient;
  await unlock(recipient);
  await phone.page.getByText('asks for money back').click();
  await phone.tap('It is mine');
  await phone.sees('You said that the money is yours. You can use it again.');
  assert.deepEqual([await bank.balance(recipient.wallet.id), await heldOf(kissi, recipient.wallet.id)], [10_000, 0]);
  await Promise.all([sender.phone.close(), phone.close()]);
});

test('another problem is reported and gets a number, and the customer writes to support', async () => {
  const customer = await onPhone(await bank.wallet(1_000), 'Aminata');
  const { phone, wallet } = customer;
  await phone.tap('More');
  await phone.tap(/^Problems/);
  await phone.sees('Nothing yet.');
  await phone.tap('Report a problem');
  await phone.page.getByLabel('What is it about?').selectOption({ label: 'An agent' });
  await phone.type('What happened?', 'The agent asked for more than the fee.');
  await check(customer, 'report');
  await phone.tap('Send');
  await phone.sees(/^C-\d{4}-\d{7}$/);
  await phone.type('Write to us', 'It was at Lumley.');
  await phone.tap('Send the message');
  await phone.sees('It was at Lumley.');
  await check(customer, 'reported');
  const { rows } = await kissi.db.query('select kind, state, channel from cases where subscriber_id = $1', [wallet.id]);
  assert.deepEqual(rows, [{ kind: 'agent', state: 'open', channel: 'wallet' }]);
  await phone.close();
});
