// What one insider does to hide a phone number change from the people who decide on the PIN reset.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../../src/audit/log.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { bankForFile } from '../../support/money.ts';
import { requestPinReset } from '../../support/pin-reset.ts';
import { apiKey, assertRefused, assertStatus, createdByAdmin, openSession } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const EDITOR: Actor = { caller: { kind: 'service', id: 'test' }, ip: '', requestId: 'test' };
const put = (id: string, { token }: { token: string }, body: object) =>
  kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body });

/** Edits of the record in one transaction, each with its audit entry. */
async function editOften(id: string, times: number): Promise<void> {
  const { update } = kissi.gateway.services.subscribers;
  await kissi.db.database.transact(async (trx) => {
    for (let n = 0; n < times; n++) {
      const run = await update.plan(EDITOR, { params: { id }, body: { address: `${n} Kissy Road` } });
      assert.ok(!(run instanceof Refusal) && !((await run(trx)) instanceof Refusal));
    }
  });
}

test('500 later edits do not push a new number out of the changes that the approver of a PIN reset sees', async () => {
  const [insider, requester, approver] = [
    await user(kissi, 'support_user'),
    await user(kissi, 'support_user'),
    await user(kissi, 'support_user'),
  ];
  const wallet = await bank.wallet();
  assert.equal((await put(wallet.id, insider, { phone_number: '+23276700002' })).status, 200);
  await editOften(wallet.id, 501);
  await setPolicy(kissi, 'pin.reset', { enabled: true });
  const { id } = pendingOf(await requestPinReset(kissi, 'subscribers', wallet.id, requester.token));
  const { recent_changes: changes } = await getApproval(kissi, id, approver);
  assert.deepEqual(changes[0].fields, ['address']);
  const { fields, by } = changes.at(-1);
  assert.deepEqual([changes.length, fields, by], [501, ['phone_number'], insider.id]);
  const listed = changes.filter((change: { fields: string[] }) => change.fields.includes('phone_number'));
  assert.equal(listed.length, 1);
  await setPolicy(kissi, 'pin.reset', { enabled: false });
});

test('a user who rotated the API key that changed a number does not reset the PIN, as its creator does not', async () => {
  const { id } = await apiKey(kissi, ['subscribers:write']);
  const [rotator, other] = [await user(kissi, 'system_admin'), await user(kissi, 'support_user')];
  const rotated = await kissi.call('POST', `/api/v1/admin/api-keys/${id}/rotate`, { token: rotator.token });
  assert.equal(rotated.status, 200, rotated.text);
  const wallet = await bank.wallet();
  assertStatus(await put(wallet.id, { token: rotated.json.key }, { phone_number: '+23276700003' }), 200);
  assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, rotator.token), 403, 'FORBIDDEN');
  assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id), 403, 'FORBIDDEN');
  assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, other.token)).status, 200);
});

test('nor does a login that the user made, nor the user who made the login', async () => {
  const wallet = await bank.wallet();
  const staff = await createdByAdmin(kissi, 'support_user');
  const puppet = { ...staff, token: (await openSession(kissi, staff)).token };
  const admin = { token: await kissi.adminToken() };
  assert.equal((await put(wallet.id, admin, { phone_number: '+23276700004' })).status, 200);
  assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, puppet.token), 403, 'FORBIDDEN');
  // A creation counts for good.
  kissi.clock.advance(31 * DAY_MS);
  puppet.token = (await openSession(kissi, staff)).token;
  assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, puppet.token), 403, 'FORBIDDEN');
  const other = await bank.wallet();
  assert.equal((await put(other.id, puppet, { phone_number: '+23276700005' })).status, 200);
  assertRefused(await requestPinReset(kissi, 'subscribers', other.id), 403, 'FORBIDDEN');
  const independent = await user(kissi, 'support_user');
  for (const { id } of [wallet, other]) {
    assert.equal((await requestPinReset(kissi, 'subscribers', id, independent.token)).status, 200);
  }
});
