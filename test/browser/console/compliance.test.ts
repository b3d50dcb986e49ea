// The work of compliance with alerts and rules, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ALERTS, raiseAlert } from '../../support/compliance.ts';
import { ADMIN } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const confirm = async (page: Page, label: string) => {
  await dialog(page).getByRole('button', { name: label, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
};
const read = async (path: string) => {
  const reply = await kissi.call('GET', `/api/v1${path}`, { token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
};

const resolveAlert = async (id: string) => {
  const reply = await kissi.call('POST', `${ALERTS}/${id}/resolve`, {
    token: await kissi.adminToken(),
    body: { resolution: 'Done.' },
  });
  assert.equal(reply.status, 200, reply.text);
};

test('compliance raises an alert, reviews it with notes and resolves it', async () => {
  const staff = await staffMember(kissi, 'compliance_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go('/alerts');
  await button(page, 'Raise an alert').click();
  await dialog(page).getByLabel('What was observed').fill('A customer reports a stolen card.');
  await confirm(page, 'Raise the alert');
  await page.getByText('A customer reports a stolen card.').first().waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.match(id, /^alert_/);
  for (const [label, next, owner] of [
    ['Assign to me', 'Release', staff.id],
    ['Release', 'Assign to me', null],
  ] as const) {
    await button(page, label).click();
    await confirm(page, label);
    await button(page, next).waitFor();
    assert.equal((await read(`/compliance/alerts/${id}`)).alert.assigned_to, owner);
  }

  await button(page, 'Start review').click();
  await dialog(page).getByLabel('Notes').fill('Called the customer.');
  await confirm(page, 'Start review');
  await page.getByText('Called the customer.').first().waitFor();
  const inReview = (await read(`/compliance/alerts/${id}`)).alert;
  assert.deepEqual([inReview.status, inReview.notes], ['in_review', 'Called the customer.']);
  await check('an alert in review');

  await button(page, 'Resolve').click();
  await dialog(page).getByLabel('What was found and done').fill('The card is blocked.');
  assert.ok(await dialog(page).getByRole('button', { name: 'Resolve' }).isDisabled(), 'an outcome is needed');
  await dialog(page).getByLabel('Outcome').selectOption('Confirmed and blocked');
  await confirm(page, 'Resolve');
  await page.getByText('The card is blocked.').first().waitFor();
  assert.equal(await button(page, 'Resolve').count(), 0);
  const resolved = (await read(`/compliance/alerts/${id}`)).alert;
  assert.deepEqual(
    [resolved.status, resolved.resolution, resolved.outcome, resolved.resolved_by],
    ['resolved', 'The card is blocked.', 'confirmed_blocked', staff.id],
  );
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
  for (const change of ['assign', 'release', 'update', 'resolve'])
    assert.ok(actions.includes(`compliance_alert.${change}`), change);
  await close();
});

for (const [width, dark] of [
  [360, true],
  [1280, false],
] as const) {
  test(`compliance blocks a customer from the alert, and goes on to the next one, at ${width} pixels`, async () => {
    const staff = await staffMember(kissi, 'compliance_user');
    const customer = await bank.wallet(0, { first_name: 'Momodu', last_name: 'Turay' });
    const first = await raiseAlert(kissi, { severity: 'CRITICAL', subscriber_id: customer.id });
    kissi.clock.advance(1_000);
    const second = await raiseAlert(kissi, { severity: 'CRITICAL', description: 'The next one.' });
    const screen = screenOf(await openConsole(browser, kissi.url, staff, { width, dark }));
    const { page, go, open, confirm, check, shoot, close } = screen;
    await go(`/alerts/${first.id}`);
    await open('Block the customer');
    assert.match(await screen.dialog.getByLabel('Reason').inputValue(), new RegExp(first.id));
    await confirm('Block');
    await screen.button('Block the customer').waitFor({ state: 'detached' });
    const { subscriber } = await read(`/subscribers/${customer.id}`);
    assert.deepEqual([subscriber.status, subscriber.blocked_by], ['BLOCKED', staff.id]);
    assert.match(subscriber.block_reason, new RegExp(first.id));
    const [entry] = await auditLogs(kissi, { resource_id: customer.id, action: 'subscriber.block' });
    assert.equal(entry?.actor_id, staff.id);

    await open('Resolve');
    await screen.dialog.getByLabel('What was found and done').fill('The customer is blocked.');
    await screen.dialog.getByLabel('Outcome').selectOption('Confirmed and blocked');
    await shoot(`resolve-${width}`);
    await confirm('Resolve');
    await page.getByText('Confirmed and blocked').waitFor();
    await check('a closed alert');
    await shoot(`alert-${width}`);
    await page.getByRole('link', { name: 'Next alert' }).click();
    await page.getByText('The next one.').first().waitFor();
    assert.ok(page.url().endsWith(second.id));
    await go('/alerts?view=all&outcome=confirmed_blocked');
    await page.getByText('Confirmed and blocked').last().waitFor();
    await check('alerts by their outcome');
    await shoot(`alerts-outcome-${width}`);
    // Nothing is left in the queue for the other size.
    await resolveAlert(second.id);
    await close();
  });
}

test('compliance tries a rule on the last 30 days before it creates it', async () => {
  const staff = await staffMember(kissi, 'compliance_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go('/rules/new');
  await page.getByLabel('Name').fill('Transfers above 700');
  await page.getByLabel('Highest allowed amount').fill('700');
  await button(page, 'Try on the last 30 days').click();
  await page.getByRole('heading', { name: 'The last 30 days with this rule' }).waitFor();
  await page.getByText('Flagged payments').first().waitFor();
  const before = await read('/compliance/rules?limit=100');
  assert.ok(!before.rules.some(({ name }: { name: string }) => name === 'Transfers above 700'), 'nothing was saved');
  await check('a rule that was tried');

  await button(page, 'Create').click();
  await confirm(page, 'Create');
  await page.getByText('Flag transfers between wallets above').first().waitFor();
  const { rules } = await read('/compliance/rules?limit=100');
  const created = rules.find(({ name }: { name: string }) => name === 'Transfers above 700');
  assert.deepEqual([created?.threshold, created?.outcome, created?.enabled], [70_000, 'flag', true]);
  await close();
});

test('a rule is tried, tightened and switched off; its alert shows the figures at the time and is dismissed', async () => {
  const token = await kissi.adminToken();
  const terms = { name: 'Large market payments', kind: 'amount', threshold: 20_000, outcome: 'flag', severity: 'LOW' };
  const made = await kissi.call('POST', '/api/v1/compliance/rules', {
    token,
    body: { ...terms, transaction_types: ['transfer_p2p'] },
  });
  assert.equal(made.status, 201, made.text);
  const { id: ruleId } = made.json.rule;
  const [payer, payee] = [await bank.wallet(90_000), await bank.wallet(0)];
  const transfer = { sender_id: payer.id, recipient_id: payee.id, amount: 25_000, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200);
  kissi.clock.advance(1_000);
  const staff = await staffMember(kissi, 'compliance_user');
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const { page, go, open, confirm, check, close } = screen;

  await go(`/rules/${ruleId}`);
  await screen.button('Try on the last 30 days').click();
  await page.getByText('No change', { exact: true }).waitFor();
  await page.getByLabel('Highest allowed amount').fill('300');
  await screen.button('Try on the last 30 days').click();
  await page.getByText('No change', { exact: true }).waitFor({ state: 'detached' });
  assert.equal(await screen.fact('Difference'), '−1');
  await open('Save');
  await confirm('Save');
  await page.getByText('Flag transfers between wallets above SLE 300.00').first().waitFor();
  await page.getByLabel('The rule is on').uncheck();
  await open('Save');
  await confirm('Save');
  await page.getByText('Off', { exact: true }).waitFor();
  const { rule } = await read(`/compliance/rules/${ruleId}`);
  assert.deepEqual([rule.threshold, rule.enabled, rule.version], [30_000, false, 3]);

  const { alerts } = await read(`/compliance/alerts?subscriber_id=${payer.id}`);
  await go(`/alerts/${alerts[0].id}`);
  await page.getByText('(changed since, now version 3)').waitFor();
  await page.getByRole('cell', { name: 'Flagged' }).waitFor();
  await check('an alert of a rule');
  await open('Add notes');
  await screen.dialog.getByLabel('Notes').fill('Pays rent each month.');
  await confirm('Save');
  await open('Dismiss');
  await screen.dialog.getByLabel('Why it is unfounded').fill('Rent of a shop');
  await screen.dialog.getByLabel('Outcome').selectOption('The customer explained it');
  await confirm('Dismiss');
  await page.getByText('Rent of a shop').first().waitFor();
  const { alert } = await read(`/compliance/alerts/${alerts[0].id}`);
  assert.deepEqual(
    [alert.status, alert.resolution, alert.notes],
    ['dismissed', 'Rent of a shop', 'Pays rent each month.'],
  );
  await close();
});

test('what a blocking rule refused is the first figure of its trial', async () => {
  const terms = { name: 'No large gifts', kind: 'amount', threshold: 40_000, outcome: 'block', severity: 'LOW' };
  const body = { ...terms, transaction_types: ['transfer_p2p'] };
  const made = await kissi.call('POST', '/api/v1/compliance/rules', { token: await kissi.adminToken(), body });
  const [payer, payee] = [await bank.wallet(90_000), await bank.wallet(0)];
  const transfer = { sender_id: payer.id, recipient_id: payee.id, amount: 45_000, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', transfer)).status, 422);
  kissi.clock.advance(1_000);
  const screen = screenOf(await openConsole(browser, kissi.url, await staffMember(kissi, 'compliance_user')));
  await screen.go(`/rules/${made.json.rule.id}`);
  await screen.button('Try on the last 30 days').click();
  await screen.page.getByText('the rule refused those that did').waitFor();
  const figures = await screen.page.locator('dl').filter({ hasText: 'Blocked payments' }).locator('dd').allInnerTexts();
  assert.deepEqual([figures[0]?.split('\n')[0], figures[1]?.split('\n')[0]], ['1', '0']);
  await screen.check('a blocking rule that was tried');
  await screen.close();
});

test('an account of many counterparties says how many are not drawn', async () => {
  const centre = await bank.wallet(90_000);
  for (let n = 0; n < 22; n++) {
    const { id } = await bank.wallet();
    const transfer = { sender_id: centre.id, recipient_id: id, amount: 100, pin: PIN };
    assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200);
  }
  const { id } = await raiseAlert(kissi, { subscriber_id: centre.id, severity: 'CRITICAL' });
  const staff = await staffMember(kissi, 'compliance_user');
  const { page, go, check, close } = await openConsole(browser, kissi.url, staff);
  await go(`/alerts/${id}`);
  await page.getByText('2 counterparties are not drawn: the table has all of them.').waitFor();
  await page.getByText('At once').waitFor();
  await check('an alert of an account of many counterparties');
  await close();
  await resolveAlert(id);
});

test('an administrator tries a fee on the last 30 days, saves it, and returns to the built-in one', async () => {
  const screen = screenOf(await openConsole(browser, kissi.url, ADMIN));
  const { page, go, open, confirm, dialog, check, close } = screen;
  const setting = async () => read('/fee-settings/transfer_p2p/sender');
  const builtIn = await setting();
  await go('/fees');
  await open('Add a fee');
  await dialog.getByLabel('Type of payment').selectOption('Transfer between wallets');
  await dialog.getByLabel('Party').selectOption('Sender');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Transfer between wallets: sender', level: 1 }).waitFor();
  await page.getByLabel('Percentage of the amount').fill('2.5');
  await screen.button('Try on the last 30 days').click();
  await page.getByText('Who would pay the most extra (SLE)').waitFor();
  const result = page.getByRole('heading', { name: 'The last 30 days with this fee' });
  const { y = -1 } = (await result.boundingBox()) ?? {};
  assert.ok(y > 0 && y < 900, `the result is shown, at ${y}`);
  await check('a fee that was tried');
  assert.deepEqual(await setting(), builtIn);
  await page.getByLabel('Percentage of the amount').fill('2.25');
  await page.getByText('The values were changed since.').waitFor();
  await open('Save');
  await dialog.getByText('You have not tried these values on the last 30 days.').waitFor();
  await confirm('Save');
  await screen.button('Return to the built-in fee').waitFor();
  const saved = await setting();
  assert.deepEqual([saved.fee_value, saved.is_default], [2.25, false]);

  await open('Return to the built-in fee');
  await confirm('Delete the setting');
  await page.getByText('Built in', { exact: true }).waitFor();
  assert.equal((await setting()).is_default, true);
  const actions = (await auditLogs(kissi, { resource_id: 'transfer_p2p/sender' })).map(({ action }) => action);
  for (const action of ['fee_setting.update', 'fee_setting.delete'])
    assert.ok(actions.includes(action), `${action}: ${actions}`);
  await close();
});
