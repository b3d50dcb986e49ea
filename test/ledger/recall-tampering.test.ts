// Tests that the verification finds recalls, holds and movements of recalls that the owner of the database changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyBooks } from '../../src/app/verification.ts';
import { RECALLS } from '../../src/features/cases/recalls/verification.ts';
import { HOLD_TOTALS } from '../../src/ledger/verification/holds.ts';
import { DERIVED_TOTALS } from '../../src/payments/verification.ts';
import { decide, pendingOf, user } from '../support/approvals.ts';
import { accept, newRequestId, recalled, strangers, transferTo } from '../support/cases.ts';
import { assertStatus } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { SECRETS } from '../support/secrets.ts';
import { openSession } from '../support/staff.ts';
import { checkAfter } from '../support/tampering.ts';
import { asOwner } from './books.ts';

const { kissi, bank } = await bankForFile();
const [one, two] = [await user(kissi, 'compliance_user'), await user(kissi, 'compliance_user')];

const [sender, recipient] = await strangers(kissi, bank);
const transfer = await transferTo(sender, recipient.wallet.phone, 7_000);
const { id } = await recalled(sender, transfer);
const returned = assertStatus(await accept(recipient, id), 200).json.transaction_id;

const [other, asked] = await strangers(kissi, bank);
const open = await recalled(other, await transferTo(other, asked.wallet.phone, 9_000));

const [third, ordered] = await strangers(kissi, bank);
const byOrder = await recalled(third, await transferTo(third, ordered.wallet.phone, 4_000));
const body = { order_reference: 'HC 1', reason: 'Return', amount: 4_000, request_id: newRequestId() };
const { token } = await openSession(kissi, one);
const request = pendingOf(await kissi.call('POST', `/api/v1/cases/${byOrder.id}/legal-order`, { token, body }));
assertStatus(await decide(kissi, request.id, 'approve', (await openSession(kissi, two)) as { token: string }), 200);

const CASES: [string, string, string, typeof RECALLS][] = [
  ['nothing', '', '', RECALLS],
  [
    'a recall that names another transfer',
    `update movements set related_id = (select transfer_id from recalls where case_id = '${open.id}') where id = '${returned}'`,
    'recall_of_another_transfer',
    RECALLS,
  ],
  [
    'a recall to another wallet',
    `update movements set to_account = '${other.wallet.id}' where id = '${returned}'`,
    'recall_of_another_transfer',
    RECALLS,
  ],
  [
    'a recall that a user made alone',
    `update movements set actor_type = 'user', actor_id = '${one.id}' where id = '${returned}'`,
    'recall_without_consent',
    RECALLS,
  ],
  [
    'an order without its approval',
    `update approvals set decided_by = requested_by where id = '${request.id}'`,
    'recall_without_consent',
    RECALLS,
  ],
  [
    'more than the transfer',
    `update movements set amount = 8000 where id = '${returned}'`,
    'recall_exceeds_transfer',
    RECALLS,
  ],
  [
    'a hold for more than the transfer',
    `update holds set amount = 10000, reserved = 10000 where details ->> 'case_id' = '${open.id}'`,
    'recall_hold_differs',
    RECALLS,
  ],
  [
    'a hold of another purpose',
    `update holds set purpose = 'card_payment' where details ->> 'case_id' = '${open.id}'`,
    'recall_hold_differs',
    RECALLS,
  ],
  [
    'a case that names another recipient',
    `update recalls set recipient_id = '${other.wallet.id}' where case_id = '${open.id}'`,
    'recall_differs',
    RECALLS,
  ],
  [
    'a recall that was never returned',
    `update recalls set state = 'returned', settled_at = now() where case_id = '${open.id}'`,
    'recall_differs',
    RECALLS,
  ],
  [
    'a running total that starts again',
    `update allowances set used = 0 where id = 'recall:${transfer}'`,
    'allowance_differs',
    DERIVED_TOTALS,
  ],
  [
    'an end of the hold that is removed',
    `delete from hold_ends where id = '${returned}'`,
    'capture_without_hold',
    HOLD_TOTALS,
  ],
];
for (const [what, tampering, rule, check] of CASES) {
  test(`the verification finds ${what}${rule === '' ? '' : `: ${rule}`}`, async () => {
    const findings = await checkAfter(kissi.db.url, check, tampering);
    assert.ok(rule === '' ? findings.broken.size === 0 : findings.broken.has(rule), [...findings.broken.keys()].join());
  });
}

test('the seals cover what is held for whom', async () => {
  const setCase = (caseId: string) =>
    asOwner(kissi.db.url, (client) =>
      client.query(
        `update holds set details = jsonb_set(details::jsonb, '{note}', to_jsonb($2::text))::json
          where details ->> 'case_id' = $1`,
        [open.id, caseId],
      ),
    );
  const broken = async () => (await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY)).broken.size;
  assert.equal(await broken(), 0);
  await setCase('x');
  assert.notEqual(await broken(), 0);
  await asOwner(kissi.db.url, (client) =>
    client.query(`update holds set details = (details::jsonb - 'note')::json where details ->> 'case_id' = $1`, [
      open.id,
    ]),
  );
  assert.equal(await broken(), 0);
});
