// Webhook delivery from the commit of a credit to its acknowledgement: content, signature, retries, order and retention.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { signOutboundWebhook } from '@kissi/signatures/node';
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { testLedger } from '../support/ledger.ts';
import { assertLedgerConsistent, createBank } from '../support/money.ts';
import {
  acknowledge,
  answering,
  assertSigned,
  changePartner,
  commitEvent,
  completed,
  creditOrder,
  deliver,
  deliveryOf,
  partnerAt,
  type Received,
  type Receiver,
  receiver,
  type TestPartner,
} from './receiver.ts';

let kissi: TestGateway;
let bank: Receiver;
before(async () => {
  kissi = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
after(() => kissi.close());
beforeEach(async () => {
  bank = await receiver();
});
afterEach(() => bank.close());

const count = async () =>
  (await kissi.db.database.queries.selectFrom('webhook_deliveries').select('id').execute()).length;

describe('the request', () => {
  test('credit.completed has exactly the documented fields and headers, and signs timestamp and raw body', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const event = completed(partner, { reference: 'Überweisung "7"\n\u2028🏦' });
    const id = await commitEvent(kissi, event);
    await deliver(kissi);
    assert.equal(bank.received.length, 1);
    const [hook] = bank.received;
    assert.ok(hook);
    assert.deepEqual(Object.entries(hook.json), [
      ['event', 'credit.completed'],
      ['reference', event.reference],
      ['inbound_id', event.inboundId],
      ['status', 'COMPLETED'],
      ['operation', 'credit'],
      ['amount', 12_500],
      ['fee', 0],
      ['currency', 'SLE'],
      ['subscriber_id', event.subscriberId],
      ['transaction_id', event.transactionId],
      ['occurred_at', '2026-03-01T11:59:59.123Z'],
    ]);
    assert.match(id, /^evt_[0-9A-Z]{26}$/);
    assert.equal(hook.headers['x-hook-event'], 'credit.completed');
    assert.equal(hook.headers['x-hook-event-id'], id);
    assert.equal(hook.headers['x-hook-timestamp'], iso(kissi.clock.now()));
    assert.equal(hook.headers['content-type'], 'application/json');
    assert.equal(hook.headers['x-hook-signature-previous'], undefined);
    assertSigned(hook, partner.secret);
  });

  test('credit.failed adds failure_code and has no transaction; credit.reversed adds reason', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const { event: _event, transactionId, ...rest } = completed(partner);
    const failed = { ...rest, subscriberId: null, status: 'REJECTED', failureCode: 'BENEFICIARY_NOT_FOUND' } as const;
    await commitEvent(kissi, { ...failed, event: 'credit.failed' });
    await deliver(kissi);
    await commitEvent(kissi, { ...rest, event: 'credit.reversed', transactionId, reason: 'Sent twice' });
    await deliver(kissi);
    const [first, second] = bank.received.map(({ json }) => json);
    assert.deepEqual(Object.keys(second), [...Object.keys(first).slice(0, -1), 'reason']);
    assert.deepEqual(
      [first.event, first.status, first.transaction_id, first.subscriber_id, first.failure_code],
      ['credit.failed', 'REJECTED', null, null, 'BENEFICIARY_NOT_FOUND'],
    );
    assert.deepEqual(
      [second.event, second.status, second.transaction_id, second.reason],
      ['credit.reversed', 'REVERSED', transactionId, 'Sent twice'],
    );
  });

  test('stores and sends nothing for a partner without an endpoint, even if it gets one later', async () => {
    const partner = await partnerAt(kissi, null);
    const rows = await count();
    await commitEvent(kissi, completed(partner));
    await changePartner(kissi, partner, { webhook_url: bank.url });
    await deliver(kissi);
    assert.deepEqual([await count(), bank.received.length], [rows, 0]);
  });

  test("uses the endpoint that the partner has at the attempt's time, even if it is suspended", async () => {
    const old = await receiver(answering(500));
    const partner = await partnerAt(kissi, old.url);
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    await changePartner(kissi, partner, { webhook_url: bank.url, status: 'suspended' });
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    assert.deepEqual([old.received.length, bank.received.length], [1, 1]);
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
    await old.close();
  });

  test('an attempt without an endpoint fails and is retried', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const id = await commitEvent(kissi, completed(partner));
    await changePartner(kissi, partner, { webhook_url: '' });
    await deliver(kissi);
    const { made, status } = await deliveryOf(kissi, id);
    assert.deepEqual(
      [status, made[0].http_status, made[0].error],
      ['pending', null, 'The partner has no webhook_url.'],
    );
    await changePartner(kissi, partner, { webhook_url: bank.url });
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
  });
});

describe('the schedule', () => {
  test('makes six attempts at 0s, 30s, 2m, 10m, 1h and 6h with the same event id and body, then abandons the event', async () => {
    bank.behave(answering(500));
    const partner = await partnerAt(kissi, bank.url);
    const id = await commitEvent(kissi, completed(partner));
    const start = kissi.clock.now();
    const seconds = [0, 30, 120, 600, 3_600, 21_600];
    for (const [index, offset] of seconds.entries()) {
      if (offset > 0) {
        kissi.clock.set(start + offset * SECOND_MS - 1);
        await deliver(kissi);
        assert.equal(bank.received.length, index, `not before ${offset}s`);
      }
      kissi.clock.set(start + offset * SECOND_MS);
      await deliver(kissi);
      assert.equal(bank.received.length, index + 1, `at ${offset}s`);
    }
    const { status, made, attempts, next_attempt_at, finished_at } = await deliveryOf(kissi, id);
    assert.deepEqual([status, attempts, next_attempt_at], ['abandoned', 6, null]);
    assert.equal(finished_at.getTime(), kissi.clock.now());
    for (const [index, attempt] of made.entries()) {
      assert.equal(attempt.number, index + 1);
      assert.equal(attempt.at.getTime(), start + (seconds[index] ?? 0) * SECOND_MS);
      assert.deepEqual([attempt.http_status, attempt.error], [500, 'The endpoint responded with 500.']);
      assert.ok(attempt.duration_ms >= 0 && attempt.duration_ms < 15_000);
    }
    kissi.clock.advance(30 * DAY_MS);
    await deliver(kissi);
    assert.equal(bank.received.length, 6, 'no attempt after the last');
    assert.deepEqual(new Set(bank.received.map((hook) => hook.id)), new Set([id]));
    assert.equal(new Set(bank.received.map(({ raw }) => raw.toString('hex'))).size, 1);
    const timestamps = bank.received.map(({ headers }) => headers['x-hook-timestamp']);
    assert.deepEqual(
      timestamps,
      seconds.map((offset) => iso(start + offset * SECOND_MS)),
    );
    for (const hook of bank.received) assertSigned(hook, partner.secret);
    assert.match(kissi.logs(), /a webhook was abandoned/);
  });

  test('only a 2xx status acknowledges an event', async () => {
    const partner = await partnerAt(kissi, bank.url);
    for (const status of [200, 201, 202, 204, 226, 299]) {
      bank.behave(answering(status));
      const id = await commitEvent(kissi, completed(partner));
      await deliver(kissi);
      assert.equal((await deliveryOf(kissi, id)).status, 'delivered', String(status));
    }
    for (const status of [300, 304, 400, 401, 404, 409, 410, 429, 500, 503, 599]) {
      bank.behave(answering(status));
      const id = await commitEvent(kissi, completed(partner));
      await deliver(kissi);
      const { status: state, made } = await deliveryOf(kissi, id);
      assert.deepEqual([state, made[0].http_status], ['pending', status]);
    }
  });

  test('does not make up missed attempts in a burst after an outage of the service', async () => {
    bank.behave(answering(500));
    const id = await commitEvent(kissi, completed(await partnerAt(kissi, bank.url)));
    await deliver(kissi);
    kissi.clock.advance(2 * 60 * MINUTE_MS);
    await deliver(kissi);
    await deliver(kissi);
    assert.equal(bank.received.length, 2);
    const { next_attempt_at } = await deliveryOf(kissi, id);
    assert.equal(next_attempt_at.getTime(), kissi.clock.now() + 90 * SECOND_MS);
  });
});

describe('the secret', () => {
  const rotate = async (id: string, { query = '', body }: { query?: string; body?: object } = {}) => {
    const path = `/api/v1/admin/partners/${id}/rotate-webhook-secret${query}`;
    const reply = await kissi.call('POST', path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });
    assert.equal(reply.status, 200, reply.text);
    return reply.json.webhook_secret;
  };

  /** Delivers a new event and returns the request that the receiver got. */
  async function delivered(partner: TestPartner): Promise<Received> {
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    const hook = bank.received.find((received) => received.id === id);
    assert.ok(hook);
    return hook;
  }

  function assertPrevious({ headers, raw }: Received, secret: string | null): void {
    const timestamp = String(headers['x-hook-timestamp']);
    const expected = secret === null ? undefined : signOutboundWebhook(secret, timestamp, raw);
    assert.equal(headers['x-hook-signature-previous'], expected);
    assert.equal(headers['x-hook-signatures'], undefined);
  }

  test('that is new signs at once; X-Hook-Signature-Previous has the old signature for 24 hours', async () => {
    const partner = await partnerAt(kissi, bank.url);
    assertPrevious(await delivered(partner), null);
    const newSecret = await rotate(partner.id);
    for (const elapsed of [0, DAY_MS - 1]) {
      kissi.clock.advance(elapsed);
      const hook = await delivered(partner);
      assertSigned(hook, newSecret);
      assertPrevious(hook, partner.secret);
    }
    kissi.clock.advance(1);
    const after = await delivered(partner);
    assertSigned(after, newSecret);
    assertPrevious(after, null);
  });

  test('with activate_at signs from then on; until then only the old one signs', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const activateAt = kissi.clock.now() + 60 * MINUTE_MS;
    const newSecret = await rotate(partner.id, { body: { activate_at: iso(activateAt) } });
    for (const at of [kissi.clock.now(), activateAt - 1]) {
      kissi.clock.set(at);
      const hook = await delivered(partner);
      assertSigned(hook, partner.secret);
      assertPrevious(hook, null);
    }
    for (const at of [activateAt, activateAt + DAY_MS - 1]) {
      kissi.clock.set(at);
      const hook = await delivered(partner);
      assertSigned(hook, newSecret);
      assertPrevious(hook, partner.secret);
    }
    kissi.clock.set(activateAt + DAY_MS);
    const after = await delivered(partner);
    assertSigned(after, newSecret);
    assertPrevious(after, null);
  });

  test('rotated again before activate_at replaces the pending one, which never signs', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const activateAt = kissi.clock.now() + 60 * MINUTE_MS;
    await rotate(partner.id, { body: { activate_at: iso(activateAt) } });
    const third = await rotate(partner.id);
    for (const at of [kissi.clock.now(), activateAt]) {
      kissi.clock.set(at);
      const hook = await delivered(partner);
      assertSigned(hook, third);
      assertPrevious(hook, partner.secret);
    }
  });

  test('that is old ends at once without an overlap', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const newSecret = await rotate(partner.id, { query: '?overlap_seconds=0' });
    const hook = await delivered(partner);
    assertSigned(hook, newSecret);
    assertPrevious(hook, null);
  });
});

describe('the order of events of one reference', () => {
  test('a reversal waits while the completion is retried and is sent right after it is delivered', async () => {
    bank.behave(answering(503));
    const partner = await partnerAt(kissi, bank.url);
    const credit = completed(partner);
    await commitEvent(kissi, credit);
    await deliver(kissi);
    await commitEvent(kissi, { ...credit, event: 'credit.reversed', reason: 'Wrong account' });
    const other = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    assert.deepEqual(
      bank.received.map(({ json }) => json.event),
      ['credit.completed', 'credit.completed'],
    );
    assert.equal(bank.received[1]?.id, other, 'another reference does not wait');
    bank.received.length = 0;
    bank.behave(acknowledge);
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    const events = bank.received.filter(({ json }) => json.reference === credit.reference);
    assert.deepEqual(
      events.map(({ json }) => json.event),
      ['credit.completed', 'credit.reversed'],
    );
  });

  test('is kept when both wait and when the clock of the reversing gateway is behind', async () => {
    const partner = await partnerAt(kissi, bank.url);
    const credit = completed(partner);
    await commitEvent(kissi, credit);
    kissi.clock.advance(-10 * SECOND_MS);
    await commitEvent(kissi, { ...credit, event: 'credit.reversed', reason: 'Wrong account' });
    kissi.clock.advance(10 * SECOND_MS);
    await deliver(kissi);
    assert.deepEqual(
      bank.received.map(({ json }) => json.event),
      ['credit.completed', 'credit.reversed'],
    );
  });

  test('does not wait for an abandoned event or for the same reference of another partner', async () => {
    bank.behave(answering(500));
    const partner = await partnerAt(kissi, bank.url);
    const credit = completed(partner);
    const id = await commitEvent(kissi, credit);
    await deliver(kissi);
    const otherReceiver = await receiver();
    const otherPartner = await partnerAt(kissi, otherReceiver.url);
    await commitEvent(kissi, { ...credit, partner: otherPartner, event: 'credit.reversed', reason: 'Its own' });
    await deliver(kissi);
    assert.equal(otherReceiver.received.length, 1);
    await otherReceiver.close();
    for (let attempt = 0; attempt < 5; attempt++) {
      kissi.clock.advance(6 * 60 * MINUTE_MS);
      await deliver(kissi);
    }
    assert.equal((await deliveryOf(kissi, id)).status, 'abandoned');
    bank.behave(acknowledge);
    const reversal = await commitEvent(kissi, { ...credit, event: 'credit.reversed', reason: 'Late' });
    await deliver(kissi);
    assert.equal((await deliveryOf(kissi, reversal)).status, 'delivered');
  });
});

describe("in a credit's transaction", () => {
  test('the event exists exactly if the credit is posted, and wake() delivers it at once', async () => {
    const rokel = await createBank(kissi);
    const wallet = await rokel.wallet();
    const partner = await partnerAt(kissi, bank.url);
    const ledger = testLedger({ pool: kissi.db.database.pool, clock: kissi.clock });
    const credit = async (amount: number, reference: string) => {
      const event = completed(partner, { reference, amount, subscriberId: wallet.id });
      const result = await ledger.post(creditOrder(event, kissi.clock));
      kissi.gateway.services.webhooks.wake();
      await kissi.gateway.services.webhooks.settled();
      return result.outcome;
    };
    assert.equal(await credit(500, 'beside-1'), 'posted');
    assert.equal(await credit(500, 'beside-1'), 'replayed');
    assert.equal(await credit(60_000_000, 'beside-2'), 'refused');
    assert.deepEqual(
      bank.received.map(({ json }) => [json.reference, json.amount]),
      [['beside-1', 500]],
    );
    assert.equal(await rokel.balance(wallet.id), 500);
    // These credits are posted without their records.
    await assertLedgerConsistent(kissi, ['movement_without_inbound']);
  });
});

test('finished deliveries are deleted with their attempts after 90 days, pending ones never', async () => {
  const partner = await partnerAt(kissi, bank.url);
  const done = await commitEvent(kissi, completed(partner));
  await deliver(kissi);
  bank.behave(answering(500));
  const open = await commitEvent(kissi, completed(partner));
  const countRows = async (id: string) => {
    const row = kissi.db.database.queries.selectFrom('webhook_deliveries').select('id').where('id', '=', id);
    const attempts = kissi.db.database.queries.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', id);
    return [(await row.execute()).length, (await attempts.execute()).length];
  };
  kissi.clock.advance(90 * DAY_MS);
  await kissi.gateway.services.webhooks.prune();
  assert.deepEqual(await countRows(done), [1, 1]);
  kissi.clock.advance(1);
  await kissi.gateway.services.webhooks.prune();
  assert.deepEqual(
    [await countRows(done), await countRows(open)],
    [
      [0, 0],
      [1, 0],
    ],
  );
});
