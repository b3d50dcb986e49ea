// Finance works off differences at the desk: items lead to their records, a pay-out is returned, an approver sees the bank's entry.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { floatOf, newAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { balanceOf, directPayments } from '../../support/processors.ts';
import { financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';
import { auditLogs, staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile({
  ...INSERTED_STATEMENTS,
  brokenRules: [...INSERTED_STATEMENTS.brokenRules, 'account_terms_differ', 'recent_differs'],
});
const maker = await user(kissi, 'finance_user');
const finance = await financeOf(kissi, maker.token);
const payments = directPayments(kissi, bank);

before(() => setPolicy(kissi, 'agents.fund', { enabled: true }));

const VIEWS = [
  { width: 360, dark: true },
  { width: 1280, dark: false },
] as const;

test('a suggested match of a pay-out is accepted at the desk', async () => {
  const merchant = await payments.fundedMerchant(10_000);
  const body = { amount: 5_321, bank_account: 'SL0042001', request_id: 'desk-suggested' };
  const paid = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: maker.token });
  const { transaction_id } = assertStatus(paid, 200).json;
  const [debit = ''] = await finance.statement({ amount: -5_321, description: 'Standing order' });
  await finance.run();
  const screen = screenOf(await openConsole(browser, kissi.url, maker));
  await screen.go('/finance/reconciliation');
  await screen.button('Accept the match of −53.21').click();
  await screen.page.getByText('Matched. It can be undone under Matches.').waitFor();
  await screen.button('Accept the match of −53.21').waitFor({ state: 'detached' });
  const [item, entry] = [await finance.item(transaction_id), await finance.item(debit)];
  assert.deepEqual([item.status, entry.status, entry.match_id], ['matched', 'matched', item.match_id]);
  const [audited] = await auditLogs(kissi, { action: 'reconciliation.match', limit: '1' });
  assert.equal(audited?.actor_id, maker.id);
  await screen.check('the desk after a suggestion');
  await screen.close();
});

for (const view of VIEWS) {
  const { width } = view;
  test(`a pay-out that the bank sent back is returned at the desk, at ${width} pixels`, async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const sent = 4_000 + width;
    const body = { amount: sent, bank_account: 'SL0042001', request_id: `desk-${width}` };
    const paid = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: maker.token });
    const { transaction_id, reference } = assertStatus(paid, 200).json;
    const [credit = ''] = await finance.statement({
      amount: sent,
      reference,
      description: 'Returned: account closed',
    });
    const screen = screenOf(await openConsole(browser, kissi.url, maker, view));
    const { page, dialog } = screen;
    await screen.go('/finance/reconciliation');
    await page.getByRole('checkbox', { name: /^Returned: account closed, / }).check();
    await page.getByRole('checkbox', { name: `, −${(sent / 100).toFixed(2)}` }).check();
    const party = page.getByRole('link', { name: /^Show the record of/ }).last();
    assert.equal(await party.getAttribute('href'), `/console/finance/payouts/${merchant.id}`);
    await screen.check('the desk with a pay-out');
    await screen.shoot(`desk-payout-${width}`);
    await screen.open('Return the pay-out');
    await dialog.getByLabel('Why the bank sent it back').fill('Account closed');
    assert.equal(await dialog.getByLabel('Credit of the bank').inputValue(), credit);
    await screen.shoot(`desk-return-${width}`);
    await screen.pay('Return', 'Returned to');
    assert.equal(await balanceOf(kissi, merchant.id), 10_000);
    assert.equal((await finance.item(credit)).status, 'matched');
    // Its debit is still expected: the bank has executed what it sent back.
    assert.equal((await finance.item(transaction_id)).status, 'unmatched');
    // The desk says so, and leads to the statements of the account that has the credit, and to the return.
    const row = page.getByRole('listitem').filter({ hasText: `−${(sent / 100).toFixed(2)}` });
    await row.getByText('The bank sent this pay-out back, but the debit that paid it is not matched yet.').waitFor();
    const { trust_account_id } = await finance.item(credit);
    const statements = await row.getByRole('link', { name: 'Bank statements' }).getAttribute('href');
    assert.equal(statements, `/console/finance/statements?account=${trust_account_id}`);
    const { related_id } = await finance.item(transaction_id);
    const back = row.getByRole('link', { name: 'Show its return' });
    assert.equal(await back.getAttribute('href'), `/console/transactions/${related_id}`);
    await screen.check('the desk with a pay-out that has no debit');
    await screen.shoot(`desk-no-debit-${width}`);
    const [debit = ''] = await finance.statement({ amount: -sent, reference });
    assertStatus(await finance.match([debit], [transaction_id]), 201);
    await page.reload();
    await page.getByText('Everything is matched').nth(1).waitFor();
    assert.equal(await row.count(), 0);
    const [entry] = await auditLogs(kissi, { action: 'processor.return_payout', limit: '1' });
    assert.deepEqual([entry?.actor_id, entry?.details.amount], [maker.id, sent]);
    await screen.close();
  });

  test(`the approver of a funding sees the bank's credit and opens its statement, at ${width} pixels`, async () => {
    const agent = await newAgent(kissi, { business_name: 'Bo Cash Point' });
    const [entry = ''] = await finance.statement({ amount: 7_000 + width, reference: `SLIP ${width}` });
    const body = { amount: 7_000 + width, request_id: `SLIP-${width}` };
    const asked = await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token: maker.token });
    const { id } = pendingOf(asked);
    const checker = await user(kissi, 'finance_user');
    const screen = screenOf(await openConsole(browser, kissi.url, checker, view));
    await screen.go(`/approvals/${id}`);
    await screen.page.getByText('Open, with the same amount. Has its reference').waitFor();
    await screen.check('an approval with bank entries');
    await screen.shoot(`approval-bank-${width}`);
    const { statement_id } = await finance.item(entry);
    const source = await screen.page.getByRole('link', { name: 'Show the statement' }).getAttribute('href');
    assert.ok(source?.endsWith(`/${statement_id}`), source ?? '');
    assertStatus(await decide(kissi, id, 'approve', checker), 200);
    assert.equal(await floatOf(kissi, agent), 7_000 + width);
    const { result } = await getApproval(kissi, id, checker);
    assertStatus(await finance.match([entry], [result.transaction_id]), 201);
    await screen.close();
  });

  test(`compliance looks at the payments between two dates, at ${width} pixels`, async () => {
    const payer = await bank.wallet(50_000);
    const payee = await bank.wallet(0, { first_name: 'Isatu', last_name: 'Bangura' });
    const other = await bank.wallet(0, { first_name: 'Sorie', last_name: 'Koroma' });
    for (const [from, to] of [
      [payer, payee],
      [payer, other],
      [payee, other],
    ] as const) {
      const transfer = { sender_id: from.id, recipient_id: to.id, amount: from === payer ? 2_000 : 500, pin: PIN };
      assertStatus(await bank.post('/wallet/transfer', transfer), 200);
    }
    const alert = await raiseAlert(kissi, { severity: 'HIGH', subscriber_id: payer.id });
    const staff = await staffMember(kissi, 'compliance_user');
    const screen = screenOf(await openConsole(browser, kissi.url, staff, view));
    const { page } = screen;
    await screen.go(`/alerts/${alert.id}`);
    await page.getByRole('button', { name: 'Show as a table' }).waitFor();
    await screen.shoot(`network-picture-${width}`);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await page.getByText('Own dates').click();
    await page.getByText('Payments among counterparties').waitFor();
    await screen.check('the network of own dates');
    await screen.shoot(`network-table-${width}`);
    const before = new Date(kissi.clock.now() - 5 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel('To', { exact: true }).fill(before);
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('No payments in this period').waitFor();
    await screen.check('a period without payments');
    await screen.close();
  });
}
