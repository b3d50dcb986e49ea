// The client against the service: retries, timeouts, aborted calls, errors, lists and files.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { testBank } from '../../../test/support/inbound.ts';
import { bankForFile, movementCount, PIN } from '../../../test/support/money.ts';
import { apiKey, staffMember } from '../../../test/support/staff.ts';
import {
  createClient,
  KissiConnectionError,
  KissiError,
  KissiRateLimitError,
  KissiRefusalError,
} from '../src/index.ts';
import { listCards } from '../src/operations.ts';
import { clientOf, type Fate } from './support.ts';

const { kissi: gateway, bank } = await bankForFile();
const { email, password } = await staffMember(gateway, 'system_admin');
const admin = (fates: Fate[] = []) => clientOf(gateway, { login: { email, password } }, fates);
const withKey = (fates: Fate[] = []) => clientOf(gateway, { apiKey: bank.key }, fates);
const unavailable = (headers: Record<string, string> = {}) => new Response('<h1>503</h1>', { status: 503, headers });

/** A transfer of 10,000 with a fee of 150. */
async function transfer() {
  const [sender, recipient] = [await bank.wallet(50_000), await bank.wallet()];
  return { sender, recipient, body: { sender_id: sender.id, recipient_id: recipient.id, amount: 10_000, pin: PIN } };
}

describe('a payment', () => {
  test('whose reply is lost is repeated with the same request_id and made once', async () => {
    const { kissi, network, delays } = withKey(['reply lost', 'not sent', unavailable()]);
    const { sender, recipient, body } = await transfer();
    const paid = await kissi.wallet.transfer(body);
    assert.deepEqual([paid.lastResponse.attempts, paid.lastResponse.isReplay], [4, true]);
    assert.equal(delays.length, 3);
    const ids = new Set(network.sent.map((request) => request.body.request_id));
    assert.deepEqual([...ids], [paid.request_id]);
    assert.equal(await bank.balance(sender.id), 50_000 - 10_150);
    assert.equal(await movementCount(gateway, recipient.id), 1);
  });

  test("keeps the caller's request_id, in the body or in the options", async () => {
    const { kissi } = withKey();
    const { recipient, body } = await transfer();
    assert.equal((await kissi.wallet.transfer({ ...body, request_id: 'order-1' })).request_id, 'order-1');
    const again = await kissi.wallet.transfer(body, { idempotencyKey: 'order-1' });
    assert.equal(again.lastResponse.isReplay, true);
    assert.equal(await movementCount(gateway, recipient.id), 1);
  });

  test('that stays without a reply fails with its key, with which another client completes it', async () => {
    const { body, sender, recipient } = await transfer();
    const { kissi } = clientOf(gateway, { apiKey: bank.key, maxRetries: 1 }, ['reply lost', 'reply lost']);
    const failed = await kissi.wallet.transfer(body).catch((error: unknown) => error);
    assert.ok(failed instanceof KissiConnectionError);
    assert.deepEqual([failed.code, failed.status, failed.attempts], ['CONNECTION_FAILED', null, 2]);
    assert.match(failed.message, /^POST \/api\/v1\/wallet\/transfer got no complete reply \(other side closed\)\.$/);
    const request_id = failed.idempotencyKey ?? assert.fail();
    const completed = await withKey().kissi.wallet.transfer({ ...body, request_id });
    assert.equal(completed.lastResponse.isReplay, true);
    assert.equal(await bank.balance(sender.id), 50_000 - 10_150);
    assert.equal(await movementCount(gateway, recipient.id), 1);
  });

  test('that is refused is not repeated', async () => {
    const { kissi, network } = withKey();
    const { body, sender } = await transfer();
    await assert.rejects(kissi.wallet.transfer({ ...body, amount: 60_000 }), (error) => {
      assert.ok(error instanceof KissiRefusalError);
      assert.deepEqual([error.code, error.status, error.attempts], ['INSUFFICIENT_BALANCE', 402, 1]);
      return true;
    });
    assert.equal(network.sent.length, 1);
    assert.equal(await bank.balance(sender.id), 50_000);
  });

  test('of a partner bank is repeated with a new nonce, the same reference and the same idempotency key', async () => {
    const partner = await testBank(gateway);
    const { id: keyId, secret } = partner.key;
    const { kissi, network } = clientOf(gateway, { keyId, secret }, ['reply lost', 'reply lost']);
    const wallet = await bank.wallet();
    const { data, lastResponse } = await kissi.inbound.credit({ msisdn: wallet.phone, amount: 700 });
    assert.equal(lastResponse.attempts, 3);
    const distinct = (value: (request: (typeof network.sent)[number]) => unknown) =>
      new Set(network.sent.map(value)).size;
    assert.equal(
      distinct(({ headers }) => headers.get('x-nonce')),
      3,
    );
    assert.equal(
      distinct(({ headers }) => headers.get('x-idempotency-key')),
      1,
    );
    assert.deepEqual([distinct(({ body }) => body.reference), network.sent[0]?.body.reference], [1, data.reference]);
    assert.equal(await bank.balance(wallet.id), 700);
    assert.equal(await partner.outstanding(), 700);
  });
});

describe('a call that must not be repeated', () => {
  test('is sent once, although its reply is lost', async () => {
    const { kissi, network } = admin(['answered', 'reply lost']);
    await assert.rejects(kissi.partners.create({ name: 'Lost Bank' }), KissiConnectionError);
    assert.equal(network.sent.filter(({ path }) => path.endsWith('/partners')).length, 1);
    assert.equal((await admin().kissi.partners.list({ search: 'Lost Bank' })).total_count, 1);
  });

  test('is sent once, although the service is unavailable', async () => {
    const { kissi, network } = admin(['answered', unavailable({ 'retry-after': '1' })]);
    await assert.rejects(kissi.partners.create({ name: 'Busy Bank' }), { status: 503, attempts: 1 });
    assert.equal(network.sent.filter(({ path }) => path.endsWith('/partners')).length, 1);
  });

  test('is repeated after a rate limit, which refuses it before it is read', async () => {
    const limited = Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '2' } });
    const { kissi, delays } = admin(['answered', limited]);
    const { lastResponse } = await kissi.partners.create({ name: 'Limited Bank' });
    assert.equal(lastResponse.attempts, 2);
    assert.ok(delays.length === 1 && (delays[0] ?? 0) >= 2_000, String(delays));
  });
});

describe('waiting', () => {
  test('a rate limit that lasts longer than the client waits is an error that says how long', async () => {
    const { id, secret } = await apiKey(gateway, ['payments:write', 'cards:read'], { rate_limit: 1 });
    const { kissi } = clientOf(gateway, { keyId: id, secret, maxRetries: 0 });
    const calls = Array.from({ length: 20 }, () => kissi.terminal.verifyAccount({ phone_number: '+23276000001' }));
    const outcomes = await Promise.allSettled(calls);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    const [error] = refused;
    assert.ok(error instanceof KissiRateLimitError);
    assert.equal(error.code, 'RATE_LIMITED');
    assert.ok((error.retryAfterMs ?? 0) >= 1_000);
  });

  test('an attempt without a reply ends after the timeout', async () => {
    const { kissi, network } = withKey(['never ends', 'never ends']);
    const call = kissi.wallet.balance('sub_1', { timeoutMs: 1, maxRetries: 1 });
    await assert.rejects(call, { name: 'KissiConnectionError', code: 'TIMEOUT', attempts: 2 });
    assert.equal(network.sent.length, 2);
  });

  test("an aborted call ends with the caller's reason, during an attempt and between two", async () => {
    const reason = new Error('the customer left');
    const during = new AbortController();
    const { kissi } = withKey(['never ends']);
    const call = kissi.wallet.balance('sub_1', { signal: during.signal });
    during.abort(reason);
    await assert.rejects(call, reason);
    const between = new AbortController();
    const { kissi: other, network } = withKey(['not sent', 'answered']);
    network.sent.push = (...requests) => {
      between.abort(reason);
      return Array.prototype.push.apply(network.sent, requests);
    };
    await assert.rejects(other.wallet.balance('sub_1', { signal: between.signal }), reason);
    assert.equal(network.sent.length, 1);
  });
});

describe("a reply that is not the service's", () => {
  test('is an error with the status', async () => {
    const { kissi } = clientOf(gateway, { apiKey: bank.key, maxRetries: 0 }, [unavailable()]);
    const error = await kissi.wallet.balance('sub_1').catch((reason: unknown) => reason);
    assert.ok(error instanceof KissiError);
    assert.deepEqual([error.name, error.code, error.status], ['KissiError', 'INTERNAL_ERROR', 503]);
  });

  test('is not followed to another address', async () => {
    const moved = createServer((_, response) => response.writeHead(307, { location: `${gateway.url}/health` }).end());
    await once(moved.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl, apiKey: bank.key, maxRetries: 0 });
    await assert.rejects(listCards({ client }), KissiConnectionError);
    moved.close();
  });
});

describe('a list', () => {
  test('by offset is its first page, or all records', async () => {
    const { id } = await bank.wallet();
    const { kissi, network } = admin();
    for (let n = 0; n < 5; n++) await kissi.cards.link({ card_serial: `LIST-${n}`, subscriber_id: id });
    network.sent.length = 0;
    const list = kissi.cards.list({ subscriber_id: id, limit: 2 });
    assert.deepEqual([(await list).cards.length, (await list).total_count], [2, 5]);
    assert.equal(network.sent.length, 1);
    const serials: string[] = [];
    for await (const card of list) serials.push(card.serial);
    assert.deepEqual(
      serials.sort(),
      [0, 1, 2, 3, 4].map((n) => `LIST-${n}`),
    );
    assert.equal(network.sent.length, 3);
    assert.equal((await list.toArray({ max: 3 })).length, 3);
    assert.deepEqual(await kissi.cards.list({ subscriber_id: id, status: 'blocked' }).toArray(), []);
  });

  test('by cursor neither skips nor repeats records that are added in between', async () => {
    const { kissi } = withKey();
    const { id } = await bank.wallet(1_000);
    for (let n = 0; n < 4; n++) await bank.fund({ id, phone: '' }, 1_000);
    const seen: string[] = [];
    for await (const { transaction_id } of kissi.transactions.list({ subscriber_id: id, limit: 2 })) {
      seen.push(transaction_id);
      if (seen.length === 2) await bank.fund({ id, phone: '' }, 1_000);
    }
    assert.deepEqual([seen.length, new Set(seen).size], [5, 5]);
  });

  test('is a CSV file on request', async () => {
    const { kissi } = admin();
    const text = await new Response(await kissi.cards.list({ search: 'LIST-' }).csv()).text();
    assert.match(text, /^"?serial/);
    assert.equal(text.trim().split(/\r?\n/).length, 6);
  });
});

describe('files', () => {
  test('a PDF is a Blob, and a file of cards is uploaded', async () => {
    const { kissi } = admin();
    const uploaded = await kissi.cards.upload('serial,label\nUP-1,First\nUP-2,Second\n');
    assert.deepEqual([uploaded.created, uploaded.total], [2, 2]);
    const file = new Blob(['serial\nUP-3\n'], { type: 'text/csv' });
    assert.equal((await kissi.cards.upload(file)).created, 1);
    const { id } = await bank.wallet(1_000);
    const [transaction] = await kissi.transactions.list({ subscriber_id: id }).toArray();
    const evidence = await kissi.transactions.evidence(transaction?.transaction_id ?? '');
    assert.equal(await evidence.slice(0, 5).text(), '%PDF-');
  });

  test('a path parameter cannot lead to another operation', async () => {
    const { kissi, network } = admin();
    await assert.rejects(kissi.cards.get('../users'), { code: 'CARD_NOT_FOUND' });
    assert.match(network.sent.at(-1)?.path ?? '', /\/cards\/\.\.%2Fusers$/);
    await assert.rejects(kissi.cards.get(''), /serial is missing/);
  });
});
