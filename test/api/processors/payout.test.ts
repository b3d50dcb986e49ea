// Tests pay-outs of processors to bank accounts: in transit, idempotent, within the balance, and returned once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, movementCount, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, type Merchant, merchantToken } from '../../support/processors.ts';
import { apiKey, auditLogs, withLockContention } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ', 'recent_differs'] });
const payments = directPayments(kissi, bank);
const admin = await kissi.adminToken();
const finance = await user(kissi, 'finance_user');

const IN_TRANSIT = 'sys_payouts_in_transit';
const ACCOUNT = 'SL-00 42 001';

const payout = ({ id }: Merchant, fields: object = {}, token = finance.token) =>
  kissi.call('POST', `/api/v1/processors/${id}/payout`, {
    body: { amount: 4_000, bank_account: ACCOUNT, request_id: newFundingId(), ...fields },
    token,
  });
const giveBack = ({ id }: Merchant, transactionId: string, fields: object = {}, token = finance.token) =>
  kissi.call('POST', `/api/v1/processors/${id}/payouts/${transactionId}/return`, {
    body: { reason: 'Account closed', ...fields },
    token,
  });
const payouts = ({ id }: Merchant, query = '', token = finance.token) =>
  kissi.call('GET', `/api/v1/processors/${id}/payouts${query}`, { token });
const statuses = (replies: CallReply[]) => replies.map((reply) => reply.status).sort();

describe('a pay-out', () => {
  test('moves the amount into transit, with a short reference for the bank transfer', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const before = await bank.balance(IN_TRANSIT);
    const reply = assertStatus(await payout(merchant, { request_id: 'po-1' }), 200);
    const { transaction_id, reference, ...rest } = reply.json;
    assert.match(reference, /^PO[0-9A-Z]{12}$/);
    assert.deepEqual(rest, {
      success: true,
      message: 'The pay-out is in transit.',
      request_id: 'po-1',
      status: 'COMPLETED',
      amount: 4_000,
      fee: 0,
      total_debited: 4_000,
      currency: 'SLE',
      balance: 6_000,
      created_at: new Date(kissi.clock.now()).toISOString(),
      processor_id: merchant.id,
      bank_account: 'SL0042001',
    });
    assert.deepEqual([await bank.balance(merchant.id), (await bank.balance(IN_TRANSIT)) - before], [6_000, 4_000]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual(
      [rows[0].type, rows[0].to_account, rows[0].reference, rows[0].details.bank_account],
      ['processor_payout', IN_TRANSIT, reference, 'SL0042001'],
    );
    const [entry] = await auditLogs(kissi, { action: 'processor.payout', resource_id: transaction_id });
    assert.deepEqual([entry.actor_id, entry.details.amount, entry.details.reference], [finance.id, 4_000, reference]);
  });

  test('is in the list of the processor and in its totals', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const [first, second] = [await payout(merchant), await payout(merchant, { amount: 1_000 })];
    await giveBack(merchant, first.json.transaction_id);
    const list = await payouts(merchant);
    const shown = list.json.payouts.map(({ transaction_id, state, amount }: Record<string, unknown>) => [
      transaction_id,
      state,
      amount,
    ]);
    assert.deepEqual(shown, [
      [second.json.transaction_id, 'in_transit', 1_000],
      [first.json.transaction_id, 'returned', 4_000],
    ]);
    assert.equal(list.json.total_count, 2);
    assert.equal((await payouts(merchant, '?state=returned')).json.payouts.length, 1);
    const history = await kissi.call('GET', `/api/v1/processors/${merchant.id}/transactions`, { token: finance.token });
    const { paid_out, payouts_returned, transferred_out, received, balance_change } = history.json.totals;
    assert.deepEqual(
      { paid_out, payouts_returned, transferred_out, received, balance_change },
      { paid_out: 5_000, payouts_returned: 4_000, transferred_out: 0, received: 10_000, balance_change: 9_000 },
    );
    const overview = await kissi.call('GET', '/api/v1/admin/overview', { token: finance.token });
    assert.equal(overview.json.balances.payouts_in_transit, await bank.balance(IN_TRANSIT));
  });

  test('is replayed byte for byte, and conflicts with other details', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const first = await payout(merchant, { request_id: 'po-again' });
    const again = await payout(merchant, { request_id: 'po-again', bank_account: 'sl0042001', amount: '4000' });
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertRefused(await payout(merchant, { request_id: 'po-again', amount: 1 }), 409, 'REQUEST_CONFLICT');
    assertRefused(
      await payout(merchant, { request_id: 'po-again', bank_account: 'SL1234567' }),
      409,
      'REQUEST_CONFLICT',
    );
    assert.equal(await bank.balance(merchant.id), 6_000);
  });

  test('needs a request id of every caller, a valid amount and a valid bank account', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const before = await movementCount(kissi, IN_TRANSIT);
    assertRefused(await payout(merchant, { request_id: null }), 400, 'INVALID_REQUEST');
    for (const amount of [0, -1, '1.5']) assertRefused(await payout(merchant, { amount }), 400, 'INVALID_AMOUNT');
    for (const bank_account of ['', '- - -', 'SL89;DROP', 'ÄÖ12345', '1'.repeat(65)]) {
      assertRefused(await payout(merchant, { bank_account }), 400, 'INVALID_REQUEST', bank_account);
    }
    for (const bank_account of ['SL0042002', '1234', 'bacc_none', merchant.id]) {
      assertRefused(await payout(merchant, { bank_account }), 404, 'NOT_FOUND', bank_account);
    }
    assertRefused(await payout(merchant, { amount: 10_001 }), 402, 'INSUFFICIENT_BALANCE');
    assertRefused(await payout({ ...merchant, id: 'proc_none' }), 404, 'NOT_FOUND');
    assert.equal(await movementCount(kissi, IN_TRANSIT), before);
  });

  test('is refused while the processor is suspended', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const body = { reason: 'Fraud' };
    await kissi.call('POST', `/api/v1/processors/${merchant.id}/suspend`, { body, token: admin });
    assertRefused(await payout(merchant), 403, 'PROCESSOR_SUSPENDED');
  });

  test('may be requested by the user and the key of the processor itself', async () => {
    const [own, other] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(10_000)];
    const token = await merchantToken(kissi, own);
    const { key } = await apiKey(kissi, ['payouts:write'], { processor_id: own.id, bearer: true });
    for (const credential of [token, key]) {
      assert.equal((await payout(own, {}, credential)).status, 200);
      assertRefused(await payout(other, {}, credential), 403, 'FORBIDDEN');
    }
    const { payouts: shown } = (await payouts(own, '', token)).json;
    assert.deepEqual([shown.length, shown[0].match_id], [2, null]);
    assertRefused(await giveBack(own, shown[0].transaction_id, {}, token), 403, 'FORBIDDEN');
  });

  test('concurrent ones never exceed the balance, and one request id moves money once', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const replies = await Promise.all(Array.from({ length: 5 }, () => payout(merchant)));
    assert.deepEqual(statuses(replies), [200, 200, 402, 402, 402]);
    const same = await payments.fundedMerchant(10_000);
    const retries = await Promise.all(Array.from({ length: 5 }, () => payout(same, { request_id: 'po-same' })));
    assert.deepEqual(statuses(retries), [200, 200, 200, 200, 200]);
    assert.deepEqual([await bank.balance(merchant.id), await bank.balance(same.id)], [2_000, 6_000]);
  });

  test('waits for a second user under an approval policy', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const second = await user(kissi, 'finance_user');
    await setPolicy(kissi, 'processors.payout', { enabled: true });
    const approval = pendingOf(await payout(merchant));
    assert.match(approval.summary.text, /Pay out 40\.00 SLE .* to the bank account SL0042001/);
    assertRefused(await payout(merchant, {}, bank.key), 403, 'APPROVAL_REQUIRED');
    assert.equal(await bank.balance(merchant.id), 10_000);
    const approved = await kissi.call('POST', `/api/v1/admin/approvals/${approval.id}/approve`, {
      token: second.token,
    });
    assert.equal(approved.json.approval.status, 'executed', approved.text);
    assert.equal(await bank.balance(merchant.id), 6_000);
    const returning = pendingOf(await giveBack(merchant, approved.json.approval.result.transaction_id));
    await setPolicy(kissi, 'processors.payout', { enabled: false });
    const returned = await kissi.call('POST', `/api/v1/admin/approvals/${returning.id}/approve`, {
      token: second.token,
    });
    assert.equal(returned.json.approval.status, 'executed', returned.text);
    assert.equal(await bank.balance(merchant.id), 10_000);
  });
});

describe('returning a pay-out', () => {
  test('credits the processor once, even while it is suspended', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const { transaction_id, reference } = (await payout(merchant)).json;
    await kissi.call('POST', `/api/v1/processors/${merchant.id}/suspend`, { body: { reason: 'Fraud' }, token: admin });
    const before = await bank.balance(IN_TRANSIT);
    const reply = assertStatus(await giveBack(merchant, transaction_id), 200);
    assert.deepEqual(
      [reply.json.amount, reply.json.balance, reply.json.original_transaction_id, reply.json.reference],
      [4_000, 10_000, transaction_id, reference],
    );
    assert.equal((await bank.balance(IN_TRANSIT)) - before, -4_000);
    assertRefused(await giveBack(merchant, transaction_id), 409, 'ALREADY_RETURNED');
    const [entry] = await auditLogs(kissi, {
      action: 'processor.return_payout',
      resource_id: reply.json.transaction_id,
    });
    assert.equal(entry.actor_id, finance.id);
  });

  test('concurrent returns move the money once', async () => {
    const merchant = await payments.fundedMerchant(10_000);
    const { transaction_id } = (await payout(merchant)).json;
    const returns = () => Promise.all(Array.from({ length: 4 }, () => giveBack(merchant, transaction_id)));
    const lock = `select from accounts where id = '${merchant.id}' for update`;
    const replies = await withLockContention(kissi, { lock, waiters: 1, begin: returns });
    assert.deepEqual(statuses(replies), [200, 409, 409, 409]);
    assert.equal(await bank.balance(merchant.id), 10_000);
  });

  test('of another processor, or of no pay-out, is not found', async () => {
    const [merchant, other] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(10_000)];
    const { transaction_id } = (await payout(merchant)).json;
    assertRefused(await giveBack(other, transaction_id), 404, 'NOT_FOUND');
    assertRefused(await giveBack(merchant, 'txn_none'), 404, 'NOT_FOUND');
    assertRefused(await giveBack(merchant, transaction_id, { reason: ' ' }), 400, 'INVALID_REQUEST');
    assert.equal(await bank.balance(merchant.id), 6_000);
  });
});
