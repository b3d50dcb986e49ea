// Only webhooks that the service signed recently with a known secret are accepted.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KissiWebhookError } from './errors.ts';
import { type EndpointEvent, verifyWebhook, type WebhookOptions } from './webhooks.ts';

const SENT_AT = '2026-03-01T12:00:00.000Z';
const NOW = Date.parse(SENT_AT);
const MINUTE_MS = 60_000;
const PAYLOAD = { event: 'credit.completed', reference: 'R-1', amount: 2_500 };
const BODY = JSON.stringify(PAYLOAD);

const sign = (secret: string, body: string = BODY, at = SENT_AT) =>
  createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
const headers = (changes: Record<string, string> = {}) => ({
  ...{ 'x-hook-event-id': 'evt_1', 'x-hook-timestamp': SENT_AT, 'x-hook-signature': sign('new') },
  ...changes,
});
const verify = (options: Partial<WebhookOptions> = {}, body: string | Uint8Array = BODY) =>
  verifyWebhook(body, { headers: headers(), secrets: 'new', now: NOW, ...options });

async function assertRefused(code: string, options: Partial<WebhookOptions>, body: string | Uint8Array = BODY) {
  await assert.rejects(verify(options, body), (error) => error instanceof KissiWebhookError && error.code === code);
}

test('a signed webhook is returned with its event id, whatever the type of body and headers', async () => {
  const expected = { ...PAYLOAD, id: 'evt_1' };
  assert.deepEqual(await verify(), expected);
  assert.deepEqual(await verify({}, new TextEncoder().encode(BODY)), expected);
  assert.deepEqual(await verify({ headers: new Headers(headers()) }), expected);
  const upperCase = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), [value]]));
  assert.deepEqual(await verify({ headers: upperCase }), expected);
});

test('the fixed vectors are accepted', async () => {
  const file = new URL('../../../test/vectors/webhook-out.json', import.meta.url);
  for (const { secret, timestamp, body_base64, signature } of JSON.parse(readFileSync(file, 'utf8'))) {
    const body = Buffer.from(body_base64, 'base64');
    const signed = headers({ 'x-hook-timestamp': timestamp, 'x-hook-signature': signature });
    const verified = verify({ headers: signed, secrets: secret }, body);
    // Some vectors are no JSON: they are refused after the signature was accepted.
    await verified.catch((error) => assert.ok(error instanceof SyntaxError, String(error)));
  }
});

test('during a rotation the old and the new secret are accepted, in either place', async () => {
  const rotated = headers({ 'x-hook-signature-previous': sign('old') });
  await verify({ headers: rotated, secrets: 'new' });
  await verify({ headers: rotated, secrets: 'old' });
  await verify({ headers: headers({ 'x-hook-signature': sign('old') }), secrets: ['old', 'new'] });
});

test('a changed body, a changed timestamp, another secret and a malformed signature are refused', async () => {
  await assertRefused('INVALID_SIGNATURE', {}, `${BODY} `);
  await assertRefused('INVALID_SIGNATURE', { secrets: 'other' });
  await assertRefused('INVALID_SIGNATURE', { headers: headers({ 'x-hook-timestamp': '2026-03-01T12:00:01.000Z' }) });
  const malformed = ['', 'zz', sign('new').slice(2), `${sign('new')}00`, `sha256=${sign('new')}`];
  for (const signature of malformed) {
    await assertRefused('INVALID_SIGNATURE', { headers: headers({ 'x-hook-signature': signature }) });
  }
  await assertRefused('INVALID_SIGNATURE', { headers: {} });
  for (const secrets of [[], '', ['new', '']]) await assertRefused('CREDENTIALS_MISSING', { secrets });
});

test('a webhook outside the tolerance is refused although it is signed', async () => {
  for (const offset of [-5 * MINUTE_MS, 5 * MINUTE_MS]) await verify({ now: NOW + offset });
  for (const offset of [-5 * MINUTE_MS - 1, 5 * MINUTE_MS + 1]) {
    await assertRefused('EXPIRED_TIMESTAMP', { now: NOW + offset });
  }
  await assertRefused('EXPIRED_TIMESTAMP', { now: NOW + 1_001, toleranceMs: 1_000 });
  const undated = headers({ 'x-hook-timestamp': 'now', 'x-hook-signature': sign('new', BODY, 'now') });
  await assertRefused('EXPIRED_TIMESTAMP', { headers: undated });
});

const WHSEC = `whsec_${Buffer.from('a secret of thirty-two bytes !!!').toString('base64')}`;
const SECONDS = String(NOW / 1_000);
const EVENT = { id: 'evt_1', type: 'payment.completed', created_at: SENT_AT, data: { object: { amount: 100 } } };
const EVENT_BODY = JSON.stringify(EVENT);

function standard(secret: string | Buffer, { id = 'evt_1', timestamp = SECONDS, body = EVENT_BODY } = {}): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
const decoded = Buffer.from(WHSEC.slice(6), 'base64');
const standardHeaders = (changes: Record<string, string> = {}) => ({
  ...{ 'webhook-id': 'evt_1', 'webhook-timestamp': SECONDS, 'webhook-signature': standard(decoded) },
  ...changes,
});

test('a webhook that has only the headers of Standard Webhooks is verified by them', async () => {
  const options = { headers: standardHeaders(), secrets: WHSEC, now: NOW };
  const verified = await verifyWebhook<EndpointEvent>(EVENT_BODY, options);
  assert.deepEqual(verified, EVENT);
  if (verified.type === 'payment.completed') assert.deepEqual(verified.data.object, { amount: 100 });
  await verify({ headers: standardHeaders({ 'webhook-signature': standard('plain') }), secrets: 'plain' }, EVENT_BODY);
  const rotating = `${standard('new')} v2,x ${standard(decoded)}`;
  await verify({ headers: standardHeaders({ 'webhook-signature': rotating }), secrets: ['other', WHSEC] }, EVENT_BODY);
});

test('a change of the body, the id, the time or the signature is refused by them too', async () => {
  const refusedWith = (changes: Record<string, string>, code = 'INVALID_SIGNATURE', body = EVENT_BODY) =>
    assertRefused(code, { headers: standardHeaders(changes), secrets: WHSEC }, body);
  await refusedWith({}, 'INVALID_SIGNATURE', `${EVENT_BODY} `);
  await refusedWith({ 'webhook-id': 'evt_2' });
  await refusedWith({ 'webhook-timestamp': String(NOW / 1_000 + 1) });
  for (const signature of ['', 'v1,', 'v1,%%', standard('other'), standard(decoded).replace('v1', 'v2')]) {
    await refusedWith({ 'webhook-signature': signature });
  }
  const [late, words] = [String(NOW / 1_000 - 301), 'now'];
  for (const timestamp of [late, words]) {
    const signed = { 'webhook-timestamp': timestamp, 'webhook-signature': standard(decoded, { timestamp }) };
    await refusedWith(signed, 'EXPIRED_TIMESTAMP');
  }
  // What was signed for X-Hook is not accepted because another header fits.
  await refusedWith({ 'x-hook-signature': sign('other'), 'x-hook-timestamp': SENT_AT, 'x-hook-event-id': 'evt_1' });
});
