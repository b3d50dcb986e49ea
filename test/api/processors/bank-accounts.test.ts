// Bank accounts of processors: added, listed and removed, under approval, and the only beneficiaries of pay-outs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, type Merchant, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ', 'recent_differs'] });
const payments = directPayments(kissi, bank);
const finance = await user(kissi, 'finance_user');

const ACCOUNT = { account_number: 'SL89 0042-0000 1234', bank: 'Rokel Commercial Bank', holder: 'Fatu Sesay' };

const add = ({ id }: Merchant, fields: object = {}, token = finance.token): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/processors/${id}/bank-accounts`, { body: { ...ACCOUNT, ...fields }, token });
const remove = ({ id }: Merchant, accountId: string, token = finance.token): Promise<CallReply> =>
  kissi.call('DELETE', `/api/v1/processors/${id}/bank-accounts/${accountId}`, { token });
const list = async ({ id }: Merchant, token = finance.token): Promise<Json[]> =>
  (await kissi.call('GET', `/api/v1/processors/${id}/bank-accounts`, { token })).json.bank_accounts;
const payout = ({ id }: Merchant, fields: object): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/processors/${id}/payout`, {
    body: { amount: 1_000, request_id: newFundingId(), ...fields },
    token: finance.token,
  });

describe('a bank account', () => {
  test('is added without spaces, listed, audited, and paid out to by its id or number', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const reply = assertStatus(await add(merchant), 201);
    const { bank_account } = reply.json;
    assert.deepEqual(bank_account, {
      id: bank_account.id,
      processor_id: merchant.id,
      account_number: 'SL89004200001234',
      bank: 'Rokel Commercial Bank',
      holder: 'Fatu Sesay',
      created_by: finance.id,
      created_at: new Date(kissi.clock.now()).toISOString(),
    });
    assert.deepEqual((await list(merchant))[0], bank_account);
    const [entry] = await auditLogs(kissi, { action: 'bank_account.create', resource_id: bank_account.id });
    assert.deepEqual([entry.actor_id, entry.details.account_number], [finance.id, 'SL89004200001234']);
    for (const named of [bank_account.id, 'SL89-0042 00001234', 'sl89004200001234']) {
      const paid = await payout(merchant, { bank_account: named });
      assert.deepEqual([paid.status, paid.json.bank_account], [200, 'SL89004200001234'], paid.text);
    }
    assert.equal(await bank.balance(merchant.id), 7_000);
  });

  test('is refused twice, malformed, or for an unknown processor; of ten at once one is added', async () => {
    const merchant = await newMerchant(kissi);
    const replies = await Promise.all(Array.from({ length: 10 }, () => add(merchant)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      assertRefused(reply, 409, 'DUPLICATE_BANK_ACCOUNT');
    }
    for (const account_number of ['', '1234', '1'.repeat(35), '- - -', 'SL89;DROP', 'ÄÖ12345', 'bacc_1234567']) {
      assertRefused(await add(merchant, { account_number }), 400, 'INVALID_REQUEST', account_number);
    }
    assertRefused(await add({ ...merchant, id: 'proc_none' }), 404, 'NOT_FOUND');
    assert.equal((await list(merchant)).length, 1);
  });

  test('that was removed is paid no more; its pay-outs and their replays stay', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const { id } = (await add(merchant)).json.bank_account;
    const first = await payout(merchant, { bank_account: id, request_id: 'before-removal' });
    assert.equal((await remove(merchant, id)).status, 200);
    for (const bank_account of [id, ACCOUNT.account_number]) {
      assertRefused(await payout(merchant, { bank_account }), 404, 'NOT_FOUND');
    }
    const again = await payout(merchant, { bank_account: id, request_id: 'before-removal' });
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
    assertRefused(await remove(merchant, id), 404, 'NOT_FOUND');
    assert.equal((await add(merchant)).status, 201, 'it can be added again');
    assert.equal(await bank.balance(merchant.id), 9_000);
  });

  test('of another processor is neither paid nor removed', async () => {
    const [own, other] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(10_000)];
    const { id } = (await add(other)).json.bank_account;
    assertRefused(await payout(own, { bank_account: id }), 404, 'NOT_FOUND');
    assertRefused(await remove(own, id), 404, 'NOT_FOUND');
    const token = await merchantToken(kissi, own);
    assertRefused(await add(other, {}, token), 403, 'FORBIDDEN');
    assertRefused(await remove(other, id, token), 403, 'FORBIDDEN');
    assert.equal((await add(own, {}, token)).status, 201);
    const { key } = await apiKey(kissi, ['payouts:write', 'payments:read'], { processor_id: own.id, bearer: true });
    assertRefused(await add(own, {}, key), 403, 'FORBIDDEN');
    assert.equal((await list(other)).length, 2);
  });
});

test('changes wait for a second user under the policy beneficiaries.change, whom a login of the processor is not', async () => {
  const merchant = await payments.fundedMerchant(10_000);
  const token = await merchantToken(kissi, merchant);
  const second = await user(kissi, 'finance_user');
  await setPolicy(kissi, 'beneficiaries.change', { enabled: true });
  const approval = pendingOf(await add(merchant));
  assert.match(approval.summary.text, /Add the bank account SL89004200001234 to the processor/);
  assertRefused(await payout(merchant, { bank_account: ACCOUNT.account_number }), 404, 'NOT_FOUND');
  const decide = (by: string) => kissi.call('POST', `/api/v1/admin/approvals/${approval.id}/approve`, { token: by });
  assertRefused(await decide(token), 404, 'NOT_FOUND', "it does not see requests of the operator's users");
  assert.equal((await decide(finance.token)).status, 403);
  const approved = await decide(second.token);
  assert.equal(approved.json.approval.status, 'executed', approved.text);
  assert.equal((await payout(merchant, { bank_account: ACCOUNT.account_number })).status, 200);
  const [account] = await list(merchant);
  pendingOf(await remove(merchant, String(account?.id)));
  assert.equal((await list(merchant)).length, 2);
  await setPolicy(kissi, 'beneficiaries.change', { enabled: false });
});
