// Bulk payments that are stopped, cancelled or cannot go on: what was paid stays paid, and the rest is available again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import {
  accountOf,
  approve,
  bulkPayer,
  change,
  loginOf,
  payDue,
  rowsTo,
  uploaded,
  wallets,
  whenEnded,
} from '../../support/bulk-execution.ts';
import { bulkRows, getBulk } from '../../support/bulk-payments.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, withLockContention } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile();
const ROWS = 600;
const nurses = await wallets(bank, ROWS);

/** Approved, and nothing is paid before `begin`. */
async function approved() {
  const payer = await bulkPayer(kissi, bank, ROWS * 1_000);
  const payment = await uploaded(kissi, payer, rowsTo(nurses));
  const starts_at = new Date(kissi.clock.now() + MINUTE_MS).toISOString();
  assertStatus(await approve(kissi, payer.approver, payment, { starts_at }), 200);
  return { payer, payment };
}

const begin = () => kissi.clock.advance(MINUTE_MS);

/** Everything is accounted for, and each row was paid at most once. */
async function assertSettled({ merchant, uploader }: Json, payment: Json, balance: number): Promise<Json> {
  const done = await getBulk(kissi, uploader, payment.id);
  assert.equal(done.paid_count + done.cancelled_count + done.failed_count, ROWS);
  assert.deepEqual(await accountOf(kissi, merchant), { balance: balance - done.paid_amount, held: 0 });
  const { rows } = await kissi.db.query(
    `select count(*)::int as n, count(distinct details ->> 'line')::int as lines from movements
      where details ->> 'bulk_payment_id' = $1`,
    [payment.id],
  );
  assert.deepEqual(rows, [{ n: done.paid_count, lines: done.paid_count }]);
  return done;
}

test('a stop in the middle ends it: some rows are paid, the others cancelled', async () => {
  const { payer, payment } = await approved();
  begin();
  const paying = payDue(kissi);
  await waitFor('some rows are paid', async () => (await getBulk(kissi, payer.uploader, payment.id)).paid_count > 0);
  const stopped = assertStatus(await change(kissi, payer.uploader, payment, 'stop'), 200).json.bulk_payment;
  assert.equal(stopped.status, 'stopped');
  await paying;
  await whenEnded(kissi, payer.uploader, payment, 'stopped');
  const done = await assertSettled(payer, payment, ROWS * 1_000);
  assert.ok(done.cancelled_count > 0, 'some are cancelled');
  assertStatus(await change(kissi, payer.uploader, payment, 'stop'), 200);
  assertRefused(await approve(kissi, payer.approver, payment), 409, 'BULK_PAYMENT_STATE');
});

test('a stop that arrives while a chunk is being posted counts what that chunk paid', async () => {
  const { payer, payment } = await approved();
  // The payer's account is locked: the chunk waits with its draws, and the stop overtakes it.
  const lock = `select from accounts where id = '${payer.merchant.id}' for update`;
  begin();
  await withLockContention(kissi, {
    lock,
    waiters: 1,
    begin: async () => {
      const paying = payDue(kissi);
      const stopping = change(kissi, payer.uploader, payment, 'stop');
      await Promise.all([paying, stopping]);
    },
  });
  await whenEnded(kissi, payer.uploader, payment, 'stopped');
  await assertSettled(payer, payment, ROWS * 1_000);
});

test('one that waits for its time is cancelled, and its money is available at once', async () => {
  const { payer, payment } = await approved();
  assert.equal((await accountOf(kissi, payer.merchant)).held, ROWS * 1_000);
  await payDue(kissi);
  assert.equal((await getBulk(kissi, payer.uploader, payment.id)).paid_count, 0);
  const cancelled = assertStatus(await change(kissi, payer.uploader, payment, 'cancel'), 200).json.bulk_payment;
  assert.equal(cancelled.status, 'cancelled');
  await whenEnded(kissi, payer.uploader, payment, 'cancelled');
  assert.equal((await assertSettled(payer, payment, ROWS * 1_000)).cancelled_count, ROWS);
  assertRefused(await change(kissi, payer.uploader, payment, 'stop'), 409, 'BULK_PAYMENT_STATE');
});

test('a stop and a cancellation are for the payer alone', async () => {
  const { payer, payment } = await approved();
  const other = await bulkPayer(kissi, bank, 0);
  assertRefused(await change(kissi, other.uploader, payment, 'stop'), 404, 'NOT_FOUND');
  assertRefused(await change(kissi, other.uploader, payment, 'cancel'), 404, 'NOT_FOUND');
  assertStatus(await change(kissi, payer.approver, payment, 'stop'), 200);
  await whenEnded(kissi, payer.uploader, payment, 'stopped');
});

describe('what stops by itself', () => {
  test('a bulk payment whose payer is suspended before its time', async () => {
    const { payer, payment } = await approved();
    await kissi.asAdmin.post(`/processors/${payer.merchant.id}/suspend`, { reason: 'Fraud' });
    begin();
    const admin = await kissi.adminToken();
    const done = await whenEnded(kissi, admin, payment, 'stopped');
    assert.deepEqual([done.paid_count, done.cancelled_count], [0, ROWS]);
    assert.equal((await accountOf(kissi, payer.merchant)).held, 0);
  });

  test('a bulk payment whose hold is over before it starts', async () => {
    const { payer, payment } = await approved();
    kissi.clock.advance(8 * DAY_MS);
    const token = await loginOf(kissi, payer.merchant);
    const done = await whenEnded(kissi, token, payment, 'stopped');
    assert.equal(done.paid_count, 0);
    await waitFor('the hold has ended', async () => {
      await kissi.gateway.services.holdExpiry.run();
      return (await accountOf(kissi, payer.merchant)).held === 0;
    });
  });
});

test('rows of a gateway that was killed after it paid are not paid again', async () => {
  const { payer, payment } = await approved();
  begin();
  const token = payer.uploader;
  await whenEnded(kissi, token, payment);
  // As if nothing had been recorded after the commits of the ledger.
  await kissi.db.query(
    "update bulk_payment_rows set status = 'paying', transaction_id = null where bulk_payment_id = $1",
    [payment.id],
  );
  await kissi.db.query(
    `update bulk_payments set status = 'stopped', ended_at = null, paid_count = 0, paid_amount = 0 where id = $1`,
    [payment.id],
  );
  await whenEnded(kissi, token, payment, 'stopped');
  const done = await assertSettled(payer, payment, ROWS * 1_000);
  assert.equal(done.paid_count, ROWS);
  const rows = await bulkRows(kissi, token, payment.id, '?status=paid&limit=5');
  assert.ok(rows.every(({ transaction_id }) => transaction_id !== null));
});
