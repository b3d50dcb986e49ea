// Refused payments in the console: why a customer could not pay, and the same attempts at a merchant and at an agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { runChore, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();
const terminal = await terminalOf(kissi);
const agent = await newAgent(kissi, { business_name: 'Congo Market Kiosk' });
await fundAgent(kissi, agent, 100_000);
const token = await agentToken(kissi, agent);
const { wallet, card } = await bank.customer(100_000);

let requests = 0;
async function withdraw(amount: number, pin = PIN): Promise<void> {
  const body = { subscriber_id: wallet.id, agent_id: agent.id, amount, pin, request_id: `refused-${++requests}` };
  const { status } = await kissi.call('POST', '/api/v1/wallet/withdraw', { token, body });
  assert.ok(status >= 400, String(status));
}

await withdraw(1_000, WRONG_PIN);
await terminal.pay(card, { amount: 400_000 });
for (let n = 0; n < 9; n++) await withdraw(200_000);
kissi.clock.advance(60_000);
await runChore(kissi, 'write refused payments');

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

for (const [width, dark] of [
  [360, true],
  [1280, false],
] as const) {
  test(`support reads why a customer, a merchant and an agent were refused, at ${width} pixels`, async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { page, go, check, close } = await openConsole(browser, kissi.url, staff, { width, dark });
    await go(`/customers/${wallet.id}`);
    await page.getByText('Refused', { exact: true }).click();
    await page.getByText('Wrong PIN').waitFor();
    await page.getByText(/^Balance too low by SLE\s3,0\d\d\.\d\d$/).waitFor();
    await page.getByText('Cash-out · 4 attempts like this').waitFor();
    if (width > 360) await page.getByRole('link', { name: 'Congo Market Kiosk' }).first().waitFor();
    await check('the refused payments of a customer');
    await shoot(page, `refusals-customer-${width}`);
    await go(`/merchants/${terminal.merchant.id}?tab=refusals`);
    await page.getByText('Balance too low', { exact: true }).waitFor();
    await check('the refused payments of a merchant');
    await shoot(page, `refusals-merchant-${width}`);
    await go(`/agents/${agent.id}?tab=refusals`);
    await page.getByText('Cash-out · 4 attempts like this').waitFor();
    await check('the refused payments of an agent');
    await shoot(page, `refusals-agent-${width}`);
    await close();
  });
}
