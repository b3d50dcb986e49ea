// Canonical strings, comparison of signatures, and timestamps. The fixed vectors are in test/vectors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bodySignedString,
  hmac,
  hmacHex,
  serviceSignedString,
  signatureMatches,
  signOutboundWebhook,
  signStandardWebhook,
  verifyOutboundWebhook,
} from './sync.ts';
import { isWithin, parseRfc3339, parseRfc3339Utc, parseUnixSeconds } from './timestamps.ts';

const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x20, 0x7d]);

describe('canonical strings', () => {
  it('are null for a service call whose target contains the separator', () => {
    for (const target of ['/a?b|c', '/a|b?c', '/a|b']) {
      assert.equal(serviceSignedString({ method: 'GET', target, timestamp: '1' }), null);
    }
  });

  it('contain the original bytes of a path that is not ASCII', () => {
    const target = Buffer.from('/é').toString('latin1');
    const signed = bodySignedString({ method: 'GET', target, timestamp: 'T', rawBody: Buffer.alloc(0) });
    assert.deepEqual(signed, Buffer.from('GET\n/é\nT\n', 'utf8'));
  });
});

describe('signatureMatches', () => {
  const expected = hmac('secret', 'text');
  const right = hmacHex('secret', 'text');

  it('rejects everything but the hexadecimal digits of the signature', () => {
    const last = right.endsWith('0') ? '1' : '0';
    const wrong = [
      undefined,
      '',
      right.slice(0, -1),
      `${right}0`,
      `${right.slice(0, -1)}${last}`,
      `${right}\n`,
      ` ${right}`,
      `${right}, ${right}`,
      `sha256=${right}`,
      `${right.slice(0, 62)}zz`,
      expected.toString('base64'),
    ];
    for (const signature of wrong) assert.equal(signatureMatches(expected, signature), false, String(signature));
  });
});

describe('webhook signatures', () => {
  it('cover the raw body and the timestamp', () => {
    const signature = signOutboundWebhook('s', 'T1', bytes);
    const valid = { timestamp: 'T1', signature, rawBody: bytes };
    assert.equal(verifyOutboundWebhook(['old', 's'], valid), true);
    assert.equal(verifyOutboundWebhook(['old'], valid), false);
    assert.equal(verifyOutboundWebhook(['s'], { ...valid, timestamp: 'T2' }), false);
    assert.equal(verifyOutboundWebhook(['s'], { ...valid, rawBody: bytes.subarray(1) }), false);
    assert.equal(verifyOutboundWebhook(['s'], { ...valid, signature: undefined }), false);
  });
});

describe('Standard Webhooks', () => {
  it('is signed as in the example of its specification', () => {
    const head = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' };
    const signature = signStandardWebhook(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      head,
      Buffer.from('{"test": 2432232314}'),
    );
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('timestamps', () => {
  it('are parsed as RFC 3339 with any offset', () => {
    const noon = Date.UTC(2026, 1, 28, 12);
    const same = [
      '2026-02-28T12:00:00Z',
      '2026-02-28t12:00:00z',
      '2026-02-28T13:30:00+01:30',
      '2026-02-27T12:01:00-23:59',
    ];
    for (const text of same) assert.equal(parseRfc3339(text), noon, text);
    assert.equal(parseRfc3339('2026-02-28T12:00:00.5Z'), noon + 500);
    assert.equal(parseRfc3339('2026-02-28T12:00:00.123456789Z'), noon + 123);
    assert.equal(parseRfc3339('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
    assert.equal(parseRfc3339('2016-12-31T23:59:60Z'), Date.UTC(2017, 0, 1));
  });

  it('are rejected if they are not RFC 3339', () => {
    const wrong = `2026-02-28T12:00:00|2026-02-28 12:00:00Z|2026-02-28T12:00Z|2026-02-30T12:00:00Z|2026-13-01T00:00:00Z
      |2026-00-01T00:00:00Z|2026-02-28T24:00:00Z|2026-02-28T12:60:00Z|2026-02-28T12:00:60Z|2026-02-28T12:00:00+24:00
      |2026-02-28T12:00:00+0100|2026-02-28T12:00:00.Z|26-02-28T12:00:00Z|0026-02-28T12:00:00Z|1772280000|Saturday|now
      |+002026-02-28T12:00:00Z|2026-02-28T12:00:00Z, 2026-02-28T12:00:00Z|2026-02-28T12:00:00Zx| 2026-02-28T12:00:00Z`;
    for (const text of ['', ...wrong.split(/\n\s*\||\|/)]) assert.equal(parseRfc3339(text), null, text);
  });

  it('must have the offset Z or +00:00 where UTC is required', () => {
    assert.notEqual(parseRfc3339Utc('2026-02-28T12:00:00Z'), null);
    assert.notEqual(parseRfc3339Utc('2026-02-28T12:00:00+00:00'), null);
    for (const offset of ['-00:00', '+01:00', '+00:01'])
      assert.equal(parseRfc3339Utc(`2026-02-28T12:00:00${offset}`), null);
  });

  it('in Unix seconds must be whole numbers', () => {
    assert.equal(parseUnixSeconds('1772280000'), 1_772_280_000_000);
    for (const text of ['', '1.5', '-1', '+1', '1e9', '0x10', ' 1', '1772280000000000']) {
      assert.equal(parseUnixSeconds(text), null, text);
    }
  });

  it('at the boundary are within the window', () => {
    assert.equal(isWithin(1_000, 5_000, 6_000), true);
    assert.equal(isWithin(1_000, 6_000, 5_000), true);
    assert.equal(isWithin(1_000, 5_000, 6_001), false);
    assert.equal(isWithin(1_000, 6_001, 5_000), false);
    assert.equal(isWithin(1_000, null, 0), false);
  });
});
