// Who may use the inbound API, on its real routes: signatures, windows, nonces, partners, addresses and scopes.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type CallReply, testGateway } from '../support/gateway.ts';
import { type InboundOptions, inboundRows, newReference, testBank } from '../support/inbound.ts';
import { bankForFile } from '../support/money.ts';
import { inboundHeaders } from '../support/partner.ts';
import { apiKey, staffToken, type TestKey } from '../support/staff.ts';

const ENV = { TRUST_PROXY: '1' };
const CREDIT = '/api/v1/inbound/credit';

const { kissi, bank: house } = await bankForFile({ env: ENV });
const bank = await testBank(kissi);
const wallet = await house.wallet();

function assertRefused(reply: CallReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.json.code, reply.json.success], [status, code, false], reply.text);
  assert.deepEqual(Object.keys(reply.json), ['success', 'code', 'message']);
  assert.ok(reply.json.message.length > 10);
}

const someCredit = () => ({ reference: newReference(), amount: 100, msisdn: wallet.phone });

/** The three routes, each as it should be but for what is said. */
const everyRoute = (sent: InboundOptions, sender = bank): Promise<CallReply[]> =>
  Promise.all([
    sender.enquire({ msisdn: wallet.phone }, sent),
    sender.credit(someCredit(), sent),
    sender.status('nothing', sent),
  ]);

async function assertEveryRoute(sent: InboundOptions, status: number, code: string, sender = bank): Promise<void> {
  const before = await house.balance(wallet.id);
  for (const reply of await everyRoute(sent, sender)) assertRefused(reply, status, code);
  assert.equal(await house.balance(wallet.id), before);
}

describe('a signature', () => {
  test('covers the exact bytes: odd blanks, order of keys, escapes and a byte order mark verify', async () => {
    const raw = (reference: string) =>
      `\r\n\t{ "msisdn" :"\\u002b${wallet.phone.slice(1)}" ,\n "amount":   1,"metadata":{"b":1 ,"a":"é\\/"} , "reference":"${reference}" } \n`;
    for (const mark of ['', '\uFEFF']) {
      const reply = await bank.credit(null, { raw: mark + raw(newReference()) });
      assert.equal(reply.status, 200, reply.text);
    }
  });

  test('of other bytes than were sent, of another path, key, nonce, time or operation is 401', async () => {
    const body = someCredit();
    const raw = JSON.stringify(body);
    const at = new Date(kissi.clock.now()).toISOString();
    const sign = (method = 'POST', key: Pick<TestKey, 'id' | 'secret'> = bank.key) =>
      inboundHeaders(key, { method, path: CREDIT, at, body: raw }, { idempotencyKey: 'op-1' });
    const sent = (headers: Record<string, string>, path = CREDIT, bytes = raw) =>
      kissi.call('POST', path, { raw: bytes, headers });
    const right = sign();
    const wrong: [Record<string, string>, string?, string?][] = [
      [right, CREDIT, JSON.stringify(body, null, 1)],
      [right, CREDIT, raw.replace('100', '900')],
      [right, CREDIT, `${raw}\n`],
      [right, `${CREDIT}?x=1`],
      [{ ...right, 'x-nonce': randomUUID() }],
      [{ ...right, 'x-timestamp': at.replace('Z', '+00:00') }],
      [{ ...right, 'x-idempotency-key': 'op-2' }],
      [{ ...right, 'x-api-key-id': (await testBank(kissi)).key.id }],
      [{ ...right, 'x-api-key-id': 'key_unknown' }],
      [{ ...right, 'x-signature': right['x-signature']?.replace(/.$/, 'g') ?? '' }],
      [sign('GET')],
      [sign('POST', { ...bank.key, secret: bank.key.key })],
      [{ ...right, 'x-signature': createHmac('sha256', bank.key.secret).update(raw).digest('hex') }],
    ];
    for (const [headers, path, bytes] of wrong) {
      assertRefused(await sent(headers, path, bytes), 401, 'INVALID_SIGNATURE');
    }
    assert.deepEqual(await inboundRows(kissi, body.reference), []);
    assert.equal((await sent(right)).status, 200, 'none of them used up its nonce');
  });

  test('of a read leaves X-Idempotency-Key out, or not, where it is sent; of a write it covers it', async () => {
    const headers = { 'x-idempotency-key': 'op-1' };
    const enquiry = { msisdn: wallet.phone };
    assert.equal((await bank.enquire(enquiry, { headers })).status, 200);
    assert.equal((await bank.enquire(enquiry, { idempotencyKey: 'op-1' })).status, 200);
    const { reference } = (await bank.credit(someCredit())).json.data;
    assert.equal((await bank.status(reference, { headers })).status, 200);
    assert.equal((await bank.status(reference, { idempotencyKey: 'op-1' })).status, 200);
    const forged = { ...headers, 'x-signature': 'f'.repeat(64) };
    assertRefused(await bank.status(reference, { headers: forged }), 401, 'INVALID_SIGNATURE');
    assertRefused(await bank.credit(someCredit(), { headers, idempotencyKey: '' }), 401, 'INVALID_SIGNATURE');
  });

  test('is the only credential: bearer keys and tokens, and missing headers, are 401', async () => {
    for (const token of [bank.key.key, await kissi.adminToken(), await staffToken(kissi, 'finance_user')]) {
      assertRefused(await kissi.call('POST', CREDIT, { body: someCredit(), token }), 401, 'UNAUTHORIZED');
    }
    const raw = JSON.stringify(someCredit());
    const at = new Date(kissi.clock.now()).toISOString();
    const all = inboundHeaders(bank.key, { method: 'POST', path: CREDIT, at, body: raw }, { idempotencyKey: 'op' });
    for (const name of ['x-api-key-id', 'x-signature', 'x-timestamp', 'x-nonce']) {
      const { [name]: _missing, ...headers } = all;
      assertRefused(await kissi.call('POST', CREDIT, { raw, headers }), 401, 'UNAUTHORIZED');
    }
  });
});

describe('time and nonces', () => {
  test('outside of two minutes is 401 STALE_REQUEST on every route; at the edge it is not', async () => {
    const stamp = (ms: number) => new Date(kissi.clock.now() + ms).toISOString();
    for (const ms of [-2 * MINUTE_MS - 1, 2 * MINUTE_MS + 1]) {
      await assertEveryRoute({ timestamp: stamp(ms) }, 401, 'STALE_REQUEST');
    }
    for (const ms of [-2 * MINUTE_MS, 2 * MINUTE_MS]) {
      assert.equal((await bank.credit(someCredit(), { timestamp: stamp(ms) })).status, 200);
    }
  });

  test('a nonce that was used is 409 REPLAYED_REQUEST: on every route, on another gateway, after a restart', async () => {
    const nonce = randomUUID();
    const body = someCredit();
    assert.equal((await bank.credit(body, { nonce })).status, 200);
    await assertEveryRoute({ nonce }, 409, 'REPLAYED_REQUEST');
    assertRefused(await bank.credit(body, { nonce }), 409, 'REPLAYED_REQUEST');
    const other = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    await assertEveryRoute({ nonce, gateway: other }, 409, 'REPLAYED_REQUEST');
    const fresh = randomUUID();
    assert.equal((await bank.status(body.reference, { nonce: fresh, gateway: other })).status, 200);
    await other.close();
    const restarted = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    await assertEveryRoute({ nonce: fresh, gateway: restarted }, 409, 'REPLAYED_REQUEST');
    await restarted.close();
  });

  test('a nonce belongs to its key, and a retry with a new one is no replay', async () => {
    const nonce = randomUUID();
    const other = await testBank(kissi);
    assert.equal((await bank.credit(someCredit(), { nonce })).status, 200);
    assert.equal((await other.credit(someCredit(), { nonce })).status, 200);
    const body = someCredit();
    assert.equal((await bank.credit(body)).text, (await bank.credit(body)).text);
  });

  test('of a hundred identical requests at once over two gateways one gets through', async () => {
    const other = await testGateway({ env: ENV, db: kissi.db, clock: kissi.clock });
    const [nonce, body, before] = [randomUUID(), someCredit(), await house.balance(wallet.id)];
    const sent = { nonce, idempotencyKey: 'op' };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => bank.credit(body, { ...sent, gateway: n % 2 ? other : kissi })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ json }) => json.code === 'REPLAYED_REQUEST').length, 99);
    assert.equal(await house.balance(wallet.id), before + 100);
    await other.close();
  });
});

describe('partner, address and scope', () => {
  test('X-Partner-ID may be left out, must match when it is there', async () => {
    const headers = (id: string) => ({ headers: { 'x-partner-id': id } });
    assert.equal((await bank.credit(someCredit(), headers(bank.partnerId))).status, 200);
    const other = await testBank(kissi);
    for (const id of [other.partnerId, 'ptn_nobody']) await assertEveryRoute(headers(id), 403, 'PARTNER_MISMATCH');
  });

  test('an allowlist lets its addresses in and no other, as the proxy in front tells them', async () => {
    const listed = await testBank(kissi, { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    for (const address of ['203.0.113.9', '2001:db8::7', '198.51.100.1, 203.0.113.9']) {
      assert.equal((await listed.credit(someCredit(), from(address))).status, 200, address);
    }
    for (const address of ['203.0.114.9', '2001:db9::7', '203.0.113.9, 198.51.100.1', 'nonsense']) {
      await assertEveryRoute(from(address), 403, 'IP_NOT_ALLOWED', listed);
    }
    await assertEveryRoute({}, 403, 'IP_NOT_ALLOWED', listed);
    await listed.updatePartner({ ip_allowlist: [] });
    assert.equal((await listed.credit(someCredit())).status, 200);
    const bare = await testGateway({ db: kissi.db, clock: kissi.clock });
    await listed.updatePartner({ ip_allowlist: ['203.0.113.0/24'] });
    const spoofed = { ...from('203.0.113.9'), via: bare };
    await assertEveryRoute(spoofed, 403, 'IP_NOT_ALLOWED', listed);
    await bare.close();
  });

  test('a key without the scope is 403 SCOPE_DENIED, and its request is not recorded', async () => {
    const reader = await testBank(kissi, {}, ['inbound:read']);
    const body = someCredit();
    assertRefused(await reader.credit(body), 403, 'SCOPE_DENIED');
    assert.equal((await reader.enquire({ msisdn: wallet.phone })).status, 200);
    assert.equal((await reader.status(body.reference)).status, 404);
    const writer = await testBank(kissi, {}, ['inbound:write']);
    assert.equal((await writer.credit(body)).status, 200);
    assertRefused(await writer.enquire({ msisdn: wallet.phone }), 403, 'SCOPE_DENIED');
    assertRefused(await writer.status(body.reference), 403, 'SCOPE_DENIED');
    const payments = await testBank(kissi, {}, ['payments:read', 'payments:write']);
    await assertEveryRoute({}, 403, 'SCOPE_DENIED', payments);
    const nobodys = await apiKey(kissi, ['payments:write']);
    await assertEveryRoute({ key: nobodys }, 403, 'SCOPE_DENIED');
  });

  test('a partner that is suspended, and a key that is revoked, are 401', async () => {
    const gone = await testBank(kissi);
    const body = someCredit();
    assert.equal((await gone.credit(body)).status, 200);
    await gone.updatePartner({ status: 'suspended' });
    await assertEveryRoute({}, 401, 'UNAUTHORIZED', gone);
    await gone.updatePartner({ status: 'active' });
    assert.equal((await gone.status(body.reference)).status, 200);
    const path = `/api/v1/admin/api-keys/${gone.key.id}`;
    assert.equal((await kissi.call('DELETE', path, { token: await kissi.adminToken() })).status, 204);
    await assertEveryRoute({}, 401, 'UNAUTHORIZED', gone);
  });
});

describe('whatever is refused', () => {
  test('is refused in the envelope of the inbound API: unknown paths, methods, media and sizes too', async () => {
    const cases: [Promise<CallReply>, number, string][] = [
      [bank.send('GET', '/api/v1/inbound/nothing'), 404, 'NOT_FOUND'],
      [bank.send('GET', CREDIT), 405, 'METHOD_NOT_ALLOWED'],
      [bank.credit(null, { raw: 'x=1', headers: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bank.credit(null, { raw: `"${'x'.repeat(1_048_577)}"` }), 413, 'PAYLOAD_TOO_LARGE'],
      [bank.send('GET', '/api/v1/inbound/transactions/%ff'), 400, 'INVALID_REQUEST'],
    ];
    for (const [reply, status, code] of cases) assertRefused(await reply, status, code);
    const elsewhere = await kissi.call('GET', '/api/v1/nothing');
    assert.ok('error' in elsewhere.json, 'and outside of it in the other');
  });

  test('is counted against the rate of the key, and told so', async () => {
    const { api_key, secret } = (
      await kissi.call('POST', '/api/v1/admin/api-keys', {
        body: { name: 'slow', scopes: ['inbound:read'], partner_id: bank.partnerId, rate_limit: 1 },
        token: await kissi.adminToken(),
      })
    ).json;
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await bank.status('nothing', { key: { id: api_key.id, secret } }));
    const limited = replies.find(({ status }) => status === 429);
    assert.ok(limited, 'the rate is reached');
    assertRefused(limited, 429, 'RATE_LIMITED');
    assert.ok(limited.headers.get('retry-after'));
  });
});
