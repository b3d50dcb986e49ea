// Tests that the erasure of one customer leaves alone what belongs to others: a number that moved on, and payments of many.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { approve, bulkPayer, paid, rowsTo, uploaded, whenEnded } from '../../support/bulk-execution.ts';
import { bulkRows } from '../../support/bulk-payments.ts';
import { loginCode, startLogin, verify } from '../../support/customers.ts';
import { bankForFile, PIN, verifyPhone, type Wallet } from '../../support/money.ts';
import { ask, complianceUsers, erase, passRetention } from '../../support/privacy.ts';
import { assertRefused, assertStatus } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { PHONE_VERIFICATION: 'required' } });
const staff = await complianceUsers(kissi);

let strangers = 0;

/** Somebody who registered a number, and never entered the code that was sent to it. */
async function stranger(): Promise<Wallet> {
  const phone = `+23277${String(++strangers).padStart(6, '0')}`;
  const body = { phone_number: phone, first_name: 'Sorie', last_name: 'Koroma', pin: PIN };
  const reply = await kissi.call('POST', '/api/v1/public/subscribers', { body });
  return { id: assertStatus(reply, 201).json.subscriber_id, phone };
}

describe('a number that another customer has now', () => {
  test('keeps its messages, codes and rows of bulk payments', async () => {
    const before = await stranger();
    await passRetention(kissi);
    const holder = await holderOf(before);
    const payer = await bulkPayer(kissi, bank, 1_000_000);
    const payment = await paid(kissi, payer, rowsTo([{ phone: before.phone }]));
    const challenge = await startLogin(kissi, before.phone);
    const code = await loginCode(kissi, before.phone);
    const sent = await messagesTo(before.phone);
    assertStatus(await erase(kissi, staff, before.id), 200);
    assert.equal(await messagesTo(before.phone), sent);
    assertStatus(await verify(kissi, { challenge, code }), 200);
    const columns = 'phone_number, account_number, recipient_id';
    const found = await kissi.db.query(`select ${columns} from bulk_payment_rows where bulk_payment_id = $1`, [
      payment.id,
    ]);
    assert.deepEqual(found.rows, [{ phone_number: before.phone, account_number: null, recipient_id: holder.id }]);
  });

  /** Who registers the number next, and enters the code. */
  async function holderOf({ phone }: Wallet): Promise<Wallet> {
    const body = { phone_number: phone, first_name: 'Aminata', last_name: 'Kamara', pin: PIN };
    const { subscriber_id: id } = assertStatus(await kissi.asAdmin.post('/subscribers', body), 201).json;
    await verifyPhone(kissi, { id, phone });
    return { id, phone };
  }

  async function messagesTo(phone: string): Promise<number> {
    const { rows } = await kissi.db.query('select count(*)::int as count from messages where recipient = $1', [phone]);
    return rows[0].count;
  }
});

describe('a bulk payment that names the customer', () => {
  test('is paid to everybody else, and must have ended before the erasure', async () => {
    const wallet = await bank.wallet(0);
    await passRetention(kissi);
    const other = await bank.wallet(0);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Moved away' }), 200);
    const payer = await bulkPayer(kissi, bank, 1_000_000);
    const payment = await uploaded(kissi, payer, rowsTo([wallet, other]));
    const { json } = assertRefused(await ask(kissi, staff.one, wallet.id), 409, 'NOT_ERASABLE');
    assert.deepEqual(json.reasons, ['open_payment']);
    assertStatus(await approve(kissi, payer.approver, payment), 200);
    await whenEnded(kissi, payer.approver, payment);
    assert.equal(await bank.balance(other.id), 1_000);
    assertStatus(await erase(kissi, staff, wallet.id), 200);
    const rows = await bulkRows(kissi, payer.approver, payment.id);
    assert.deepEqual(
      rows.map(({ phone_number }) => phone_number),
      [null, other.phone],
    );
  });
});
