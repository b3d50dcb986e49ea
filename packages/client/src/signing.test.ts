// The signatures and encrypted PINs of the client are those of the fixed vectors, and those that the service accepts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openPin, PIN_PURPOSE } from '../../../src/auth/pins/encrypted-pin.ts';
import { signingSecret } from '../../../src/auth/signatures/signers.ts';
import { encryptPin } from './pin.ts';
import { signCashIn, signInbound, signRequest, signService, withBodyHash } from './signing.ts';

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

const vectors = (file: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/${file}.json`, import.meta.url), 'utf8'));
const requestOf = ({ method, target, timestamp, body_base64 = '' }: Vector) => ({
  ...{ method, target, timestamp, now: 0 },
  body: new Uint8Array(Buffer.from(body_base64, 'base64')),
});

describe('the vectors', () => {
  test('of terminals, apps and the partner API', async () => {
    for (const vector of [...vectors('pos'), ...vectors('partner')]) {
      const headers = await signRequest(
        { keyId: 'key_1', secret: vector.secret, partnerId: 'ptn_1' },
        requestOf(vector),
      );
      const { name, timestamp, signature } = vector;
      const expected = { 'X-API-Key-ID': 'key_1', 'X-Partner-ID': 'ptn_1', 'X-Timestamp': timestamp };
      assert.deepEqual(headers, { ...expected, 'X-Signature': signature }, name);
    }
  });

  test('of inbound requests', async () => {
    for (const vector of [...vectors('inbound-read'), ...vectors('inbound-write')]) {
      const { secret, nonce, idempotency_key: idempotencyKey } = vector;
      const headers = await signInbound({ keyId: 'key_1', secret }, requestOf(vector), { nonce, idempotencyKey });
      assert.equal(headers['X-Signature'], vector.signature, vector.name);
      assert.equal(headers['X-Idempotency-Key'] ?? '', idempotencyKey);
    }
  });

  test('of services and of cash-in notifications', async () => {
    for (const vector of vectors('service')) {
      const headers = await signService({ name: 'agent', secret: vector.secret }, requestOf(vector));
      assert.equal(headers['X-Service-Signature'], vector.signature, vector.name);
    }
    for (const vector of vectors('webhook-in')) {
      const headers = await signCashIn(vector.secret, requestOf(vector).body);
      assert.deepEqual(headers, { 'X-Webhook-Signature': vector.signature }, vector.name);
    }
  });
});

test('an inbound request has a new nonce each time', async () => {
  const request = { method: 'GET', target: '/', body: new Uint8Array(0), now: 0 };
  const nonce = async () => (await signInbound({ keyId: 'k', secret: 's' }, request))['X-Nonce'];
  assert.notEqual(await nonce(), await nonce());
});

test('the body hash joins an existing query', async () => {
  const empty = 'body_sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.equal(await withBodyHash('/a', new Uint8Array(0)), `/a?${empty}`);
  assert.equal(await withBodyHash('/a?b=1', new Uint8Array(0)), `/a?b=1&${empty}`);
});

test('an encrypted PIN is decrypted by the service with the secret, and is different each time', async () => {
  const secret = 'pos-secret-2 with spaces & signs é';
  const tokens = await Promise.all([1, 2].map(() => encryptPin(secret, { pin: '0042', cardSerial: 'CARD-É1' })));
  assert.notEqual(tokens[0], tokens[1]);
  const opened = openPin(tokens[0] ?? '', signingSecret(secret).encryptionKey(PIN_PURPOSE));
  assert.deepEqual(opened, { pin: '0042', card_serial: 'CARD-É1' });
});
