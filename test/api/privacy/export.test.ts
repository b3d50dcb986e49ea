// Tests the export of personal data: what the file has and leaves out, who may have it, and that it is audited.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { complianceUsers, IDENTITY, now, PRIVACY_ENV, storedEverywhere } from '../../support/privacy.ts';
import { assertRefused, assertStatus, auditRows, type Staff } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: PRIVACY_ENV });
const staff = await complianceUsers(kissi);

async function exported(member: Staff, id: string) {
  const { token } = await now(kissi, member);
  return kissi.call('GET', `/api/v1/subscribers/${id}/personal-data`, { token });
}

test('the file has the record, cards, devices, cases and every payment, and is audited with its digest', async () => {
  const { wallet } = await storedEverywhere(kissi, bank, staff);
  const reply = assertStatus(await exported(staff.one, wallet.id), 200);
  assert.equal(
    reply.headers.get('content-disposition'),
    `attachment; filename="kissi-personal-data-${wallet.id}.json"`,
  );
  const data = reply.json;
  const { id_number, address, selfie_url, phone_number } = data.subscriber;
  assert.deepEqual(
    [id_number.slice(0, -1), address, selfie_url, phone_number],
    [IDENTITY.id_number, IDENTITY.address, IDENTITY.selfie_url, wallet.phone],
  );
  assert.equal(data.devices.length, 1);
  assert.match(data.cards[0].label, /Quillfeather/);
  assert.match(data.cases[0].description, /Quillfeather/);
  assert.equal(data.notifications.language, 'kri');
  const { json } = await kissi.asAdmin.get(`/transactions?subscriber_id=${wallet.id}`);
  assert.deepEqual(
    data.transactions.map((each: Json) => each.transaction_id),
    json.transactions.map((each: Json) => each.transaction_id),
  );
  const [entry] = await auditRows(kissi, { action: 'subscriber.export', resource_id: wallet.id });
  assert.deepEqual([entry.actor_id, entry.details.sha256], [staff.one.id, sha256(reply.text)]);
});

test('the file has no alerts, notes of staff, and names or ids of other customers', async () => {
  const { wallet } = await storedEverywhere(kissi, bank, staff);
  const { text } = assertStatus(await exported(staff.one, wallet.id), 200);
  for (const word of ['Asked by', 'Spoke to', 'Foday', 'Sesay', 'alert']) assert.ok(!text.includes(word), word);
  const ids = new Set(text.match(/sub_[0-9A-Z]{26}/g));
  assert.deepEqual([...ids], [wallet.id]);
});

test('a history of several pages is whole', async () => {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet(0)];
  for (let count = 0; count < 120; count++) {
    const transfer = { sender_id: from.id, recipient_id: to.id, amount: 10, pin: PIN, request_id: `many-${count}` };
    assertStatus(await bank.post('/wallet/transfer', transfer), 200);
  }
  const { transactions } = assertStatus(await exported(staff.one, to.id), 200).json;
  assert.equal(new Set(transactions.map((each: Json) => each.transaction_id)).size, 120);
});

test('only compliance exports, and a politically exposed person only with access to the record', async () => {
  const wallet = await bank.wallet(0);
  assertRefused(await exported(staff.support, wallet.id), 403, 'FORBIDDEN');
  assertRefused(await exported(staff.one, 'sub_none'), 404, 'NOT_FOUND');
  await markPep(kissi, wallet.id);
  assertRefused(await exported(staff.one, wallet.id), 403, 'PEP_ACCESS_REQUIRED');
  const authorized = await newAuthorizedStaff(kissi, 'compliance_user');
  const read = () => kissi.call('GET', `/api/v1/subscribers/${wallet.id}/personal-data`, { token: authorized.token });
  assertRefused(await read(), 403, 'PEP_ACCESS_REQUIRED');
  await openAccess(kissi, authorized);
  assert.equal(assertStatus(await read(), 200).json.subscriber.is_pep, true);
  const erase = { token: authorized.token, body: { reason: 'Letter' } };
  const asked = await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/erase`, erase);
  assertRefused(asked, 409, 'NOT_ERASABLE');
  const { token } = await now(kissi, staff.two);
  const unseen = await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/erase`, { ...erase, token });
  assertRefused(unseen, 403, 'PEP_ACCESS_REQUIRED');
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
