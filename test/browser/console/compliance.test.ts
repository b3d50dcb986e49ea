// The work of compliance with alerts and rules, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, browser } = await consoleForFile();

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

  await button(page, 'Start review').click();
  await dialog(page).getByLabel('Notes').fill('Called the customer.');
  await confirm(page, 'Start review');
  await page.getByText('Called the customer.').first().waitFor();
  const inReview = (await read(`/compliance/alerts/${id}`)).alert;
  assert.deepEqual([inReview.status, inReview.notes], ['in_review', 'Called the customer.']);
  await check('an alert in review');

  await button(page, 'Resolve').click();
  await dialog(page).getByLabel('What was found and done').fill('The card is blocked.');
  await confirm(page, 'Resolve');
  await page.getByText('The card is blocked.').first().waitFor();
  assert.equal(await button(page, 'Resolve').count(), 0);
  const resolved = (await read(`/compliance/alerts/${id}`)).alert;
  assert.deepEqual(
    [resolved.status, resolved.resolution, resolved.resolved_by],
    ['resolved', 'The card is blocked.', staff.id],
  );
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
  for (const action of ['compliance_alert.update', 'compliance_alert.resolve'])
    assert.ok(actions.includes(action), action);
  await close();
});

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
