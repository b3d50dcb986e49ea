// Tests the administration of outbound webhooks: listing deliveries and replaying them.
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { iso, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import {
  acknowledge,
  answering,
  commitEvent,
  completed,
  deliver,
  deliveryOf,
  hang,
  partnerAt,
  type Receiver,
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

const list = async (query: Record<string, string>): Promise<CallReply> =>
  kissi.call('GET', `${PATH}?${new URLSearchParams(query)}`, { token: await kissi.adminToken() });
const replay = async (id: string): Promise<CallReply> =>
  kissi.call('POST', `${PATH}/${id}/replay`, { token: await kissi.adminToken() });
const settled = () => kissi.gateway.services.webhooks.settled();

async function listed(query: Record<string, string>): Promise<Json[]> {
  const { json } = assertStatus(await list(query), 200);
  return json.deliveries;
}

/** Creates an event whose six delivery attempts all failed. */
async function abandonedDelivery(): Promise<string> {
  bank.behave(answering(500));
  const id = await commitEvent(kissi, completed(partner));
  for (let attempt = 0; attempt < 6; attempt++) {
    await deliver(kissi);
    kissi.clock.advance(6 * 60 * MINUTE_MS);
  }
  assert.equal((await deliveryOf(kissi, id)).status, 'abandoned');
  return id;
}

describe('listing deliveries', () => {
  test('shows the payload and every attempt with number, time, duration, status and error', async () => {
    bank.behave(answering(502));
    const event = completed(partner);
    const id = await commitEvent(kissi, event);
    const created = kissi.clock.now();
    await deliver(kissi);
    bank.behave(acknowledge);
    kissi.clock.advance(30 * SECOND_MS);
    await deliver(kissi);
    const [shown, ...more] = await listed({ partner_id: partner.id });
    assert.equal(more.length, 0);
    const { payload, attempts, ...rest } = shown;
    assert.deepEqual(rest, {
      id,
      partner_id: partner.id,
      processor_id: null,
      endpoint_id: null,
      event: 'credit.completed',
      reference: event.reference,
      inbound_id: event.inboundId,
      status: 'delivered',
      attempt_count: 2,
      next_attempt_at: null,
      created_at: iso(created),
      finished_at: iso(kissi.clock.now()),
    });
    assert.deepEqual(payload, bank.received[0]?.json);
    assert.deepEqual(
      attempts.map(({ duration_ms, ...attempt }: Json) => ({ ...attempt, timed: Number.isInteger(duration_ms) })),
      [
        { number: 1, at: iso(created), status: 502, error: 'The endpoint responded with 502.', timed: true },
        { number: 2, at: iso(kissi.clock.now()), status: 200, error: null, timed: true },
      ],
    );
  });

  test('shows the next attempt of a pending delivery and the error of the last one', async () => {
    const own = await testGateway({ clock: kissi.clock, db: kissi.db });
    await commitEvent(kissi, completed(partner));
    await deliver(own);
    const [shown] = await listed({ partner_id: partner.id, status: 'pending' });
    assert.equal(shown.next_attempt_at, iso(kissi.clock.now() + 30 * SECOND_MS));
    assert.deepEqual(
      [shown.attempts[0].status, shown.attempts[0].error],
      [null, 'The address is loopback, private or link-local, and was not connected to.'],
    );
    assert.equal(bank.received.length, 0);
    await own.close();
  });

  test('filters by partner, status and reference, newest first, in pages', async () => {
    const other = await partnerAt(kissi, bank.url);
    const shared = completed(partner).reference;
    const first = await commitEvent(kissi, completed(partner, { reference: shared }));
    await deliver(kissi);
    kissi.clock.advance(1);
    const second = await commitEvent(kissi, completed(other, { reference: shared }));
    kissi.clock.advance(1);
    const third = await commitEvent(kissi, completed(partner));
    const ids = async (query: Record<string, string>) => (await listed(query)).map(({ id }) => id);
    assert.deepEqual(await ids({ reference: shared }), [second, first]);
    assert.deepEqual(await ids({ partner_id: partner.id }), [third, first]);
    assert.deepEqual(await ids({ partner_id: partner.id, status: 'pending' }), [third]);
    assert.deepEqual(await ids({ partner_id: partner.id, status: 'delivered', reference: shared }), [first]);
    assert.deepEqual(await ids({ partner_id: partner.id, status: 'abandoned' }), []);
    assert.deepEqual(await ids({ partner_id: 'ptn_unknown' }), []);
    const page = (await list({ partner_id: partner.id, limit: '1', offset: '1' })).json;
    assert.deepEqual([page.total_count, page.limit, page.offset], [2, 1, 1]);
    assert.deepEqual(
      page.deliveries.map(({ id }: Json) => id),
      [first],
    );
    assert.equal((await list({ limit: '1000' })).json.limit, 100);
    for (const query of [{ status: 'lost' }, { limit: '-1' }, { offset: 'x' }, { reference: 'x'.repeat(201) }]) {
      const reply = await list(query as Record<string, string>);
      assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], JSON.stringify(query));
      assert.match(reply.json.error, new RegExp(`^${Object.keys(query)[0]} `));
    }
  });
});

describe('replay', () => {
  test('sends an abandoned event immediately, with the same id and body, on a new retry schedule', async () => {
    const id = await abandonedDelivery();
    const body = bank.received[0]?.raw;
    const { json } = assertStatus(await replay(id), 200);
    assert.deepEqual(Object.keys(json).sort(), ['delivery', 'message', 'success']);
    assert.deepEqual(
      [json.delivery.status, json.delivery.attempt_count, json.delivery.attempts.length],
      ['pending', 6, 6],
    );
    assert.equal(json.delivery.next_attempt_at, iso(kissi.clock.now()));
    await settled();
    assert.equal(bank.received.length, 7);
    assert.deepEqual([bank.received[6]?.id, bank.received[6]?.raw], [id, body]);
    for (const seconds of [30, 90]) {
      kissi.clock.advance(seconds * SECOND_MS - 1);
      await deliver(kissi);
      const sent: number = bank.received.length;
      kissi.clock.advance(1);
      await deliver(kissi);
      assert.equal(bank.received.length, sent + 1, `after ${seconds}s more`);
    }
    bank.behave(acknowledge);
    kissi.clock.advance(8 * MINUTE_MS);
    await deliver(kissi);
    const [shown] = await listed({ reference: json.delivery.reference });
    assert.deepEqual([shown.status, shown.attempt_count], ['delivered', 10]);
    assert.deepEqual(
      shown.attempts.map(({ number }: Json) => number),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  test('sends a delivered event again with the same id', async () => {
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    assert.equal((await replay(id)).status, 200);
    await settled();
    assert.deepEqual(
      bank.received.map((hook) => hook.id),
      [id, id],
    );
  });

  test('of a pending delivery attempts it immediately and restarts the retry schedule', async () => {
    bank.behave(answering(500));
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    kissi.clock.advance(SECOND_MS);
    assert.equal((await replay(id)).status, 200);
    await settled();
    const { attempts, step, next_attempt_at } = await deliveryOf(kissi, id);
    assert.deepEqual([attempts, step, next_attempt_at.getTime()], [2, 1, kissi.clock.now() + 30 * SECOND_MS]);
  });

  test('during an attempt is rejected with 409 DELIVERY_IN_PROGRESS and changes nothing', async () => {
    let answer = () => undefined as unknown;
    bank.behave((response, ...rest) => {
      answer = () => acknowledge(response, ...rest);
    });
    const id = await commitEvent(kissi, completed(partner));
    await kissi.gateway.services.webhooks.deliver();
    await waitFor('the webhook is received', () => bank.received.length > 0);
    const refused = await replay(id);
    assert.deepEqual([refused.status, refused.json.code], [409, 'DELIVERY_IN_PROGRESS']);
    answer();
    await settled();
    const { status, attempts } = await deliveryOf(kissi, id);
    assert.deepEqual([status, attempts, bank.received.length], ['delivered', 1, 1]);
    const refusals = await auditLogs(kissi, { resource_id: id, action: 'webhook_delivery.replay.refused' });
    assert.equal(refusals.length, 1);
  });

  test('requested twice concurrently sends the event at most once per accepted request', async () => {
    const id = await abandonedDelivery();
    bank.behave(acknowledge);
    const sent = bank.received.length;
    const replies = await withLockContention(kissi, {
      lock: `select from webhook_deliveries where id = '${id}' for update`,
      waiters: 2,
      begin: () => Promise.all([replay(id), replay(id)]),
    });
    await settled();
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    const times = replies.filter(({ status }) => status === 200).length;
    const more = bank.received.length - sent;
    assert.ok(more >= 1 && more <= times, `${more} sent for ${times} replays`);
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
  });

  test('is audited; an unknown delivery gets 404; only system_admin has access', async () => {
    const id = await abandonedDelivery();
    await replay(id);
    const [entry] = await auditLogs(kissi, { resource_id: id });
    assert.deepEqual([entry.action, entry.resource_type], ['webhook_delivery.replay', 'webhook_delivery']);
    assert.deepEqual(entry.details, { partner_id: partner.id, status_before: 'abandoned', attempts_before: 6 });
    const missing = await replay('evt_unknown');
    assert.deepEqual([missing.status, missing.json.code], [404, 'NOT_FOUND']);
    const finance = await staffToken(kissi, 'finance_user');
    const { key } = await apiKey(kissi, ['inbound:read', 'inbound:write'], { partner_id: partner.id });
    for (const token of [finance, key]) {
      assert.equal((await kissi.call('GET', PATH, { token })).status, 403);
      assert.equal((await kissi.call('POST', `${PATH}/${id}/replay`, { token })).status, 403);
    }
    assert.equal((await kissi.call('POST', `${PATH}/${id}/replay`)).status, 401);
    await settled();
  });

  test('of a delivery leased by a dead gateway is possible after the lease expires', async () => {
    bank.behave(hang);
    const id = await commitEvent(kissi, completed(partner));
    const until = new Date(kissi.clock.now() + MINUTE_MS);
    await kissi.db.database.queries
      .updateTable('webhook_deliveries')
      .set({ lease: 'of a dead gateway', leased_until: until })
      .where('id', '=', id)
      .execute();
    assert.equal((await replay(id)).status, 409);
    kissi.clock.advance(MINUTE_MS);
    bank.behave(acknowledge);
    assert.equal((await replay(id)).status, 200);
    await settled();
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
  });
});
