// A morning of finance in the console: statements, matching, the close of yesterday and its certificate.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { floatOf, newAgent } from '../../support/agents.ts';
import { type User, user } from '../../support/approvals.ts';
import { csvFile, newTrustAccount } from '../../support/bank-files.ts';
import { earningAgent, payCommission } from '../../support/commissions.ts';
import type { Json } from '../../support/gateway.ts';
import { webhookHeaders } from '../../support/partner.ts';
import { auditLogs } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank, browser } = await consoleForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
let finance: User;
let today = '';
let window: Screen;
let page: Page;
let kenema: Awaited<ReturnType<typeof newAgent>>;

const api = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await kissi.call(method, `/api/v1${path}`, { token: finance.token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
};

before(async () => {
  today = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  finance = await user(kissi, 'finance_user');
  await newTrustAccount(kissi, finance.token, { bank: 'Rokel Commercial Bank' });
  const bo = await newAgent(kissi, { business_name: 'Bo Cash Point' });
  kenema = await newAgent(kissi, { business_name: 'Kenema Cash Point' });
  await api('POST', `/agents/${bo.id}/fund`, { amount: 80_000_00, request_id: 'FLOAT-BO-17' });
  await api('POST', `/agents/${kenema.id}/fund`, { amount: 18_630_00, request_id: 'kenema-0001' });
  window = screenOf(await openConsole(browser, kissi.url, finance));
  page = window.page;
});

/** As if the user dragged a file onto the area of the first trust account. */
async function drop(name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    return data;
  })()`);
  await page.getByText('Drop statements here').first().dispatchEvent('drop', { dataTransfer: transfer });
}

const statement = () =>
  csvFile({
    from: today,
    entries: [
      { amount: 80_000_00, reference: 'FLOAT-BO-17', description: 'Cash deposit' },
      { amount: 18_360_00, description: 'Deposit over the counter' },
      { amount: -35_00, description: 'SMS alert charges' },
    ],
  });

test('a statement is recorded by drag and drop, and once only', async () => {
  await window.go('/finance/statements');
  await drop('statement.csv', statement());
  await page.getByText('statement.csv is recorded').waitFor();
  await page.getByText('SLE 98,325.00').first().waitFor();
  await window.check('statements');
  await drop('statement.csv', statement());
  await page.getByText('statement.csv was recorded before').waitFor();
  await page.getByRole('link', { name: 'Match it' }).first().click();
  await page.getByText("The bank's side shows the entries of one statement only.").waitFor();
  await page.getByLabel('SMS alert charges, −35.00').waitFor();
  await window.check('the desk of one statement');
  const { trust_accounts } = await api('GET', '/admin/trust-accounts');
  assert.equal(trust_accounts[0].balance, 98_325_00);
  const { total_count } = await api('GET', `/admin/trust-accounts/${trust_accounts[0].id}/statements`);
  assert.equal(total_count, 1);
});

test('the desk matches by keys, shows the difference, and takes only what adds up', async () => {
  await window.go('/finance/reconciliation');
  await page.getByRole('button', { name: 'Run matching' }).click();
  await page.getByText('The run matched 1.').waitFor();
  await page.getByText('today', { exact: true }).first().waitFor();
  await page.getByLabel('Deposit over the counter, 18,360.00').focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Kenema Cash Point, 18,630.00').check();
  const match = page.getByRole('button', { name: 'Match', exact: true });
  assert.equal(await match.isDisabled(), true);
  await page.getByText('−270.00', { exact: true }).first().waitFor();
  const waiting = () => page.getByRole('link', { name: 'Reconciliation' }).getByText(/\d/).innerText();
  const open = (await api('GET', '/admin/reconciliation?status=unmatched')).total_count;
  await waitFor('the badge counts the open items', async () => Number(await waiting()) === open);
  // Typed with two digits exchanged: the books have 270.00 more than the bank.
  await window.open('Correct the difference');
  assert.equal(await window.dialog.getByLabel('Amount').inputValue(), '270.00');
  await window.shoot('correct-1280');
  await window.pay('Return float', 'The float is returned');
  assert.equal(await floatOf(kissi, kenema), 18_360_00);
  const [returned] = (await api('GET', `/transactions?agent_id=${kenema.id}&type=agent_return`)).transactions;
  assert.equal(returned.amount, 270_00);
  const [entry] = await auditLogs(kissi, { action: 'agent.return_float' });
  assert.deepEqual([entry?.actor_id, entry?.resource_id], [finance.id, returned.transaction_id]);
  await page.getByRole('checkbox', { name: 'Kenema Cash Point, −270.00', checked: true }).waitFor();
  assert.equal(await match.isEnabled(), true, 'the correction completes the selection');
  // At once, not after half a minute.
  await waitFor('the badge counts the return too', async () => Number(await waiting()) === open + 1);
  const record = page.getByRole('link', { name: 'Show the transaction of Kenema Cash Point' }).last();
  assert.match((await record.getAttribute('href')) ?? '', /\/transactions\/txn_/);
  const source = page.getByRole('link', { name: 'Show the statement of Deposit over the counter' });
  assert.match((await source.getAttribute('href')) ?? '', /\/finance\/statements\/[^/]+\/[^/]+$/);
  await page.getByLabel('Kenema Cash Point, −270.00').focus();
  await window.check('desk');
  await window.shoot('desk-1280');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Note (optional)').fill('Typed 18,630 for 18,360');
  await page.getByRole('dialog').getByRole('button', { name: 'Match' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByLabel('SMS alert charges, −35.00').check();
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click();
  await page.getByText('Assigned to you.').waitFor();
  await page.getByText('Mine', { exact: true }).click();
  await page.getByText('Nothing open matches this').waitFor();
  const [charges] = (await api('GET', '/admin/reconciliation?owner=me')).items;
  assert.deepEqual([charges.amount, charges.owner_id], [-35_00, finance.id]);
  await page.getByLabel('SMS alert charges, −35.00').check();
  await page.getByRole('button', { name: 'Write off' }).click();
  await page.getByLabel('Reason').fill('Bank charges, paid by the operator');
  await page.getByRole('dialog').getByRole('button', { name: 'Write off' }).click();
  await page.getByText('All open items').click();
  await page.getByText('Everything is matched').nth(1).waitFor();
  const { items } = await api('GET', '/admin/reconciliation?status=unmatched');
  assert.deepEqual(items, []);
  const { matches } = await api('GET', '/admin/reconciliation/matches');
  assert.deepEqual(
    matches.map(({ kind, bank_amount }: Json) => [kind, bank_amount]),
    [
      ['write_off', -35_00],
      ['manual', 18_360_00],
      ['reference', 80_000_00],
    ],
  );
  assert.equal((await auditLogs(kissi, { action: 'reconciliation.match' })).length, 1);
});

test('a write-off is undone, and its item is open again', async () => {
  await window.go('/finance/reconciliation?view=matches');
  await page.getByRole('button', { name: '1 bank, 2 books' }).click();
  await page.getByRole('dialog').getByText('Deposit over the counter').waitFor();
  assert.equal(await page.getByRole('dialog').getByText('Kenema Cash Point').count(), 2);
  await window.check('items of a match');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone. The items are open again.').waitFor();
  await window.check('matches');
  await window.go('/finance/reconciliation?view=items&owner=me');
  await page.getByText('SMS alert charges').waitFor();
  await window.check('items');
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByText('Released. The items have no owner.').waitFor();
  assert.deepEqual((await api('GET', '/admin/reconciliation?owner=me')).items, []);
  const { items } = await api('GET', '/admin/reconciliation?status=unmatched');
  assert.deepEqual(
    items.map(({ amount }: Json) => amount),
    [-35_00],
  );
});

test('yesterday is closed once, and its certificate is a PDF', async () => {
  const yesterday = new Date(kissi.clock.now() - DAY_MS).toISOString().slice(0, 10);
  const { cover } = (await api('GET', '/admin/overview')).finance;
  await window.go('/finance');
  for (const figure of [cover.trust_balance, cover.e_money]) {
    await page
      .getByText(`SLE ${(figure / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`)
      .first()
      .waitFor();
  }
  await page.getByText('Not closed yet', { exact: true }).waitFor();
  await window.check('cover');
  await window.go('/finance/closes');
  const closeDay = async () => {
    await page.getByRole('button', { name: 'Close a day' }).click();
    await page.getByLabel('Day (UTC)').fill(yesterday);
    await page.getByRole('dialog').getByText('Unmatched at the banks').waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close \d/ })
      .click();
  };
  const { figures } = await api('GET', `/admin/closes/${yesterday}/figures`);
  assert.deepEqual((await api('GET', '/admin/closes')).closes, [], 'nothing is signed yet');
  await page.getByRole('button', { name: 'Close a day' }).click();
  await page.getByLabel('Day (UTC)').fill(yesterday);
  await page.getByRole('dialog').getByText('Statements missing').waitFor();
  const bankItems = await window.fact('Unmatched at the banks');
  assert.ok(bankItems.startsWith(`${figures.unmatched_bank.count} · `), bankItems);
  await window.checkOpened('the figures before a close');
  await window.shoot('close-1280');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await closeDay();
  await page.getByRole('heading', { name: /^Close of/ }).waitFor();
  await window.check('close');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF: certificate/ }).click();
  const file = await readFile(await (await download).path());
  assert.equal(file.subarray(0, 5).toString(), '%PDF-');
  const { closes } = await api('GET', '/admin/closes');
  assert.deepEqual(
    closes.map(({ date, number }: Json) => [date, number]),
    [[yesterday, 1]],
  );
  await window.go('/finance/closes');
  await closeDay();
  await page.getByText('ALREADY_CLOSED').waitFor();
  window.expectRefusal(409);
  await page.keyboard.press('Escape');

  await window.go(`/finance/closes/${closes[0].id}`);
  await window.open('Correct');
  await window.dialog.getByLabel('Reason').fill('A late statement of the bank');
  await window.confirm('Correct');
  await page.getByText('Correction', { exact: true }).waitFor();
  assert.equal(await window.fact('Reason for the correction'), 'A late statement of the bank');
  const [correction] = (await api('GET', '/admin/closes')).closes;
  assert.deepEqual([correction.number, correction.corrects], [2, closes[0].id]);
  await window.check('correction');
});

test('a trust account is added and changed', async () => {
  const { dialog } = window;
  await window.go('/finance/statements');
  await window.open('Add a trust account');
  await dialog.getByLabel('Name').fill('Second trust account');
  await dialog.getByLabel('Bank').fill('Union Trust Bank');
  await dialog.getByLabel('Account number').fill('UTB-100200');
  await window.confirm('Save');
  await window.open('Edit Union Trust Bank');
  await dialog.getByLabel('Name').fill('Reserve');
  await window.confirm('Save');
  await page.getByText(/^Reserve · /).waitFor();
  await window.open('Edit Union Trust Bank');
  await dialog.getByLabel('In use').uncheck();
  await window.confirm('Save');
  await page.getByText('Closed', { exact: true }).waitFor();
  const { trust_accounts } = await api('GET', '/admin/trust-accounts');
  const account = trust_accounts.find((each: Json) => each.bank === 'Union Trust Bank');
  assert.deepEqual([account.name, account.status], ['Reserve', 'closed']);
  const actions = (await auditLogs(kissi, { resource_id: account.id })).map(({ action }) => action);
  assert.deepEqual(actions.toSorted(), ['trust_account.create', 'trust_account.update', 'trust_account.update']);
});

test('credits in suspense become the debt of a partner, or are taken back', async () => {
  const wallet = await bank.wallet(0);
  const card = await bank.card(wallet);
  for (const [reference, amount] of [
    ['CASH-1', 40_000],
    ['CASH-2', 15_000],
  ] as const) {
    const raw = JSON.stringify({ card_serial: card, amount, reference });
    const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    assert.equal(reply.status, 200, reply.text);
  }
  const { dialog } = window;
  const row = (reference: string) => page.getByRole('row').filter({ hasText: reference });
  await window.go('/finance/suspense');
  await page.getByText('SLE 550.00').waitFor();
  await row('CASH-1').getByRole('button', { name: 'Resolve' }).click();
  await window.checkOpened('the dialog of a row');
  await dialog.getByRole('combobox', { name: 'Partner' }).selectOption('Rokel Test Bank');
  await dialog.getByLabel('Reason').fill('Slip 42 names the bank');
  await window.pay('Resolve', 'Resolved. Rokel Test Bank owes SLE 400.00 more.');
  await row('CASH-2').getByRole('button', { name: 'Resolve' }).click();
  await dialog.getByLabel('Take it back from the wallet').check();
  await dialog.getByLabel('Reason').fill('Sent twice');
  await window.pay('Resolve', 'Taken back.');
  await page.getByText('Nothing is in suspense').waitFor();
  assert.equal(await bank.balance(wallet.id), 40_000);
  assert.equal((await api('GET', '/admin/suspense')).total_amount, 0);
  assert.equal((await auditLogs(kissi, { action: 'suspense.resolve' })).length, 2);
});

test('tiers of commission are changed, and an agent shows what it earned', async () => {
  await payCommission(kissi);
  const agent = await earningAgent(kissi, bank, { business_name: 'Kabala Cash Point' });
  await agent.deposit(200_000);
  const { dialog } = window;
  await window.go('/finance/commissions');
  await window.open('Change');
  await dialog.getByLabel('Premium (%)').fill('95');
  await window.confirm('Save');
  await page.getByText('95 %').waitFor();
  assert.equal((await api('GET', '/admin/commission-tiers')).premium, 95);
  await page.getByRole('row').filter({ hasText: 'Kabala Cash Point' }).getByText('Daily').click();
  await page.getByRole('heading', { name: 'Kabala Cash Point', level: 1 }).waitFor();
  assert.match(await window.fact('Accrued, not settled'), /^SLE\s20\.00$/);
  assert.equal(await agent.accrued(), 20_00);
  await window.check('commissions of an agent');
});

test('a statement that does not add up is refused with the place of the fault', async () => {
  await window.go('/finance/statements');
  await drop('altered.csv', statement().replace('18360.00,', '18360.01,'));
  await page.getByText('altered.csv was not recorded').waitFor();
  await page.getByText('STATEMENT_INVALID').waitFor();
  const { trust_accounts } = await api('GET', '/admin/trust-accounts');
  const rokel = trust_accounts.find((each: Json) => each.bank === 'Rokel Commercial Bank');
  assert.equal(rokel.balance, 98_325_00);
  await window.close();
});

test('the screens of an auditor offer no changes', async () => {
  const auditor = await openConsole(browser, kissi.url, await user(kissi, 'audit_user'), { width: 360, dark: true });
  for (const [path, text] of [
    ['/finance', 'Cover ratio'],
    ['/finance/statements', 'Rokel Commercial Bank'],
    ['/finance/reconciliation', 'SMS alert charges'],
    ['/finance/suspense', 'Nothing is in suspense'],
    ['/finance/closes', 'PDF'],
    ['/finance/commissions', 'By agent'],
    ['/finance/payouts', 'No pay-out is in transit'],
    ['/finance/ledger', 'Treasury'],
  ] as const) {
    await auditor.go(path);
    await auditor.page.getByText(text).first().waitFor();
    await auditor.check(path);
    const changes = auditor.page.getByRole('button', {
      name: /^(Run|Match|Write off|Close a day|Add|Edit|Change|Resolve)/,
    });
    assert.equal(await changes.count(), 0, path);
  }
  await auditor.close();
});
