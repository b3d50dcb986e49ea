// Tests that a key of a partner or processor reads its owner's data only, and is rejected while the owner is suspended.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCOPES, type Scope } from '../../../src/auth/roles.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { newReference, type TestBank, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerHeaders } from '../../support/partner.ts';
import { assertRefused, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, type TestKey } from '../../support/staff.ts';
import { sendSigned } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet(1_000_000);
const card = await bank.card(customer);
/** Scopes that only keys without an owner may have. */
const OPERATOR_ONLY: readonly string[] = [
  'agents:write',
  'processors:write',
  'compliance:read',
  'compliance:write',
  'audit:read',
];
const partnerScopes: Scope[] = ['payments:read', 'payments:write', 'inbound:read', 'inbound:write'];
const [rokel, union] = [await testBank(kissi, {}, partnerScopes), await testBank(kissi, {}, partnerScopes)];
const merchant = await newMerchant(kissi);
const ownedScopes = SCOPES.filter((scope) => !OPERATOR_ONLY.includes(scope));
const partnerKey = await apiKey(kissi, ownedScopes, { partner_id: rokel.partnerId, bearer: true });
const processorKey = await apiKey(
  kissi,
  ownedScopes.filter((scope) => !scope.startsWith('inbound:')),
  { processor_id: merchant.id, bearer: true },
);

const get = (key: TestKey, path: string) => kissi.call('GET', `/api/v1${path}`, { token: key.key });

async function credit(from: TestBank): Promise<string> {
  const body = {
    reference: newReference(),
    amount: 700,
    msisdn: customer.phone,
    narration: `Salary by ${from.partnerId}`,
  };
  return assertStatus(await from.credit(body), 200).json.data.transaction_id;
}

describe("a partner's key on GET /transactions", async () => {
  const [own, foreign] = [[await credit(rokel), await credit(rokel)], await credit(union)];
  const ids = ({ json }: CallReply): string[] => json.transactions.map(({ transaction_id }: Json) => transaction_id);

  for (const query of ['', '?type=inbound_credit', '?limit=100', '?status=COMPLETED', '?from=2020-01-01']) {
    test(`sees its own clearing account only, with the query ${query || '(none)'}`, async () => {
      const reply = assertStatus(await get(partnerKey, `/transactions${query}`), 200);
      assert.deepEqual(ids(reply), own.toReversed());
      assert.equal(reply.json.total_count, own.length);
      assert.ok(!reply.text.includes(union.partnerId) && !reply.text.includes(foreign));
    });
  }

  test('pages by offset and cursor within its own account, even with a cursor from another list', async () => {
    const first = await get(partnerKey, '/transactions?limit=1');
    const byCursor = await get(partnerKey, `/transactions?limit=1&cursor=${first.json.next_cursor}`);
    const byOffset = await get(partnerKey, '/transactions?limit=1&offset=1');
    assert.deepEqual([ids(first), ids(byCursor), ids(byOffset)], [[own[1]], [own[0]], [own[0]]]);
    const token = await kissi.adminToken();
    const all = await kissi.call('GET', '/api/v1/transactions?limit=1', { token });
    assertRefused(await get(partnerKey, `/transactions?cursor=${all.json.next_cursor}`), 400, 'INVALID_REQUEST');
    const wallet = await kissi.call('GET', `/api/v1/transactions?limit=1&subscriber_id=${customer.id}`, { token });
    const replayed = await get(partnerKey, `/transactions?cursor=${wallet.json.next_cursor}`);
    assert.deepEqual(
      ids(replayed).filter((id) => !own.includes(id)),
      [],
    );
  });

  test('gets 403 for a subscriber, known or unknown', async () => {
    for (const id of [customer.id, 'sub_unknown']) {
      assertRefused(await get(partnerKey, `/transactions?subscriber_id=${id}`), 403, 'FORBIDDEN', id);
    }
  });
});

test("a processor's key verifies the card that is presented", async () => {
  const reply = await sendSigned(kissi, '/api/v1/pos/verify-card', { card_serial: card }, { key: processorKey });
  assert.deepEqual([reply.status, reply.json.valid, reply.json.holder_name], [200, true, 'Aminata K.']);
});

describe('while its owner is suspended', () => {
  const asAdmin = async (method: string, path: string, body: object) => {
    assertStatus(await kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() }), 200);
  };

  test("a processor's key is rejected with 403 PROCESSOR_SUSPENDED, as bearer value and as signature", async () => {
    const owner = await newMerchant(kissi);
    const key = await apiKey(kissi, ['payments:read', 'payments:write', 'cards:read'], {
      processor_id: owner.id,
      bearer: true,
    });
    const verify = () => sendSigned(kissi, '/api/v1/pos/verify-card', { card_serial: card }, { key });
    assert.equal((await get(key, '/transactions')).status, 200);
    await asAdmin('POST', `/processors/${owner.id}/suspend`, { reason: 'Fraud' });
    for (const path of ['/transactions', '/processors', `/processors/${owner.id}`, '/cards', '/admin/users']) {
      assertRefused(await get(key, path), 403, 'PROCESSOR_SUSPENDED', path);
    }
    assertRefused(await verify(), 403, 'PROCESSOR_SUSPENDED');
    const forged = await sendSigned(kissi, '/api/v1/pos/verify-card', {}, { key: { ...key, secret: 'wrong' } });
    assertRefused(forged, 401, 'INVALID_SIGNATURE');
    await asAdmin('POST', `/processors/${owner.id}/reactivate`, {});
    assert.equal((await get(key, '/transactions')).status, 200);
    assert.equal((await verify()).status, 200);
  });

  test("a partner's key is rejected with 403 PARTNER_SUSPENDED, as bearer value and in every signature scheme", async () => {
    const owner = await testBank(kissi, {}, partnerScopes);
    const key = await apiKey(kissi, partnerScopes, { partner_id: owner.partnerId, bearer: true });
    await owner.updatePartner({ status: 'suspended' });
    assertRefused(await get(key, '/transactions'), 403, 'PARTNER_SUSPENDED');
    assertRefused(await owner.enquire({ msisdn: customer.phone }, { key }), 403, 'PARTNER_SUSPENDED');
    assertRefused(
      await owner.credit({ reference: newReference(), amount: 1, msisdn: customer.phone }, { key }),
      403,
      'PARTNER_SUSPENDED',
    );
    const path = '/api/v1/partner/account-status';
    const body = JSON.stringify({ phone_number: customer.phone });
    const signed = { method: 'POST', path, body, at: new Date(kissi.clock.now()).toISOString() };
    const headers = partnerHeaders(key, owner.partnerId, signed);
    assertRefused(await kissi.call('POST', path, { raw: body, headers }), 403, 'PARTNER_SUSPENDED');
    const forged = await owner.enquire({ msisdn: customer.phone }, { key: { ...key, secret: 'wrong' } });
    assertRefused(forged, 401, 'INVALID_SIGNATURE');
    await owner.updatePartner({ status: 'active' });
    assert.equal((await owner.enquire({ msisdn: customer.phone }, { key })).status, 200);
  });

  test("a processor's users can only read, and change their own password", async () => {
    const owner = await newMerchant(kissi);
    const token = await merchantToken(kissi, owner);
    await asAdmin('POST', `/processors/${owner.id}/suspend`, { reason: 'Fraud' });
    for (const path of ['/admin/me', '/processors', `/processors/${owner.id}`, '/transactions']) {
      assert.equal((await kissi.call('GET', `/api/v1${path}`, { token })).status, 200, path);
    }
    const body = { to_processor_id: merchant.id, amount: 1 };
    const transfer = await kissi.call('POST', `/api/v1/processors/${owner.id}/transfer`, { token, body });
    assertRefused(transfer, 403, 'PROCESSOR_SUSPENDED');
    // A leaked password can still be changed.
    const change = { current_password: 'x', new_password: 'Another-Word-1' };
    const changed = await kissi.call('POST', '/api/v1/admin/change-password', { token, body: change });
    assertRefused(changed, 401, 'UNAUTHORIZED');
    // A route that the role cannot call stays FORBIDDEN.
    assertRefused(await kissi.call('POST', '/api/v1/processors', { token, body: {} }), 403, 'FORBIDDEN');
    await asAdmin('POST', `/processors/${owner.id}/reactivate`, {});
    const again = await kissi.call('POST', `/api/v1/processors/${owner.id}/transfer`, { token, body });
    assert.notEqual(again.json.code, 'PROCESSOR_SUSPENDED');
  });
});
