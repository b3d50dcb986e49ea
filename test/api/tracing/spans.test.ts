// Tests which spans arrive at a collector: requests, batches, queries and deliveries, and how they belong together.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { type Collector, collector, exported, type ReceivedSpan } from '../../support/otlp.ts';
import { newRequestId } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';
import { answering, deliver, type Receiver, receiver } from '../../webhooks/receiver.ts';
import { newShop } from '../webhooks/support.ts';

const at: Collector = await collector();
const OTEL = {
  OTEL_EXPORTER_OTLP_ENDPOINT: at.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.region=freetown',
};
const kissi = await testGateway({ env: { ...OTEL, WEBHOOK_ALLOW_PRIVATE: 'true' } });
const bank = await createBank(kissi);
/** Another gateway of the same database. */
const ordinary = await testGateway({ env: { ...OTEL, FAST_LANE: 'off' }, db: kissi.db, clock: kissi.clock });
after(async () => {
  await ordinary.close();
  await kissi.close();
  await at.close();
});

const TRANSFER = '/api/v1/wallet/transfer';
const CALLERS = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${CALLERS.traceId}-${CALLERS.spanId}-01`;

let payer: Wallet;
let payee: Wallet;
before(async () => {
  payer = await bank.wallet(1_000_000);
  payee = await bank.wallet();
});

/** Reads its request's trace from the log: callers cannot choose it. */
function traceIdOf(reply: CallReply, gateway = kissi): string {
  const id = reply.headers.get('x-request-id');
  const line = gateway
    .logs()
    .split('\n')
    .find((text) => text.includes(`"reqId":"${id}"`) && text.includes('"msg":"request"'));
  return JSON.parse(line ?? assert.fail(`no line of ${id}`)).trace_id;
}

async function spansOf(reply: CallReply, gateway = kissi): Promise<ReceivedSpan[]> {
  const traceId = await waitFor('its log line', () => traceIdOf(reply, gateway));
  return waitFor('its spans', async () => {
    const spans = (await exported(gateway.tracing ?? assert.fail(), at)).filter((span) => span.traceId === traceId);
    return spans.some(({ kind }) => kind === 'server') ? spans : null;
  });
}

const transfer = (amount: number, headers: Record<string, string> = {}, gateway = kissi) => {
  const parties = { sender_id: payer.id, recipient_id: payee.id };
  const body = { ...parties, amount, pin: PIN, request_id: newRequestId() };
  return gateway.call('POST', TRANSFER, { body, token: bank.key, headers });
};
const named = (spans: ReceivedSpan[], name: string) => {
  const [found, ...more] = spans.filter((span) => span.name === name);
  assert.deepEqual(more, [], `more than one ${name}`);
  return found ?? assert.fail(`no ${name} in ${spans.map((span) => span.name).join(', ')}`);
};

describe('a payment', () => {
  test('is a request span in the trace of its caller, with the batch that posted it and its groups of queries', async () => {
    const before = [await bank.balance(payer.id), await bank.balance(payee.id)] as const;
    const reply = assertStatus(await transfer(700, { traceparent }), 200);
    const spans = await spansOf(reply);
    const request = named(spans, `POST ${TRANSFER}`);
    assert.deepEqual([request.traceId, request.parentSpanId], [CALLERS.traceId, CALLERS.spanId]);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': TRANSFER,
      'kissi.operation': 'transfer',
      'http.response.status_code': 200,
    });
    const batch = named(spans, 'ledger batch');
    assert.equal(batch.parentSpanId, request.spanId);
    assert.deepEqual(batch.attributes, { 'kissi.batch.size': 1 });
    assert.deepEqual(batch.links, [{ traceId: request.traceId, spanId: request.spanId }]);
    assert.deepEqual(request.links, [{ traceId: batch.traceId, spanId: batch.spanId }]);
    for (const name of ['ledger read and lock', 'ledger write and commit']) {
      const query = named(spans, name);
      assert.deepEqual([query.parentSpanId, query.kind], [batch.spanId, 'client']);
      assert.deepEqual(query.attributes, { 'db.system.name': 'postgresql' });
    }
    assert.deepEqual(await Promise.all([payer, payee].map(({ id }) => bank.balance(id))), [
      before[0] - 700 - reply.json.fee,
      before[1] + 700,
    ]);
  });

  test('has the same spans without the fast lane', async () => {
    const reply = await transfer(300, {}, ordinary);
    const spans = await spansOf(assertStatus(reply, 200), ordinary);
    const request = named(spans, `POST ${TRANSFER}`);
    assert.equal(request.attributes['kissi.operation'], 'transfer');
    assert.equal(request.attributes['http.response.status_code'], 200);
    assert.equal(named(spans, 'ledger batch').parentSpanId, request.spanId);
  });

  test('that is refused names the refusal, and is no error', async () => {
    const reply = await transfer(99_000_000);
    const { attributes, isFailed } = named(await spansOf(reply), `POST ${TRANSFER}`);
    assert.deepEqual([attributes['http.response.status_code'], isFailed], [reply.status, false]);
    assert.equal(attributes['kissi.refusal_code'], reply.json.code);
  });

  test('among others in a batch is linked to it, in both directions', async () => {
    const payers = await Promise.all(Array.from({ length: 12 }, () => bank.wallet(1_000)));
    const replies = await Promise.all(
      payers.map(({ id }) => {
        const body = { sender_id: id, recipient_id: payee.id, amount: 10, pin: PIN, request_id: newRequestId() };
        return bank.post('/wallet/transfer', body);
      }),
    );
    const requests = [];
    for (const reply of replies) requests.push(named(await spansOf(assertStatus(reply, 200)), `POST ${TRANSFER}`));
    const all = await exported(kissi.tracing ?? assert.fail(), at);
    for (const { traceId, spanId, links } of requests) {
      assert.equal(links.length, 1);
      const batch = all.find((span) => span.spanId === links[0]?.spanId);
      assert.ok(batch);
      assert.ok(batch.links.some((link) => link.traceId === traceId && link.spanId === spanId));
      assert.equal(batch.attributes['kissi.batch.size'], batch.links.length);
    }
  });
});

describe('a request', () => {
  test('begins a trace if its traceparent is missing or invalid', async () => {
    const invalid = [
      `00-${'0'.repeat(32)}-${CALLERS.spanId}-01`,
      `00-${CALLERS.traceId}-${'0'.repeat(16)}-01`,
      `ff-${CALLERS.traceId}-${CALLERS.spanId}-01`,
      `00-${CALLERS.traceId}-${CALLERS.spanId}-01-more`,
      `00-${CALLERS.traceId.toUpperCase()}-${CALLERS.spanId}-01`,
      `00-${CALLERS.traceId}`,
      'x'.repeat(4_000),
    ];
    for (const each of [undefined, ...invalid]) {
      const reply = await transfer(10, each === undefined ? {} : { traceparent: each });
      const { traceId, parentSpanId } = named(await spansOf(assertStatus(reply, 200)), `POST ${TRANSFER}`);
      assert.notEqual(traceId, CALLERS.traceId, String(each));
      assert.equal(parentSpanId, '', String(each));
    }
  });

  test('that its caller does not sample is not exported, and its log line has the trace all the same', async () => {
    const unsampled = '5cf92f3577b34da6a3ce929d0e0e4736';
    const reply = assertStatus(await transfer(10, { traceparent: `00-${unsampled}-${CALLERS.spanId}-00` }), 200);
    assert.equal(await waitFor('its log line', () => traceIdOf(reply)), unsampled);
    await spansOf(assertStatus(await transfer(10), 200));
    assert.ok(!at.text().includes(unsampled));
  });

  test('of staff has its queries by name, without SQL and values', async () => {
    const reply = await kissi.asAdmin.get(`/subscribers/${payer.id}`);
    const spans = await spansOf(assertStatus(reply, 200));
    const request = named(spans, 'GET /api/v1/subscribers/:id');
    const queries = spans.filter(({ kind }) => kind === 'client');
    assert.ok(queries.length > 0);
    for (const { parentSpanId, name } of queries) {
      assert.equal(parentSpanId, request.spanId);
      assert.match(name, /^[a-z_ -]{3,60}$/);
    }
    assert.ok(!JSON.stringify(spans).includes(payer.id));
  });

  test('for an unknown path has no path in its span', async () => {
    const reply = assertStatus(await kissi.call('GET', '/api/v1/secret-words?pin=1234'), 404);
    const { attributes } = named(await spansOf(reply), 'GET unknown');
    assert.deepEqual(attributes, {
      'http.request.method': 'GET',
      'http.route': 'unknown',
      'http.response.status_code': 404,
      'kissi.refusal_code': 'NOT_FOUND',
    });
  });

  test('writes its request id and its trace into each of its log lines', async () => {
    const reply = assertStatus(await transfer(10), 200);
    const [request] = await spansOf(reply);
    const id = reply.headers.get('x-request-id');
    const lines = kissi
      .logs()
      .split('\n')
      .flatMap((line) => (line.includes(`"reqId":"${id}"`) ? JSON.parse(line) : []));
    assert.ok(lines.length > 0);
    for (const line of lines) assert.equal(line.trace_id, request?.traceId);
  });
});

describe('a delivery', () => {
  let endpoint: Receiver;
  before(async () => {
    endpoint = await receiver(answering(503));
  });
  after(() => endpoint.close());

  test('is a span in the trace of its payment at each attempt, and tells the receiver its trace', async () => {
    const shop = await newShop(kissi, bank);
    await shop.endpoint(endpoint.url, ['payment.completed']);
    const { card } = await bank.customer(50_000);
    const payment = shop.terminal.payment(card, { amount: 1_200 });
    const reply = assertStatus(await shop.terminal.send('/pos/payment', payment), 200);
    await deliver(kissi);
    endpoint.behave(answering(200));
    kissi.clock.advance(60 * 60 * 1_000);
    await deliver(kissi);
    const spans = await spansOf(reply);
    const request = named(spans, 'POST /api/v1/pos/payment');
    const attempts = spans.filter(({ name }) => name === 'deliver payment.completed');
    assert.deepEqual(
      attempts.map(({ attributes, isFailed }) => [attributes, isFailed]),
      [
        [{ 'kissi.event': 'payment.completed', 'kissi.attempt': 1, 'http.response.status_code': 503 }, true],
        [{ 'kissi.event': 'payment.completed', 'kissi.attempt': 2, 'http.response.status_code': 200 }, false],
      ],
    );
    for (const { parentSpanId } of attempts) assert.equal(parentSpanId, request.spanId);
    assert.deepEqual(
      endpoint.received.map(({ headers }) => headers.traceparent),
      attempts.map(({ spanId }) => `00-${request.traceId}-${spanId}-01`),
    );
  });
});

test('the collector gets the headers, and the service names itself', async () => {
  assert.equal(at.headers().authorization, 'Bearer of-the-collector');
  const resource = at.resource();
  assert.equal(resource['service.name'], 'kissi');
  assert.equal(resource['deployment.environment.name'], 'development');
  assert.equal(resource['deployment.region'], 'freetown');
  assert.ok(resource['service.instance.id'] && resource['service.version']);
});
