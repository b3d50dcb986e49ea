// Encrypted PINs: fixed vectors are decrypted, and any other input is refused.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encryptPin } from '@kissi/signatures';
import { encryptionKeyBytes, PIN_PURPOSE } from '@kissi/signatures/node';
import fc from 'fast-check';
import { CompactEncrypt, type CompactJWEHeaderParameters } from 'jose';
import { openPin } from '../../src/auth/pins/encrypted-pin.ts';
import { signingSecret } from '../../src/auth/signatures/signers.ts';
import { Refusal } from '../../src/kernel/refusal.ts';

interface Vector {
  name: string;
  secret: string;
  pin: string;
  card_serial: string;
  key_hex: string;
  iv_hex: string;
  plaintext_base64: string;
  token: string;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const VECTORS: Vector[] = JSON.parse(readFileSync(here('encrypted-pin.json'), 'utf8'));
const SECRET = 'pos-secret-1';
const KEY = new Uint8Array(encryptionKeyBytes(SECRET, PIN_PURPOSE));
const open = (secret: string, token: string) => openPin(token, signingSecret(secret).encryptionKey(PIN_PURPOSE));

async function assertRefused(token: string, message: RegExp, secret = SECRET): Promise<void> {
  const outcome = open(secret, token);
  assert.ok(outcome instanceof Refusal, token);
  assert.deepEqual([outcome.code, outcome.status], ['INVALID_REQUEST', 400]);
  assert.match(outcome.message, message);
}

for (const vector of VECTORS) {
  const { secret, pin, card_serial, token } = vector;
  describe(`the vector of ${vector.name}`, () => {
    it('is decrypted with its secret and with no other', async () => {
      assert.deepEqual(open(secret, token), { pin, card_serial });
      await assertRefused(token, /^encrypted_pin cannot be decrypted/, `${secret} `);
    });

    it('has the key that RFC 5869 defines', () => {
      // RFC 5869 without a library: extract with a salt of zeros, then one round of expansion.
      const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
      const expanded = createHmac('sha256', extracted).update(`${PIN_PURPOSE}\u0001`).digest('hex');
      assert.equal(expanded, vector.key_hex);
      assert.equal(Buffer.from(encryptionKeyBytes(secret, PIN_PURPOSE)).toString('hex'), vector.key_hex);
    });

    it('equals the output of the example script for integrators', () => {
      const env = { ...process.env, SECRET: secret, IV: vector.iv_hex };
      const args = [here('encrypt-pin.mjs'), pin, card_serial];
      assert.equal(spawnSync(process.execPath, args, { env, encoding: 'utf8' }).stdout.trim(), token);
    });

    it('has the ciphertext that openssl computes', {
      skip: spawnSync('openssl', ['version']).error !== undefined,
    }, () => {
      // GCM encrypts like counter mode with the counter starting at 2.
      const args = ['enc', '-aes-256-ctr', '-K', vector.key_hex, '-iv', `${vector.iv_hex}00000002`];
      const { stdout } = spawnSync('openssl', args, { input: Buffer.from(vector.plaintext_base64, 'base64') });
      assert.equal(stdout.toString('base64url'), token.split('.')[3]);
    });

    it('is refused if any part of it changes', async () => {
      for (const [part, text] of token.split('.').entries()) {
        if (text === '') continue;
        for (const at of [0, Math.floor(text.length / 2), text.length - 2]) {
          const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
          await assertRefused(token.split('.').with(part, changed).join('.'), /^encrypted_pin /, secret);
        }
      }
    });
  });
}

describe('an encrypted PIN', () => {
  it('of a client is decrypted with the secret, and is different each time', async () => {
    const secret = 'pos-secret-2 with spaces & signs é';
    const tokens = await Promise.all([1, 2].map(() => encryptPin(secret, { pin: '0042', cardSerial: 'CARD-É1' })));
    assert.notEqual(tokens[0], tokens[1]);
    for (const token of tokens) assert.deepEqual(open(secret, token), { pin: '0042', card_serial: 'CARD-É1' });
  });

  const encrypt = (plain: string, header: CompactJWEHeaderParameters = { alg: 'dir', enc: 'A256GCM' }, key = KEY) =>
    new CompactEncrypt(Buffer.from(plain)).setProtectedHeader(header).encrypt(key);
  const right = JSON.stringify({ pin: '1234', card_serial: 'CARD-1' });

  it('must use dir and A256GCM without compression', async () => {
    assert.deepEqual(open(SECRET, await encrypt(right)), JSON.parse(right));
    const others = [
      await encrypt(right, { alg: 'A256KW', enc: 'A256GCM' }),
      await encrypt(right, { alg: 'A256GCMKW', enc: 'A256GCM' }),
      await encrypt(right, { alg: 'dir', enc: 'A128GCM' }, KEY.slice(0, 16)),
      await encrypt(right, { alg: 'dir', enc: 'A128CBC-HS256' }),
      await encrypt(right, { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }),
      await encrypt('x'.repeat(100_000), { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }),
    ];
    for (const token of others) await assertRefused(token, /compact JWE with alg "dir" and enc "A256GCM"/);
  });

  it('must contain pin and card_serial as strings', async () => {
    const wrong = [
      '',
      '1234',
      'null',
      '[]',
      '{}',
      '{"pin":"1234"}',
      '{"card_serial":"CARD-1"}',
      '{"pin":1234,"card_serial":"X"}',
    ];
    for (const plain of wrong) await assertRefused(await encrypt(plain), /must hold/);
  });

  it('is refused for any malformed input, without an exception', async () => {
    const part = fc.string({ unit: fc.constantFrom(...'AZaz09-_=.{"'), maxLength: 40 });
    const header = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
    const token = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(part, { maxLength: 7 }).map((parts) => parts.join('.')),
      fc.tuple(header, part, part, part, part).map((parts) => parts.join('.')),
    );
    await fc.assert(fc.asyncProperty(token, async (text) => assertRefused(text, /^encrypted_pin /)));
  });
});
