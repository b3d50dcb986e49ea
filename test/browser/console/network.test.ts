// Staff work with agents and merchants in the console: each change is checked through the API too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floatOf, newAgent, newSubAgent } from '../../support/agents.ts';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();

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
  await sales.close();

  const terminal = await terminalOf(kissi);
  const { wallet, card } = await bank.customer(100_000);
  // The merchant pays the fee of a refunded payment from another one.
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
