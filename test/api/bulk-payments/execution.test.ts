// Bulk payments from upload to report: approved by a second login, held, and paid row by row, each exactly once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  accountOf,
  approve,
  bulkPayer,
  change,
  loginOf,
  paid,
  rowsTo,
  uploaded,
  wallets,
  whenEnded,
} from '../../support/bulk-execution.ts';
import { bulkRows, getBulk, whenChecked } from '../../support/bulk-payments.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditRows } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

test('a file is paid from upload to report', async () => {
  const payer = await bulkPayer(kissi, bank, 100_000);
  const nurses = await wallets(bank, 20);
  const payment = await uploaded(kissi, payer, rowsTo(nurses));
  const approved = assertStatus(await approve(kissi, payer.approver, payment), 200).json.bulk_payment;
  assert.equal(approved.status, 'approved');
  const done = await whenEnded(kissi, payer.approver, payment);
  assert.deepEqual([done.paid_count, done.paid_amount, done.failed_count, done.progress], [20, 20_000, 0, 100]);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 80_000, held: 0 });
  for (const nurse of nurses) assert.equal(await bank.balance(nurse.id), 1_000);
  const rows = await bulkRows(kissi, payer.uploader, payment.id, '?status=paid');
  assert.equal(new Set(rows.map(({ transaction_id }) => transaction_id)).size, 20);
  const report = await kissi.call('GET', `/api/v1/bulk-payments/${payment.id}/report.csv`, { token: payer.uploader });
  assert.equal(
    assertStatus(report, 200)
      .text.split('\n')
      .filter((line) => line.includes(',paid,')).length,
    20,
  );
  const actions = (await auditRows(kissi, { resource_id: payment.id })).map(({ action }) => action);
  assert.ok(
    ['bulk_payment.create', 'bulk_payment.approve', 'bulk_payment.end'].every((each) => actions.includes(each)),
  );
});

test('a failed row has its exact reason, and the others are paid', async () => {
  const payer = await bulkPayer(kissi, bank, 100_000_000);
  const [blocked, full, fine] = [await bank.wallet(), await bank.wallet(49_999_500), await bank.wallet()];
  const payment = await uploaded(kissi, payer, rowsTo([blocked, full, fine]));
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Fraud' }), 200);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  const done = await whenEnded(kissi, payer.approver, payment);
  assert.deepEqual([done.paid_count, done.failed_count, done.paid_amount], [1, 2, 1_000]);
  const failed = await bulkRows(kissi, payer.uploader, payment.id, '?status=failed');
  assert.deepEqual(
    failed.map(({ reason }) => reason),
    ['RECIPIENT_UNAVAILABLE', 'MAX_BALANCE_EXCEEDED'],
  );
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 99_999_000, held: 0 });
});

test('the total is held at the approval, and only the rest can be spent', async () => {
  const payer = await bulkPayer(kissi, bank, 10_000);
  const [nurse, shop] = [await bank.wallet(), await bank.wallet()];
  const payment = await uploaded(kissi, payer, rowsTo([nurse], '60.00'));
  const starts_at = new Date(kissi.clock.now() + 86_400_000).toISOString();
  assertStatus(await approve(kissi, payer.approver, payment, { starts_at }), 200);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 10_000, held: 6_000 });
  const transfer = (amount: number) =>
    kissi.asAdmin.post(`/processors/${payer.merchant.id}/transfer`, { to_subscriber_id: shop.id, amount });
  assertRefused(await transfer(4_001), 402, 'INSUFFICIENT_BALANCE');
  assertStatus(await transfer(4_000), 200);
  const { json } = await kissi.call('GET', `/api/v1/holds?status=active`, { token: payer.uploader });
  assert.deepEqual(
    json.holds.map(({ purpose, reserved, remaining }: Record<string, unknown>) => [purpose, reserved, remaining]),
    [['bulk', 6_000, 6_000]],
  );
  kissi.clock.advance(86_400_000);
  await whenEnded(kissi, await loginOf(kissi, payer.merchant), payment);
  assert.equal(await bank.balance(nurse.id), 6_000);
});

test('a payer without the money is refused, and can approve later', async () => {
  const payer = await bulkPayer(kissi, bank, 500);
  const payment = await uploaded(kissi, payer, rowsTo(await wallets(bank, 1)));
  assertRefused(await approve(kissi, payer.approver, payment), 402, 'INSUFFICIENT_BALANCE');
  assert.equal((await getBulk(kissi, payer.approver, payment.id)).status, 'checked');
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 500, held: 0 });
});

describe('an approval is refused', () => {
  test('with another hash', async () => {
    const payer = await bulkPayer(kissi, bank, 5_000);
    const payment = await uploaded(kissi, payer, rowsTo(await wallets(bank, 1)));
    const file_sha256 = 'a'.repeat(64);
    assertRefused(await approve(kissi, payer.approver, payment, { file_sha256 }), 409, 'FILE_MISMATCH');
  });

  test('by the uploader, by staff and by another merchant', async () => {
    const [payer, other] = [await bulkPayer(kissi, bank, 5_000), await bulkPayer(kissi, bank, 0)];
    const payment = await uploaded(kissi, payer, rowsTo(await wallets(bank, 1)));
    assertRefused(await approve(kissi, payer.uploader, payment), 403, 'NOT_INDEPENDENT');
    assertRefused(await approve(kissi, await kissi.adminToken(), payment), 403, 'FORBIDDEN');
    assertRefused(await approve(kissi, other.approver, payment), 404, 'NOT_FOUND');
    assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 5_000, held: 0 });
  });

  test('with all_or_nothing if a row is invalid, or has become so', async () => {
    const payer = await bulkPayer(kissi, bank, 50_000);
    const nurses = await wallets(bank, 2);
    const none = [...rowsTo(nurses.slice(0, 1)), { phone: '+23276999999', amount: '10.00' }];
    const invalid = await uploaded(kissi, payer, none);
    const mode = { mode: 'all_or_nothing' };
    assertRefused(await approve(kissi, payer.approver, invalid, mode), 422, 'ROWS_INVALID');
    const payment = await uploaded(kissi, payer, rowsTo(nurses));
    assertStatus(await kissi.asAdmin.post(`/subscribers/${nurses[1]?.id}/block`, { reason: 'Fraud' }), 200);
    assertRefused(await approve(kissi, payer.approver, payment, mode), 422, 'ROWS_INVALID');
    assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 50_000, held: 0 });
  });

  test('if the rows were changed in the database', async () => {
    const payer = await bulkPayer(kissi, bank, 50_000);
    const payment = await uploaded(kissi, payer, rowsTo(await wallets(bank, 2)));
    await kissi.db.query('update bulk_payment_rows set amount = amount * 2 where bulk_payment_id = $1 and line = 2', [
      payment.id,
    ]);
    assertRefused(await approve(kissi, payer.approver, payment), 409, 'FILE_MISMATCH');
  });

  test('a second time', async () => {
    const payer = await bulkPayer(kissi, bank, 50_000);
    const payment = await uploaded(kissi, payer, rowsTo(await wallets(bank, 1)));
    const replies = await Promise.all([1, 2, 3].map(() => approve(kissi, payer.approver, payment)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
    await whenEnded(kissi, payer.approver, payment);
    assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 49_000, held: 0 });
  });
});

test('failed rows are retried in a new bulk payment, which pays only them', async () => {
  const payer = await bulkPayer(kissi, bank, 50_000);
  const [blocked, fine] = [await bank.wallet(), await bank.wallet()];
  const payment = await uploaded(kissi, payer, rowsTo([blocked, fine]));
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Checks' }), 200);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  await whenEnded(kissi, payer.approver, payment);
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/unblock`, { reason: 'Checked' }), 200);
  const retry = assertStatus(await change(kissi, payer.uploader, payment, 'retry-failed'), 200).json.bulk_payment;
  assert.deepEqual([retry.retry_of, retry.row_count], [payment.id, 1]);
  assertRefused(await change(kissi, payer.uploader, payment, 'retry-failed'), 409, 'BULK_PAYMENT_EXISTS');
  await whenChecked(kissi, payer.uploader, retry.id);
  assertRefused(await approve(kissi, payer.uploader, retry), 403, 'NOT_INDEPENDENT');
  assertStatus(await approve(kissi, payer.approver, retry), 200);
  await whenEnded(kissi, payer.approver, retry);
  assert.deepEqual([await bank.balance(blocked.id), await bank.balance(fine.id)], [1_000, 1_000]);
});

test('retries are look-ups too: they keep to the limit of rows that are checked and not paid', async () => {
  const payer = await bulkPayer(kissi, bank, 50_000);
  const [blocked, fine] = [await bank.wallet(), await bank.wallet()];
  const payment = await uploaded(kissi, payer, rowsTo([blocked, fine]));
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Checks' }), 200);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  await whenEnded(kissi, payer.approver, payment);
  const limits = `/admin/bulk-payment-limits/${payer.merchant.id}`;
  assertStatus(await kissi.asAdmin.put(limits, { unpaid_rows: 1 }), 200);
  const retry = assertStatus(await change(kissi, payer.uploader, payment, 'retry-failed'), 200).json.bulk_payment;
  assertStatus(await change(kissi, payer.uploader, retry, 'cancel'), 200);
  const again = await change(kissi, payer.uploader, payment, 'retry-failed');
  assert.equal(assertRefused(again, 422, 'BULK_ROW_LIMIT_EXCEEDED').json.allowed_rows, 0);
});

test('each row is reported once to the customer and counted once', async () => {
  const payer = await bulkPayer(kissi, bank, 50_000);
  const nurses = await wallets(bank, 5);
  const done = await paid(kissi, payer, rowsTo(nurses));
  const { rows } = await kissi.db.query(
    `select count(*)::int as n, count(distinct request_id)::int as ids from movements where details ->> 'bulk_payment_id' = $1`,
    [done.id],
  );
  assert.deepEqual(rows, [{ n: 5, ids: 5 }]);
});
