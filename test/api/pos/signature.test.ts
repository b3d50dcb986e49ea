// Tests authentication of terminal routes: signatures, scopes, keys of processors and encrypted PINs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { CallReply } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey } from '../../support/staff.ts';
import { encryptPin, newRequestId, sendSigned, signatureHeaders, terminalOf } from '../../support/terminal.ts';

const PATHS = ['', '/pos', '/payment'].flatMap((prefix) =>
  prefix === ''
    ? ['/pos/payment', '/payment']
    : ['verify-card', 'verify-account', 'refund', 'lookup-card'].map((verb) => `${prefix}/${verb}`),
);

const { kissi, bank } = await bankForFile({ unauditedRecords: ['api_key'] });
const terminal = await terminalOf(kissi);
const wallet = await bank.wallet(1_000_000);
const card = await bank.card(wallet);

const at = (ms: number) => new Date(kissi.clock.now() + ms).toISOString();

async function assertRefusedUnpaid(
  reply: Promise<CallReply>,
  status: number,
  code: string,
  label = '',
): Promise<CallReply> {
  const before = await bank.balance(wallet.id);
  const refused = assertRefused(await reply, status, code, label);
  assert.equal(await bank.balance(wallet.id), before);
  return refused;
}

describe('a request to a terminal or app route', () => {
  test('must be signed: bearer keys, staff tokens and missing credentials get 401', async () => {
    const token = await kissi.adminToken();
    for (const path of PATHS) {
      const body = terminal.payment(card);
      for (const credential of [{ token }, { token: terminal.key.key }, {}]) {
        assertRefused(await kissi.call('POST', `/api/v1${path}`, { body, ...credential }), 401, 'UNAUTHORIZED', path);
      }
    }
  });

  test('with a valid signature ignores a bearer token', async () => {
    const headers = { authorization: `Bearer ${await kissi.adminToken()}` };
    assert.equal((await terminal.send('/pos/payment', terminal.payment(card), { headers })).status, 200);
  });

  test('is rejected if its body, path or timestamp differs from the signed one', async () => {
    const raw = JSON.stringify(terminal.payment(card, { amount: 1_000 }));
    const now = at(0);
    const signed = signatureHeaders(terminal.key, { method: 'POST', path: '/api/v1/pos/payment', at: now, body: raw });
    const send = (path: string, body: string, headers = signed) => kissi.call('POST', path, { raw: body, headers });
    for (const tampered of [raw.replace('1000', '9000'), `${raw} `, raw.slice(0, -1), '']) {
      await assertRefusedUnpaid(send('/api/v1/pos/payment', tampered), 401, 'INVALID_SIGNATURE', tampered);
    }
    await assertRefusedUnpaid(send('/api/v1/payment', raw), 401, 'INVALID_SIGNATURE');
    await assertRefusedUnpaid(send('/api/v1/pos/payment?x=1', raw), 401, 'INVALID_SIGNATURE');
    const later = { ...signed, 'x-timestamp': at(1_000) };
    await assertRefusedUnpaid(send('/api/v1/pos/payment', raw, later), 401, 'INVALID_SIGNATURE');
    assert.equal((await send('/api/v1/pos/payment', raw)).status, 200);
  });

  test('is accepted up to five minutes before and after its timestamp', async () => {
    const pay = (timestamp: string) =>
      terminal.send('/pos/payment', terminal.payment(card, { amount: 1 }), { timestamp });
    for (const offset of [-5 * MINUTE_MS, 0, 5 * MINUTE_MS]) assert.equal((await pay(at(offset))).status, 200);
    for (const offset of [-5 * MINUTE_MS - 1, 5 * MINUTE_MS + 1]) {
      await assertRefusedUnpaid(pay(at(offset)), 401, 'EXPIRED_TIMESTAMP', String(offset));
    }
    await assertRefusedUnpaid(pay('yesterday'), 401, 'EXPIRED_TIMESTAMP');
  });

  test('with an unknown, mismatched, expired or revoked key gets 401', async () => {
    const other = await apiKey(kissi, ['payments:write']);
    const pay = (key: { id: string; secret: string }) => terminal.send('/pos/payment', terminal.payment(card), { key });
    await assertRefusedUnpaid(pay({ id: 'key_unknown', secret: terminal.key.secret }), 401, 'INVALID_SIGNATURE');
    await assertRefusedUnpaid(pay({ id: other.id, secret: terminal.key.secret }), 401, 'INVALID_SIGNATURE');
    // The bearer value is not the signing secret.
    await assertRefusedUnpaid(pay({ id: terminal.key.id, secret: terminal.key.key }), 401, 'INVALID_SIGNATURE');
    await kissi.asAdmin.delete(`/admin/api-keys/${other.id}`);
    await assertRefusedUnpaid(pay(other), 401, 'UNAUTHORIZED');
    const expired = await apiKey(kissi, ['payments:write'], { expires_at: at(1_000) });
    kissi.clock.advance(2_000);
    await assertRefusedUnpaid(pay(expired), 401, 'UNAUTHORIZED');
  });

  test('requires payments:write, or cards:read for lookup-card', async () => {
    const reader = await apiKey(kissi, ['cards:read', 'payments:read', 'balance:read']);
    const payer = await apiKey(kissi, ['payments:write']);
    for (const path of PATHS) {
      const [allowed, denied] = path.endsWith('lookup-card') ? [reader, payer] : [payer, reader];
      const body = { card_serial: card, phone_number: wallet.phone, transaction_id: 'txn_0', request_id: 'r' };
      await assertRefusedUnpaid(terminal.send(path, body, { key: denied }), 403, 'FORBIDDEN', path);
      assert.notEqual((await terminal.send(path, body, { key: allowed })).status, 403, path);
    }
  });
});

describe("a processor's key", () => {
  test('can take payments only for that processor', async () => {
    const own = await terminalOf(kissi, {
      merchant: terminal.merchant,
      keyExtra: { processor_id: terminal.merchant.id },
    });
    assert.equal((await own.pay(card)).status, 200);
    assert.equal((await own.payInApp(card)).status, 200);
    const other = await terminalOf(kissi);
    const names = { processor_id: other.merchant.id, merchant_id: other.merchant.merchantId };
    await assertRefusedUnpaid(own.pay(card, names), 403, 'FORBIDDEN');
    await assertRefusedUnpaid(own.pay(card, { ...names, processor_id: 'proc_unknown' }), 404, 'NOT_FOUND');
  });

  test('can refund only payments of that processor', async () => {
    const own = await terminalOf(kissi, {
      merchant: terminal.merchant,
      keyExtra: { processor_id: terminal.merchant.id },
    });
    const other = await terminalOf(kissi);
    const { transaction_id: foreign } = (await other.pay(card)).json;
    await assertRefusedUnpaid(own.refund(foreign), 403, 'FORBIDDEN');
    const { transaction_id } = (
      await other.pay(card, { processor_id: terminal.merchant.id, merchant_id: terminal.merchant.merchantId })
    ).json;
    assert.equal((await own.refund(transaction_id)).status, 200, 'taken with another key');
  });
});

describe('an encrypted PIN', () => {
  const assertInvalid = async (encrypted_pin: string, message: RegExp) => {
    const reply = await assertRefusedUnpaid(terminal.pay(card, { encrypted_pin }), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, message);
  };

  test('for another card, with another secret or algorithm, or corrupted, gets 400 and not a PIN attempt', async () => {
    const content = { pin: '9999', card_serial: card };
    const other = await bank.card(wallet);
    for (let tries = 0; tries < 2; tries++) {
      await assertInvalid(terminal.encrypt(other, '9999'), /encrypted_pin was made for another card/);
      await assertInvalid(
        encryptPin((await apiKey(kissi, ['payments:write'])).secret, content),
        /encrypted_pin cannot be decrypted/,
      );
      await assertInvalid(encryptPin(terminal.key.key, content), /encrypted_pin cannot be decrypted/);
      await assertInvalid(
        encryptPin(terminal.key.secret, content, { alg: 'dir', enc: 'A256CBC-HS512' }),
        /alg "dir" and enc/,
      );
      await assertInvalid(
        encryptPin(terminal.key.secret, content, { alg: 'none', enc: 'A256GCM' }),
        /alg "dir" and enc/,
      );
      await assertInvalid(
        encryptPin(terminal.key.secret, content, { alg: 'dir', enc: 'A256GCM', crit: ['x'], x: 1 }),
        /alg "dir"/,
      );
      await assertInvalid(encryptPin(terminal.key.secret, { pin: 9999, card_serial: card }), /must hold/);
      await assertInvalid(encryptPin(terminal.key.secret, { pin: '9999' }), /must hold/);
      await assertInvalid(`${terminal.encrypt(card).slice(0, -4)}AAAA`, /encrypted_pin cannot be decrypted/);
      await assertInvalid('a.b.c.d.e', /encrypted_pin/);
    }
    assertRefused(await terminal.pay(card, { encrypted_pin: terminal.encrypt(card, '123') }), 400, 'INVALID_PIN');
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [wallet.id]);
    assert.deepEqual(rows, [{ failures: 0 }]);
  });

  test('is required with a live key: a plain pin is rejected with 400, alone or in addition', async () => {
    const live = await terminalOf(kissi);
    const keys = kissi.db.database.queries.updateTable('api_keys').set({ environment: 'live' });
    await keys.where('id', '=', live.key.id).execute();
    const plain = await assertRefusedUnpaid(live.pay(card, { pin: PIN }), 400, 'INVALID_REQUEST');
    assert.match(plain.json.error, /encrypted_pin/);
    const both = live.pay(card, { pin: PIN, encrypted_pin: live.encrypt(card) });
    await assertRefusedUnpaid(both, 400, 'INVALID_REQUEST');
    assert.equal((await live.pay(card)).status, 200);
    assertRefused(await terminal.pay(card, { pin: '12' }), 400, 'INVALID_PIN');
  });

  test('is decrypted with the secret that signed the request during a key rotation', async () => {
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
      await assertRefusedUnpaid(rotated.send('/pos/payment', wrong, { key }), 400, 'INVALID_REQUEST');
      if (key === before) continue;
      kissi.clock.advance(61_000);
      await assertRefusedUnpaid(rotated.send('/pos/payment', body, { key: before }), 401, 'INVALID_SIGNATURE');
      assert.equal((await rotated.send('/pos/payment', rotated.payment(card, encrypted(secret)), { key })).status, 200);
    }
  });

  test('is not logged, nor is the PIN or the secret', async () => {
    const path = '/api/v1/pos/payment';
    const body = terminal.payment(card, { encrypted_pin: terminal.encrypt(card, '7391') });
    assertRefused(await sendSigned(kissi, path, body, { key: terminal.key }), 401, 'INVALID_PIN');
    await terminal.pay(card, { request_id: newRequestId() });
    const logs = kissi.logs();
    for (const secret of [String(body.encrypted_pin), terminal.key.secret]) assert.ok(!logs.includes(secret));
    assert.ok(!containsDigits(logs, '7391'));
  });
});
