// Tests that staff without access to politically exposed persons find nothing of their requests and payments, and the merchant all of its own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { confirm, LAB, shopOf } from '../../support/payment-requests.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { apiKey, assertRefused, auditRows, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: LAB });
const shop = await shopOf(kissi);
const pep = await bank.wallet(100_000);
const payer = await bank.wallet(100_000);
const paid = await shop.asked();
assertStatus(await confirm(kissi, paid.id, pep.id), 200);
const addressed = await shop.asked({ payer_phone: pep.phone });
const link = await shop.asked({ single_use: false });
for (const { id } of [pep, payer]) assertStatus(await confirm(kissi, link.id, id), 200);
const body = { subscriber_id: pep.id, amount: 700, description: 'Lunch' };
const own = assertStatus(await kissi.asAdmin.post('/admin/lab/payment-requests', body), 201).json.payment_request;
const plain = await shop.asked();
await markPep(kissi, pep.id);
const open = await newAuthorizedStaff(kissi, 'support_user');
await openAccess(kissi, open);
const support = await staffToken(kissi, 'support_user');
const key = (await apiKey(kissi, ['payments:read', 'payments:write'])).key;

const get = (path: string, token: string) => kissi.call('GET', `/api/v1/payment-requests${path}`, { token });
const ids = async (token: string, query = '') =>
  assertStatus(await get(query, token), 200).json.payment_requests.map(({ id }: { id: string }) => id);

describe('without access', () => {
  test('lists and counts leave out what the person asked, was asked and paid', async () => {
    for (const token of [support, key]) {
      assert.deepEqual(await ids(token), [plain.id, link.id]);
      assert.equal((await get('', token)).json.total_count, 2);
      assert.deepEqual(await ids(token, `?payer_phone=${encodeURIComponent(pep.phone)}`), []);
      assert.deepEqual(await ids(token, `?subscriber_id=${pep.id}`), []);
    }
  });

  test('a request of the person is not found, and cannot be cancelled', async () => {
    for (const { id } of [paid, addressed, own]) {
      assertRefused(await get(`/${id}`, support), 404, 'NOT_FOUND');
      assertRefused(await get(`/${id}`, key), 404, 'NOT_FOUND');
      const cancelled = await kissi.call('POST', `/api/v1/payment-requests/${id}/cancel`, { token: support });
      assertRefused(cancelled, 404, 'NOT_FOUND');
    }
    assert.equal((await shop.read(addressed.id)).status, 'open');
  });

  test('who asks a number sees the request, whoever has the number: its absence would tell', async () => {
    const { merchant } = await shopOf(kissi);
    for (const payer_phone of [pep.phone, payer.phone, '+23299000002']) {
      const asked = { processor_id: merchant.id, amount: 5, description: 'Asked', payer_phone };
      const made = await kissi.call('POST', '/api/v1/payment-requests', { body: asked, token: support });
      const { id } = assertStatus(made, 201).json.payment_request;
      assertStatus(await get(`/${id}`, support), 200);
      assert.deepEqual(await ids(support, `?payer_phone=${encodeURIComponent(payer_phone)}`), [id]);
      const end = await kissi.call('POST', `/api/v1/payment-requests/${id}/cancel`, { token: support });
      assertStatus(end, 200);
    }
  });

  test('a link that many pay shows the payments of the others', async () => {
    const { json } = assertStatus(await get(`/${link.id}`, support), 200);
    assert.equal(json.payment_request.transaction_ids.length, 1);
  });

  test('the lab does not pay for the person', async () => {
    assertRefused(await confirm(kissi, plain.id, pep.id), 403, 'PEP_ACCESS_REQUIRED');
  });
});

test('with access everything is there, and the access is audited', async () => {
  assert.deepEqual((await ids(open.token)).slice(-5), [plain.id, own.id, link.id, addressed.id, paid.id]);
  const before = (await auditRows(kissi, { actor_id: open.id, action: 'pep.access', resource_id: pep.id })).length;
  assert.ok(before > 0);
  assertStatus(await get(`/${paid.id}`, open.token), 200);
  const after = await auditRows(kissi, { actor_id: open.id, action: 'pep.access', resource_id: pep.id });
  assert.equal(after.length, before + 1);
});

test('the merchant sees all of its requests and their transaction ids', async () => {
  const { json } = assertStatus(await shop.send('GET', '/payment-requests'), 200);
  assert.equal(json.total_count, 4);
  assert.equal((await shop.read(paid.id)).transaction_ids.length, 1);
  assert.equal((await shop.read(link.id)).transaction_ids.length, 2);
});
