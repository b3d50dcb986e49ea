// Compares signatures with vectors computed by openssl, and checks that every signed byte matters.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  bodySignedString,
  hmac,
  hmacHex,
  inboundSignedString,
  serviceSignedString,
  signatureMatches,
  signOutboundWebhook,
  webhookSignedString,
} from '@kissi/signatures/node';
import { verifyWebhookSignature } from '../../src/auth/schemes/webhook.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

type Vector = Record<string, string>;
type SignedString = (vector: Vector) => Buffer | null;

function field(vector: Vector, name: string): string {
  const value = vector[name];
  assert.ok(value !== undefined, `the vector has no ${name}`);
  return value;
}

function head(vector: Vector) {
  const [method, target, timestamp] = ['method', 'target', 'timestamp'].map((name) => field(vector, name));
  return { method: String(method), target: String(target), timestamp: String(timestamp) };
}

const bodyOf = (vector: Vector) => Buffer.from(field(vector, 'body_base64'), 'base64');

const bodySigned: SignedString = (vector) => bodySignedString({ ...head(vector), rawBody: bodyOf(vector) });
const inboundSigned: SignedString = (vector) =>
  inboundSignedString({
    ...head(vector),
    nonce: field(vector, 'nonce'),
    idempotencyKey: field(vector, 'idempotency_key'),
    rawBody: bodyOf(vector),
  });

const SCHEMES: Record<string, SignedString> = {
  pos: bodySigned,
  partner: bodySigned,
  'inbound-read': inboundSigned,
  'inbound-write': inboundSigned,
  service: (vector) => serviceSignedString(head(vector)),
  'webhook-in': bodyOf,
  'webhook-out': (vector) => webhookSignedString(field(vector, 'timestamp'), bodyOf(vector)),
};

function vectorsOf(scheme: string): Vector[] {
  return JSON.parse(readFileSync(join(FOLDER, `${scheme}.json`), 'utf8'));
}

/** Yields copies of the bytes with one bit flipped, one copy for each position. */
function* flipped(bytes: Buffer): Generator<Buffer> {
  for (let position = 0; position < bytes.length; position++) {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(position) ^ 1, position);
    yield copy;
  }
}

/** Yields copies of the vector with one byte of a signed field changed or one byte added. */
function* tampered(vector: Vector): Generator<Vector> {
  for (const name of ['method', 'target', 'timestamp', 'nonce', 'idempotency_key']) {
    const value = vector[name];
    if (value === undefined) continue;
    for (const other of flipped(Buffer.from(value))) yield { ...vector, [name]: other.toString('latin1') };
    yield { ...vector, [name]: `${value}x` };
  }
  if (vector.body_base64 === undefined) return;
  const body = bodyOf(vector);
  for (const other of flipped(body)) yield { ...vector, body_base64: other.toString('base64') };
  yield { ...vector, body_base64: Buffer.concat([body, Buffer.from('\n')]).toString('base64') };
}

for (const [scheme, signedString] of Object.entries(SCHEMES)) {
  describe(`${scheme} vectors`, () => {
    for (const vector of vectorsOf(scheme)) {
      const [secret, signature] = [field(vector, 'secret'), field(vector, 'signature')];

      it(`signs like openssl: ${vector.name}`, () => {
        const signed = signedString(vector);
        assert.ok(signed !== null);
        if (vector.string_to_sign_base64) assert.equal(signed.toString('base64'), vector.string_to_sign_base64);
        assert.equal(hmacHex(secret, signed), signature);
        assert.equal(signatureMatches(hmac(secret, signed), signature.toUpperCase()), true);
        assert.equal(signatureMatches(hmac(`${secret} `, signed), signature), false);
      });

      it(`rejects a change of any byte: ${vector.name}`, () => {
        let changes = 0;
        for (const other of tampered(vector)) {
          const signed = signedString(other);
          assert.ok(signed === null || !signatureMatches(hmac(secret, signed), signature), JSON.stringify(other));
          changes++;
        }
        assert.ok(changes > 0);
        for (const other of flipped(Buffer.from(signature, 'hex'))) {
          assert.equal(signatureMatches(hmac(secret, signedString(vector) ?? ''), other.toString('hex')), false);
        }
      });
    }
  });
}

describe('webhooks', () => {
  it('verifies and signs the vectors', () => {
    for (const vector of vectorsOf('webhook-in')) {
      assert.equal(verifyWebhookSignature(field(vector, 'secret'), bodyOf(vector), vector.signature), true);
    }
    for (const vector of vectorsOf('webhook-out')) {
      const signature = signOutboundWebhook(field(vector, 'secret'), field(vector, 'timestamp'), bodyOf(vector));
      assert.equal(signature, vector.signature);
    }
  });
});

const has = (command: string) => spawnSync(command, ['--help']).error === undefined;

describe('make.sh', { skip: !has('bash') || !has('openssl') }, () => {
  it('generates the checked-in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kissi-vectors-'));
    try {
      const { status, stderr } = spawnSync('bash', [join(FOLDER, 'make.sh'), folder], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      for (const scheme of Object.keys(SCHEMES)) {
        const [generated, checkedIn] = [folder, FOLDER].map((where) =>
          readFileSync(join(where, `${scheme}.json`), 'utf8'),
        );
        assert.equal(generated, checkedIn, scheme);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
