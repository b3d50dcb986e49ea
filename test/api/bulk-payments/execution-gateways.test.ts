// Several gateways and the races between them: each row is paid exactly once, and draws never exceed the hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import {
  accountOf,
  approve,
  bulkPayer,
  change,
  payDue,
  rowsTo,
  uploaded,
  wallets,
  whenEnded,
} from '../../support/bulk-execution.ts';
import { getBulk } from '../../support/bulk-payments.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { withLockContention } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile();
const ROWS = 500;
const nurses = await wallets(bank, ROWS);

async function approved(rows = rowsTo(nurses), balance = ROWS * 1_000) {
  const payer = await bulkPayer(kissi, bank, balance);
  const payment = await uploaded(kissi, payer, rows);
  const starts_at = new Date(kissi.clock.now() + MINUTE_MS).toISOString();
  assertStatus(await approve(kissi, payer.approver, payment, { starts_at }), 200);
  kissi.clock.advance(MINUTE_MS);
  return { payer, payment };
}

async function assertPaidOnce({ id }: Json, rows: number): Promise<void> {
  const { rows: found } = await kissi.db.query(
    `select count(*)::int as n, count(distinct details ->> 'line')::int as lines from movements
      where details ->> 'bulk_payment_id' = $1`,
    [id],
  );
  assert.deepEqual(found, [{ n: rows, lines: rows }]);
}

test('two gateways pay several bulk payments, and each row once', async () => {
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    const all = [await approved(), await approved(), await approved()];
    for (const { payment, payer } of all) {
      await waitFor('it is paid', async () => {
        await Promise.all([payDue(kissi), payDue(second)]);
        return (await getBulk(kissi, payer.uploader, payment.id)).status === 'completed';
      });
      await assertPaidOnce(payment, ROWS);
      assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 0, held: 0 });
    }
  } finally {
    await second.close();
  }
});

test('a gateway that lost its lease in the middle of a chunk and the one that goes on pay each row once', async () => {
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    const { payer, payment } = await approved();
    // The first waits with a chunk; the second takes the bulk payment over, and waits with the same rows.
    await withLockContention(kissi, {
      lock: `select from accounts where id = '${payer.merchant.id}' for update`,
      waiters: 2,
      begin: async () => {
        const first = payDue(kissi);
        await waitFor('a chunk is in work', async () => (await countRows(payment, 'paying')) > 0);
        kissi.clock.advance(11 * SECOND_MS);
        await Promise.all([first, payDue(second)]);
      },
    });
    await whenEnded(kissi, payer.uploader, payment);
    const done = await getBulk(kissi, payer.uploader, payment.id);
    assert.deepEqual([done.paid_count, done.paid_amount], [ROWS, ROWS * 1_000]);
    await assertPaidOnce(payment, ROWS);
    assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 0, held: 0 });
  } finally {
    await second.close();
  }
});

test('a payment of the merchant and the rows never take more than the balance together', async () => {
  const { payer, payment } = await approved(rowsTo(nurses.slice(0, 100)), 150_000);
  const shop = await bank.wallet();
  const transfer = (amount: number) =>
    kissi.asAdmin.post(`/processors/${payer.merchant.id}/transfer`, { to_subscriber_id: shop.id, amount });
  const paying = payDue(kissi);
  const replies = await Promise.all(Array.from({ length: 20 }, () => transfer(10_000)));
  await paying;
  await whenEnded(kissi, payer.uploader, payment);
  assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: 0, held: 0 });
});

test('a stop on one gateway and a chunk on another agree on every row', async () => {
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    for (let round = 0; round < 5; round++) {
      const { payer, payment } = await approved();
      const paying = Promise.all([payDue(kissi), payDue(second)]);
      await waitFor('it is running', async () => (await countRows(payment, 'paid')) > round * 100 || round === 0);
      const stop = await change(second, payer.uploader, payment, 'stop');
      await paying;
      // The last rows may be paid before the stop of a late round.
      const isLate = round > 0 && stop.status === 409 && stop.json.bulk_status === 'completed';
      if (!isLate) assertStatus(stop, 200);
      const done = await whenEnded(kissi, payer.uploader, payment, isLate ? 'completed' : 'stopped');
      await assertPaidOnce(payment, done.paid_count);
      assert.equal(done.paid_count + done.cancelled_count, ROWS);
      assert.deepEqual(await accountOf(kissi, payer.merchant), { balance: done.cancelled_amount, held: 0 });
    }
  } finally {
    await second.close();
  }
});

async function countRows({ id }: Json, status: string): Promise<number> {
  const text = 'select count(*)::int as n from bulk_payment_rows where bulk_payment_id = $1 and status = $2';
  return (await kissi.db.query(text, [id, status])).rows[0].n;
}
