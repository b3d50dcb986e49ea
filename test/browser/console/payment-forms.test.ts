// Payment forms of the console when the connection fails: what they say is true, and money moves once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { floatOf, fundAgent, newAgent, type TestAgent } from '../../support/agents.ts';
import { movementCount } from '../../support/money.ts';
import { staffMember } from '../../support/staff.ts';
import { type ConsolePage, consoleForFile, consoleUrl, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();

const NOT_KNOWN = 'The outcome is not known yet';
const MADE = 'The earlier payment was made';
const PAY = '**/agents/*/fund';
const LOOK_UP = '**/api/v1/requests/*';

interface FundForm extends ConsolePage {
  agent: TestAgent;
  dialog: Locator;
}

/** Finance opens the page of a new agent. */
async function openAgent(): Promise<FundForm> {
  const agent = await newAgent(kissi);
  const finance = await staffMember(kissi, 'finance_user');
  const opened = await openConsole(browser, kissi.url, finance, { movesTime: true });
  await opened.go(`/agents/${agent.id}`);
  return { ...opened, agent, dialog: opened.page.getByRole('dialog') };
}

const openForm = (page: Page) => page.getByRole('button', { name: 'Fund' }).click();

async function fillIn({ dialog }: Pick<FundForm, 'dialog'>, amount = '100'): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

const confirm = ({ dialog }: Pick<FundForm, 'dialog'>) => dialog.getByRole('button', { name: 'Fund' }).click();

async function assertFunded({ agent }: FundForm, times: number): Promise<void> {
  assert.deepEqual([await floatOf(kissi, agent), await movementCount(kissi, agent.id)], [times * 10_000, times]);
}

const cut = (route: Route) => route.abort('connectionreset');
const loseReply = async (route: Route) => {
  await route.fetch();
  await cut(route);
};

test('a request that never arrives stays open over a reload, and counts as not made after five minutes', async () => {
  const form = await openAgent();
  const { page, dialog, check } = form;
  await openForm(page);
  await page.route(PAY, cut);
  await fillIn(form);
  await confirm(form);
  await dialog.getByText(NOT_KNOWN).waitFor();
  await dialog.getByText('The service has no record of it so far').waitFor();
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await dialog.getByText('The service has no record of it so far').waitFor();

  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  for (const secret of ['10000', '100', form.agent.id]) assert.ok(!stored.includes(`"${secret}"`), stored);
  await page.reload();
  await openForm(page);
  await dialog.getByText('The service has no record of it so far').waitFor();
  assert.equal(await dialog.getByRole('textbox', { name: 'Amount' }).isVisible(), false);
  await assertFunded(form, 0);
  form.forgetFailures();
  await check('an open payment');

  await page.clock.fastForward('05:01');
  await dialog.getByText('The payment was not made').waitFor();
  await dialog.getByRole('button', { name: 'New payment' }).click();
  await page.unroute(PAY);
  await fillIn(form);
  await confirm(form);
  await dialog.getByText('The float is funded').waitFor();
  await assertFunded(form, 1);
  await form.close();
});

test('the same form sends a lost request again with the same id, and the money moves once', async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  const ids: unknown[] = [];
  await page.route(PAY, async (route, request) => {
    ids.push(request.postDataJSON().request_id);
    await (ids.length < 4 ? loseReply(route) : route.continue());
  });
  await page.route(LOOK_UP, cut);
  await openForm(page);
  await fillIn(form);
  await confirm(form);
  await dialog.getByText(NOT_KNOWN).waitFor();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('The float is funded').waitFor();
  assert.deepEqual([ids.length, new Set(ids).size], [4, 1]);
  await assertFunded(form, 1);
  await form.close();
});

test('a payment whose reply and look-up are lost is shown after a reload and in a second window', async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  await page.context().route(PAY, loseReply);
  await page.context().route(LOOK_UP, cut);
  await openForm(page);
  await fillIn(form);
  await confirm(form);
  await dialog.getByText(NOT_KNOWN).waitFor();
  await assertFunded(form, 1);
  await page.reload();
  await openForm(page);
  await dialog.getByText(NOT_KNOWN).waitFor();

  const second = await page.context().newPage();
  await second.goto(`${consoleUrl(kissi.url)}agents/${form.agent.id}`);
  await openForm(second);
  await second.getByRole('dialog').getByText(NOT_KNOWN).waitFor();
  await page.context().unroute(LOOK_UP);
  await page.clock.fastForward(10_000);
  await second.getByText(MADE).waitFor();
  await second.getByText('SLE 100.00').first().waitFor();
  await dialog.getByText(MADE).waitFor();
  form.forgetFailures();
  await form.check('the earlier payment');
  await assertFunded(form, 1);

  await page.context().unroute(PAY);
  await dialog.getByRole('button', { name: 'New payment' }).click();
  await fillIn(form);
  await confirm(form);
  await dialog.getByText('The float is funded').waitFor();
  await assertFunded(form, 2);
  await form.close();
});

test('a form that was open before another window paid waits for the outcome of that payment', async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  await openForm(page);
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('100');
  const second = await page.context().newPage();
  await second.goto(`${consoleUrl(kissi.url)}agents/${form.agent.id}`);
  await second.route(PAY, cut);
  await openForm(second);
  await fillIn({ dialog: second.getByRole('dialog') });
  await confirm({ dialog: second.getByRole('dialog') });
  await second.getByText(NOT_KNOWN).waitFor();

  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText(NOT_KNOWN).waitFor();
  await second.unroute(PAY);
  await second.getByRole('button', { name: 'Send again' }).click();
  await second.getByText('The float is funded').waitFor();
  await page.clock.fastForward(10_000);
  await dialog.getByText(MADE).waitFor();
  await assertFunded(form, 1);
  await dialog.getByRole('button', { name: 'New payment' }).click();
  assert.equal(await dialog.getByRole('textbox', { name: 'Amount' }).inputValue(), '100.00');
  await form.close();
});

test('a form that is closed while it sends shows the outcome when it is opened again', async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(PAY, async (route) => {
    await released;
    await route.continue();
  });
  await openForm(page);
  await fillIn(form);
  const sent = page.waitForRequest(PAY);
  await confirm(form);
  await sent;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const replied = page.waitForResponse(PAY);
  release();
  await replied;
  await openForm(page);
  await dialog.getByText(MADE).waitFor();
  await assertFunded(form, 1);
  await form.close();
});

test("a proxy's page is not taken for a reply, and unreadable entries of the browser do no harm", async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  await page.evaluate(() => {
    for (const text of ['{', 'null', '[]', '{"kind":1}']) localStorage.setItem(`kissi-payment:${text}`, text);
  });
  const page200 = { status: 200, contentType: 'text/html', body: '<h1>Welcome to the network</h1>' };
  await page.route(PAY, (route) => route.fulfill(page200));
  await openForm(page);
  await fillIn(form);
  await confirm(form);
  await dialog.getByText(NOT_KNOWN).waitFor();
  await page.unroute(PAY);
  await page.route(PAY, (route) => route.fulfill({ ...page200, status: 403 }));
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText(NOT_KNOWN).waitFor();
  await assertFunded(form, 0);
  await page.unroute(PAY);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('The float is funded').waitFor();
  await assertFunded(form, 1);
  await form.close();
});

test('a double click and a second Enter confirm nothing, and a double click on the last button pays once', async () => {
  const form = await openAgent();
  const { page, dialog } = form;
  let payments = 0;
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && request.url().endsWith('/fund')) payments++;
  });
  await openForm(page);
  const amount = dialog.getByRole('textbox', { name: 'Amount' });
  await amount.fill('100');
  await dialog.getByRole('button', { name: 'Continue' }).dblclick();
  await dialog.getByText('Check before you confirm').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await amount.press('Enter');
  await page.keyboard.press('Enter');
  await dialog.getByText('Check before you confirm').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await dialog.getByText('Check before you confirm').waitFor();
  assert.equal(payments, 0);
  await assertFunded(form, 0);
  await form.check('confirmation');
  await dialog.getByRole('button', { name: 'Fund' }).dblclick();
  await dialog.getByText('The float is funded').waitFor();
  assert.equal(payments, 1);
  await assertFunded(form, 1);
  await form.close();
});

test('a refusal after a lost request does not free it, because the lost one can still arrive', async () => {
  const agent = await newAgent(kissi);
  const customer = await bank.wallet();
  const { page, go, close } = await openConsole(browser, kissi.url, agent, { width: 360, movesTime: true });
  await go('/agent/cash-in');
  await page.getByLabel("Customer's phone or card number").fill(customer.phone);
  await page.getByText('Aminata K.').waitFor();
  await page.getByRole('button', { name: '200', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const lost: Request[] = [];
  await page.route('**/agents/cashin', async (route, request) => {
    lost.push(request);
    await cut(route);
  });
  await page.getByLabel('Your PIN').fill(agent.pin);
  await page.getByRole('button', { name: 'Pay in', exact: true }).click();
  await page.getByText(NOT_KNOWN).waitFor();

  await page.unroute('**/agents/cashin');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The float does not cover the amount and its fee.').waitFor();
  await page.getByText(NOT_KNOWN).waitFor();
  // Only the same payment can be sent again.
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('button', { name: 'Pay in', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Back' }).count(), 0);
  assert.equal(await page.getByLabel('Your PIN').inputValue(), '', 'the PIN of a refused attempt is forgotten');
  await page.getByLabel('Your PIN').fill(agent.pin);
  await page.getByRole('button', { name: 'Pay in', exact: true }).click();
  await page.getByText(NOT_KNOWN).waitFor();

  await fundAgent(kissi, agent, 50_000);
  const [late] = lost;
  const arrived = await kissi.call('POST', '/api/v1/agents/cashin', {
    token: (late?.headers().authorization ?? '').replace('Bearer ', ''),
    body: late?.postDataJSON(),
  });
  assert.equal(arrived.status, 200, arrived.text);
  await page.clock.fastForward(10_000);
  await page.getByText('Paid in').waitFor();
  assert.equal(await bank.balance(customer.id), 20_000);
  assert.equal(await movementCount(kissi, customer.id), 1);
  await close();
});
