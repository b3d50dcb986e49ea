// Who stands behind the bank's credit of a return: the approver sees it, and the uploader takes no part in the return.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decide, getApproval, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { assertStatus } from '../../support/gateway.ts';
import { AMOUNT, type PaidOut, payoutsForFile } from '../../support/payouts.ts';
import { assertRefused } from '../../support/processors.ts';
import { today } from '../../support/reconciliation.ts';

const { kissi, bank, maker, finance, cleared, inTransit, claims, giveBack } = await payoutsForFile();
const checker = await user(kissi, 'finance_user');

/** Uploads a statement with a credit of the amount; returns the entry. */
async function creditBy(uploader: User): Promise<{ id: string; accountId: string; bank: string }> {
  const account = await newTrustAccount(kissi, uploader.token);
  const file = csvFile({ from: today(kissi), entries: [{ amount: AMOUNT, description: 'RETURNED' }] });
  const reply = assertStatus(await uploadStatement(kissi, uploader.token, account.id, [CSV, file]), 201);
  const path = `/api/v1/admin/trust-accounts/${account.id}/statements/${reply.json.statement.id}/entries`;
  const { json } = await kissi.call('GET', path, { token: uploader.token });
  return { id: json.entries[0].id, accountId: account.id, bank: account.bank };
}

const giveBackBy = ({ token }: { token: string }, { merchant, payoutId }: PaidOut, bank_entry_id?: string) =>
  kissi.call('POST', `/api/v1/processors/${merchant.id}/payouts/${payoutId}/return`, {
    body: { reason: 'Account closed', bank_entry_id },
    token,
  });

const undo = ({ token }: User, matchId: string) =>
  kissi.call('DELETE', `/api/v1/admin/reconciliation/matches/${matchId}`, { token });

describe('under the policy of pay-outs', () => {
  const payouts: PaidOut[] = [];
  before(async () => {
    payouts.push(await cleared(), await cleared(), await cleared());
    await setPolicy(kissi, 'processors.payout', { enabled: true });
  });
  after(async () => void (await setPolicy(kissi, 'processors.payout', { enabled: false })));
  const paidOut = () => payouts.shift() as PaidOut;

  test('the approver sees the trust account of the credit, who registered it and who uploaded the statement', async () => {
    const uploader = await user(kissi, 'finance_user');
    const credit = await creditBy(uploader);
    const { id } = pendingOf(await giveBackBy(maker, paidOut(), credit.id));
    const { bank_entries } = await getApproval(kissi, id, checker);
    const named = bank_entries.find((entry: { id: string }) => entry.id === credit.id);
    assert.deepEqual(named.trust_account, {
      ...{ id: credit.accountId, bank: credit.bank, account_number: '*********5678' },
      ...{ created_by: uploader.id, created_by_name: 'Test Person' },
    });
    assert.deepEqual([named.uploaded_by, named.uploaded_by_name], [uploader.id, 'Test Person']);
  });

  test('who uploaded the credit neither requests nor approves the return; others do', async () => {
    const uploader = await user(kissi, 'finance_user');
    const [payout, credit] = [paidOut(), await creditBy(uploader)];
    assertRefused(await giveBackBy(uploader, payout, credit.id), 403, 'NOT_INDEPENDENT');
    const { id } = pendingOf(await giveBackBy(maker, payout, credit.id));
    assert.equal((await getApproval(kissi, id, uploader)).not_independent, true);
    assertRefused(await decide(kissi, id, 'approve', uploader), 403, 'NOT_INDEPENDENT');
    assert.deepEqual([await bank.balance(payout.merchant.id), await claims()], [6_000, 0]);
    const seen = await getApproval(kissi, id, checker);
    assert.deepEqual([seen.status, seen.not_independent], ['pending', undefined]);
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
    assert.equal(await bank.balance(payout.merchant.id), 10_000);
    assert.equal((await finance.item(credit.id)).status, 'matched');
  });

  test('who undid the match of the credit takes no part in the return, and the approver sees that it was undone', async () => {
    const insider = await user(kissi, 'finance_user');
    const [payout, credit] = [paidOut(), await creditBy(await user(kissi, 'finance_user'))];
    const [debit = ''] = await finance.statement({ amount: -AMOUNT });
    const match = assertStatus(await finance.match([credit.id, debit], []), 201);
    assert.equal((await undo(insider, match.json.match.id)).status, 200);
    assertRefused(await giveBackBy(insider, payout, credit.id), 403, 'NOT_INDEPENDENT');
    const { id } = pendingOf(await giveBackBy(maker, payout, credit.id));
    assertRefused(await decide(kissi, id, 'approve', insider), 403, 'NOT_INDEPENDENT');
    const { bank_entries } = await getApproval(kissi, id, checker);
    const named = bank_entries.find((entry: { id: string }) => entry.id === credit.id);
    assert.deepEqual(named.relations, ['match_undone', 'named']);
    assert.equal(await bank.balance(payout.merchant.id), 6_000);
  });

  test('who matched the debit with something else does not approve the return without a credit', async () => {
    const insider = await user(kissi, 'finance_user');
    await setPolicy(kissi, 'processors.payout', { enabled: false });
    const [payout, other] = [await inTransit(), await inTransit()];
    await setPolicy(kissi, 'processors.payout', { enabled: true });
    const [debit = ''] = await finance.statement({ amount: -AMOUNT });
    const match = await finance.match([debit], [payout.payoutId]);
    assert.equal((await undo(insider, match.json.match.id)).status, 200);
    const body = { bank_entry_ids: [debit], transaction_ids: [other.payoutId] };
    assertStatus(await kissi.call('POST', '/api/v1/admin/reconciliation/matches', { body, token: insider.token }), 201);
    assertRefused(await giveBackBy(insider, payout), 409, 'PAYOUT_CLEARED');
    const { id } = pendingOf(await giveBackBy(maker, payout));
    assert.equal((await getApproval(kissi, id, insider)).not_independent, true);
    assertRefused(await decide(kissi, id, 'approve', insider), 403, 'NOT_INDEPENDENT');
    assert.equal(await bank.balance(payout.merchant.id), 6_000);
  });

  test('a return over the threshold holds no bank entry while it waits', async () => {
    await setPolicy(kissi, 'processors.payout', { enabled: true, threshold: 1_000_000 });
    const payout = await inTransit();
    await setPolicy(kissi, 'processors.payout', { enabled: true, threshold: 1_000 });
    pendingOf(await giveBackBy(maker, payout));
    assert.equal(await claims(), 0);
  });
});

test('without the policy one user does both, as for every other payment', async () => {
  const payout = await cleared();
  const credit = await creditBy(maker);
  assert.equal((await giveBack(payout, { bank_entry_id: credit.id })).status, 200);
  assert.equal(await bank.balance(payout.merchant.id), 10_000);
});
