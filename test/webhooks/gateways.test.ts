// Webhook delivery by several gateways on one outbox: leases, slow endpoints, stops, database failures and query plans.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { LEASE_MS } from '../../src/db/leased-queue.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { createOutbox } from '../../src/webhooks/outbox.ts';
import { createWebhooks, type Webhooks, type WebhooksDependencies } from '../../src/webhooks/webhooks.ts';
import { faultyPool } from '../ledger/faulty-pool.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { testClock } from '../support/clock.ts';
import { assertStatus, type TestGateway, testGateway } from '../support/gateway.ts';
import { withLockContention } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';
import {
  acknowledge,
  commitEvent,
  completed,
  deliver,
  deliveryOf,
  hang,
  partnerAt,
  receiver,
  type TestPartner,
} from './receiver.ts';

const ENV = { WEBHOOK_ALLOW_PRIVATE: 'true' };

let kissi: TestGateway;
before(async () => {
  kissi = await testGateway({ env: ENV });
});
after(() => kissi.close());
beforeEach(() => kissi.db.query('delete from webhook_deliveries'));

/** The webhook service of another gateway, with its own options. */
function anotherGateway(options: Partial<WebhooksDependencies> & { reports?: string[] } = {}): Webhooks {
  const { reports = [], ...rest } = options;
  return createWebhooks({
    database: kissi.db.database,
    clock: kissi.clock,
    targetOf: kissi.gateway.services.webhookTarget,
    allowPrivate: true,
    report: (message) => void reports.push(message),
    ...rest,
  });
}

async function commitEvents(partner: TestPartner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await commitEvent(kissi, completed(partner)));
  return ids;
}

const statuses = async () => {
  const text = 'select status, count(*)::int as n from webhook_deliveries group by 1 order by 1';
  const { rows } = await kissi.db.query(text);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

const attemptsOf = async (ids: string[]) => {
  const text = 'select delivery_id, number from webhook_attempts where delivery_id = any($1)';
  return (await kissi.db.query(text, [ids])).rows;
};

describe('two gateways on one database', () => {
  test('share the attempts and make each of them once', async () => {
    const other = await testGateway({ env: ENV, db: kissi.db, clock: testClock(kissi.clock.now() + 1) });
    const bank = await receiver();
    const ids = await commitEvents(await partnerAt(kissi, bank.url), 400);
    await Promise.all([deliver(kissi), deliver(other)]);
    assert.equal(bank.received.length, 400);
    assert.deepEqual(bank.received.map(({ id }) => id).toSorted(), ids);
    assert.equal((await attemptsOf(ids)).length, 400);
    assert.equal(new Set(bank.received.map(({ headers }) => headers['x-hook-timestamp'])).size, 2, 'both clocks');
    assert.deepEqual(await statuses(), { delivered: 400 });
    await other.close();
    await bank.close();
  });

  test('never make the same attempt concurrently, even if an endpoint is slow and both poll repeatedly', async () => {
    const inFlight = new Map<string, number>();
    let maxInFlight = 0;
    const waiting: (() => void)[] = [];
    const bank = await receiver((response, { id }) => {
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      maxInFlight = Math.max(maxInFlight, ...inFlight.values());
      waiting.push(() => {
        inFlight.delete(id);
        response.writeHead(500).end();
      });
    });
    const ids = await commitEvents(await partnerAt(kissi, bank.url), 20);
    const pair = [anotherGateway(), anotherGateway()] as const;
    for (let step = 0; step < 3; step++) {
      await Promise.all(pair.map((gateway) => gateway.deliver()));
      await waitFor('all attempts are in flight', async () => waiting.length === 20);
      for (let poll = 0; poll < 5; poll++) await Promise.all(pair.map((gateway) => gateway.deliver()));
      for (const answer of waiting.splice(0)) answer();
      await Promise.all(pair.map((gateway) => gateway.settled()));
      kissi.clock.advance(10 * MINUTE_MS);
    }
    assert.equal(maxInFlight, 1);
    assert.equal(bank.received.length, 60);
    assert.equal((await attemptsOf(ids)).length, 60);
    await bank.close();
  });

  test('a gateway whose lease expired while it was frozen changes nothing when it resumes', async () => {
    const reports: string[] = [];
    let answer: (() => void) | null = null;
    const bank = await receiver((response, received, request) => {
      if (answer) return acknowledge(response, received, request);
      answer = () => void response.writeHead(500).end();
    });
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    const slow = anotherGateway({ reports });
    await slow.deliver();
    await waitFor('the attempt is in flight', async () => answer !== null);
    kissi.clock.advance(LEASE_MS - 1);
    await deliver(kissi);
    assert.equal(bank.received.length, 1, 'no other gateway tries before the lease expires');
    kissi.clock.advance(1);
    await deliver(kissi);
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
    (answer as (() => void) | null)?.();
    await slow.settled();
    const { status, made } = await deliveryOf(kissi, id);
    assert.deepEqual([status, made.length], ['delivered', 1]);
    assert.deepEqual(reports, ['an attempt outlasted its lease']);
    await bank.close();
  });
});

describe('one slow or unresponsive endpoint', () => {
  test('never delays another endpoint, however long its backlog is', async () => {
    const hanging = await receiver(hang);
    const bank = await receiver();
    await commitEvents(await partnerAt(kissi, hanging.url), 60);
    const gateway = anotherGateway({ limits: { total: 24, perOwner: 16 } });
    await gateway.deliver();
    await waitFor('the endpoint has reached its limit', async () => hanging.received.length === 12);
    const ids = await commitEvents(await partnerAt(kissi, bank.url), 30);
    await gateway.deliver();
    await waitFor('the other events are delivered', async () => bank.received.length === ids.length);
    assert.equal(hanging.received.length, 12, 'the endpoint still hangs');
    await hanging.close();
    await gateway.stop();
    await bank.close();
  });

  test('gets no more concurrent attempts than the limit per partner', async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    const bank = await receiver((response) => {
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      setImmediate(() => {
        inFlight--;
        response.writeHead(204).end();
      });
    });
    await commitEvents(await partnerAt(kissi, bank.url), 100);
    await deliver(kissi);
    assert.equal(bank.received.length, 100);
    assert.ok(maxInFlight > 1 && maxInFlight <= 32, `${maxInFlight} at a time`);
    await bank.close();
  });

  test('more partners than slots are served in turn', async () => {
    const bank = await receiver();
    const partners = await Promise.all(Array.from({ length: 12 }, () => partnerAt(kissi, bank.url)));
    for (const partner of partners) await commitEvents(partner, 5);
    const gateway = anotherGateway({ limits: { total: 4, perOwner: 2 } });
    await gateway.deliver();
    await gateway.settled();
    assert.deepEqual(await statuses(), { delivered: 60 });
    await bank.close();
  });
});

describe('a partner whose webhook secret cannot be decrypted', () => {
  test('does not delay other partners; its attempts fail and count, and it is reported once', async () => {
    const reports: string[] = [];
    const bank = await receiver();
    const [broken, intact] = [await partnerAt(kissi, bank.url), await partnerAt(kissi, bank.url)];
    const corrupt = "update partner_webhook_secrets set sealed_secret = '\\x00' where partner_id = $1";
    await kissi.db.query(corrupt, [broken.id]);
    const [one = '', two = ''] = await commitEvents(broken, 2);
    const [delivered = ''] = await commitEvents(intact, 1);
    const gateway = anotherGateway({ reports });
    await gateway.deliver();
    await gateway.settled();
    assert.deepEqual(
      bank.received.map(({ id }) => id),
      [delivered],
    );
    for (const id of [one, two]) {
      const { status, attempts, made } = await deliveryOf(kissi, id);
      assert.deepEqual([status, attempts, made[0].error], ['pending', 1, 'The webhook secret cannot be decrypted.']);
    }
    assert.deepEqual(reports, ['a webhook secret cannot be decrypted']);
    for (let step = 0; step < 5; step++) {
      kissi.clock.advance(6 * 60 * MINUTE_MS);
      await gateway.deliver();
      await gateway.settled();
    }
    assert.deepEqual(await statuses(), { abandoned: 2, delivered: 1 });
    assert.equal(reports.filter((message) => message.includes('secret')).length, 1);
    await bank.close();
  });
});

describe('a stop during delivery', () => {
  test('waits for attempts in flight', async () => {
    let answer: (() => void) | null = null;
    const bank = await receiver((response) => {
      answer = () => void response.writeHead(200).end();
    });
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    const gateway = anotherGateway();
    await gateway.deliver();
    await waitFor('the attempt is in flight', async () => answer !== null);
    const stopping = gateway.stop();
    (answer as (() => void) | null)?.();
    await stopping;
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
    await bank.close();
  });

  test('releases attempts that do not end, uncounted, for the next gateway to make at once', async () => {
    const bank = await receiver(hang);
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    const gateway = anotherGateway({ graceMs: 50 });
    await gateway.deliver();
    await waitFor('the attempt is in flight', async () => bank.received.length === 1);
    await gateway.stop();
    const released = await deliveryOf(kissi, id);
    assert.deepEqual([released.status, released.lease, released.made.length], ['pending', null, 0]);
    bank.behave(acknowledge);
    await deliver(kissi);
    const { status, attempts } = await deliveryOf(kissi, id);
    assert.deepEqual([status, attempts, bank.received.length], ['delivered', 1, 2]);
    await bank.close();
  });

  test('starts no further attempts', async () => {
    const bank = await receiver();
    const gateway = anotherGateway();
    await gateway.stop();
    await commitEvents(await partnerAt(kissi, bank.url), 1);
    gateway.wake();
    await gateway.deliver();
    await gateway.settled();
    assert.equal(bank.received.length, 0);
    await bank.close();
  });
});

describe('a database failure', () => {
  function failingAt(name: string, fails: () => boolean): Database {
    const { pool } = kissi.db.database;
    const faulty = faultyPool(pool, async (statement, { send }) => {
      if (statement === name && fails()) throw new Error('unavailable');
      return send();
    });
    return { ...kissi.db.database, pool: faulty.pool };
  }

  test('after an attempt does not lose its result: it is recorded when the database is back', async () => {
    let failures = 2;
    const database = failingAt('webhooks-record', () => failures-- > 0);
    const bank = await receiver();
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    const gateway = anotherGateway({ database });
    await gateway.deliver();
    await gateway.settled();
    const { status, made } = await deliveryOf(kissi, id);
    assert.deepEqual([status, made.length, bank.received.length], ['delivered', 1, 1]);
    await bank.close();
  });

  test('while an endpoint is looked up does not count as an attempt, and the event is released', async () => {
    const bank = await receiver();
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    const reports: string[] = [];
    const gateway = anotherGateway({ reports, targetOf: () => Promise.reject(new Error('unavailable')) });
    const failing = gateway.deliver();
    await waitFor('the failure is reported', async () => reports.length > 0);
    await gateway.stop();
    await failing;
    const { made, lease, status } = await deliveryOf(kissi, id);
    assert.deepEqual([made.length, lease, status], [0, null, 'pending']);
    await bank.close();
  });

  test('fails one round, and the next one continues', async () => {
    let broken = true;
    const bank = await receiver();
    await commitEvents(await partnerAt(kissi, bank.url), 3);
    const gateway = anotherGateway({ database: failingAt('webhooks-claim', () => broken) });
    await assert.rejects(gateway.deliver(), /unavailable/);
    broken = false;
    await gateway.deliver();
    await gateway.settled();
    assert.equal(bank.received.length, 3);
    await bank.close();
  });
});

describe('the statements', () => {
  const PARTNERS = 50;

  /** Runs EXPLAIN for the statements of the outbox, with their settings, instead of executing them. */
  async function assertPlans(when: string): Promise<void> {
    const plans: { text: string; plan: string }[] = [];
    const explaining = faultyPool(kissi.db.database.pool, async (statement, { send, text, client }) => {
      if (['begin', 'commit', 'webhooks-settings'].includes(statement)) return send();
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      plans.push({ text, plan: rows.map((row) => row['QUERY PLAN']).join('\n') });
      return { rows: [] };
    });
    const outbox = createOutbox(explaining.pool);
    await outbox.claim(new Map([['ptn_x', 1]]), { lease: 'x', now: new Date(), until: new Date() });
    await outbox.record([]);
    assert.equal(plans.length, 2);
    for (const { text, plan } of plans) {
      assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join|Sort Key/, `${when}:\n${plan}`);
      if (text.includes('earlier')) assert.match(plan, /webhook_deliveries_reference on webhook_deliveries earlier/);
    }
  }

  const onePostgres = { skip: TEST_SHARDS !== null && 'reads plans of the embedded PostgreSQL' };
  test('use the right index on an empty outbox and with a long backlog', onePostgres, async () => {
    const { pool } = kissi.db.database;
    await kissi.db.query('delete from webhook_deliveries');
    await assertPlans('empty');
    const insert = (due: string, from: number) =>
      kissi.db.query(`insert into webhook_deliveries select 'evt_' || n, 'ptn_' || n % ${PARTNERS}, 'x', 'ref' || n, 'inb', 0,
        '{}', 'pending', 1, 1, ${due}, null, null, now(), null from generate_series(${from}, ${from + 9_999}) n`);
    await insert("now() + interval '1 hour'", 0);
    await insert("'2026-01-01'", 10_000);
    await assertPlans('full');
    const outbox = createOutbox(pool);
    const now = new Date(kissi.clock.now());
    for (let round = 0; round < 20; round++) {
      assert.equal((await outbox.dueOwners(now)).length, PARTNERS);
      const lease = { lease: `round-${round}`, now, until: new Date(now.getTime() + LEASE_MS) };
      assert.equal((await outbox.claim(new Map([['ptn_7', 5]]), lease)).claimed.length, 5);
    }
  });

  test('do not repeatedly read events that wait for an earlier event of their reference', async () => {
    const { pool } = kissi.db.database;
    const insert = (event: string, turn: number, due: string) =>
      kissi.db.query(`insert into webhook_deliveries select 'evt_${turn}_' || n, 'ptn_1', '${event}', 'ref' || n, 'inb', ${turn},
        '{}', 'pending', 1, ${1 - turn}, ${due}, null, null, now(), null from generate_series(1, 4000) n`);
    const now = new Date(kissi.clock.now());
    await insert('credit.completed', 0, `timestamptz '${now.toISOString()}' + interval '1 hour'`);
    await insert('credit.reversed', 1, "'2026-01-01'");
    await kissi.db.query(`insert into webhook_deliveries select 'evt_2', 'ptn_1', 'credit.completed', 'ready', 'inb', 0,
        '{}', 'pending', 0, 0, timestamptz '${now.toISOString()}', null, null, now(), null`);
    const outbox = createOutbox(pool);
    const claim = (room: number, lease: string) =>
      outbox.claim(new Map([['ptn_1', room]]), { lease, now, until: new Date(now.getTime() + LEASE_MS) });
    const found: string[] = [];
    for (let deferred = 1; deferred > 0; ) {
      const round = await claim(1_000, 'first');
      found.push(...round.claimed.map(({ id }) => id));
      deferred = round.deferred;
    }
    assert.deepEqual(found, ['evt_2'], 'the ready event behind them is found');
    assert.deepEqual(await outbox.dueOwners(now), []);
    // Each was read once: none of them is due before the event that it waits for.
    const due = `select count(*)::int as n from webhook_deliveries where partner_id = 'ptn_1' and status = 'pending'
      and lease is null and next_attempt_at <= $1`;
    assert.equal((await kissi.db.query(due, [now])).rows[0].n, 0);
    assert.equal((await claim(32, 'second')).claimed.length, 0);
  });

  test('make a waiting event due as soon as the earlier one has finished, even if that was scheduled much later', async () => {
    const bank = await receiver((response) => void response.writeHead(500).end());
    const partner = await partnerAt(kissi, bank.url);
    const credit = completed(partner);
    const id = await commitEvent(kissi, credit);
    await deliver(kissi);
    kissi.clock.advance(MINUTE_MS);
    await deliver(kissi);
    const reversal = await commitEvent(kissi, { ...credit, event: 'credit.reversed', reason: 'Sent twice' });
    await deliver(kissi);
    const [first, second] = [await deliveryOf(kissi, id), await deliveryOf(kissi, reversal)];
    assert.ok(second.next_attempt_at > first.next_attempt_at, 'it is scheduled after the other');
    bank.behave(acknowledge);
    const path = `/api/v1/admin/webhook-deliveries/${id}/replay`;
    assertStatus(await kissi.call('POST', path, { token: await kissi.adminToken() }), 200);
    await deliver(kissi);
    assert.deepEqual(
      bank.received.map(({ headers }) => headers['x-hook-event']),
      ['credit.completed', 'credit.completed', 'credit.completed', 'credit.reversed'],
    );
    await bank.close();
  });

  test('do not delete an event that is replayed while it is being pruned', async () => {
    const { pool } = kissi.db.database;
    const bank = await receiver();
    const [id = ''] = await commitEvents(await partnerAt(kissi, bank.url), 1);
    await deliver(kissi);
    const removed = await withLockContention(kissi, {
      lock: `update webhook_deliveries set status = 'pending', next_attempt_at = now() where id = '${id}'`,
      waiters: 1,
      begin: () => createOutbox(pool).prune('evt_~', 10),
    });
    assert.equal(removed, 0);
    const { status, made } = await deliveryOf(kissi, id);
    assert.deepEqual([status, made.length], ['pending', 1]);
    await bank.close();
  });
});
