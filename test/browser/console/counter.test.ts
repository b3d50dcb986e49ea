// The counter of an agent on a phone: a PIN confirms one payment and no other, and the party is shown beyond doubt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { floatOf, fundAgent, newAgent, newSubAgent, type TestAgent } from '../../support/agents.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus } from '../../support/gateway.ts';
import { movementCount, PIN, WRONG_PIN } from '../../support/money.ts';
import { consoleForFile, openConsole } from './console.ts';

const PHONE = { width: 360 };

const { kissi, bank, browser } = await consoleForFile();

async function openCounter(): Promise<Awaited<ReturnType<typeof openConsole>> & { agent: TestAgent }> {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  return { ...(await openConsole(browser, kissi.url, agent, PHONE)), agent };
}

const numberField = (page: Page) => page.getByLabel("Customer's phone or card number");
const amountField = (page: Page) => page.getByRole('textbox', { name: 'Amount' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The field is empty, and nothing can be sent without a new PIN. */
async function assertNoPin(page: Page, { label, submit }: { label: string; submit: string }): Promise<void> {
  await page.getByText('Check before you confirm').waitFor();
  assert.equal(await page.getByLabel(label).inputValue(), '');
  assert.equal(await page.getByRole('button', { name: submit, exact: true }).isDisabled(), true);
}

/** Types the PIN, goes back, changes the amount, and comes to the confirmation again. */
async function changeAmount(page: Page, label: string, pin: string): Promise<void> {
  await amountField(page).fill('5');
  await press(page, 'Continue');
  await page.getByLabel(label).fill(pin);
  await press(page, 'Back');
  await amountField(page).fill('60');
  await press(page, 'Continue');
}

test("the customer's PIN for a cash-out pays no other amount, no other customer and no second attempt", async () => {
  const { page, go, expectRefusal, check, close } = await openCounter();
  const [customer, other] = [await bank.wallet(100_000), await bank.wallet(100_000)];
  const field = { label: "Customer's PIN", submit: 'Pay out' };
  await go('/agent/cash-out');
  await numberField(page).fill(customer.phone);
  await changeAmount(page, field.label, PIN);
  await assertNoPin(page, field);

  await page.getByLabel(field.label).fill(PIN);
  await press(page, 'Back');
  await numberField(page).fill(other.phone);
  await press(page, 'Continue');
  await assertNoPin(page, field);

  await page.getByLabel(field.label).fill(WRONG_PIN);
  await press(page, field.submit);
  await page.getByRole('alert').getByText('The PIN is wrong; 2 more attempts').waitFor();
  expectRefusal(401);
  await assertNoPin(page, field);
  await check('a refused cash-out');
  assert.deepEqual(await Promise.all([customer, other].map(({ id }) => bank.balance(id))), [100_000, 100_000]);

  await page.getByLabel(field.label).fill(PIN);
  await press(page, field.submit);
  await page.getByText('Give the cash to the customer').waitFor();
  assert.deepEqual([await movementCount(kissi, customer.id), await movementCount(kissi, other.id)], [1, 2]);
  await press(page, 'New payment');
  await numberField(page).fill(other.phone);
  await amountField(page).fill('60');
  await press(page, 'Continue');
  await assertNoPin(page, field);
  await close();
});

test("the agent's own PIN for a cash-in or a transfer of float pays no other amount", async () => {
  const { page, go, agent, close } = await openCounter();
  await newSubAgent(kissi, agent, { business_name: 'Waterloo Cold Room' });
  const customer = await bank.wallet();
  const float = await floatOf(kissi, agent);
  await go('/agent/cash-in');
  await numberField(page).fill(customer.phone);
  await changeAmount(page, 'Your PIN', agent.pin);
  await assertNoPin(page, { label: 'Your PIN', submit: 'Pay in' });
  await go('/agent/transfer');
  await page.getByRole('button', { name: 'Waterloo Cold Room' }).click();
  await changeAmount(page, 'Your PIN', agent.pin);
  await assertNoPin(page, { label: 'Your PIN', submit: 'Send float' });
  assert.deepEqual([await floatOf(kissi, agent), await bank.balance(customer.id)], [float, 0]);
  await close();
});

const masked = (phone: string) => `+232 ** *** ${phone.slice(-3)}`;

test('customers of the same name are told apart by their masked numbers, before and after the payment', async () => {
  const { page, go, agent, check, close } = await openCounter();
  const [first, second] = [await bank.wallet(), await bank.wallet()];
  assert.notEqual(masked(first.phone), masked(second.phone));
  for (const customer of [first, second]) {
    await go('/agent');
    await go('/agent/cash-in');
    await numberField(page).fill(customer.phone);
    await page.getByText('Aminata K.').waitFor();
    await amountField(page).fill('5');
    assert.equal(await page.getByText('minor units').count(), 0);
    await press(page, 'Continue');
    await page.getByText('Check before you confirm').waitFor();
    await page.getByRole('definition').getByText(masked(customer.phone)).waitFor();
    await check('confirmation');
    await page.getByLabel('Your PIN').fill(agent.pin);
    await press(page, 'Pay in');
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText(masked(customer.phone)).waitFor();
    assert.equal((await receipt.innerText()).includes(customer.phone), false, 'the number is not shown in full');
    await check('receipt');
  }
  await go('/agent/history');
  await page.getByRole('link', { name: 'Cash in' }).last().click();
  const receipt = page.getByRole('article', { name: 'Receipt' });
  await receipt.getByText(/\+232 \*\* \*\*\* \d{3}/).waitFor();
  await receipt.getByText('Ibrahim Conteh').waitFor();
  await check('an earlier receipt');
  await close();
});

test('stalls of the same name are told apart by owner and town', async () => {
  const { page, go, agent, check, close } = await openCounter();
  const stall = { business_name: 'Cold Room' };
  await newSubAgent(kissi, agent, { ...stall, first_name: 'Sahr', last_name: 'Gborie', location: 'Koidu' });
  await newSubAgent(kissi, agent, { ...stall, first_name: 'Finda', last_name: 'Tamba', location: 'Waterloo' });
  await go('/agent/transfer');
  await page.getByRole('button', { name: 'Cold Room' }).filter({ hasText: 'Waterloo' }).click();
  await amountField(page).fill('5');
  await press(page, 'Continue');
  await page.getByText('Finda Tamba · Waterloo').waitFor();
  await check('confirmation of a transfer');
  await page.getByLabel('Your PIN').fill(agent.pin);
  await press(page, 'Send float');
  const receipt = page.getByRole('article', { name: 'Receipt' });
  await receipt.getByText('Finda Tamba · Waterloo').waitFor();
  await check('receipt of a transfer');
  await close();
});

test('a cash-out code is paid out with the PIN of the agent, who then sees how much', async () => {
  const { page, go, agent, expectRefusal, check, close } = await openCounter();
  const customer = await bank.wallet(100_000);
  const session = await newPhone(kissi, customer);
  const asked = { amount: 30_000, pin: PIN, request_id: 'code-1' };
  const { code } = assertStatus(await session.post('/me/cash-out-codes', asked), 201).json.cash_out_code;
  const before = await floatOf(kissi, agent);
  await go('/agent/cash-out-code');
  await page.getByLabel("Customer's phone number").fill(customer.phone);
  await page.getByLabel('Code').fill('0000 0000');
  await press(page, 'Continue');
  await page.getByLabel('Your PIN').fill(agent.pin);
  await press(page, 'Pay out');
  await page.getByRole('alert').getByText('The code is wrong, or this number has none.').waitFor();
  expectRefusal(400);
  await press(page, 'Back');
  await page.getByLabel('Code').fill(`${code.slice(0, 4)} ${code.slice(4)}`);
  await press(page, 'Continue');
  await assertNoPin(page, { label: 'Your PIN', submit: 'Pay out' });
  await page.getByLabel('Your PIN').fill(agent.pin);
  await press(page, 'Pay out');
  await page.getByText('Give the cash to the customer').waitFor();
  await page.getByRole('article', { name: 'Receipt' }).getByText('SLE 300.00').waitFor();
  await check('a code that was paid out');
  assert.equal((await floatOf(kissi, agent)) - before, 30_000);
  await close();
});
