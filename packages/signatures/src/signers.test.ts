// Both platforms sign the fixed vectors alike, and bind services to their bodies.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as sync from './sync.ts';
import { pinEncrypter } from './sync-pin.ts';
import * as web from './web.ts';

interface Vector {
  name: string;
  secret: string;
  method: string;
  target: string;
  timestamp: string;
  nonce: string;
  idempotency_key: string;
  body_base64?: string;
  signature: string;
}

const read = <Item>(file: string): Item[] =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/${file}.json`, import.meta.url), 'utf8'));
const vectors = (file: string) => read<Vector>(file);
const requestOf = ({ method, target, timestamp, body_base64 = '' }: Vector) => ({
  ...{ method, target, timestamp, now: 0 },
  body: new Uint8Array(Buffer.from(body_base64, 'base64')),
});

for (const [platform, signers] of Object.entries({ WebCrypto: web, Node: sync })) {
  describe(`over ${platform}, the vectors`, () => {
    test('of terminals, apps and the partner API', async () => {
      for (const vector of [...vectors('pos'), ...vectors('partner')]) {
        const { name, secret, timestamp, signature } = vector;
        const expected = { 'X-API-Key-ID': 'key_1', 'X-Timestamp': timestamp, 'X-Signature': signature };
        const key = { keyId: 'key_1', secret };
        assert.deepEqual(await signers.signRequest(key, requestOf(vector)), expected, name);
        const ofPartner = await signers.signRequest({ ...key, partnerId: 'ptn_1' }, requestOf(vector));
        assert.deepEqual(ofPartner, { ...expected, 'X-Partner-ID': 'ptn_1' }, name);
      }
    });

    test('of inbound requests', async () => {
      for (const vector of [...vectors('inbound-read'), ...vectors('inbound-write')]) {
        const { secret, nonce, idempotency_key: idempotencyKey } = vector;
        const options = { nonce, idempotencyKey };
        const headers = await signers.signInbound({ keyId: 'key_1', secret }, requestOf(vector), options);
        assert.equal(headers['X-Signature'], vector.signature, vector.name);
        assert.equal(headers['X-Idempotency-Key'] ?? '', idempotencyKey);
      }
    });

    test('of services and of cash-in notifications', async () => {
      for (const vector of vectors('service')) {
        const headers = await signers.signService({ name: 'agent', secret: vector.secret }, requestOf(vector));
        assert.equal(headers['X-Service-Signature'], vector.signature, vector.name);
      }
      for (const vector of vectors('webhook-in')) {
        const headers = await signers.signCashIn(vector.secret, requestOf(vector).body);
        assert.deepEqual(headers, { 'X-Webhook-Signature': vector.signature }, vector.name);
        const hub = await signers.signHub(vector.secret, requestOf(vector).body);
        assert.deepEqual(hub, { 'X-Hub-Signature-256': `sha256=${vector.signature}` }, vector.name);
      }
    });

    test('are signed with a new nonce each time by default', async () => {
      const request = { method: 'GET', target: '/', body: new Uint8Array(0), now: 0 };
      const nonce = async () => (await signers.signInbound({ keyId: 'k', secret: 's' }, request))['X-Nonce'];
      assert.notEqual(await nonce(), await nonce());
    });

    test('cannot contain the separator of the service scheme in a target', async () => {
      const request = { method: 'GET', target: '/a|b', body: new Uint8Array(0), now: 0 };
      await assert.rejects(async () => signers.signService({ name: 'n', secret: 's' }, request), /%7C/);
    });
  });
}

test('Node encrypts the PINs of the vectors', () => {
  type PinVector = Record<'name' | 'secret' | 'pin' | 'card_serial' | 'iv_hex' | 'token', string>;
  for (const { name, secret, pin, card_serial, iv_hex, token } of read<PinVector>('encrypted-pin')) {
    const encrypted = pinEncrypter(secret)({ pin, cardSerial: card_serial }, Buffer.from(iv_hex, 'hex'));
    assert.equal(encrypted, token, name);
  }
});

test('the body hash joins an existing query', async () => {
  const empty = 'body_sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.equal(await web.withBodyHash('/a', new Uint8Array(0)), `/a?${empty}`);
  assert.equal(await web.withBodyHash('/a?b=1', new Uint8Array(0)), `/a?b=1&${empty}`);
});
