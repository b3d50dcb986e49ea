// Who may pay at a terminal: signed requests alone, by keys with the scope, for their own processor, with PINs for one card.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import type { CallReply } from '../support/gateway.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { assertRefused } from '../support/processors.ts';
import { apiKey } from '../support/staff.ts';
import { encryptPin, newRequestId, sendSigned, signatureHeaders, terminalOf } from '../support/terminal.ts';

const PATHS = ['', '/pos', '/payment'].flatMap((prefix) =>
  prefix === ''
    ? ['/pos/payment', '/payment']
    : ['verify-card', 'verify-account', 'refund', 'lookup-card'].map((verb) => `${prefix}/${verb}`),
);

const { kissi, bank } = await bankForFile();
const shop = await terminalOf(kissi);
const wallet = await bank.wallet(1_000_000);
const card = await bank.card(wallet);

const at = (ms: number) => new Date(kissi.clock.now() + ms).toISOString();

async function assertNothingMoved(
  reply: Promise<CallReply>,
  status: number,
  code: string,
  what = '',
): Promise<CallReply> {
  const before = await bank.balance(wallet.id);
  const refused = await reply;
  assertRefused(refused, status, code, what);
  assert.equal(await bank.balance(wallet.id), before);
  return refused;
}

describe('a request to a terminal’s or an app’s route', () => {
  test('is signed: bearer keys, tokens of staff and nothing at all are 401', async () => {
    const token = await kissi.adminToken();
    for (const path of PATHS) {
      const body = shop.payment(card);
      for (const credential of [{ token }, { token: shop.key.key }, {}]) {
        assertRefused(await kissi.call('POST', `/api/v1${path}`, { body, ...credential }), 401, 'UNAUTHORIZED', path);
      }
    }
  });

  test('signed right and with a bearer token besides is the key’s, whatever the token is', async () => {
    const headers = { authorization: `Bearer ${await kissi.adminToken()}` };
    assert.equal((await shop.send('/pos/payment', shop.payment(card), { headers })).status, 200);
  });

  test('is refused when its body, path or timestamp is not the one that was signed', async () => {
    const raw = JSON.stringify(shop.payment(card, { amount: 1_000 }));
    const now = at(0);
    const signed = signatureHeaders(shop.key, { method: 'POST', path: '/api/v1/pos/payment', at: now, body: raw });
    const send = (path: string, body: string, headers = signed) => kissi.call('POST', path, { raw: body, headers });
    for (const tampered of [raw.replace('1000', '9000'), `${raw} `, raw.slice(0, -1), '']) {
      await assertNothingMoved(send('/api/v1/pos/payment', tampered), 401, 'INVALID_SIGNATURE', tampered);
    }
    await assertNothingMoved(send('/api/v1/payment', raw), 401, 'INVALID_SIGNATURE');
    await assertNothingMoved(send('/api/v1/pos/payment?x=1', raw), 401, 'INVALID_SIGNATURE');
    const later = { ...signed, 'x-timestamp': at(1_000) };
    await assertNothingMoved(send('/api/v1/pos/payment', raw, later), 401, 'INVALID_SIGNATURE');
    assert.equal((await send('/api/v1/pos/payment', raw)).status, 200);
  });

  test('is good for five minutes from its timestamp, and not before its time', async () => {
    const pay = (timestamp: string) => shop.send('/pos/payment', shop.payment(card, { amount: 1 }), { timestamp });
    for (const offset of [-5 * MINUTE_MS, 0, 5 * MINUTE_MS]) assert.equal((await pay(at(offset))).status, 200);
    for (const offset of [-5 * MINUTE_MS - 1, 5 * MINUTE_MS + 1]) {
      await assertNothingMoved(pay(at(offset)), 401, 'EXPIRED_TIMESTAMP', String(offset));
    }
    await assertNothingMoved(pay('yesterday'), 401, 'EXPIRED_TIMESTAMP');
  });

  test('by a key that is unknown, another’s, expired or revoked is 401', async () => {
    const other = await apiKey(kissi, ['payments:write']);
    const pay = (key: { id: string; secret: string }) => shop.send('/pos/payment', shop.payment(card), { key });
    await assertNothingMoved(pay({ id: 'key_unknown', secret: shop.key.secret }), 401, 'INVALID_SIGNATURE');
    await assertNothingMoved(pay({ id: other.id, secret: shop.key.secret }), 401, 'INVALID_SIGNATURE');
    // The bearer value is no secret to sign with.
    await assertNothingMoved(pay({ id: shop.key.id, secret: shop.key.key }), 401, 'INVALID_SIGNATURE');
    await kissi.call('DELETE', `/api/v1/admin/api-keys/${other.id}`, { token: await kissi.adminToken() });
    await assertNothingMoved(pay(other), 401, 'UNAUTHORIZED');
    const brief = await apiKey(kissi, ['payments:write'], { expires_at: at(1_000) });
    kissi.clock.advance(2_000);
    await assertNothingMoved(pay(brief), 401, 'UNAUTHORIZED');
  });

  test('needs payments:write, and to look a card up cards:read', async () => {
    const reader = await apiKey(kissi, ['cards:read', 'payments:read', 'balance:read']);
    const payer = await apiKey(kissi, ['payments:write']);
    for (const path of PATHS) {
      const [may, mayNot] = path.endsWith('lookup-card') ? [reader, payer] : [payer, reader];
      const body = { card_serial: card, phone_number: wallet.phone, transaction_id: 'txn_0', request_id: 'r' };
      await assertNothingMoved(shop.send(path, body, { key: mayNot }), 403, 'FORBIDDEN', path);
      assert.notEqual((await shop.send(path, body, { key: may })).status, 403, path);
    }
  });
});

describe('a key that belongs to a processor', () => {
  test('takes payments for that processor and for no other', async () => {
    const own = await terminalOf(kissi, { merchant: shop.merchant, keyExtra: { processor_id: shop.merchant.id } });
    assert.equal((await own.pay(card)).status, 200);
    assert.equal((await own.payInApp(card)).status, 200);
    const other = await terminalOf(kissi);
    const names = { processor_id: other.merchant.id, merchant_id: other.merchant.merchantId };
    await assertNothingMoved(own.pay(card, names), 403, 'FORBIDDEN');
    await assertNothingMoved(own.pay(card, { ...names, processor_id: 'proc_nobody' }), 404, 'NOT_FOUND');
  });

  test('refunds that processor’s payments and no others', async () => {
    const own = await terminalOf(kissi, { merchant: shop.merchant, keyExtra: { processor_id: shop.merchant.id } });
    const other = await terminalOf(kissi);
    const { transaction_id: foreign } = (await other.pay(card)).json;
    await assertNothingMoved(own.refund(foreign), 403, 'FORBIDDEN');
    const { transaction_id } = (
      await other.pay(card, { processor_id: shop.merchant.id, merchant_id: shop.merchant.merchantId })
    ).json;
    assert.equal((await own.refund(transaction_id)).status, 200, 'whoever took it');
  });
});

describe('an encrypted PIN', () => {
  const faulty = async (encrypted_pin: string, saying: RegExp) => {
    const reply = await assertNothingMoved(shop.pay(card, { encrypted_pin }), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, saying);
  };

  test('made for another card, under another secret, in another way, or garbled, is 400 and no attempt', async () => {
    const content = { pin: '9999', card_serial: card };
    const other = await bank.card(wallet);
    for (let tries = 0; tries < 2; tries++) {
      await faulty(shop.encrypt(other, '9999'), /encrypted_pin was made for another card/);
      await faulty(
        encryptPin((await apiKey(kissi, ['payments:write'])).secret, content),
        /encrypted_pin does not open/,
      );
      await faulty(encryptPin(shop.key.key, content), /encrypted_pin does not open/);
      await faulty(encryptPin(shop.key.secret, content, { alg: 'dir', enc: 'A256CBC-HS512' }), /alg "dir" and enc/);
      await faulty(encryptPin(shop.key.secret, content, { alg: 'none', enc: 'A256GCM' }), /alg "dir" and enc/);
      await faulty(
        encryptPin(shop.key.secret, content, { alg: 'dir', enc: 'A256GCM', crit: ['x'], x: 1 }),
        /alg "dir"/,
      );
      await faulty(encryptPin(shop.key.secret, { pin: 9999, card_serial: card }), /must hold/);
      await faulty(encryptPin(shop.key.secret, { pin: '9999' }), /must hold/);
      await faulty(`${shop.encrypt(card).slice(0, -4)}AAAA`, /encrypted_pin does not open/);
      await faulty('a.b.c.d.e', /encrypted_pin/);
    }
    const short = await shop.pay(card, { encrypted_pin: shop.encrypt(card, '123') });
    assertRefused(short, 400, 'INVALID_PIN');
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [wallet.id]);
    assert.deepEqual(rows, [{ failures: 0 }]);
  });

  test('is required of a live key: a plain pin is 400, alone or beside it', async () => {
    const live = await terminalOf(kissi);
    const keys = kissi.db.database.queries.updateTable('api_keys').set({ environment: 'live' });
    await keys.where('id', '=', live.key.id).execute();
    const plain = await assertNothingMoved(live.pay(card, { pin: PIN }), 400, 'INVALID_REQUEST');
    assert.match(plain.json.error, /encrypted_pin/);
    const both = live.pay(card, { pin: PIN, encrypted_pin: live.encrypt(card) });
    await assertNothingMoved(both, 400, 'INVALID_REQUEST');
    assert.equal((await live.pay(card)).status, 200);
    assertRefused(await shop.pay(card, { pin: '12' }), 400, 'INVALID_PIN');
  });

  test('opens, while a key is rotated, with the secret that signed the request', async () => {
    const rotated = await terminalOf(kissi);
    const path = `/api/v1/admin/api-keys/${rotated.key.id}/rotate?overlap_seconds=60`;
    const { secret } = (await kissi.call('POST', path, { token: await kissi.adminToken() })).json;
    const [before, after] = [rotated.key, { ...rotated.key, secret }];
    for (const key of [before, after]) {
      const encrypted = (by: string) => ({ encrypted_pin: encryptPin(by, { pin: PIN, card_serial: card }) });
      const [own, crossed] = key === before ? [before, after] : [after, before];
      const body = rotated.payment(card, encrypted(own.secret));
      assert.equal((await rotated.send('/pos/payment', body, { key })).status, 200);
      const wrong = rotated.payment(card, encrypted(crossed.secret));
      await assertNothingMoved(rotated.send('/pos/payment', wrong, { key }), 400, 'INVALID_REQUEST');
      if (key === before) continue;
      kissi.clock.advance(61_000);
      await assertNothingMoved(rotated.send('/pos/payment', body, { key: before }), 401, 'INVALID_SIGNATURE');
      assert.equal((await rotated.send('/pos/payment', rotated.payment(card, encrypted(secret)), { key })).status, 200);
    }
  });

  test('is in no log, nor is what it holds, nor the secret', async () => {
    const path = '/api/v1/pos/payment';
    const body = shop.payment(card, { encrypted_pin: shop.encrypt(card, '7391') });
    assertRefused(await sendSigned(kissi, path, body, { key: shop.key }), 401, 'INVALID_PIN');
    await shop.pay(card, { request_id: newRequestId() });
    for (const secret of [String(body.encrypted_pin), '7391', shop.key.secret])
      assert.ok(!kissi.logs().includes(secret));
  });
});
