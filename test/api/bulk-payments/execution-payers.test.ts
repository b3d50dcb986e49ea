// Bulk payments by partners and the treasury: who approves them, what bounds them, and what finance sees of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountOf, approve, payDue, rowsTo, wallets, whenEnded } from '../../support/bulk-execution.ts';
import { bulkRows, checkedBulk, csvOf, uploadBulk, whenChecked } from '../../support/bulk-payments.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import {
  apiKey,
  assertRefused,
  createdByAdmin,
  openSession,
  staffMember,
  staffToken,
  withLockContention,
} from '../../support/staff.ts';

const TREASURY_LIMIT = 30_000;
const { kissi, bank } = await bankForFile({ env: { TREASURY_DAILY_LIMIT: String(TREASURY_LIMIT) } });
const [first, second] = [await staffToken(kissi, 'finance_user'), await staffToken(kissi, 'finance_user')];

async function ofPartner(fields: Record<string, unknown> = {}) {
  const partner = await partnerBank(kissi, { fields: { outstanding_limit: 100_000, ...fields } });
  const nurses = await wallets(bank, 3);
  const payment = await checkedBulk(kissi, first, csvOf(rowsTo(nurses)), { partner_id: partner.id });
  return { partner, nurses, payment };
}

async function ofTreasury(amount: string) {
  const nurses = await wallets(bank, 2);
  return { nurses, payment: await checkedBulk(kissi, first, csvOf(rowsTo(nurses, amount)), { treasury: 'true' }) };
}

describe('a partner', () => {
  test('pays after finance has approved, from its clearing account and with its fee', async () => {
    const terms = { transaction_type: 'vult_fund', party_type: 'sender', fee_type: 'flat', fee_value: 0.5 };
    const setting = { ...terms, debit_enabled: true, credit_enabled: false };
    assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
    const { partner, nurses, payment } = await ofPartner();
    assert.deepEqual([payment.valid_amount, payment.valid_fees], [3_000, 150]);
    assertRefused(await approve(kissi, first, payment), 403, 'NOT_INDEPENDENT');
    assertStatus(await approve(kissi, second, payment), 200);
    const done = await whenEnded(kissi, second, payment);
    assert.deepEqual([done.paid_amount, done.paid_fees], [3_000, 150]);
    assert.deepEqual(await accountOf(kissi, partner), { balance: -3_150, held: 0 });
    assert.equal(await bank.balance(nurses[0]?.id ?? ''), 1_000);
    assertStatus(await kissi.asAdmin.put('/fee-settings', { ...setting, fee_value: 0 }), 200);
  });

  test('is held to its outstanding limit, holds included', async () => {
    const { partner, payment } = await ofPartner({ outstanding_limit: 2_999 });
    assertRefused(await approve(kissi, second, payment), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal((await accountOf(kissi, partner)).held, 0);
  });

  test("is not charged other fees than the approver saw; the approval's price then stays", async () => {
    const { payment } = await ofPartner();
    const terms = { transaction_type: 'vult_fund', party_type: 'sender', fee_type: 'flat', fee_value: 1 };
    const setting = { ...terms, debit_enabled: true, credit_enabled: false };
    assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
    assertRefused(await approve(kissi, second, payment), 409, 'QUOTE_CHANGED');
    assertStatus(await kissi.asAdmin.put('/fee-settings', { ...setting, fee_value: 0 }), 200);
    const starts_at = new Date(kissi.clock.now() + 60_000).toISOString();
    assertStatus(await approve(kissi, second, payment, { starts_at }), 200);
    assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
    kissi.clock.advance(60_000);
    assert.equal((await whenEnded(kissi, second, payment)).paid_fees, 0);
    assertStatus(await kissi.asAdmin.put('/fee-settings', { ...setting, fee_value: 0 }), 200);
  });

  test('whose key uploaded it: neither its creator approves, nor anybody once the key is revoked', async () => {
    const partner = await partnerBank(kissi, { fields: { outstanding_limit: 100_000 } });
    const upload = async () => {
      const reply = await uploadBulk(kissi, partner.key, {}, csvOf(rowsTo(await wallets(bank, 1))));
      return whenChecked(kissi, first, assertStatus(reply, 202).json.bulk_payment.id);
    };
    const payment = await upload();
    assertRefused(await approve(kissi, await kissi.adminToken(), payment), 403, 'NOT_INDEPENDENT');
    const made = (await openSession(kissi, await createdByAdmin(kissi, 'finance_user'))).token;
    assertRefused(await approve(kissi, made, payment), 403, 'NOT_INDEPENDENT');
    assertStatus(await approve(kissi, second, payment), 200);
    await whenEnded(kissi, second, payment);
    const later = await upload();
    assertStatus(await kissi.asAdmin.delete(`/admin/api-keys/${partner.key.id}`), 204);
    assertRefused(await approve(kissi, second, later), 403, 'UNAUTHORIZED');
  });

  test('whose key is revoked before the start pays nothing', async () => {
    const partner = await partnerBank(kissi, { fields: { outstanding_limit: 100_000 } });
    const reply = await uploadBulk(kissi, partner.key, {}, csvOf(rowsTo(await wallets(bank, 1))));
    const payment = await whenChecked(kissi, first, assertStatus(reply, 202).json.bulk_payment.id);
    const starts_at = new Date(kissi.clock.now() + 60_000).toISOString();
    assertStatus(await approve(kissi, second, payment, { starts_at }), 200);
    assertStatus(await kissi.asAdmin.delete(`/admin/api-keys/${partner.key.id}`), 204);
    kissi.clock.advance(60_000);
    const done = await whenEnded(kissi, second, payment, 'stopped');
    assert.deepEqual([done.paid_count, done.cancelled_count], [0, 1]);
    assert.deepEqual(await accountOf(kissi, partner), { balance: 0, held: 0 });
  });

  test('whose approver is deactivated before the start pays nothing', async () => {
    const { partner, payment } = await ofPartner();
    const approver = await staffMember(kissi, 'finance_user');
    const { token } = await openSession(kissi, approver);
    const starts_at = new Date(kissi.clock.now() + 60_000).toISOString();
    assertStatus(await approve(kissi, token, payment, { starts_at }), 200);
    assertStatus(await kissi.asAdmin.put(`/admin/users/${approver.id}`, { status: 'inactive' }), 200);
    kissi.clock.advance(60_000);
    const done = await whenEnded(kissi, second, payment, 'stopped');
    assert.deepEqual([done.paid_count, done.cancelled_count], [0, 3]);
    assert.deepEqual(await accountOf(kissi, partner), { balance: 0, held: 0 });
  });

  test('whose approver is deactivated while the approval waits is not approved', async () => {
    const { partner, payment } = await ofPartner();
    const approver = await staffMember(kissi, 'finance_user');
    const { token } = await openSession(kissi, approver);
    // The deactivation waits first, so that it is made first, after the approval was begun.
    const [, reply] = await withLockContention(kissi, {
      lock: `select from users where id = '${approver.id}' for update`,
      waiters: 2,
      begin: async (waiting) => {
        const deactivated = kissi.asAdmin.put(`/admin/users/${approver.id}`, { status: 'inactive' });
        await waiting(1);
        return Promise.all([deactivated, approve(kissi, token, payment)]);
      },
    });
    assertRefused(reply, 403, 'UNAUTHORIZED');
    await payDue(kissi);
    assert.deepEqual(await accountOf(kissi, partner), { balance: 0, held: 0 });
  });

  test('is not approved by a key, whatever its scopes', async () => {
    const { payment } = await ofPartner();
    const { key } = await apiKey(kissi, ['payments:write', 'treasury:write']);
    assertRefused(await approve(kissi, key, payment), 403, 'FORBIDDEN');
  });
});

describe('the treasury', () => {
  test('pays after a second finance user has approved, and its payments are on the books of matching', async () => {
    const { nurses, payment } = await ofTreasury('100.00');
    assertRefused(await approve(kissi, first, payment), 403, 'NOT_INDEPENDENT');
    assertStatus(await approve(kissi, second, payment), 200);
    await whenEnded(kissi, second, payment);
    assert.equal(await bank.balance(nurses[0]?.id ?? ''), 10_000);
    const rows = await bulkRows(kissi, second, payment.id);
    const { json } = await kissi.call('GET', '/api/v1/admin/reconciliation?side=books', { token: second });
    const ids = json.items.map(({ id }: Json) => id);
    for (const { transaction_id } of rows) assert.ok(ids.includes(transaction_id));
  });

  test('issues no more than its daily limit', async () => {
    const { payment } = await ofTreasury('100.01');
    assertRefused(await approve(kissi, second, payment), 422, 'TREASURY_LIMIT_EXCEEDED');
    await payDue(kissi);
  });

  test('is not approved by other staff', async () => {
    const { payment } = await ofTreasury('1.00');
    const support = (await openSession(kissi, await staffMember(kissi, 'support_user'))).token;
    assertRefused(await approve(kissi, support, payment), 403, 'FORBIDDEN');
  });
});
