// The money of merchants in the console: pay-outs until the bank has executed them, own keys, transfers, and commissions.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { earningAgent, payCommission, settle } from '../../support/commissions.ts';
import { ADMIN, type Json } from '../../support/gateway.ts';
import { balanceOf, messageTo, storeAccount } from '../../support/processors.ts';
import { type Finance, financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';
import { auditLogs, runChore } from '../../support/staff.ts';
import { encryptPin, type Terminal, terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile(INSERTED_STATEMENTS);
let finance: User;
let books: Finance;
let terminal: Terminal;

const open = async (who: { email: string; password: string }, view?: { width: number }) =>
  screenOf(await openConsole(browser, kissi.url, who, view));

const payouts = async (query = ''): Promise<Json[]> =>
  (await kissi.call('GET', `/api/v1/admin/payouts${query}`, { token: finance.token })).json.payouts;

before(async () => {
  finance = await user(kissi, 'finance_user');
  books = await financeOf(kissi, finance.token);
  terminal = await terminalOf(kissi);
  const { card } = await bank.customer(500_000);
  assert.equal((await terminal.pay(card, { amount: 300_000 })).status, 200);
  await storeAccount(kissi, terminal.merchant.id, 'RCB 001 778812');
  await storeAccount(kissi, terminal.merchant.id, 'RCB-00001');
});

test('finance pays a merchant out; one pay-out is executed by the bank, and one comes back', async () => {
  const { merchant } = terminal;
  const before = await balanceOf(kissi, merchant.id);
  const staff = await open(finance);
  const { page, go, dialog, pay, check } = staff;
  await go(`/finance/payouts/${merchant.id}`);
  for (const amount of ['100.25', '40']) {
    await staff.open('Pay out');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await dialog.getByLabel('Bank account').selectOption('RCB001778812');
    await pay('Pay out', 'The pay-out is on its way to the bank');
  }
  assert.equal(await balanceOf(kissi, merchant.id), before - 14_025);

  const executed = (await payouts()).find(({ amount }) => amount === 10_025);
  await books.statement({ amount: -10_025, reference: executed?.reference });
  await go('/finance/reconciliation');
  await page.getByRole('button', { name: 'Run matching' }).click();
  await page.getByText('The run matched 1.').waitFor();

  await go(`/finance/payouts/${merchant.id}`);
  await page.getByRole('table').getByText('Cleared', { exact: true }).waitFor();
  await page.getByRole('row').filter({ hasText: '40.00' }).getByRole('button', { name: 'Return' }).click();
  await staff.checkOpened('the dialog of a row');
  await dialog.getByLabel('Why the bank sent it back').fill('Account closed');
  await pay('Return', 'Returned to');
  await page.getByRole('table').getByText('Returned', { exact: true }).waitFor();
  await check('the pay-outs of a merchant');
  assert.equal(await balanceOf(kissi, merchant.id), before - 10_025);
  const states = (await payouts()).map(({ amount, state }) => [amount, state]);
  assert.deepEqual(states.toSorted(), [
    [10_025, 'cleared'],
    [4_000, 'returned'],
  ]);
  assert.equal((await auditLogs(kissi, { action: 'processor.payout', actor_id: finance.id })).length, 2);

  const cleared = page.getByRole('row').filter({ hasText: '100.25' });
  await cleared.getByRole('button', { name: 'Return' }).click();
  await dialog.getByText('no open credit of its amount').waitFor();
  await dialog.getByText('Matched with this pay-out').waitFor();
  await staff.checkOpened('the return of an executed pay-out');
  await page.keyboard.press('Escape');
  const [credit] = await books.statement({
    amount: 10_025,
    reference: executed?.reference,
    description: 'Account closed',
  });
  await page.reload();
  await cleared.getByRole('button', { name: 'Return' }).click();
  await dialog.getByLabel('Why the bank sent it back').fill('Account closed');
  await dialog.getByLabel('Credit of the bank').selectOption(String(credit));
  await staff.checkOpened('the choice of a credit');
  await pay('Return', 'Returned to');
  assert.equal(await balanceOf(kissi, merchant.id), before);
  assert.equal((await books.item(String(credit))).status, 'matched');
  await staff.close();
});

test('the lists of the pay-outs have pages, filters and views of their own', async () => {
  for (let n = 0; n < 10; n++) {
    const body = { amount: 100 + n, bank_account: 'RCB-00001', request_id: `payout-${n}` };
    const path = `/api/v1/processors/${terminal.merchant.id}/payout`;
    assert.equal((await kissi.call('POST', path, { body, token: finance.token })).status, 200);
  }
  const staff = await open(finance);
  const { page, go, check } = staff;
  await go('/finance/payouts');
  await page.getByText('1–10 of 12 pay-outs').waitFor();
  await page.getByText('1–1 of 1 merchants').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('11–12 of 12 pay-outs').waitFor();
  await page.getByText('1–1 of 1 merchants').waitFor();
  await page.getByLabel('State', { exact: true }).selectOption('In transit');
  await page.getByText('1–10 of 10 pay-outs').waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption('Suspended');
  await page.getByText('No merchants match these filters').waitFor();
  await page.getByText('1–10 of 10 pay-outs').waitFor();
  assert.equal(new URL(page.url()).search, '?state=in_transit&merchants.status=suspended');
  await page.reload();
  await page.getByText('No merchants match these filters').waitFor();
  await check('pay-outs');

  await staff.button('Views').last().click();
  await page.getByRole('menuitem', { name: 'Save these filters' }).waitFor();
  await staff.checkOpened('the menu of the views');
  await page.getByRole('menuitem', { name: 'Save these filters' }).click();
  await staff.dialog.getByLabel('Name').fill('Suspended ones');
  await staff.confirm('Save');
  await staff.button('Views').first().click();
  await page.getByText('No saved views yet.').waitFor();
  await page.keyboard.press('Escape');
  await staff.button('Views').last().click();
  await page.getByRole('menuitem', { name: 'Suspended ones', exact: true }).waitFor();
  await staff.close();
});

test('an administrator gives a merchant a key, which a terminal uses; the merchant sees it and sends money', async () => {
  const { merchant } = terminal;
  const admin = await open(ADMIN);
  await admin.go('/keys');
  await admin.open('New key');
  await admin.dialog.getByLabel('Name').fill('Till 7');
  await admin.dialog.getByText('Merchant', { exact: true }).click();
  await admin.dialog.getByRole('combobox', { name: 'Merchant' }).click();
  await admin.page.getByRole('option').first().click();
  await admin.dialog.getByRole('button', { name: 'Create the key' }).click();
  await admin.dialog.getByText('It cannot be shown again.').waitFor();
  const secret = await admin.fact('Signing secret');
  await admin.confirm('I have copied it');
  await admin.page.getByRole('heading', { name: 'Till 7', level: 1 }).waitFor();
  const id = new URL(admin.page.url()).pathname.split('/').at(-1) ?? '';
  await admin.close();

  const { wallet, card } = await bank.customer(50_000);
  const encrypted_pin = encryptPin(secret, { pin: '1234', card_serial: card });
  const sale = await terminal.send('/pos/payment', terminal.payment(card, { amount: 20_000, encrypted_pin }), {
    key: { id, secret },
  });
  assert.equal(sale.status, 200, sale.text);
  await runChore(kissi, 'write the request log');

  const { text } = await messageTo(kissi, merchant.phone);
  const password = /^Temporary password: (.+)$/m.exec(text)?.[1] ?? '';
  const shop = await open({ email: merchant.email, password }, { width: 360 });
  const { page, go, check } = shop;
  await go('/shop/terminals');
  await page.getByRole('listitem').filter({ hasText: 'Till 7' }).getByText('Last used').waitFor();
  await check('terminals');

  const [balance, customer] = [await balanceOf(kissi, merchant.id), await bank.balance(wallet.id)];
  await go('/shop/transfer');
  await page.getByLabel('Merchant or customer id').fill('agent_1');
  await page.getByText('An id begins with proc_ or sub_.').waitFor();
  await page.getByLabel('Merchant or customer id').fill(wallet.id);
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50');
  await page.getByLabel('Note').fill('Change');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Check before you confirm').waitFor();
  await check('confirmation of a transfer');
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  await page.getByRole('article', { name: 'Receipt' }).getByText('SLE 12.50').waitFor();
  await check('receipt of a transfer');
  assert.deepEqual(
    [await balanceOf(kissi, merchant.id), await bank.balance(wallet.id)],
    [balance - 1_250, customer + 1_250],
  );
  await shop.close();
});

test('a commission is settled after the day, and the settlement is on the screens of finance', async () => {
  await payCommission(kissi);
  const agent = await earningAgent(kissi, bank, { business_name: 'Kabala Cash Point' });
  await agent.deposit(200_000);
  const float = await agent.float();
  const [day, staff] = [new Date(kissi.clock.now()).toISOString().slice(0, 10), await open(finance)];
  await staff.go(`/finance/commissions/${agent.id}`);
  await staff.page.getByText('There are no settlements yet').waitFor();
  assert.match(await staff.fact('Accrued, not settled'), /^SLE\s20\.00$/);
  await staff.close();

  kissi.clock.advance(DAY_MS);
  await settle(kissi);
  assert.deepEqual([await agent.float(), await agent.accrued()], [float + 2_000, 0]);
  assert.deepEqual(await agent.settlements(), [[day, 2_000]]);
  const later = await open(finance);
  await later.go(`/finance/commissions/${agent.id}`);
  const row = later.page.getByRole('row').filter({ hasText: day });
  await row.getByText('20.00').waitFor();
  assert.match(await later.fact('Settled so far'), /^SLE\s20\.00$/);
  await later.check('a settlement');
  await row.click();
  await later.page
    .getByRole('heading', { name: /commission/i })
    .first()
    .waitFor();
  await later.close();
});

test('a new bank account waits for approval, and the approver of a return sees what the bank says', async () => {
  const { merchant } = await terminalOf(kissi);
  const maker = await user(kissi, 'finance_user');
  const { id, reference } = await paidOut(maker);
  await setPolicy(kissi, 'beneficiaries.change', { enabled: true });
  await setPolicy(kissi, 'processors.payout', { enabled: true });
  const staff = await open(maker, { width: 360 });
  await staff.go(`/finance/payouts/${merchant.id}`);
  await staff.page.getByText('None yet. Pay-outs go to stored accounts only.').waitFor();
  await staff.open('Add an account');
  await staff.dialog.getByLabel('Account number').fill('RCB 777');
  await staff.dialog.getByRole('textbox', { name: 'Bank', exact: true }).fill('Rokel Commercial Bank');
  await staff.dialog.getByLabel('Account holder').fill('Corner shop');
  await staff.checkOpened('a new bank account');
  await staff.confirm('Add');
  await staff.page.getByText('Sent for approval.').waitFor();
  const list = `/api/v1/processors/${merchant.id}/bank-accounts`;
  assert.deepEqual((await kissi.call('GET', list, { token: maker.token })).json.bank_accounts, []);

  await books.statement({ amount: -700, description: `TRF ${reference} FREETOWN` });
  const [credit] = await books.statement({ amount: 700, description: 'Returned transfer' });
  const path = `/api/v1/processors/${terminal.merchant.id}/payouts/${id}/return`;
  const body = { reason: 'Account closed', bank_entry_id: credit };
  const waiting = pendingOf(await kissi.call('POST', path, { body, token: maker.token }));
  await staff.go(`/approvals/${waiting.id}`);
  await staff.page.getByText(`TRF ${reference} FREETOWN`).waitFor();
  await staff.page.getByText('Has its reference').waitFor();
  await staff.page.getByText('The bank credit for this return').waitFor();
  await staff.check('the approval of a return');
  await setPolicy(kissi, 'processors.payout', { enabled: false });
  await setPolicy(kissi, 'beneficiaries.change', { enabled: false });
  await staff.close();
});

async function paidOut({ token }: User): Promise<{ id: string; reference: string }> {
  const body = { amount: 700, bank_account: 'RCB-00001', request_id: 'payout-to-return' };
  const path = `/api/v1/processors/${terminal.merchant.id}/payout`;
  const { json } = await kissi.call('POST', path, { body, token });
  return { id: json.transaction_id, reference: json.reference };
}
