// The routes that partners sign for: whose they are, who may, and what they tell of accounts.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { CallReply } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { partnerBank, partnerHeaders, type SendOptions } from '../support/partner.ts';
import { apiKey } from '../support/staff.ts';

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

  test('says whether an account exists and how it stands', async () => {
    const { id, phone } = await bank.wallet();
    const account = (await asAdmin(`/subscribers/${id}`, undefined, 'GET')).json.subscriber.account_number;
    const serial = await bank.card({ id, phone });
    const ways = [{ phone_number: phone }, { account_number: account }, { card_serial: serial.toLowerCase() }];
    for (const way of [...ways, { phone_number: `0${phone.slice(4)}` }]) {
      const reply = await status(way);
      assert.deepEqual([reply.status, reply.json], [200, { success: true, exists: true, status: 'active' }]);
    }
    await asAdmin(`/subscribers/${id}/block`, { reason: 'Lost' });
    for (const way of ways) {
      assert.deepEqual((await status(way)).json, { success: true, exists: true, status: 'blocked' });
    }
  });

  test('of nobody is no refusal', async () => {
    const stock = 'STOCK-0001';
    await kissi.call('POST', '/api/v1/cards/upload-csv', {
      raw: `serial\n${stock}\n`,
      headers: { 'content-type': 'text/csv' },
      token: await kissi.adminToken(),
    });
    const nobody = [{ phone_number: '+23299000000' }, { account_number: '0000000000' }, { card_serial: 'NONE-1' }];
    for (const way of [...nobody, { card_serial: stock }]) {
      const reply = await status(way);
      assert.deepEqual([reply.status, reply.json], [200, { success: true, exists: false, status: null }]);
    }
  });

  test('of a pending account, and of a card that alone is blocked, is not active', async () => {
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assert.equal((await status({ phone_number: pending.phone })).json.status, 'pending');
    const holder = await bank.wallet();
    const serial = await bank.card(holder);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assert.equal((await status({ card_serial: serial })).json.status, 'blocked');
    assert.equal((await status({ phone_number: holder.phone })).json.status, 'active');
  });

  test('is asked for in exactly one way', async () => {
    const { phone } = await bank.wallet();
    const none: object[] = [{}, { phone_number: phone, account_number: '1234567897' }, { phone_number: 'call me' }];
    for (const body of [...none, { phone_number: 23276000001 }, { card_serial: '' }, { phone_number: null }]) {
      assertRefused(await status(body), 400, 'INVALID_REQUEST');
    }
    assertRefused(await status({}, { raw: '' }), 400, 'INVALID_REQUEST');
    assertRefused(await status({}, { raw: '{"phone_number":' }), 400, 'INVALID_REQUEST');
    assertRefused(await status({}, { raw: '[]' }), 400, 'INVALID_REQUEST');
  });
});

describe('a partner route', () => {
  let phone: string;
  before(async () => {
    ({ phone } = await bank.wallet());
  });
  const ask = (options?: SendOptions) => rokel.send('/account-status', { phone_number: phone }, options);

  test('takes what is signed within five minutes, either way', async () => {
    for (const offset of [0, -5 * MINUTE, 5 * MINUTE]) assert.equal((await ask({ timestamp: at(offset) })).status, 200);
    for (const offset of [-5 * MINUTE - 1, 5 * MINUTE + 1, -24 * 60 * MINUTE]) {
      assertRefused(await ask({ timestamp: at(offset) }), 401, 'EXPIRED_TIMESTAMP');
    }
    for (const timestamp of ['yesterday', String(kissi.clock.now()), '2026-02-30T12:00:00Z']) {
      assertRefused(await ask({ timestamp }), 401, 'EXPIRED_TIMESTAMP');
    }
  });

  test('refuses what was signed with another secret, or for another body, path, time or method', async () => {
    const { id } = rokel.key;
    assertRefused(await ask({ key: { id, secret: 'wrong' } }), 401, 'INVALID_SIGNATURE');
    assertRefused(await ask({ key: { id: 'key_nobody', secret: rokel.key.secret } }), 401, 'INVALID_SIGNATURE');
    for (const signature of ['', 'ab', 'z'.repeat(64), '0'.repeat(64)]) {
      const reply = await ask({ headers: { 'x-signature': signature } });
      assert.equal(reply.status, 401, reply.text);
    }
    const caught = signedHeaders('/account-status', { phone_number: phone });
    const post = (path: string, raw: string, headers = caught) =>
      kissi.call('POST', `/api/v1/partner${path}`, { raw, headers });
    const body = JSON.stringify({ phone_number: phone });
    assert.equal((await post('/account-status', body)).status, 200, 'as it was signed');
    assertRefused(await post('/account-status', `${body} `), 401, 'INVALID_SIGNATURE');
    assertRefused(await post('/account-status?x=1', body), 401, 'INVALID_SIGNATURE');
    assertRefused(await post('/transaction-history', body), 401, 'INVALID_SIGNATURE');
    const later = { ...caught, 'x-timestamp': at(1) };
    assertRefused(await post('/account-status', body, later), 401, 'INVALID_SIGNATURE');
  });

  test('needs every header of the scheme, and no bearer value instead', async () => {
    const caught = signedHeaders('/account-status', { phone_number: phone });
    const body = { phone_number: phone };
    for (const missing of Object.keys(caught)) {
      const headers = Object.fromEntries(Object.entries(caught).filter(([name]) => name !== missing));
      assertRefused(await kissi.call('POST', '/api/v1/partner/account-status', { body, headers }), 401, 'UNAUTHORIZED');
    }
    for (const token of [rokel.key.key, await kissi.adminToken()]) {
      assertRefused(await kissi.call('POST', '/api/v1/partner/account-status', { body, token }), 401, 'UNAUTHORIZED');
    }
  });

  test('is for the partner of the key alone, whatever X-Partner-ID says', async () => {
    const other = await partnerBank(kissi);
    assertRefused(await ask({ partnerId: other.id }), 403, 'PARTNER_MISMATCH');
    assertRefused(await ask({ partnerId: 'ptn_nobody' }), 403, 'PARTNER_MISMATCH');
    assertRefused(await ask({ key: other.key }), 403, 'PARTNER_MISMATCH');
    const nobodys = await apiKey(kissi, ['payments:read', 'payments:write']);
    assertRefused(await ask({ key: nobodys }), 403, 'FORBIDDEN');
  });

  test('is closed to a partner that is suspended, and to a key that is over', async () => {
    const other = await partnerBank(kissi);
    const body = { phone_number: phone };
    assert.equal((await other.send('/account-status', body)).status, 200);
    await other.updatePartner({ status: 'suspended' });
    assertRefused(await other.send('/account-status', body), 401, 'UNAUTHORIZED');
    assertRefused(await other.cashIn(body), 401, 'UNAUTHORIZED');
    await other.updatePartner({ status: 'active' });
    assert.equal((await other.send('/account-status', body)).status, 200);
    await asAdmin(`/admin/api-keys/${other.key.id}`, undefined, 'DELETE');
    assertRefused(await other.send('/account-status', body), 401, 'UNAUTHORIZED');
  });

  test("is open from the partner's addresses alone, where it named any", async () => {
    const other = await partnerBank(kissi, { fields: { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] } });
    assertRefused(await other.send('/account-status', { phone_number: phone }), 403, 'IP_NOT_ALLOWED');
    assertRefused(await other.cashIn({ phone_number: phone }), 403, 'IP_NOT_ALLOWED');
    assertRefused(await other.history(), 403, 'IP_NOT_ALLOWED');
    const forged = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    assertRefused(await other.history({}, forged), 403, 'IP_NOT_ALLOWED');
    await other.updatePartner({ ip_allowlist: ['127.0.0.0/8', '::1'] });
    assert.equal((await other.history()).status, 200);
  });

  test('needs the scope: payments:read to look, payments:write to credit', async () => {
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

  test('counts against the rate of the key', async () => {
    const reply = await ask();
    assert.ok(Number(reply.headers.get('x-ratelimit-limit')) > 0);
  });

  function signedHeaders(path: string, body: object): Record<string, string> {
    const signed = { method: 'POST', path: `/api/v1/partner${path}`, at: at(0), body: JSON.stringify(body) };
    return partnerHeaders(rokel.key, rokel.id, signed);
  }
});
