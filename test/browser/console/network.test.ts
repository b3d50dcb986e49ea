// Staff work with agents and merchants in the console: each change is checked through the API too.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { floatOf, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { setPolicy, user } from '../../support/approvals.ts';
import { ADMIN } from '../../support/gateway.ts';
import { balanceOf, storeAccount } from '../../support/processors.ts';
import { auditLogs, messageTo, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();

before(() => setPolicy(kissi, 'agents.fund', { enabled: true, threshold: 5_000_00 }));

const open = async (who: { email: string; password: string }) => screenOf(await openConsole(browser, kissi.url, who));

const actionsOn = async (id: string) => (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);

const read = async (path: string) =>
  (await kissi.call('GET', `/api/v1${path}`, { token: await kissi.adminToken() })).json;

test('finance finds an agent in the network, and funds it', async () => {
  const agent = await newAgent(kissi, { business_name: 'Bo Central Exchange' });
  await newSubAgent(kissi, agent, { business_name: 'Bo Cold Room' });
  const finance = await staffMember(kissi, 'finance_user');
  const { page, check, go, close } = await openConsole(browser, kissi.url, finance);
  await go('/agents');
  await page.getByRole('button', { name: 'Sub-agents of Bo Central Exchange' }).click();
  await page.getByRole('link', { name: 'Bo Cold Room' }).waitFor();
  await check('network');
  await page.getByRole('link', { name: 'Bo Central Exchange' }).click();
  await page.getByRole('button', { name: 'Fund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('1,250.50');
  await dialog.getByText('one thousand two hundred and fifty leones and fifty cents').waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Fund' }).click();
  await dialog.getByText('The float is funded').waitFor();
  assert.equal(await floatOf(kissi, agent), 125_050);
  assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0, 'finance may not change the record');
  await close();
});

test('an administrator suspends an agent with a reason, and reactivates it', async () => {
  const agent = await newAgent(kissi, { business_name: 'Kenema Cash Point' });
  const admin = await staffMember(kissi, 'system_admin');
  const { page, check, go, close } = await openConsole(browser, kissi.url, admin);
  await go(`/agents/${agent.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog');
  assert.ok(await dialog.getByRole('button', { name: 'Suspend' }).isDisabled());
  await dialog.getByLabel('Reason').fill('Cash count differs');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Suspended: Cash count differs').waitFor();
  await check('suspended agent');
  assert.equal((await read(`/agents/${agent.id}`)).agent.status, 'suspended');
  const [entry] = await auditLogs(kissi, { action: 'agent.suspend', limit: '1' });
  assert.deepEqual([entry?.actor_id, entry?.resource_id], [admin.id, agent.id]);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Reactivate' }).click();
  await dialog.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('The agent is active again.').waitFor();
  assert.equal((await read(`/agents/${agent.id}`)).agent.status, 'active');
  await close();
});

test('sales registers a merchant; finance refunds a payment of one', async () => {
  const sales = await openConsole(browser, kissi.url, await staffMember(kissi, 'sales_user'));
  await sales.go('/merchants');
  await sales.page.getByRole('button', { name: 'New merchant' }).click();
  const form = sales.page.getByRole('dialog');
  await form.getByLabel('Business name').fill('Lumley Beach Grill');
  await form.getByLabel('Contact').fill('Fatu Sesay');
  await form.getByLabel('Phone number').fill('076 909090');
  await form.getByLabel('Email').fill('grill@example.com');
  await form.getByRole('button', { name: 'Create' }).click();
  await sales.page.getByRole('heading', { name: 'Lumley Beach Grill' }).waitFor();
  await sales.check('new merchant');
  const id = new URL(sales.page.url()).pathname.split('/').at(-1) ?? '';
  assert.equal((await read(`/processors/${id}`)).processor.phone_number, '+23276909090');
  assert.ok((await actionsOn(id)).includes('processor.create'));
  await sales.close();

  const terminal = await terminalOf(kissi);
  const { wallet, card } = await bank.customer(100_000);
  // The merchant pays a refunded payment's fee from another payment.
  for (const amount of [30_000, 10_000]) assert.equal((await terminal.pay(card, { amount })).status, 200);
  const finance = await openConsole(browser, kissi.url, await staffMember(kissi, 'finance_user'));
  await finance.go(`/merchants/${terminal.merchant.id}`);
  await finance.page.getByRole('button', { name: 'Refund' }).last().click();
  const dialog = finance.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog.getByText('Refunded').first().waitFor();
  assert.equal(await bank.balance(wallet.id), 90_000);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await finance.check('merchant');
  await finance.close();
});

test('an administrator registers a sub-agent, changes it, resets its PIN, empties its float and terminates it', async () => {
  await newAgent(kissi, { business_name: 'Makeni Wholesale' });
  const admin = await open(ADMIN);
  const { page, go, openFromMenu, confirm, pay, dialog, fact } = admin;
  await go('/agents');
  await admin.open('Register an agent');
  await dialog.getByRole('combobox', { name: 'Super-agent' }).fill('Makeni');
  await page.getByRole('option', { name: 'Makeni Wholesale' }).click();
  await dialog.getByLabel('Business name').fill('Makeni Market Kiosk');
  await dialog.getByLabel('First name').fill('Fatu');
  await dialog.getByLabel('Last name').fill('Sesay');
  await dialog.getByLabel('Phone number').fill('076 515151');
  await dialog.getByLabel('Email').fill('kiosk@example.com');
  await confirm('Register');
  await page.getByRole('heading', { name: 'Makeni Market Kiosk', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Makeni Wholesale' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.match((await messageTo(kissi, '+23276515151')).text, /PIN: \d{4}/);

  await openFromMenu('More', 'Edit');
  await dialog.getByLabel('Location').fill('Rogbaneh Road, Makeni');
  await dialog.getByLabel('Commission tier').selectOption('Premium');
  await confirm('Save');
  await page.getByText('Rogbaneh Road, Makeni').waitFor();
  assert.equal(await fact('Commission tier'), 'Premium');
  await openFromMenu('More', 'Reset PIN');
  await confirm('Send the code');
  await page.getByText('The code is sent.').waitFor();
  assert.equal((await messageTo(kissi, '+23276515151')).kind, 'pin_reset_code');

  await fundAgent(kissi, { id } as never, 40_000);
  await go('/agents');
  await go(`/agents/${id}`);
  await openFromMenu('More', 'Terminate');
  await dialog.getByRole('button', { name: 'Terminate', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  admin.expectRefusal(409);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await admin.open('Return float');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('400');
  await pay('Return float', 'The float is returned');
  assert.equal(await floatOf(kissi, { id }), 0);
  await openFromMenu('More', 'Terminate');
  await dialog.getByLabel('Reason').fill('The kiosk is closed');
  await confirm('Terminate');
  await page.getByText('Terminated: The kiosk is closed').waitFor();
  assert.equal((await read(`/agents/${id}`)).agent.status, 'terminated');
  assert.equal(await admin.button('More').count(), 0);
  await admin.check('a terminated agent');
  const actions = await actionsOn(id);
  for (const action of ['agent.register', 'agent.update', 'agent.request_pin_reset', 'agent.terminate'])
    assert.ok(actions.includes(action), `${action}: ${actions}`);
  await admin.close();
});

test('finance asks to fund an agent, and a colleague approves it from the inbox', async () => {
  const agent = await newAgent(kissi, { business_name: 'Kailahun Cash Point' });
  const asking = await open(await user(kissi, 'finance_user'));
  await asking.go(`/agents/${agent.id}`);
  await asking.open('Fund');
  await asking.dialog.getByRole('textbox', { name: 'Amount' }).fill('7,000');
  await asking.pay('Fund', 'Waits for approval');
  assert.equal(await floatOf(kissi, agent), 0);
  await asking.close();
  const deciding = await open(await user(kissi, 'finance_user'));
  await deciding.go('/approvals');
  await deciding.page.getByText('Fund the float of agent Kailahun Cash Point with 7,000.00 SLE.').click();
  await deciding.open('Approve');
  await deciding.confirm('Approve');
  await deciding.page.getByText('Approved and executed', { exact: true }).waitFor();
  assert.equal(await floatOf(kissi, agent), 7_000_00);
  await deciding.close();
});

test('a merchant is changed, suspended and reactivated; its keys are listed', async () => {
  const terminal = await terminalOf(kissi);
  const { merchant } = terminal;
  const admin = await open(ADMIN);
  const { page, go, confirm, dialog } = admin;
  await go(`/merchants/${merchant.id}`);
  await admin.open('Edit');
  await dialog.getByLabel('Contact').fill('Musa Jalloh');
  await confirm('Save');
  await page.getByText('Musa Jalloh').waitFor();
  await admin.open('Suspend');
  await dialog.getByLabel('Reason').fill('Complaints of customers');
  await confirm('Suspend');
  await page.getByText('Suspended: Complaints of customers').waitFor();
  assert.equal(await admin.button('Pay out').count(), 0);
  await admin.open('Reactivate');
  await confirm('Reactivate');
  await page.getByText('The merchant is active again.').waitFor();
  const { processor } = await read(`/processors/${merchant.id}`);
  assert.deepEqual([processor.contact_name, processor.status], ['Musa Jalloh', 'active']);
  await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id, name: 'Till 4' } });
  await page.getByRole('tab', { name: 'Terminal keys' }).click();
  await page.getByRole('link', { name: 'Till 4' }).waitFor();
  await admin.check('the keys of a merchant');
  await admin.close();
});

test('finance pays a merchant out, and returns the pay-out that the bank rejected', async () => {
  const terminal = await terminalOf(kissi);
  const { merchant } = terminal;
  const { card } = await bank.customer(100_000);
  assert.equal((await terminal.pay(card, { amount: 50_000 })).status, 200);
  await storeAccount(kissi, merchant.id, 'RCB-001-778812');
  const balance = await balanceOf(kissi, merchant.id);
  const finance = await open(await user(kissi, 'finance_user'));
  const { page, go, pay, dialog } = finance;
  await go(`/merchants/${merchant.id}`);
  await finance.open('Pay out');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('120.50');
  await dialog.getByLabel('Bank account').selectOption('RCB001778812');
  await pay('Pay out', 'The pay-out is on its way to the bank');
  assert.equal(await balanceOf(kissi, merchant.id), balance - 12_050);
  await page.getByRole('tab', { name: 'Pay-outs' }).click();
  await page.getByRole('cell', { name: 'RCB001778812' }).waitFor();
  await finance.open('Return');
  await dialog.getByLabel('Why the bank sent it back').fill('Account closed');
  await pay('Return', 'Returned to');
  await page.getByRole('table').getByText('Returned', { exact: true }).waitFor();
  assert.equal(await balanceOf(kissi, merchant.id), balance);
  await page.getByLabel('State').selectOption('In transit');
  await page.getByText('No pay-outs match these filters').waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Pay-outs' }).getAttribute('aria-selected'), 'true');
  await finance.check('the pay-outs of a merchant');
  await finance.close();
});
