// Which outcomes are retried, and after how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attempt, type Outcome, readRetryAfter, retryDelayMs } from './retry.ts';

const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  ...{ attempts: 1, maxRetries: 4, maxRetryDelayMs: 30_000, isIdempotent: true },
  ...changes,
});
const outcome = (status: number | null, changes: Partial<Outcome> = {}): Outcome => ({
  ...{ status, code: 'INTERNAL_ERROR', retryAfterMs: null },
  ...changes,
});

test('a call that may be repeated is retried after a lost reply and after a server error', () => {
  for (const status of [null, 408, 500, 502, 503, 504]) {
    assert.notEqual(retryDelayMs(outcome(status), attempt(), 0.5), null, String(status));
  }
});

test('a refusal is not retried', () => {
  for (const status of [400, 401, 402, 403, 404, 409, 422]) {
    assert.equal(retryDelayMs(outcome(status), attempt(), 0.5), null, String(status));
  }
});

test('a call that must not be repeated is retried only if its rate was limited', () => {
  const once = attempt({ isIdempotent: false });
  for (const status of [null, 408, 500, 503]) assert.equal(retryDelayMs(outcome(status), once, 0.5), null);
  assert.notEqual(retryDelayMs(outcome(429, { code: 'RATE_LIMITED', retryAfterMs: 1_000 }), once, 0.5), null);
  assert.equal(retryDelayMs(outcome(429, { code: 'TOO_MANY_ATTEMPTS', retryAfterMs: 1_000 }), once, 0.5), null);
});

test('the delay doubles up to the maximum, and is spread over the whole interval', () => {
  const longest = (attempts: number) => retryDelayMs(outcome(null), attempt({ attempts, maxRetries: 20 }), 1);
  assert.deepEqual([1, 2, 3, 4, 12].map(longest), [500, 1_000, 2_000, 4_000, 30_000]);
  assert.equal(retryDelayMs(outcome(null), attempt(), 0), 0);
});

test('Retry-After is obeyed, and ends the call if it is longer than the client waits', () => {
  const after = (retryAfterMs: number) => outcome(503, { retryAfterMs });
  assert.equal(retryDelayMs(after(2_000), attempt(), 0), 2_000);
  assert.ok((retryDelayMs(after(2_000), attempt(), 1) ?? 0) > 2_000);
  assert.equal(retryDelayMs(after(31_000), attempt(), 0), null);
});

test('the last attempt is the one after maxRetries', () => {
  assert.notEqual(retryDelayMs(outcome(null), attempt({ attempts: 4 }), 0.5), null);
  assert.equal(retryDelayMs(outcome(null), attempt({ attempts: 5 }), 0.5), null);
  assert.equal(retryDelayMs(outcome(null), attempt({ maxRetries: 0 }), 0.5), null);
});

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  assert.equal(readRetryAfter('3', now), 3_000);
  assert.equal(readRetryAfter('Sun, 01 Mar 2026 12:00:05 GMT', now), 5_000);
  assert.equal(readRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now), 0);
  for (const value of [null, '', 'soon']) assert.equal(readRetryAfter(value, now), null);
});
