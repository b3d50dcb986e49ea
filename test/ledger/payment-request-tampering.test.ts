// Tests that the verification finds payment requests, payments and ends that the owner of the database changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyBooks } from '../../src/app/verification.ts';
import { PAYMENT_REQUESTS } from '../../src/features/payment-requests/verification.ts';
import { DERIVED_TOTALS } from '../../src/payments/verification.ts';
import { assertStatus } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { confirm, decline, LAB, shopOf } from '../support/payment-requests.ts';
import { SECRETS } from '../support/secrets.ts';
import { checkAfter } from '../support/tampering.ts';
import { asOwner } from './books.ts';

const { kissi, bank } = await bankForFile({ env: LAB });
const shop = await shopOf(kissi);
const payer = await bank.wallet(1_000_000);
const paid = await shop.asked();
assertStatus(await confirm(kissi, paid.id, payer.id), 200);
const link = await shop.asked({ single_use: false });
const first = assertStatus(await confirm(kissi, link.id, payer.id), 200).json.transaction_id;
assertStatus(await confirm(kissi, link.id, payer.id), 200);
const declined = await shop.asked({ payer_phone: payer.phone });
assertStatus(await decline(kissi, declined.id, payer.id), 200);
const open = await shop.asked();
const expired = await shop.asked({ expires_in: 60 });
kissi.clock.advance(60_000);
await kissi.gateway.services.paymentRequests.expireDue();

const CASES: [string, string, string, typeof PAYMENT_REQUESTS][] = [
  ['nothing', '', '', PAYMENT_REQUESTS],
  [
    'a second payment of a request for one',
    `insert into payment_request_payments select 'txn_x', '${paid.id}', payer_id, amount, at, batch from payment_request_payments where request_id = '${paid.id}'`,
    'payment_request_paid_again',
    PAYMENT_REQUESTS,
  ],
  [
    'a link that becomes a request for one payment',
    `update payment_requests set single_use = true where id = '${link.id}'`,
    'payment_request_paid_again',
    PAYMENT_REQUESTS,
  ],
  [
    'a payment that is moved to another request',
    `update payment_request_payments set request_id = '${open.id}' where id = '${first}'`,
    'payment_request_paid_wrongly',
    PAYMENT_REQUESTS,
  ],
  [
    'a payment that is removed',
    `delete from payment_request_payments where id = '${first}'`,
    'payment_without_request',
    PAYMENT_REQUESTS,
  ],
  [
    'another amount',
    `update payment_requests set amount = 1 where id = '${paid.id}'`,
    'payment_request_paid_wrongly',
    PAYMENT_REQUESTS,
  ],
  [
    'an expiry before the payment',
    `update payment_requests set expires_at = created_at where id = '${paid.id}'`,
    'payment_request_paid_wrongly',
    PAYMENT_REQUESTS,
  ],
  [
    'an end that is removed',
    `delete from payment_request_ends where request_id = '${declined.id}'`,
    'allowance_differs',
    DERIVED_TOTALS,
  ],
  [
    'an expiry that was recorded too early',
    `update payment_requests set expires_at = expires_at + interval '1 day' where id = '${expired.id}'`,
    'payment_request_end_differs',
    PAYMENT_REQUESTS,
  ],
  [
    'a running total of payments that starts again',
    `update allowances set used = 0 where id = 'payments-of:${paid.id}'`,
    'allowance_differs',
    DERIVED_TOTALS,
  ],
  [
    'a running total that an end used',
    `delete from allowances where id = 'payments-of:${declined.id}'`,
    'allowance_differs',
    DERIVED_TOTALS,
  ],
];
for (const [what, tampering, rule, check] of CASES) {
  test(`the verification finds ${what}${rule === '' ? '' : `: ${rule}`}`, async () => {
    const findings = await checkAfter(kissi.db.url, check, tampering);
    assert.ok(rule === '' ? findings.broken.size === 0 : findings.broken.has(rule), [...findings.broken.keys()].join());
  });
}

test('the seals cover what was asked of whom', async () => {
  const describeAs = (text: string) =>
    asOwner(kissi.db.url, (client) =>
      client.query('update payment_requests set description = $2 where id = $1', [open.id, text]),
    );
  const broken = async () => (await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY)).broken.size;
  assert.equal(await broken(), 0);
  await describeAs('Another');
  assert.notEqual(await broken(), 0);
  await describeAs('Order 7');
  assert.equal(await broken(), 0);
});
