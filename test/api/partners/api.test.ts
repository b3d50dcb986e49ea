// Tests the partner API: signatures, access and the account status.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank, partnerHeaders, type SendOptions } from '../../support/partner.ts';
import { apiKey } from '../../support/staff.ts';

const MINUTE = 60_000;

const { kissi, bank } = await bankForFile();
const rokel = await partnerBank(kissi);

const asAdmin = async (path: string, body?: object, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });
const at = (offset: number) => new Date(kissi.clock.now() + offset).toISOString();

function assertRefused(reply: CallReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.json?.code], [status, code], reply.text);
  assert.equal(reply.json.success, false);
  assert.match(reply.json.error, /\.$/);
}

describe('the account status', () => {
  const status = (body: object, options?: SendOptions) => rokel.send('/account-status', body, options);

  test('tells whether an account exists and its status', async () => {
    const { id, phone } = await bank.wallet();
    const account = (await asAdmin(`/subscribers/${id}`, undefined, 'GET')).json.subscriber.account_number;
    const serial = await bank.card({ id, phone });
    const identifiers = [{ phone_number: phone }, { account_number: account }, { card_serial: serial.toLowerCase() }];
    for (const identifier of [...identifiers, { phone_number: `0${phone.slice(4)}` }]) {
      const reply = await status(identifier);
      assert.deepEqual([reply.status, reply.json], [200, { success: true, exists: true, status: 'active' }]);
    }
    await asAdmin(`/subscribers/${id}/block`, { reason: 'Lost' });
    for (const identifier of identifiers) {
      assert.deepEqual((await status(identifier)).json, { success: true, exists: true, status: 'blocked' });
    }
  });

  test('of an unknown account is exists: false, not an error', async () => {
    const stock = 'STOCK-0001';
    await kissi.call('POST', '/api/v1/cards/upload-csv', {
      raw: `serial\n${stock}\n`,
      headers: { 'content-type': 'text/csv' },
      token: await kissi.adminToken(),
    });
    const unknown = [{ phone_number: '+23299000000' }, { account_number: '0000000000' }, { card_serial: 'NONE-1' }];
    for (const identifier of [...unknown, { card_serial: stock }]) {
      const reply = await status(identifier);
      assert.deepEqual([reply.status, reply.json], [200, { success: true, exists: false, status: null }]);
    }
  });

  test('is pending for a pending account, and blocked for a blocked card of an active account', async () => {
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assert.equal((await status({ phone_number: pending.phone })).json.status, 'pending');
    const holder = await bank.wallet();
    const serial = await bank.card(holder);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assert.equal((await status({ card_serial: serial })).json.status, 'blocked');
    assert.equal((await status({ phone_number: holder.phone })).json.status, 'active');
  });

  test('requires exactly one valid identifier', async () => {
    const { phone } = await bank.wallet();
    const invalid: object[] = [{}, { phone_number: phone, account_number: '1234567897' }, { phone_number: 'call me' }];
    for (const body of [...invalid, { phone_number: 23276000001 }, { card_serial: '' }, { phone_number: null }]) {
      assertRefused(await status(body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await status({}, { raw: '' }), 400, 'INVALID_REQUEST');
    assertRefused(await status({}, { raw: '{"phone_number":' }), 400, 'INVALID_REQUEST');
    assertRefused(await status({}, { raw: '[]' }), 400, 'INVALID_REQUEST');
  });
});

describe('partner routes', () => {
  let phone: string;
  before(async () => {
    ({ phone } = await bank.wallet());
  });
  const call = (options?: SendOptions) => rokel.send('/account-status', { phone_number: phone }, options);

  test('accept timestamps within five minutes before and after the current time', async () => {
    for (const offset of [0, -5 * MINUTE, 5 * MINUTE])
      assert.equal((await call({ timestamp: at(offset) })).status, 200);
    for (const offset of [-5 * MINUTE - 1, 5 * MINUTE + 1, -24 * 60 * MINUTE]) {
      assertRefused(await call({ timestamp: at(offset) }), 401, 'EXPIRED_TIMESTAMP');
    }
    for (const timestamp of ['yesterday', String(kissi.clock.now()), '2026-02-30T12:00:00Z']) {
      assertRefused(await call({ timestamp }), 401, 'EXPIRED_TIMESTAMP');
    }
  });

  test('reject a signature with another secret, body, path or time', async () => {
    const { id } = rokel.key;
    assertRefused(await call({ key: { id, secret: 'wrong' } }), 401, 'INVALID_SIGNATURE');
    assertRefused(await call({ key: { id: 'key_unknown', secret: rokel.key.secret } }), 401, 'INVALID_SIGNATURE');
    for (const signature of ['', 'ab', 'z'.repeat(64), '0'.repeat(64)]) {
      assertStatus(await call({ headers: { 'x-signature': signature } }), 401);
    }
    const captured = signedHeaders('/account-status', { phone_number: phone });
    const post = (path: string, raw: string, headers = captured) =>
      kissi.call('POST', `/api/v1/partner${path}`, { raw, headers });
    const body = JSON.stringify({ phone_number: phone });
    assert.equal((await post('/account-status', body)).status, 200, 'unchanged');
    assertRefused(await post('/account-status', `${body} `), 401, 'INVALID_SIGNATURE');
    assertRefused(await post('/account-status?x=1', body), 401, 'INVALID_SIGNATURE');
    assertRefused(await post('/transaction-history', body), 401, 'INVALID_SIGNATURE');
    const later = { ...captured, 'x-timestamp': at(1) };
    assertRefused(await post('/account-status', body, later), 401, 'INVALID_SIGNATURE');
  });

  test('require every signature header and accept no bearer value', async () => {
    const captured = signedHeaders('/account-status', { phone_number: phone });
    const body = { phone_number: phone };
    for (const missing of Object.keys(captured)) {
      const headers = Object.fromEntries(Object.entries(captured).filter(([name]) => name !== missing));
      assertRefused(await kissi.call('POST', '/api/v1/partner/account-status', { body, headers }), 401, 'UNAUTHORIZED');
    }
    for (const token of [rokel.key.key, await kissi.adminToken()]) {
      assertRefused(await kissi.call('POST', '/api/v1/partner/account-status', { body, token }), 401, 'UNAUTHORIZED');
    }
  });

  test("reject an X-Partner-ID that is not the key's partner, and keys without a partner", async () => {
    const other = await partnerBank(kissi);
    assertRefused(await call({ partnerId: other.id }), 403, 'PARTNER_MISMATCH');
    assertRefused(await call({ partnerId: 'ptn_unknown' }), 403, 'PARTNER_MISMATCH');
    assertRefused(await call({ key: other.key }), 403, 'PARTNER_MISMATCH');
    const ownerless = await apiKey(kissi, ['payments:read', 'payments:write']);
    assertRefused(await call({ key: ownerless }), 403, 'FORBIDDEN');
  });

  test('reject suspended partners and revoked keys', async () => {
    const other = await partnerBank(kissi);
    const body = { phone_number: phone };
    assert.equal((await other.send('/account-status', body)).status, 200);
    await other.updatePartner({ status: 'suspended' });
    assertRefused(await other.send('/account-status', body), 403, 'PARTNER_SUSPENDED');
    assertRefused(await other.cashIn(body), 403, 'PARTNER_SUSPENDED');
    await other.updatePartner({ status: 'active' });
    assert.equal((await other.send('/account-status', body)).status, 200);
    await asAdmin(`/admin/api-keys/${other.key.id}`, undefined, 'DELETE');
    assertRefused(await other.send('/account-status', body), 401, 'UNAUTHORIZED');
  });

  test("accept only addresses in the partner's ip_allowlist, if it has one", async () => {
    const other = await partnerBank(kissi, { fields: { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] } });
    assertRefused(await other.send('/account-status', { phone_number: phone }), 403, 'IP_NOT_ALLOWED');
    assertRefused(await other.cashIn({ phone_number: phone }), 403, 'IP_NOT_ALLOWED');
    assertRefused(await other.history(), 403, 'IP_NOT_ALLOWED');
    const forged = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    assertRefused(await other.history({}, forged), 403, 'IP_NOT_ALLOWED');
    await other.updatePartner({ ip_allowlist: ['127.0.0.0/8', '::1'] });
    assert.equal((await other.history()).status, 200);
  });

  test('require payments:read to read and payments:write to credit', async () => {
    const reader = await partnerBank(kissi, { scopes: ['payments:read'] });
    const writer = await partnerBank(kissi, { scopes: ['payments:write'] });
    const body = { phone_number: phone };
    assert.equal((await reader.send('/account-status', body)).status, 200);
    assert.equal((await reader.history()).status, 200);
    assertRefused(await reader.cashIn(body), 403, 'FORBIDDEN');
    assert.equal((await writer.cashIn(body)).status, 200);
    assertRefused(await writer.send('/account-status', body), 403, 'FORBIDDEN');
    assertRefused(await writer.history(), 403, 'FORBIDDEN');
  });

  test("count against the key's rate limit", async () => {
    const reply = await call();
    assert.ok(Number(reply.headers.get('x-ratelimit-limit')) > 0);
  });

  function signedHeaders(path: string, body: object): Record<string, string> {
    const signed = { method: 'POST', path: `/api/v1/partner${path}`, at: at(0), body: JSON.stringify(body) };
    return partnerHeaders(rokel.key, rokel.id, signed);
  }
});
