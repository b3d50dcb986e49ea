// Tests the details of a webhook delivery: what each attempt sent, what the endpoint replied, and whether the signature is valid.

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { signOutboundWebhook } from '@kissi/signatures/node';
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { apiKey, staffToken } from '../../support/staff.ts';
import {
  answering,
  type Behaviour,
  changePartner,
  commitEvent,
  completed,
  deliver,
  partnerAt,
  type Receiver,
  rawReceiver,
  receiver,
  type TestPartner,
} from '../../webhooks/receiver.ts';

const PATH = '/api/v1/admin/webhook-deliveries';
let bank: Receiver;
let partner: TestPartner;
const kissi = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
after(() => kissi.close());
beforeEach(async () => {
  bank = await receiver();
  partner = await partnerAt(kissi, bank.url);
});
afterEach(() => bank.close());

const get = async (id: string): Promise<CallReply> =>
  kissi.call('GET', `${PATH}/${id}`, { token: await kissi.adminToken() });

async function shown(id: string): Promise<Json> {
  const { json } = assertStatus(await get(id), 200);
  return json.delivery;
}

/** The only attempt at an event, which the endpoint answers like this. */
async function attempted(behaviour: Behaviour): Promise<Json> {
  bank.behave(behaviour);
  return attemptedAt(partner);
}

async function attemptedAt(to: TestPartner): Promise<Json> {
  const id = await commitEvent(kissi, completed(to));
  await deliver(kissi);
  const { attempts } = await shown(id);
  assert.equal(attempts.length, 1);
  return attempts[0];
}

async function rotateSecret(query = ''): Promise<string> {
  const path = `/api/v1/admin/partners/${partner.id}/rotate-webhook-secret${query}`;
  const { json } = assertStatus(await kissi.call('POST', path, { token: await kissi.adminToken() }), 200);
  return json.webhook_secret;
}

describe('a delivery', () => {
  test('shows the URL, headers and body that the receiver got, and a signature that verifies', async () => {
    const event = completed(partner, { reference: 'Überweisung "7"\n\u2028🏦' });
    const id = await commitEvent(kissi, event);
    await deliver(kissi);
    const { attempts, body, payload, ...rest } = await shown(id);
    const at = iso(kissi.clock.now());
    assert.deepEqual(rest, {
      ...{ id, partner_id: partner.id, event: 'credit.completed', reference: event.reference },
      ...{ processor_id: null, endpoint_id: null },
      ...{ inbound_id: event.inboundId, status: 'delivered', attempt_count: 1, next_attempt_at: null },
      ...{ created_at: at, finished_at: at },
    });
    const [hook] = bank.received;
    assert.ok(hook);
    assert.deepEqual(Buffer.from(body), hook.raw);
    assert.deepEqual(payload, hook.json);
    const [{ duration_ms, request, ...attempt }] = attempts;
    assert.ok(Number.isInteger(duration_ms));
    assert.deepEqual(attempt, {
      ...{ number: 1, at, status: 200, error: null },
      reply: { headers: {}, body: '{"ok":true}', truncated: false },
      signature_valid: true,
    });
    assert.equal(request.url, bank.url);
    assert.deepEqual(Object.keys(request.headers).sort(), [
      ...['Content-Type', 'User-Agent', 'Webhook-Id', 'Webhook-Signature', 'Webhook-Timestamp'],
      ...['X-Hook-Event', 'X-Hook-Event-Id', 'X-Hook-Signature', 'X-Hook-Timestamp'],
    ]);
    for (const [name, value] of Object.entries(request.headers)) assert.equal(hook.headers[name.toLowerCase()], value);
  });

  test('never shows the secret', async () => {
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    const newSecret = await rotateSecret();
    const { text } = await get(id);
    for (const secret of [partner.secret, newSecret]) assert.ok(!text.includes(secret));
  });

  test('shows its latest 20 attempts in order, those of the previous version without details', async () => {
    bank.behave(answering(503, { 'retry-after': '120' }));
    const id = await commitEvent(kissi, completed(partner));
    await kissi.db.query(
      `insert into webhook_attempts (delivery_id, number, at, duration_ms, http_status, error)
        select $1, n, now(), 5, 500, 'The endpoint responded with 500.' from generate_series(1, 20) n`,
      [id],
    );
    await kissi.db.query('update webhook_deliveries set attempts = 20 where id = $1', [id]);
    await deliver(kissi);
    const { attempts, attempt_count } = await shown(id);
    assert.equal(attempt_count, 21);
    assert.deepEqual(
      attempts.map(({ number }: Json) => number),
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    assert.deepEqual(attempts[0], {
      ...{ number: 2, at: attempts[0].at, duration_ms: 5, status: 500, error: 'The endpoint responded with 500.' },
      ...{ request: null, reply: null, signature_valid: null },
    });
    assert.deepEqual(attempts[19].reply, { headers: { 'retry-after': '120' }, body: '', truncated: false });
  });

  test('is 404 if unknown, and only for system_admin', async () => {
    const id = await commitEvent(kissi, completed(partner));
    const missing = await get('evt_unknown');
    assert.deepEqual([missing.status, missing.json.code], [404, 'NOT_FOUND']);
    const { key } = await apiKey(kissi, ['inbound:read', 'inbound:write'], { partner_id: partner.id });
    for (const token of [await staffToken(kissi, 'support_user'), key]) {
      assert.equal((await kissi.call('GET', `${PATH}/${id}`, { token })).status, 403);
    }
    assert.equal((await kissi.call('GET', `${PATH}/${id}`)).status, 401);
  });
});

describe("the endpoint's reply", () => {
  test('is cut after 2,000 bytes, at the last complete character', async () => {
    const { reply, status, error } = await attempted((response) => {
      response.writeHead(500, { 'content-type': 'text/html; charset=utf-8', 'x-other': 'not kept' });
      response.end(`x${'ü'.repeat(1_500)}`);
    });
    assert.deepEqual([status, error], [500, 'The endpoint responded with 500.']);
    assert.deepEqual(reply, {
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `x${'ü'.repeat(999)}`,
      truncated: true,
    });
  });

  test('of exactly 2,000 bytes is complete', async () => {
    const { reply } = await attempted((response) => void response.writeHead(200).end('y'.repeat(2_000)));
    assert.deepEqual([reply.body.length, reply.truncated], [2_000, false]);
  });

  test('that redirects shows where to, in a bounded header', async () => {
    const location = `https://elsewhere.example/${'z'.repeat(1_000)}`;
    const { reply } = assertStatus(await attempted(answering(307, { location })), 307);
    assert.deepEqual(reply, { headers: { location: location.slice(0, 500) }, body: '', truncated: false });
  });

  test('has its control characters escaped, and other bytes replaced', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\u0000b\u001b[31m\r\n\tc\u009b\u202e'),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('d'),
    ]);
    const { reply } = await attempted((response) => void response.writeHead(400).end(bytes));
    assert.equal(reply.body, 'a\\u0000b\\u001b[31m\\u000d\n\tc\\u009b\\u202e\ufffd\ufffd\ufffdd');
  });

  test('that never ends is kept up to where it was cut, and acknowledges', async () => {
    const { reply, status, error } = await attempted((response) => {
      response.writeHead(200).write('first part');
    });
    assert.deepEqual([status, error], [200, null]);
    assert.deepEqual(reply, { headers: {}, body: 'first part', truncated: true });
  });

  test('that floods is cut, and the stored part is bounded', async () => {
    const flood = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${'f'.repeat(65_536)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    const { reply } = await attemptedAt(await partnerAt(kissi, flood.url));
    assert.deepEqual(reply, { headers: {}, body: 'f'.repeat(2_000), truncated: true });
    await flood.close();
  });

  test('is null without one, and the request is still shown', async () => {
    const closed = await receiver();
    await closed.close();
    const { reply, status, error, request, signature_valid } = await attemptedAt(await partnerAt(kissi, closed.url));
    assert.deepEqual([reply, status, error], [null, null, 'The connection failed (ECONNREFUSED).']);
    assert.deepEqual([request.url, signature_valid], [closed.url, true]);
  });

  test('and the request are null if the partner no longer has a webhook_url', async () => {
    const id = await commitEvent(kissi, completed(partner));
    await changePartner(kissi, partner, { webhook_url: '' });
    await deliver(kissi);
    const [attempt] = (await shown(id)).attempts;
    assert.equal(attempt.error, 'The partner has no webhook_url.');
    assert.deepEqual([attempt.request, attempt.reply, attempt.signature_valid], [null, null, null]);
  });
});

describe('signature_valid', () => {
  test('is true during the overlap of a rotation, and false for the old secret afterwards', async () => {
    bank.behave(answering(500));
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    const newSecret = await rotateSecret();
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    const valid = async () => (await shown(id)).attempts.map(({ signature_valid }: Json) => signature_valid);
    assert.deepEqual(await valid(), [true, true]);
    const { attempts, body } = await shown(id);
    const { headers } = attempts[1].request;
    const sign = (secret: string) => signOutboundWebhook(secret, headers['X-Hook-Timestamp'], Buffer.from(body));
    assert.equal(headers['X-Hook-Signature'], sign(newSecret));
    assert.equal(headers['X-Hook-Signature-Previous'], sign(partner.secret));
    kissi.clock.advance(DAY_MS + MINUTE_MS);
    assert.deepEqual(await valid(), [false, true]);
  });

  test('is false if the stored body is not the one that was signed', async () => {
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    await kissi.db.query(`update webhook_deliveries set body = replace(body, '12500', '12501') where id = $1`, [id]);
    assert.equal((await shown(id)).attempts[0].signature_valid, false);
  });
});
