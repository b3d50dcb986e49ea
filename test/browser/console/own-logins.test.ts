// A day of an agent and of a merchant in the console, on a phone: each payment is checked in the ledger too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Response } from 'playwright-core';
import { asOwner } from '../../ledger/books.ts';
import { agentToken, floatOf, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { balanceOf, messageTo, storeAccount } from '../../support/processors.ts';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';
import { newContext } from '../windows.ts';
import { consoleForFile, consoleUrl, logIn, openConsole } from './console.ts';

const PHONE = { width: 360 };
/** Brotli, with the page. On 2G at 100 kbit/s this is about 14 seconds, once. */
const FIRST_VISIT_BYTES = 180_000;
const FIRST_VISIT_FILES = 14;

const { kissi, bank, browser } = await consoleForFile();

async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

async function pay(page: Page, { pin, pinLabel, submit }: { pin: string; pinLabel: string; submit: string }) {
  await page.getByLabel(pinLabel).fill(pin);
  await page.getByRole('button', { name: submit, exact: true }).click();
}

/** How the payment changes the balances of payer and payee, with fees and commissions. */
async function quoted(type: string, amount: number, { id }: { id: string }): Promise<[payer: number, payee: number]> {
  const query = new URLSearchParams({ transaction_type: type, amount: String(amount), agent_id: id });
  const reply = await kissi.call('GET', `/api/v1/fee-quote?${query}`, { token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
  const { total_debited, total_credited, payer_commission, payee_commission } = reply.json;
  return [payer_commission - total_debited, total_credited + payee_commission];
}

/** The paper shows the receipt in black on white, and nothing else of the page. */
async function assertPrintsReceipt(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const receipt = page.getByRole('article', { name: 'Receipt' });
  assert.equal(await receipt.isVisible(), true);
  assert.equal(await page.getByRole('banner').isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
  const colours = 'getComputedStyle(document.querySelector("article")).color';
  assert.equal(await page.evaluate(colours), 'rgb(0, 0, 0)');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

test('an agent pays in, pays out after a wrong PIN, sends float and changes the PIN', async () => {
  const agent = await newAgent(kissi);
  const sub = await newSubAgent(kissi, agent, { business_name: 'Waterloo Cold Room' });
  await fundAgent(kissi, agent, 100_000);
  const customer = await bank.wallet();
  const { page, check, expectRefusal, go, close } = await openConsole(browser, kissi.url, agent, PHONE);
  await page.getByText('SLE 1,000.00').waitFor();
  await check('float');

  await page.getByRole('navigation').getByRole('link', { name: 'Cash in' }).last().click();
  await page.getByLabel("Customer's phone or card number").fill(customer.phone);
  await page.getByText('Aminata K.').waitFor();
  await page.getByRole('textbox', { name: 'Amount' }).fill('250.50');
  await check('cash in');
  await page.getByRole('button', { name: 'Continue' }).click();
  await pay(page, { pin: agent.pin, pinLabel: 'Your PIN', submit: 'Pay in' });
  const receipt = page.getByRole('article', { name: 'Receipt' });
  await receipt.getByText('SLE 250.50').waitFor();
  await receipt.getByText('Your fee').waitFor();
  await check('receipt');
  const [paid, received] = await quoted('agent_cashin', 25_050, agent);
  const ownFee = (-paid - 25_050) / 100;
  assert.match(await receipt.innerText(), new RegExp(`Fee\\s+None[\\s\\S]+Your fee\\s+SLE\\s${ownFee.toFixed(2)}`));
  await page.emulateMedia({ media: 'print' });
  assert.equal(await receipt.getByText('Your fee').isVisible(), false, "the customer's copy does not show it");
  await page.emulateMedia({ media: 'screen' });
  assert.deepEqual([await floatOf(kissi, agent), await bank.balance(customer.id)], [100_000 + paid, received]);

  await go('/agent/cash-out');
  await page.getByLabel("Customer's phone or card number").fill(customer.phone);
  await page.getByText('Aminata K.').waitFor();
  await page.getByRole('textbox', { name: 'Amount' }).fill('50');
  await page.getByRole('button', { name: 'Continue' }).click();
  await pay(page, { pin: WRONG_PIN, pinLabel: "Customer's PIN", submit: 'Pay out' });
  await page.getByRole('alert').getByText('The PIN is wrong; 2 more attempts').waitFor();
  await shoot(page, 'wrong-pin');
  assert.equal(await page.getByText('INVALID_PIN').isVisible(), false, 'the code is among the details');
  await page.getByRole('alert').getByText('Details').click();
  await page.getByRole('alert').getByText('INVALID_PIN').waitFor();
  expectRefusal(401);
  await pay(page, { pin: PIN, pinLabel: "Customer's PIN", submit: 'Pay out' });
  await page.getByText('Give the cash to the customer').waitFor();
  assert.equal(await page.evaluate('scrollY'), 0, 'the outcome is shown from its top');
  const [taken, given] = await quoted('wallet_withdraw', 5_000, agent);
  const float = 100_000 + paid + given;
  assert.deepEqual([await floatOf(kissi, agent), await bank.balance(customer.id)], [float, received + taken]);

  await go('/agent/transfer');
  await page.getByRole('button', { name: 'Waterloo Cold Room' }).getByText(sub.phone).waitFor();
  await shoot(page, 'sub-agents');
  await page.getByRole('button', { name: 'Waterloo Cold Room' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('100');
  await page.getByRole('button', { name: 'Continue' }).click();
  await pay(page, { pin: agent.pin, pinLabel: 'Your PIN', submit: 'Send float' });
  await page.getByText('Float sent').waitFor();
  const [sent, arrived] = await quoted('agent_transfer', 10_000, agent);
  assert.deepEqual([await floatOf(kissi, agent), await floatOf(kissi, sub)], [float + sent, arrived]);

  await go('/agent/history');
  await page.getByRole('link', { name: 'Cash out' }).last().click();
  await receipt.getByText('SLE 50.00').waitFor();
  assert.match(await receipt.innerText(), /Fee\s+SLE\s0\.50/, 'what the customer paid');
  await assertPrintsReceipt(page);
  await go('/agent');
  await page.getByRole('link', { name: 'Commission today' }).click();
  await page.getByText('Your commission is paid into your float with each payment.').waitFor();
  const earnedOf = async (name: string) =>
    (
      await page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]').innerText()
    ).trim();
  await waitFor('the figures', async () => (await earnedOf('This month')) !== '…');
  const { totals } = (
    await kissi.call('GET', `/api/v1/agents/${agent.id}/transactions`, { token: await agentToken(kissi, agent) })
  ).json;
  const earned = (totals.commissions / 100).toFixed(2);
  assert.deepEqual([await earnedOf('Today'), await earnedOf('This month')], [earned, earned]);
  await shoot(page, 'commissions');
  await check('commissions');
  await go('/agent/pin');
  await page.getByLabel('Current PIN').fill(agent.pin);
  await page.getByLabel('New PIN', { exact: false }).first().fill('8351');
  await page.getByLabel('New PIN again').fill('8351');
  await page.getByRole('button', { name: 'Change PIN' }).click();
  await page.getByText('Your PIN is changed.').waitFor();
  const [change] = await auditLogs(kissi, { action: 'agent.change_pin', limit: '1' });
  assert.equal(change?.actor_id, agent.userId);
  await check('float after the day');
  await close();
});

test('a cash-in whose reply is lost is looked up, and made once', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 50_000);
  const customer = await bank.wallet();
  const { page, go, close } = await openConsole(browser, kissi.url, agent, PHONE);
  await go('/agent/cash-in');
  await page.getByLabel("Customer's phone or card number").fill(customer.phone);
  await page.getByText('Aminata K.').waitFor();
  await page.getByRole('button', { name: '200', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.route('**/agents/cashin', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await pay(page, { pin: agent.pin, pinLabel: 'Your PIN', submit: 'Pay in' });
  await page.getByText('Paid in').waitFor();
  const [paid, received] = await quoted('agent_cashin', 20_000, agent);
  assert.deepEqual([await floatOf(kissi, agent), await bank.balance(customer.id)], [50_000 + paid, received]);
  await close();
});

test('the first visit of an agent is small, and the second loads no file again', async () => {
  const agent = await newAgent(kissi);
  const context = await newContext(browser, { viewport: { width: 360, height: 760 } });
  const first = await context.newPage();
  const loaded = collectAssets(first);
  await first.goto(consoleUrl(kissi.url));
  await logIn(first, agent);
  await first.getByText('SLE 0.00').waitFor();
  const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes <= FIRST_VISIT_BYTES, `${bytes} bytes`);
  assert.ok(loaded.length <= FIRST_VISIT_FILES, `${loaded.length} files`);
  const second = await context.newPage();
  const again = collectAssets(second);
  await second.goto(consoleUrl(kissi.url));
  await second.getByText('SLE 0.00').waitFor();
  assert.deepEqual(await Promise.all(again), []);
  await context.close();
});

/** The sizes of files that came from the network, as they were sent. */
function collectAssets(page: Page): Promise<number>[] {
  const sizes: Promise<number>[] = [];
  const isFile = (response: Response) => response.url().includes('/console/assets/');
  page.on('requestfinished', async (request) => {
    const response = await request.response();
    if (!response || !isFile(response)) return;
    const { responseBodySize } = await request.sizes();
    if (responseBodySize > 0) sizes.push(Promise.resolve(responseBodySize));
  });
  return sizes;
}

test('a merchant sees the sale, refunds a part, pays out and prints the sums', async () => {
  const terminal = await terminalOf(kissi);
  const { merchant } = terminal;
  const { wallet, card } = await bank.customer(100_000);
  const sale = await terminal.pay(card, { amount: 40_000 });
  assert.equal(sale.status, 200, sale.text);
  const { text } = await messageTo(kissi, merchant.phone);
  const password = /^Temporary password: (.+)$/m.exec(text)?.[1] ?? '';
  const { page, check, go, close } = await openConsole(browser, kissi.url, { email: merchant.email, password }, PHONE);
  await page.getByText('Sales by hour').first().waitFor();
  await check('today');

  await go('/shop/payments');
  await page.getByRole('link', { name: 'Card payment' }).click();
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('150');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByText('Remains').waitFor();
  await check('refund');
  assert.equal(await bank.balance(wallet.id), 75_000);

  await storeAccount(kissi, merchant.id, '003001234567');
  const before = await balanceOf(kissi, merchant.id);
  await go('/shop/payouts');
  await page.getByRole('button', { name: 'Pay out to the bank' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('100');
  const offered = page.getByLabel('Bank account');
  await waitFor('the only one is offered', async () => (await offered.inputValue()) === '003001234567');
  const chosen = await offered.locator('option:checked').textContent();
  assert.equal(chosen, '003001234567', 'the field of a phone has room for the number');
  await page.getByText('Rokel Commercial Bank · ').first().waitFor();
  await shoot(page, 'pay-out');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Pay out', exact: true }).click();
  await page.getByText('The pay-out is on its way to the bank').waitFor();
  await check('pay-outs');
  assert.equal(await balanceOf(kissi, merchant.id), before - 10_000);

  await go('/shop/statement');
  await page.getByText('Balance change').waitFor();
  await page.getByText('−150.00').waitFor();
  assert.match(await page.getByLabel('From', { exact: true }).inputValue(), /^1 \w{3,4} \d{4}$/);
  await page.getByLabel('From', { exact: true }).fill('2 Jan 2020');
  await page.getByText('2 Jan 2020 to').waitFor();
  await shoot(page, 'statement');
  await check('statement');

  await go('/shop/terminals');
  await page.getByRole('heading', { name: 'Terminals' }).waitFor();
  await page.getByRole('button', { name: 'Poster (PDF)' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Copy as curl/ }).count(), 0);
  await page
    .getByText('No terminal has a key')
    .or(page.getByText('Active', { exact: true }))
    .first()
    .waitFor();
  await shoot(page, 'terminals');
  await check('terminals');
  await close();
});

test('histories, lists and the search say that earlier payments are archived', async () => {
  const note = 'Payments before 1 Apr 2024 are archived and not shown.';
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const staff = await staffMember(kissi, 'support_user');
  // As npm run ledger:archive writes it, without rows that old.
  await asOwner(kissi.db.url, (client) =>
    client.query(`insert into ledger_archives (number, before, movements, postings, sha256, openings, mac, archived_at, complete)
    values (1, '2024-04-01T00:00:00Z', 0, 0, '', '', '', now(), true)`),
  );
  try {
    await waitFor('the gateway knows of the archive', async () => {
      const reply = await kissi.call('GET', '/api/v1/transactions', { token: await kissi.adminToken() });
      return reply.json.archived_before;
    });
    const own = await openConsole(browser, kissi.url, agent, PHONE);
    await own.go('/agent/history');
    await own.page.getByText(note).waitFor();
    await own.check('a history with archived payments');
    // The agent has none of this type: the list does not claim that there never were any.
    await own.page.getByRole('button', { name: 'Cash in', pressed: false }).click();
    await own.page.getByText('No payments yet').waitFor({ state: 'detached' });
    await own.page.getByText(note).waitFor();
    await own.close();

    const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
    await go('/transactions');
    await page.getByText(note).waitFor();
    await check('a list with archived payments');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('txn_01HQ0000000000000000000000');
    await page.getByRole('dialog').getByText(note).waitFor();
    await check('a search with archived payments');
    await close();
  } finally {
    await asOwner(kissi.db.url, (client) => client.query('delete from ledger_archives'));
  }
});
