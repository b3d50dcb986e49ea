// An agent on a phone: a customer with photos for level 2, float from the super-agent, and receipts that are sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { agentToken, floatOf, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import { assertStatus } from '../../support/gateway.ts';
import { WRONG_PIN } from '../../support/money.ts';
import { auditLogs } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const PHONE = { width: 360 };
const { kissi, bank, browser } = await consoleForFile();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const SIZES = { landscape: { width: 1_200, height: 800 }, portrait: { width: 800, height: 1_200 } };
const photo = (shade: number, shape: keyof typeof SIZES) =>
  sharp({ create: { ...SIZES[shape], channels: 3, background: { r: shade, g: 120, b: 90 } } })
    .jpeg()
    .toBuffer();

async function take(page: Page, label: string, shade: number, shape: keyof typeof SIZES): Promise<void> {
  const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo(shade, shape) };
  await page.locator(`input[type=file][aria-label="${label}"]`).setInputFiles(file);
  await page.locator(`section[aria-label="${label}"] canvas[data-drawn=true]`).waitFor();
}

async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** A button's label that has no room is cut off without a sign. */
async function assertLabelsFit(page: Page): Promise<void> {
  const cut = `[...document.querySelectorAll('#main .mantine-Button-label')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`;
  assert.deepEqual(await page.evaluate(cut), []);
}

/** Width to height of each picture as the screen draws it. */
async function ratios(page: Page): Promise<number[]> {
  const boxes = await page
    .locator('canvas[data-drawn=true]')
    .evaluateAll((all) => all.map((each) => [each.clientWidth, each.clientHeight] as const));
  return boxes.map(([width, height]) => Math.round((100 * width) / height) / 100);
}

async function inKrio(page: Page): Promise<void> {
  await page.evaluate(`localStorage.setItem('kissi-language', 'kri')`);
  await page.reload();
}

test('an agent registers a customer over a bad network, adds photos, and compliance raises the level', async () => {
  const { page, go, check, forgetFailures, close } = await openConsole(
    browser,
    kissi.url,
    await newAgent(kissi),
    PHONE,
  );
  await go('/agent/register');
  await page.getByLabel("Customer's phone number").fill('076 900 001');
  await page.getByLabel('First name').fill('Isatu');
  await page.getByLabel('Last name').fill('Koroma');
  await page.getByLabel("Customer's new PIN").fill('4821');
  await page.getByLabel('The same PIN again').fill('4821');
  // The service registers the customer, and its reply is lost.
  let lost = 0;
  await page.route('**/api/v1/subscribers', async (route) => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await press(page, 'Register');
  await page.getByText('The customer is registered.').waitFor();
  assert.ok(lost > 1);
  forgetFailures();
  await check('registered');

  await page.getByRole('link', { name: 'Add photos for level 2' }).click();
  await page.getByText('Isatu Koroma').waitFor();
  await page.getByLabel('Its number').fill('SL-990011');
  await check('level 2, empty');
  await take(page, 'Photo of the document', 200, 'landscape');
  await take(page, 'Photo of the face', 60, 'portrait');
  await check('level 2, with photos');
  await press(page, 'Send for approval');
  await page.getByText('Sent for approval').waitFor();
  await shoot(page, 'level-sent');
  await assertLabelsFit(page);
  await page.getByRole('link', { name: 'New customer' }).waitFor();
  await page.getByRole('link', { name: 'Cash in' }).click();
  await page.getByText('Isatu Koroma').waitFor();
  assert.doesNotMatch(page.url(), /900001/, 'the number is not in the address');
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  assert.equal(await page.getByText('Isatu Koroma').count(), 0, 'the number is for one payment, and not kept');
  await go('/agent/customers');
  await page.getByText('Ask for level 2').waitFor();
  await check('customers');

  const staff = await openConsole(browser, kissi.url, await user(kissi, 'compliance_user'));
  await staff.go('/approvals');
  const asked = staff.page.getByRole('link', { name: /Raise subscriber Isatu Koroma to KYC level 2/ });
  const words = await asked.innerText();
  assert.match(words, /ID type: – → National ID, ID number: – → SL-990011, KYC level: 1 → 2/);
  assert.doesNotMatch(words, /sha256|doc_/);
  await asked.click();
  await staff.page.getByRole('cell', { name: 'National ID' }).waitFor();
  assert.doesNotMatch(await staff.page.locator('main').innerText(), /sha256|doc_|NATIONAL_ID/);
  await press(staff.page, 'Show the photos');
  await staff.page.locator('canvas[data-drawn=true]').nth(1).waitFor();
  assert.deepEqual(await ratios(staff.page), [1.5, 0.67]);
  await staff.check('photos of a request');
  await press(staff.page, 'Show large: Photo of the face');
  const large = staff.page.getByRole('dialog').locator('canvas[data-drawn=true]');
  await large.waitFor();
  assert.ok(((await large.boundingBox())?.height ?? 0) > 750);
  await staff.check('a large photo');
  await press(staff.page, 'Close');
  await press(staff.page, 'Approve');
  await staff.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await staff.page.getByText('Approved and executed', { exact: true }).waitFor();
  await staff.close();
  const found = await kissi.asAdmin.get('/subscribers?phone_number=%2B23276900001');
  assert.equal(found.json.subscribers[0].kyc_level, 2);

  await inKrio(page);
  await page.getByRole('heading', { name: 'Yu kɔstama dɛm' }).waitFor();
  await page.getByText('Lɛvul 2').waitFor();
  await check('customers in Krio');
  await close();
});

test('a sub-agent asks for float with one tap, and sees that it was declined or sent', async () => {
  const superAgent = await newAgent(kissi, { business_name: 'Bo Traders' });
  const subAgent = await newSubAgent(kissi, superAgent, { business_name: 'Kenema Corner' });
  await fundAgent(kissi, superAgent, 1_000_000);
  const sub = await openConsole(browser, kissi.url, subAgent, PHONE);
  const boss = await openConsole(browser, kissi.url, superAgent, PHONE);
  await sub.go('/agent/float-requests');
  await sub.page.getByRole('button', { name: 'SLE 1,000.00', exact: true }).waitFor();
  await sub.check('asking for float');
  await press(sub.page, 'SLE 1,000.00');
  await sub.page.getByText('Waiting for the answer').waitFor();
  await sub.check('asked for float');
  await press(sub.page, 'Take the request back');
  await sub.page.getByText('You took the request back').waitFor();
  const { rows } = await kissi.db.query('select state from float_requests where agent_id = $1', [subAgent.id]);
  assert.deepEqual(rows, [{ state: 'cancelled' }]);
  assert.equal((await auditLogs(kissi, { action: 'float_request.cancel' })).length, 1);
  await press(sub.page, 'SLE 1,000.00');
  await sub.page.getByText('Waiting for the answer').waitFor();

  await boss.page.reload();
  await boss.page.getByRole('link', { name: 'Kenema Corner asks for SLE 1,000.00' }).click();
  await boss.page.getByRole('button', { name: 'Decline', exact: true }).waitFor();
  await boss.check('float requests');
  await shoot(boss.page, 'float-request');
  await assertLabelsFit(boss.page);
  await press(boss.page, 'Decline');
  await boss.page.getByLabel('Why').fill('Come on Monday');
  await boss.check('declining');
  await press(boss.page, 'Decline');
  await boss.page.getByText('Nobody waits for float').waitFor();
  await sub.page.reload();
  await sub.page.getByText('Come on Monday').waitFor();

  await press(sub.page, 'SLE 500.00');
  await sub.page.getByText('Waiting for the answer').waitFor();
  await boss.page.reload();
  await press(boss.page, 'Send float');
  await boss.page.getByText('Check before you confirm').waitFor();
  await assertLabelsFit(boss.page);
  await shoot(boss.page, 'float-confirm');
  await press(boss.page, 'Back');
  await press(boss.page, 'Send float');
  await boss.page.getByLabel('Your PIN').fill(superAgent.pin);
  await press(boss.page, 'Send float');
  await boss.page.getByText('Float sent').waitFor();
  await boss.check('float sent');
  assert.deepEqual([await floatOf(kissi, superAgent), await floatOf(kissi, subAgent)], [950_000, 50_000]);
  await sub.page.reload();
  await sub.page.getByText('The float was sent').waitFor();
  await sub.check('answered');
  await inKrio(sub.page);
  await sub.page.getByText('Dɔn sɛn di flot').waitFor();
  await sub.check('answered in Krio');
  await sub.close();
  await boss.close();
});

test('a receipt is sent as a message, a link and a QR code, and printed without buttons', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const customer = await bank.wallet();
  const { page, go, check, close } = await openConsole(browser, kissi.url, agent, { ...PHONE, dark: true });
  await go('/agent/cash-in');
  await page.getByLabel("Customer's phone or card number").fill(customer.phone);
  await page.getByRole('textbox', { name: 'Amount' }).fill('5');
  await press(page, 'Continue');
  await page.getByLabel('Your PIN').fill(agent.pin);
  await press(page, 'Pay in');
  const message = page.getByRole('link', { name: 'Message' });
  assert.match(String(await message.getAttribute('href')), /^sms:\?&body=.*%2Fr%2F/);
  await press(page, 'QR code');
  await page.getByRole('img', { name: 'QR code of the receipt' }).waitFor();
  await check('receipt');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0);
  assert.equal(await message.isVisible(), false);
  await page.getByRole('article', { name: 'Receipt' }).waitFor();
  await close();
});

test('refusals, amounts and accounts are in Krio', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const body = { phone_number: '+23276900077', first_name: 'Isatu', last_name: 'Koroma', pin: '4821' };
  const token = await agentToken(kissi, agent);
  assertStatus(await kissi.call('POST', '/api/v1/subscribers', { body, token }), 201);
  const { page, go, check, expectRefusal, close } = await openConsole(browser, kissi.url, agent, PHONE);
  await inKrio(page);
  await go('/agent/cash-in');
  await page.getByLabel('Kɔstama in fon ɔ kad nɔmba').fill(body.phone_number);
  await page.getByText(/^\+23276900077, akawnt \d{10}$/).waitFor();
  await page.getByRole('textbox', { name: 'Ɔmɔs mɔni' }).fill('150');
  await shoot(page, 'krio-cash-in');
  assert.equal(await page.getByText(/leones|, account/).count(), 0);
  await press(page, 'Go bifo');
  for (const [pin, words] of [
    [WRONG_PIN, 'Di PIN rɔng. Yu kin tray 2 tɛm mɔ.'],
    [WRONG_PIN, 'Di PIN rɔng. Yu kin tray wan tɛm mɔ.'],
    [WRONG_PIN, 'Di PIN rɔng. Di PIN dɔn lɔk naw.'],
  ] as const) {
    await page.getByLabel('Yu PIN').fill(pin);
    await press(page, 'Put am');
    await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
    expectRefusal(400);
  }
  await page.getByLabel('Yu PIN').fill(agent.pin);
  await press(page, 'Put am');
  await page
    .getByRole('alert')
    .getByText(/^Tumɔs rɔng PIN\. Tray bak afta \d/)
    .waitFor();
  expectRefusal(403);
  await check('a refusal in Krio');
  await shoot(page, 'krio-refusal');
  assert.equal(await page.getByText('ACCOUNT_LOCKED').isVisible(), false);
  assert.equal(await floatOf(kissi, agent), 100_000);
  await close();
});
