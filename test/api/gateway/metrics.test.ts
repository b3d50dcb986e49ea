// Tests GET /metrics: access, how each metric changes, and that it contains no personal data or secrets.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { openDatabase } from '../../../src/db/database.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { pgPool } from '../../support/database.ts';
import { ADMIN, assertStatus, type CallReply, SECRETS, type TestGateway, testGateway } from '../../support/gateway.ts';
import { testBank } from '../../support/inbound.ts';
import { type MetricsSnapshot, scrape, seriesIncreases } from '../../support/metrics.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, runChore } from '../../support/staff.ts';
import { answering, commitEvent, completed, deliver, hang, partnerAt, receiver } from '../../webhooks/receiver.ts';

const TOKEN = 'Wk4r8QpXz7Lr2TnB8yHd5FgJ1mCs6VaE';

const { kissi, bank } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

const read = (gateway: TestGateway, headers: Record<string, string> = {}): Promise<CallReply> =>
  gateway.call('GET', '/metrics', { headers });

async function statusFrom(gateway: TestGateway, remoteAddress: string, headers = {}): Promise<number> {
  return (await gateway.gateway.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
}

describe('access', () => {
  test('is limited to loopback addresses without METRICS_TOKEN', async () => {
    const reply = assertStatus(await read(kissi), 200);
    assert.equal(reply.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    for (const address of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
      assert.equal(await statusFrom(kissi, address), 200, address);
    }
  });

  test('is denied to other addresses without METRICS_TOKEN, whatever credential they send', async () => {
    const sent = [{}, { authorization: `Bearer ${TOKEN}` }, { authorization: `Bearer ${await kissi.adminToken()}` }];
    for (const address of ['10.0.0.7', '192.168.1.1', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1', '1.127.0.0']) {
      for (const headers of sent) assert.equal(await statusFrom(kissi, address, headers), 401, address);
    }
    const reply = await kissi.gateway.app.inject({ url: '/metrics', remoteAddress: '10.0.0.7' });
    assert.equal(reply.json().code, 'UNAUTHORIZED');
    assert.doesNotMatch(reply.body, /kissi_/);
  });

  test('is denied to requests forwarded by a local proxy, trusted or not', async () => {
    const proxied = await testGateway({ db: kissi.db, env: { TRUST_PROXY: 'true' } });
    const byHops = await testGateway({ db: kissi.db, env: { TRUST_PROXY: '1' } });
    const forwarded: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '127.0.0.1, 127.0.0.1' },
      { 'x-forwarded-for': '' },
      { 'x-real-ip': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
    ];
    for (const gateway of [kissi, proxied, byHops]) {
      for (const headers of forwarded) assertRefused(await read(gateway, headers), 401, 'UNAUTHORIZED');
      assert.equal((await read(gateway)).status, 200);
    }
    await proxied.close();
    await byHops.close();
  });

  test('requires METRICS_TOKEN from every address if it is set', async () => {
    const guarded = await testGateway({ db: kissi.db, env: { METRICS_TOKEN: TOKEN, TRUST_PROXY: 'true' } });
    const valid = { authorization: `Bearer ${TOKEN}` };
    assert.equal((await read(guarded, valid)).status, 200);
    assert.equal(await statusFrom(guarded, '10.0.0.7', { ...valid, 'x-forwarded-for': '203.0.113.9' }), 200);
    const wrong = [TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toLowerCase(), SECRETS.JWT_SECRET, await kissi.adminToken()];
    for (const value of wrong) {
      assertRefused(await read(guarded, { authorization: `Bearer ${value}` }), 401, 'UNAUTHORIZED');
    }
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
      assertRefused(await read(guarded, { authorization }), 401, 'UNAUTHORIZED');
    }
    assertRefused(await read(guarded), 401, 'UNAUTHORIZED', 'loopback without the token');
    assert.equal((await guarded.call('GET', `/metrics?token=${TOKEN}`)).status, 401);
    assert.doesNotMatch(guarded.logs(), new RegExp(TOKEN, 'i'));
    assert.doesNotMatch((await read(guarded, valid)).text, new RegExp(TOKEN, 'i'));
    await guarded.close();
  });
});

describe('metric values', () => {
  const P2P = 'route="/api/v1/wallet/transfer-p2p",method="POST"';

  async function pay(extra: Record<string, unknown> = {}): Promise<CallReply> {
    const [sender, recipient] = [await bank.wallet(50_000), await bank.wallet()];
    const card = await bank.card(recipient);
    const body = { sender_id: sender.id, recipient_card_serial: card, amount: '1250', pin: PIN, ...extra };
    return bank.post('/wallet/transfer-p2p', body);
  }

  test('a payment increases the metrics of its route, PIN check and ledger batch', async () => {
    const names = [
      `kissi_http_requests_total{${P2P},status="2xx"}`,
      `kissi_http_requests_total{${P2P},status="4xx"}`,
      `kissi_http_request_duration_seconds_count{${P2P}}`,
      'kissi_pin_attempts_total{outcome="right"}',
      'kissi_pin_attempts_total{outcome="wrong"}',
      // Two movements: the funding of the sender and the payment.
      'kissi_ledger_movements_total{outcome="posted"}',
      'kissi_ledger_batch_size_count',
      'kissi_ledger_batch_size_sum',
      'kissi_ledger_phase_duration_seconds_count{phase="lock"}',
      'kissi_ledger_phase_duration_seconds_count{phase="decide"}',
      'kissi_ledger_phase_duration_seconds_count{phase="write"}',
      'kissi_ledger_failed_batches_total',
    ];
    const increases = await seriesIncreases(kissi, names, async () => assert.equal((await pay()).status, 200));
    assert.deepEqual(increases, [1, 0, 1, 1, 0, 2, 2, 2, 2, 2, 2, 0]);
  });

  test('a refused payment counts as refused, and a replayed one is not counted', async () => {
    const names = ['posted', 'refused'].map((outcome) => `kissi_ledger_movements_total{outcome="${outcome}"}`);
    const refused = await seriesIncreases(kissi, names, async () =>
      assert.equal((await pay({ amount: '60000' })).status, 402),
    );
    assert.deepEqual(refused, [1, 1]);
    const wallet = await bank.wallet();
    const funding = { partner_id: bank.partnerId, subscriber_id: wallet.id, amount: 5, request_id: 'metrics-1' };
    const replayed = await seriesIncreases(kissi, names, async () => {
      for (let n = 0; n < 2; n++) assert.equal((await bank.post('/wallet/fund-from-partner', funding)).status, 200);
    });
    assert.deepEqual(replayed, [1, 0]);
  });

  test('wrong PINs, locks and attempts on locked accounts are counted separately', async () => {
    const wallet = await bank.wallet();
    const verify = async () => kissi.asAdmin.post(`/subscribers/${wallet.id}/verify-pin`, { pin: WRONG_PIN });
    const names = [
      'kissi_pin_attempts_total{outcome="wrong"}',
      'kissi_pin_locks_total',
      'kissi_pin_attempts_total{outcome="locked"}',
      'kissi_pin_attempts_total{outcome="right"}',
    ];
    assert.deepEqual(await seriesIncreases(kissi, names, verify), [1, 0, 0, 0]);
    assert.deepEqual(await seriesIncreases(kissi, names, verify), [1, 0, 0, 0]);
    assert.deepEqual(await seriesIncreases(kissi, names, verify), [1, 1, 0, 0]);
    assert.deepEqual(await seriesIncreases(kissi, names, verify), [0, 0, 1, 0]);
  });

  test('webhook metrics report the backlog, its age, attempts and outcomes', async () => {
    const endpoint = await receiver(answering(503));
    const partner = await partnerAt(kissi, endpoint.url);
    await commitEvent(kissi, completed(partner));
    const [waiting, oldest, overdue] = ['waiting', 'oldest_seconds', 'overdue_seconds'].map(
      (n) => `kissi_webhook_${n}`,
    );
    const backlog = async () => {
      const { series } = await scrape(kissi);
      return [waiting, oldest, overdue].map((name) => series.get(name ?? ''));
    };
    assert.deepEqual(await backlog(), [1, 0, 0]);
    kissi.clock.advance(90 * SECOND_MS);
    assert.deepEqual(await backlog(), [1, 90, 90]);
    const attempts = (outcome: string) => `kissi_webhook_attempts_total{outcome="${outcome}"}`;
    const ended = (outcome: string) => `kissi_webhook_ended_total{outcome="${outcome}"}`;
    const names = [attempts('status_5xx'), attempts('acknowledged'), ended('delivered'), ended('abandoned')];
    assert.deepEqual(await seriesIncreases(kissi, names, () => deliver(kissi)), [1, 0, 0, 0]);
    assert.deepEqual(await backlog(), [1, 90, 0]);
    endpoint.behave((response) => void response.writeHead(200).end());
    kissi.clock.advance(30 * SECOND_MS);
    assert.deepEqual(await seriesIncreases(kissi, names, () => deliver(kissi)), [0, 1, 1, 0]);
    assert.deepEqual(await backlog(), [0, 0, 0]);
    await endpoint.close();
    await commitEvent(kissi, completed(partner));
    const unanswered = [attempts('no_answer'), ended('abandoned'), 'kissi_webhook_attempt_duration_seconds_count'];
    const abandoned = await seriesIncreases(kissi, unanswered, async () => {
      for (let n = 0; n < 6; n++) {
        await deliver(kissi);
        kissi.clock.advance(6 * 60 * MINUTE_MS);
      }
    });
    assert.deepEqual(abandoned, [6, 1, 6]);
  });

  test('audit metrics report the number and age of entries outside the hash chain', async () => {
    await runChore(kissi, 'seal the audit chain');
    assertStatus(await kissi.call('POST', '/api/v1/admin/login', { body: ADMIN }), 200);
    kissi.clock.advance(7 * SECOND_MS);
    const { series } = await scrape(kissi);
    assert.ok((series.get('kissi_audit_unsealed') ?? 0) > 0);
    assert.equal(series.get('kissi_audit_lag_seconds'), 7);
    await runChore(kissi, 'seal the audit chain');
    const sealed = (await scrape(kissi)).series;
    assert.deepEqual([sealed.get('kissi_audit_unsealed'), sealed.get('kissi_audit_lag_seconds')], [0, 0]);
  });

  test('database connections, the event loop, the process and the build have metrics', async () => {
    const { series, types } = await scrape(kissi);
    for (const pool of ['statements', 'ledger', 'queries']) {
      assert.ok((series.get(`kissi_database_connections_limit{pool="${pool}"}`) ?? 0) > 0, pool);
      assert.equal(series.get(`kissi_database_pool_waiting{pool="${pool}"}`), 0);
      assert.ok((series.get(`kissi_database_connections{pool="${pool}",state="idle"}`) ?? -1) >= 0);
    }
    assert.equal(series.get('kissi_database_reader_queries'), 0);
    assert.equal(series.get('kissi_database_up'), 1);
    assert.equal(series.get('kissi_ledger_queue_length'), 0);
    assert.equal(series.get(`kissi_build_info{version="0.0.0-test",node="${process.versions.node}"}`), 1);
    assert.ok((series.get('process_resident_memory_bytes') ?? 0) > 0);
    assert.equal(types.get('nodejs_eventloop_lag_p99_seconds'), 'gauge');
  });

  test('histogram buckets are cumulative, and the last one equals the count', async () => {
    await pay();
    const { series } = await scrape(kissi);
    const prefix = `kissi_http_request_duration_seconds_bucket{${P2P},le=`;
    const buckets = [...series].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    assert.equal(buckets.length, 13);
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    );
    assert.equal(buckets.at(-1), series.get(`kissi_http_request_duration_seconds_count{${P2P}}`));
  });
});

describe('exclusions', () => {
  test('unknown paths and methods and malformed URLs share one series, so that clients cannot create series', async () => {
    const ours = ({ series }: MetricsSnapshot) => [...series.keys()].filter((key) => key.startsWith('kissi_'));
    const otherSeries = 'kissi_http_requests_total{route="other",method="other",status="4xx"}';
    assert.equal((await kissi.call('GET', '/nowhere')).status, 404);
    await scrape(kissi);
    const before = await scrape(kissi);
    for (let n = 0; n < 20; n++) assert.equal((await kissi.call('GET', `/nowhere/${n}`)).status, 404);
    assert.equal((await kissi.call('PATCH', '/api/v1/wallet/transfer-p2p')).status, 405);
    assert.equal(await rawStatus('GET', '/%ff'), 400);
    assert.equal(await rawStatus('PROPFIND', '/health'), 404);
    const after = await scrape(kissi);
    assert.deepEqual(ours(after), ours(before));
    assert.equal((after.series.get(otherSeries) ?? 0) - (before.series.get(otherSeries) ?? 0), 23);
  });

  test('ids, phone numbers, names, keys, PINs and secrets do not appear', async () => {
    const wallet = await bank.wallet(1_000);
    const serial = await bank.card(wallet);
    const partner = await testBank(kissi);
    const slow = await receiver(hang);
    const hooked = await partnerAt(kissi, slow.url);
    await partner.credit({ reference: 'METRICS-REFERENCE', amount: 10, phone_number: wallet.phone });
    await bank.get(`/wallet/${wallet.id}/balance?phone_number=${encodeURIComponent(wallet.phone)}`);
    await kissi.asAdmin.get(`/subscribers/${wallet.id}`);
    await slow.close();
    const { text, series } = await scrape(kissi);
    const secrets = [
      ...[wallet.id, wallet.phone, wallet.phone.slice(4), serial, bank.partnerId, bank.key, bank.keyId],
      ...[partner.partnerId, partner.key.secret, hooked.id, hooked.secret, 'METRICS-REFERENCE', 'Aminata'],
      ...['admin@example.com', '127.0.0.1', ...Object.values(SECRETS)],
    ];
    for (const secret of secrets) assert.ok(!text.includes(secret), secret);
    for (const key of series.keys()) assert.doesNotMatch(key, /(sub|usr|key|ptn|txn|agent|proc|evt|inb)_[0-9A-Z]{10}/);
  });

  test('the access log entry has no credential', async () => {
    await scrape(kissi, { authorization: 'Bearer not-for-the-log' });
    const line = kissi
      .logs()
      .split('\n')
      .findLast((text) => text.includes('"/metrics"'));
    const { route, path, status, caller } = JSON.parse(line ?? '{}');
    assert.deepEqual([route, path, status, caller], ['/metrics', '/metrics', 200, 'public:']);
    assert.doesNotMatch(kissi.logs(), /not-for-the-log/);
  });
});

test('without a database, /metrics reports kissi_database_up 0 and omits metrics that need the database', async () => {
  const database = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolSize: 5 });
  const db = { url: '', database, query: pgPool(database.pool).query, close: () => database.close() };
  const alone = await testGateway({ db });
  const { series, types } = await scrape(alone);
  assert.equal(series.get('kissi_database_up'), 0);
  assert.equal(series.get('kissi_ledger_queue_length'), 0);
  assert.equal(types.get('kissi_webhook_waiting'), 'gauge');
  assert.ok(!series.has('kissi_webhook_waiting'));
  assert.ok(((await scrape(alone)).series.get('kissi_metrics_unread_total') ?? 0) > 0);
  await alone.close();
  await database.close();
});

/** Sends methods and paths that fetch rejects or rewrites. */
function rawStatus(method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(kissi.url, { method, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    clientRequest.on('error', reject).end();
  });
}
