// The timeline of a record in the console: what happened in order, who did it by name, and only what the reader may see.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { openSession, runChore, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { entries, places, showTimeline } from './timeline.ts';

const { kissi, bank, browser } = await consoleForFile();
const [customer, friend] = [await bank.wallet(90_000), await bank.wallet()];
const colleague = await staffMember(kissi, 'compliance_user', { first_name: 'Mariama', last_name: 'Conteh' });
const { token } = await openSession(kissi, colleague);
const minute = () => kissi.clock.advance(60_000);
const transfer = (amount: number) =>
  bank.post('/wallet/transfer', { sender_id: customer.id, recipient_id: friend.id, amount, pin: PIN });
const byColleague = async (method: string, path: string, body: object) => {
  const reply = await kissi.call(method, `/api/v1/subscribers/${customer.id}/${path}`, { token, body });
  assert.ok(reply.status < 300, reply.text);
};

/** From the first to the last. The day's limit is far above. */
minute();
assertStatus(await transfer(12_300), 200);
minute();
assert.ok((await transfer(95_000)).status >= 400);
await runChore(kissi, 'write refused payments');
minute();
await byColleague('POST', 'notes', { text: 'Called about a lost phone.' });
minute();
await byColleague('POST', 'block', { reason: 'Phone stolen' });

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const BLOCK = /Customer: blocked[\s\S]*Phone stolen[\s\S]*Mariama Conteh/;
const NOTE = /^Note\s[\s\S]*Called about a lost phone\.[\s\S]*Mariama Conteh/;
const REFUSAL = /Transfer refused[\s\S]*Balance too low/;
const PAYMENT = /^Transfer\s[\s\S]*−123\.00/;

for (const [width, dark] of [
  [360, true],
  [1280, false],
] as const) {
  test(`compliance reads a customer's timeline in order and with names, at ${width} pixels`, async () => {
    const staff = await staffMember(kissi, 'compliance_user');
    const { page, go, check, close } = await openConsole(browser, kissi.url, staff, { width, dark });
    await go(`/customers/${customer.id}`);
    const texts = await showTimeline(page);
    const found = places(texts, [BLOCK, NOTE, REFUSAL, PAYMENT]);
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
      texts.join('\n---\n'),
    );
    assert.doesNotMatch(texts.join('\n'), /usr_|note added/i);
    await check('the timeline of a customer');
    await shoot(page, `timeline-customer-${width}`);
    await page.getByRole('button', { name: 'Notes', exact: true }).click();
    await page.getByRole('button', { name: 'Refused', exact: true }).click();
    await entries(page).nth(2).waitFor({ state: 'detached' });
    await entries(page).nth(1).waitFor();
    places(await entries(page).allInnerTexts(), [NOTE, REFUSAL]);
    await check('the filtered timeline of a customer');
    await shoot(page, `timeline-filtered-${width}`);
    await close();
  });
}

test('support sees payments and notes, but no changes', async () => {
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'support_user'));
  await go(`/customers/${customer.id}`);
  const texts = await showTimeline(page);
  places(texts, [NOTE, REFUSAL, PAYMENT]);
  assert.doesNotMatch(texts.join('\n'), /blocked|Phone stolen/);
  assert.equal(await page.getByRole('button', { name: 'Changes', exact: true }).count(), 0);
  await check("support's timeline");
  await close();
});

test('an agent with more than a page has its earlier entries after "Show earlier", each once', async () => {
  const agent = await newAgent(kissi, { business_name: 'Lumley Corner Shop' });
  for (let n = 1; n <= 18; n++) await fundAgent(kissi, agent, n * 100);
  const staff = await staffMember(kissi, 'finance_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go(`/agents/${agent.id}?tab=timeline`);
  await entries(page).nth(14).waitFor();
  assert.equal(await entries(page).count(), 15);
  await page.getByRole('button', { name: 'Show earlier' }).click();
  await page.getByText('+1.00', { exact: true }).waitFor();
  const texts = await entries(page).allInnerTexts();
  const sums = texts.map((text) => /\+(\d+)\.00/.exec(text)?.[1]);
  assert.deepEqual(
    sums,
    Array.from({ length: 18 }, (_, n) => String(18 - n)),
  );
  assert.equal(await page.getByRole('button', { name: 'Show earlier' }).count(), 0);
  await check('the timeline of an agent');
  await shoot(page, 'timeline-agent');
  await close();
});
