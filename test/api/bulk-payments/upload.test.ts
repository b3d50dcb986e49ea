// Uploads of bulk payments: who pays, signatures, the same file again, limits, cancelling, and what is recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import {
  bulkRows,
  checkedBulk,
  csvOf,
  getBulk,
  newReference,
  sha256,
  storedRows,
  uploadBulk,
  whenChecked,
} from '../../support/bulk-payments.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { directPayments, merchantToken, newMerchant } from '../../support/processors.ts';
import {
  apiKey,
  assertRefused,
  auditLogs,
  openSession,
  runChore,
  staffMember,
  staffToken,
} from '../../support/staff.ts';
import { sendSigned } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile();
const merchant = await directPayments(kissi, bank).fundedMerchant(1_000_000);
const shop = await merchantToken(kissi, merchant);
const nurse = await bank.wallet();
const finance = await staffMember(kissi, 'finance_user');
const financeToken: string = (await openSession(kissi, finance)).token;

const oneRow = () => csvOf([{ phone: nurse.phone, name: 'Aminata Kamara' }]);
const cancel = (token: string, id: string) => kissi.call('POST', `/api/v1/bulk-payments/${id}/cancel`, { token });

/** As if its rows had been paid. */
const pretendPaid = (id: string) =>
  kissi.db.query(
    `with done as (update bulk_payment_rows set status = 'paid', paid_at = $2 where bulk_payment_id = $1)
    update bulk_payments set status = 'completed', paid_count = row_count where id = $1`,
    [id, new Date(kissi.clock.now())],
  );

test("a merchant's login uploads a file, which is recorded, checked, and moves no money", async () => {
  const file = csvOf([
    { reference: 'NOV-1', phone: nurse.phone.replace('+232', '0'), name: 'Kamara, Aminata', amount: '1250.50' },
    { reference: 'NOV-2', phone: '+23299111222', amount: '7' },
  ]);
  const reply = assertStatus(await uploadBulk(kissi, shop, { name: 'Nurses, November' }, file), 202);
  const { id } = reply.json.bulk_payment;
  const payment = await whenChecked(kissi, shop, id);
  assert.match(id, /^bulk_/);
  assert.deepEqual(payment, {
    ...{
      id,
      name: 'Nurses, November',
      status: 'checked',
      processor_id: merchant.id,
      partner_id: null,
      treasury: false,
    },
    ...{
      payer_name: 'Lumley Beach Grill',
      file_format: 'csv',
      file_sha256: sha256(file),
      repeat_of: null,
      retry_of: null,
    },
    ...{ unclaimed: null, mode: null, progress: 100, row_count: 2, checked_count: 2, valid_count: 1, invalid_count: 1 },
    ...{ code_count: 0, name_mismatch_count: 0, repeated_count: 0, compliance_count: null, paid_count: 0 },
    ...{ failed_count: 0, unclaimed_count: 0, returned_count: 0, cancelled_count: 0, currency: 'SLE' },
    ...{ amount: 125_750, valid_amount: 125_050, valid_fees: 0, total_amount: 125_050, invalid_amount: 700 },
    ...{ paid_amount: 0, paid_fees: 0, failed_amount: 0, unclaimed_amount: 0, returned_amount: 0, cancelled_amount: 0 },
    ...{ available_amount: 1_000_000, covered: true, uploaded_by: merchant.userId, uploaded_by_type: 'user' },
    ...{ created_at: '2026-03-01T12:00:00.000Z', checked_at: '2026-03-01T12:00:00.000Z' },
    ...{ approved_by: null, approved_at: null, starts_at: null, started_at: null, ended_by: null, ended_at: null },
  });
  const [entry] = await auditLogs(kissi, { action: 'bulk_payment.create', resource_id: id });
  assert.deepEqual(
    [entry?.actor_id, entry?.details.file_sha256, entry?.details.amount],
    [...[merchant.userId, sha256(file), 125_750]],
  );
  assert.equal(await bank.balance(merchant.id), 1_000_000);
  assert.equal(await bank.balance(nurse.id), 0);
});

test('a key signs the upload without the file, whose hash it names', async () => {
  const key = await apiKey(kissi, ['payments:write', 'payments:read'], { processor_id: merchant.id, bearer: false });
  const file = oneRow();
  const reply = assertStatus(await uploadBulk(kissi, key, {}, file), 202);
  const { bulk_payment } = reply.json;
  assert.deepEqual([bulk_payment.uploaded_by, bulk_payment.uploaded_by_type], [key.id, 'key']);
  const { rows } = await kissi.db.query('select key_created_by from bulk_payments where id = $1', [bulk_payment.id]);
  assert.match(rows[0].key_created_by, /^usr_/);
  const before = await storedRows(kissi);
  const other = oneRow();
  assertRefused(await uploadBulk(kissi, key, { file_sha256: sha256(oneRow()) }, other), 401, 'INVALID_SIGNATURE');
  const path = '/api/v1/bulk-payments';
  const unnamed = await sendSigned(kissi, path, undefined, { key, raw: '' });
  assert.match(assertRefused(unnamed, 400, 'INVALID_REQUEST').json.error, /file_sha256/);
  assert.equal(await storedRows(kissi), before);
  const cancelled = await sendSigned(kissi, `${path}/${bulk_payment.id}/cancel`, {}, { key });
  assert.equal(assertStatus(cancelled, 200).json.bulk_payment.ended_by, key.id);
});

test('merchants and partners pay for themselves; finance uploads for partners and the treasury', async () => {
  const partner = await partnerBank(kissi);
  const own = assertStatus(await uploadBulk(kissi, partner.key, { partner_id: partner.id }, oneRow()), 202);
  assert.equal(own.json.bulk_payment.partner_id, partner.id);
  const byFinance = assertStatus(await uploadBulk(kissi, financeToken, { partner_id: partner.id }, oneRow()), 202);
  assert.equal(byFinance.json.bulk_payment.uploaded_by, finance.id);
  const treasury = assertStatus(await uploadBulk(kissi, financeToken, { treasury: 'true' }, oneRow()), 202);
  assert.equal(treasury.json.bulk_payment.treasury, true);
  const other = await newMerchant(kissi);
  for (const [token, query, status, code] of [
    [shop, { processor_id: other.id }, 403, 'FORBIDDEN'],
    [shop, { partner_id: partner.id }, 403, 'FORBIDDEN'],
    [shop, { treasury: 'true' }, 403, 'FORBIDDEN'],
    [financeToken, { processor_id: merchant.id }, 403, 'FORBIDDEN'],
    [financeToken, {}, 400, 'INVALID_REQUEST'],
    [financeToken, { partner_id: partner.id, treasury: 'true' }, 400, 'INVALID_REQUEST'],
    [financeToken, { partner_id: 'ptn_unknown' }, 404, 'NOT_FOUND'],
  ] as const) {
    assertRefused(await uploadBulk(kissi, token, query, oneRow()), status, code, JSON.stringify(query));
  }
  const stranger = await merchantToken(kissi, other);
  const { id } = own.json.bulk_payment;
  assertRefused(await kissi.call('GET', `/api/v1/bulk-payments/${id}`, { token: stranger }), 404, 'NOT_FOUND');
  assertRefused(await cancel(stranger, id), 404, 'NOT_FOUND');
  const list = await kissi.call('GET', '/api/v1/bulk-payments', { token: stranger });
  assert.deepEqual(assertStatus(list, 200).json.bulk_payments, []);
  await whenChecked(kissi, financeToken, id);
});

test('the same file is 409 with the id of the first, until that is cancelled', async () => {
  const file = oneRow();
  const first = await checkedBulk(kissi, shop, file);
  const again = assertRefused(await uploadBulk(kissi, shop, {}, file), 409, 'BULK_PAYMENT_EXISTS');
  assert.deepEqual([again.json.bulk_payment_id, again.json.bulk_status], [first.id, 'checked']);
  assertStatus(await cancel(shop, first.id), 200);
  const second = await checkedBulk(kissi, shop, file);
  assert.equal(second.valid_count, 1, 'a cancelled payment frees its references');
  const cancelled = await getBulk(kissi, shop, first.id);
  assert.deepEqual([cancelled.status, cancelled.cancelled_count, cancelled.cancelled_amount], ['cancelled', 1, 10_000]);
  assertRefused(await cancel(shop, first.id), 409, 'BULK_PAYMENT_STATE');
});

test('of racing uploads of one file, one is stored', async () => {
  const file = oneRow();
  const before = await storedRows(kissi);
  const replies = await Promise.all(Array.from({ length: 4 }, () => uploadBulk(kissi, shop, {}, file)));
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [202, 409, 409, 409]);
  assert.equal(await storedRows(kissi), before + 1);
});

test('a completed file is paid again only by repeat_of, once per repetition, with references of its own', async () => {
  const file = oneRow();
  const { id } = await checkedBulk(kissi, shop, file);
  assertRefused(await uploadBulk(kissi, shop, { repeat_of: id }, file), 409, 'BULK_PAYMENT_EXISTS');
  await pretendPaid(id);
  assertRefused(await uploadBulk(kissi, shop, {}, file), 409, 'BULK_PAYMENT_EXISTS');
  const other = await uploadBulk(kissi, shop, { repeat_of: id }, oneRow());
  assertRefused(other, 400, 'INVALID_REQUEST');
  const repeated = await checkedBulk(kissi, shop, file, { repeat_of: id });
  assert.deepEqual([repeated.repeat_of, repeated.valid_count], [id, 1]);
  const third = assertRefused(await uploadBulk(kissi, shop, { repeat_of: id }, file), 409, 'BULK_PAYMENT_EXISTS');
  assert.equal(third.json.bulk_payment_id, repeated.id);
  assertRefused(await uploadBulk(kissi, shop, { repeat_of: 'bulk_unknown' }, file), 404, 'NOT_FOUND');
});

test('a reference is used once in 90 days', async () => {
  const reference = newReference();
  const file = (amount: string) => csvOf([{ reference, phone: nurse.phone, amount }]);
  const { id } = await checkedBulk(kissi, shop, file('10'));
  await pretendPaid(id);
  const refused = await checkedBulk(kissi, shop, file('11'));
  const [row] = await bulkRows(kissi, shop, refused.id);
  assert.deepEqual([row.status, row.reason, row.fee], ['invalid', 'REFERENCE_USED', null]);
  kissi.clock.advance(91 * DAY_MS);
  const later = await merchantToken(kissi, merchant);
  assert.equal((await checkedBulk(kissi, later, file('12'))).valid_count, 1);
});

test('rows checked and not paid are limited, by 1,000 beyond the rows paid, until compliance raises it', async () => {
  const payer = await newMerchant(kissi);
  const token = await merchantToken(kissi, payer);
  const rows = (count: number) => csvOf(Array.from({ length: count }, () => ({ phone: nurse.phone })));
  const first = assertStatus(await uploadBulk(kissi, token, {}, rows(900)), 202).json.bulk_payment;
  const before = await storedRows(kissi);
  const refused = assertRefused(await uploadBulk(kissi, token, {}, rows(101)), 422, 'BULK_ROW_LIMIT_EXCEEDED');
  assert.equal(refused.json.allowed_rows, 100);
  assert.equal(await storedRows(kissi), before);
  const path = `/api/v1/admin/bulk-payment-limits/${payer.id}`;
  const compliance = await staffToken(kissi, 'compliance_user');
  const put = (by: string) => kissi.call('PUT', path, { token: by, body: { unpaid_rows: 1_100 } });
  assertRefused(await put(await staffToken(kissi, 'finance_user')), 403, 'FORBIDDEN');
  assertStatus(await put(compliance), 200);
  const limit = assertStatus(await kissi.call('GET', path, { token: compliance }), 200).json.row_limit;
  assert.deepEqual(limit, {
    ...{ payer_id: payer.id, unpaid_rows: 1_100, checked_rows: 900, paid_rows: 0, remaining: 200 },
  });
  const [entry] = await auditLogs(kissi, { action: 'bulk_row_limit.update' });
  assert.deepEqual(entry?.details, { before: 1_000, unpaid_rows: 1_100 });
  assertStatus(await uploadBulk(kissi, token, {}, rows(101)), 202);
  await whenChecked(kissi, token, first.id);
  await pretendPaid(first.id);
  // Paying one's own wallet again and again looks up nobody, and allows no further look-ups.
  const repeated = assertRefused(await uploadBulk(kissi, token, {}, rows(1_001)), 422, 'BULK_ROW_LIMIT_EXCEEDED');
  assert.equal(repeated.json.allowed_rows, 1_000);
  await kissi.db.query('update bulk_payments set repeated_count = 0 where id = $1', [first.id]);
  assertStatus(await uploadBulk(kissi, token, {}, rows(1_200)), 202);
});

test('an upload that a killed gateway left is deleted, and was never shown', async () => {
  const { id }: Json = await checkedBulk(kissi, await merchantToken(kissi, merchant), oneRow());
  await kissi.db.query("update bulk_payments set status = 'uploading' where id = $1", [id]);
  const token = await merchantToken(kissi, merchant);
  assertRefused(await kissi.call('GET', `/api/v1/bulk-payments/${id}`, { token }), 404, 'NOT_FOUND');
  const before = await storedRows(kissi);
  await runChore(kissi, 'check bulk payments');
  assert.equal(await storedRows(kissi), before);
  kissi.clock.advance(2 * 60 * 60 * 1_000);
  await waitFor('the upload is deleted', async () => {
    await runChore(kissi, 'check bulk payments');
    return (await storedRows(kissi)) === before - 1;
  });
});

test('a suspended merchant uploads nothing', async () => {
  const payer = await newMerchant(kissi);
  const token = await merchantToken(kissi, payer);
  assertStatus(await kissi.asAdmin.post(`/processors/${payer.id}/suspend`, { reason: 'Review' }), 200);
  assertRefused(await uploadBulk(kissi, token, {}, oneRow()), 403, 'PROCESSOR_SUSPENDED');
});
