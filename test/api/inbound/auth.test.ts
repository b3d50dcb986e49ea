// Authentication of the inbound API: signatures, timestamps, nonces, partners, IP addresses and scopes.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { type InboundOptions, inboundRows, newReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { inboundHeaders } from '../../support/partner.ts';
import { apiKey, staffToken, type TestKey } from '../../support/staff.ts';

const ENV = { TRUST_PROXY: '1' };
const CREDIT = '/api/v1/inbound/credit';

const { kissi, bank: operator } = await bankForFile({ env: ENV });
const bank = await testBank(kissi);
const wallet = await operator.wallet();

function assertRefused(reply: CallReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.json.code, reply.json.success], [status, code, false], reply.text);
  assert.deepEqual(Object.keys(reply.json), ['success', 'code', 'message']);
  assert.ok(reply.json.message.length > 10);
}

const newCredit = () => ({ reference: newReference(), amount: 100, msisdn: wallet.phone });

/** Sends one valid request to each of the three routes, with these options. */
const requestEveryRoute = (options: InboundOptions, sender = bank): Promise<CallReply[]> =>
  Promise.all([
    sender.enquire({ msisdn: wallet.phone }, options),
    sender.credit(newCredit(), options),
    sender.status('nothing', options),
  ]);

async function assertEveryRouteRefuses(
  options: InboundOptions,
  status: number,
  code: string,
  sender = bank,
): Promise<void> {
  const before = await operator.balance(wallet.id);
  for (const reply of await requestEveryRoute(options, sender)) assertRefused(reply, status, code);
  assert.equal(await operator.balance(wallet.id), before);
}

describe('request signatures', () => {
  test('cover the exact bytes: whitespace, key order, escapes and a byte order mark are accepted', async () => {
    const raw = (reference: string) =>
      `\r\n\t{ "msisdn" :"\\u002b${wallet.phone.slice(1)}" ,\n "amount":   1,"metadata":{"b":1 ,"a":"é\\/"} , "reference":"${reference}" } \n`;
    for (const byteOrderMark of ['', '\uFEFF']) {
      assertStatus(await bank.credit(null, { raw: byteOrderMark + raw(newReference()) }), 200);
    }
  });

  test('do not match another body, path, key, nonce, timestamp or idempotency key: 401 INVALID_SIGNATURE', async () => {
    const body = newCredit();
    const raw = JSON.stringify(body);
    const at = new Date(kissi.clock.now()).toISOString();
    const sign = (method = 'POST', key: Pick<TestKey, 'id' | 'secret'> = bank.key) =>
      inboundHeaders(key, { method, path: CREDIT, at, body: raw }, { idempotencyKey: 'op-1' });
    const send = (headers: Record<string, string>, path = CREDIT, bytes = raw) =>
      kissi.call('POST', path, { raw: bytes, headers });
    const valid = sign();
    const mismatches: [Record<string, string>, string?, string?][] = [
      [valid, CREDIT, JSON.stringify(body, null, 1)],
      [valid, CREDIT, raw.replace('100', '900')],
      [valid, CREDIT, `${raw}\n`],
      [valid, `${CREDIT}?x=1`],
      [{ ...valid, 'x-nonce': randomUUID() }],
      [{ ...valid, 'x-timestamp': at.replace('Z', '+00:00') }],
      [{ ...valid, 'x-idempotency-key': 'op-2' }],
      [{ ...valid, 'x-api-key-id': (await testBank(kissi)).key.id }],
      [{ ...valid, 'x-api-key-id': 'key_unknown' }],
      [{ ...valid, 'x-signature': valid['x-signature']?.replace(/.$/, 'g') ?? '' }],
      [sign('GET')],
      [sign('POST', { ...bank.key, secret: bank.key.key })],
      [{ ...valid, 'x-signature': createHmac('sha256', bank.key.secret).update(raw).digest('hex') }],
    ];
    for (const [headers, path, bytes] of mismatches) {
      assertRefused(await send(headers, path, bytes), 401, 'INVALID_SIGNATURE');
    }
    assert.deepEqual(await inboundRows(kissi, body.reference), []);
    assert.equal((await send(valid)).status, 200, 'invalid requests do not consume the nonce');
  });

  test('may omit X-Idempotency-Key for reads, but must cover it for writes', async () => {
    const headers = { 'x-idempotency-key': 'op-1' };
    const enquiry = { msisdn: wallet.phone };
    assert.equal((await bank.enquire(enquiry, { headers })).status, 200);
    assert.equal((await bank.enquire(enquiry, { idempotencyKey: 'op-1' })).status, 200);
    const { reference } = (await bank.credit(newCredit())).json.data;
    assert.equal((await bank.status(reference, { headers })).status, 200);
    assert.equal((await bank.status(reference, { idempotencyKey: 'op-1' })).status, 200);
    const forged = { ...headers, 'x-signature': 'f'.repeat(64) };
    assertRefused(await bank.status(reference, { headers: forged }), 401, 'INVALID_SIGNATURE');
    assertRefused(await bank.credit(newCredit(), { headers, idempotencyKey: '' }), 401, 'INVALID_SIGNATURE');
  });

  test('are the only credential: bearer keys, tokens and missing headers get 401', async () => {
    for (const token of [bank.key.key, await kissi.adminToken(), await staffToken(kissi, 'finance_user')]) {
      assertRefused(await kissi.call('POST', CREDIT, { body: newCredit(), token }), 401, 'UNAUTHORIZED');
    }
    const raw = JSON.stringify(newCredit());
    const at = new Date(kissi.clock.now()).toISOString();
    const allHeaders = inboundHeaders(
      bank.key,
      { method: 'POST', path: CREDIT, at, body: raw },
      { idempotencyKey: 'op' },
    );
    for (const name of ['x-api-key-id', 'x-signature', 'x-timestamp', 'x-nonce']) {
      const { [name]: _missing, ...headers } = allHeaders;
      assertRefused(await kissi.call('POST', CREDIT, { raw, headers }), 401, 'UNAUTHORIZED');
    }
  });
});

describe('timestamps and nonces', () => {
  test('a timestamp more than two minutes off gets 401 STALE_REQUEST on every route', async () => {
    const timestampAt = (ms: number) => new Date(kissi.clock.now() + ms).toISOString();
    for (const ms of [-2 * MINUTE_MS - 1, 2 * MINUTE_MS + 1]) {
      await assertEveryRouteRefuses({ timestamp: timestampAt(ms) }, 401, 'STALE_REQUEST');
    }
    for (const ms of [-2 * MINUTE_MS, 2 * MINUTE_MS]) {
      assert.equal((await bank.credit(newCredit(), { timestamp: timestampAt(ms) })).status, 200);
    }
  });

  test('a used nonce gets 409 REPLAYED_REQUEST on every route, on another gateway and after a restart', async () => {
    const nonce = randomUUID();
    const body = newCredit();
    assert.equal((await bank.credit(body, { nonce })).status, 200);
    await assertEveryRouteRefuses({ nonce }, 409, 'REPLAYED_REQUEST');
    assertRefused(await bank.credit(body, { nonce }), 409, 'REPLAYED_REQUEST');
    const other = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    await assertEveryRouteRefuses({ nonce, gateway: other }, 409, 'REPLAYED_REQUEST');
    const otherNonce = randomUUID();
    assert.equal((await bank.status(body.reference, { nonce: otherNonce, gateway: other })).status, 200);
    await other.close();
    const restarted = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    await assertEveryRouteRefuses({ nonce: otherNonce, gateway: restarted }, 409, 'REPLAYED_REQUEST');
    await restarted.close();
  });

  test('a nonce is scoped to its key, and a retry with a new nonce is accepted', async () => {
    const nonce = randomUUID();
    const other = await testBank(kissi);
    assert.equal((await bank.credit(newCredit(), { nonce })).status, 200);
    assert.equal((await other.credit(newCredit(), { nonce })).status, 200);
    const body = newCredit();
    assert.equal((await bank.credit(body)).text, (await bank.credit(body)).text);
  });

  test('one of a hundred identical concurrent requests over two gateways succeeds', async () => {
    const other = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    const [nonce, body, before] = [randomUUID(), newCredit(), await operator.balance(wallet.id)];
    const options = { nonce, idempotencyKey: 'op' };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => bank.credit(body, { ...options, gateway: n % 2 ? other : kissi })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ json }) => json.code === 'REPLAYED_REQUEST').length, 99);
    assert.equal(await operator.balance(wallet.id), before + 100);
    await other.close();
  });
});

describe('partner, IP address and scope', () => {
  test('X-Partner-ID is optional and must match the key', async () => {
    const headers = (id: string) => ({ headers: { 'x-partner-id': id } });
    assert.equal((await bank.credit(newCredit(), headers(bank.partnerId))).status, 200);
    const other = await testBank(kissi);
    for (const id of [other.partnerId, 'ptn_unknown'])
      await assertEveryRouteRefuses(headers(id), 403, 'PARTNER_MISMATCH');
  });

  test('an IP allowlist applies to the client address that the trusted proxy reports', async () => {
    const restricted = await testBank(kissi, { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    for (const address of ['203.0.113.9', '2001:db8::7', '198.51.100.1, 203.0.113.9']) {
      assert.equal((await restricted.credit(newCredit(), from(address))).status, 200, address);
    }
    for (const address of ['203.0.114.9', '2001:db9::7', '203.0.113.9, 198.51.100.1', 'invalid']) {
      await assertEveryRouteRefuses(from(address), 403, 'IP_NOT_ALLOWED', restricted);
    }
    await assertEveryRouteRefuses({}, 403, 'IP_NOT_ALLOWED', restricted);
    // The proxy appends the address it sees to what the client sent: spoofed entries are on the left.
    const byAddress = await testGateway({ db: kissi.db, clock: kissi.clock, env: { TRUST_PROXY: '127.0.0.1, ::1' } });
    for (const spoofed of ['203.0.113.9, 198.51.100.1', '127.0.0.1, 203.0.113.9, 198.51.100.1']) {
      const refused = await restricted.credit(newCredit(), { ...from(spoofed), gateway: byAddress });
      assertRefused(refused, 403, 'IP_NOT_ALLOWED');
    }
    const throughProxy = { ...from('198.51.100.1, 203.0.113.9'), gateway: byAddress };
    assert.equal((await restricted.credit(newCredit(), throughProxy)).status, 200);
    await byAddress.close();
    await restricted.updatePartner({ ip_allowlist: [] });
    assert.equal((await restricted.credit(newCredit())).status, 200);
    const withoutProxy = await testGateway({ db: kissi.db, clock: kissi.clock });
    await restricted.updatePartner({ ip_allowlist: ['203.0.113.0/24'] });
    const spoofed = { ...from('203.0.113.9'), gateway: withoutProxy };
    await assertEveryRouteRefuses(spoofed, 403, 'IP_NOT_ALLOWED', restricted);
    await withoutProxy.close();
  });

  test('a key without the scope gets 403 SCOPE_DENIED, and the request is not recorded', async () => {
    const readOnly = await testBank(kissi, {}, ['inbound:read']);
    const body = newCredit();
    assertRefused(await readOnly.credit(body), 403, 'SCOPE_DENIED');
    assert.equal((await readOnly.enquire({ msisdn: wallet.phone })).status, 200);
    assert.equal((await readOnly.status(body.reference)).status, 404);
    const writeOnly = await testBank(kissi, {}, ['inbound:write']);
    assert.equal((await writeOnly.credit(body)).status, 200);
    assertRefused(await writeOnly.enquire({ msisdn: wallet.phone }), 403, 'SCOPE_DENIED');
    assertRefused(await writeOnly.status(body.reference), 403, 'SCOPE_DENIED');
    const paymentsOnly = await testBank(kissi, {}, ['payments:read', 'payments:write']);
    await assertEveryRouteRefuses({}, 403, 'SCOPE_DENIED', paymentsOnly);
    const withoutPartner = await apiKey(kissi, ['payments:write']);
    await assertEveryRouteRefuses({ key: withoutPartner }, 403, 'SCOPE_DENIED');
  });

  test('a suspended partner gets 403 PARTNER_SUSPENDED, and a revoked key 401', async () => {
    const revoked = await testBank(kissi);
    const body = newCredit();
    assert.equal((await revoked.credit(body)).status, 200);
    await revoked.updatePartner({ status: 'suspended' });
    await assertEveryRouteRefuses({}, 403, 'PARTNER_SUSPENDED', revoked);
    await revoked.updatePartner({ status: 'active' });
    assert.equal((await revoked.status(body.reference)).status, 200);
    const path = `/api/v1/admin/api-keys/${revoked.key.id}`;
    assert.equal((await kissi.call('DELETE', path, { token: await kissi.adminToken() })).status, 204);
    await assertEveryRouteRefuses({}, 401, 'UNAUTHORIZED', revoked);
  });
});

describe('errors', () => {
  test('use the inbound envelope, even for unknown paths, methods, media types and sizes', async () => {
    const cases: [Promise<CallReply>, number, string][] = [
      [bank.send('GET', '/api/v1/inbound/nothing'), 404, 'NOT_FOUND'],
      [bank.send('GET', CREDIT), 405, 'METHOD_NOT_ALLOWED'],
      [bank.credit(null, { raw: 'x=1', headers: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bank.credit(null, { raw: `"${'x'.repeat(1_048_577)}"` }), 413, 'PAYLOAD_TOO_LARGE'],
      [bank.send('GET', '/api/v1/inbound/transactions/%ff'), 400, 'INVALID_REQUEST'],
    ];
    for (const [reply, status, code] of cases) assertRefused(await reply, status, code);
    const legacy = await kissi.call('GET', '/api/v1/nothing');
    assert.ok('error' in legacy.json, 'other routes use the legacy envelope');
  });

  test('count towards the rate limit of the key: 429 RATE_LIMITED with Retry-After', async () => {
    const { api_key, secret } = (
      await kissi.asAdmin.post('/admin/api-keys', {
        name: 'slow',
        scopes: ['inbound:read'],
        partner_id: bank.partnerId,
        rate_limit: 1,
      })
    ).json;
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await bank.status('nothing', { key: { id: api_key.id, secret } }));
    const limited = replies.find(({ status }) => status === 429);
    assert.ok(limited, 'the rate limit is reached');
    assertRefused(limited, 429, 'RATE_LIMITED');
    assert.ok(limited.headers.get('retry-after'));
  });
});
