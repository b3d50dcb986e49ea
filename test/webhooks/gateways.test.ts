// Several gateways on one outbox, endpoints that are slow beside ones that are not, and stops in the middle.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { LEASE_MS } from '../../src/db/leased-queue.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { createOutbox } from '../../src/webhooks/outbox.ts';
import { createWebhooks, type Webhooks, type WebhooksDependencies } from '../../src/webhooks/webhooks.ts';
import { faultyPool } from '../ledger/faulty.ts';
import { testClock } from '../support/clock.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { withLockContention } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';
import {
  acknowledge,
  committed,
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

/** Another gateway's deliveries, with a clock and limits of its own. */
function another(options: Partial<WebhooksDependencies> & { reports?: string[] } = {}): Webhooks {
  const { reports = [], ...rest } = options;
  return createWebhooks({
    database: kissi.db.database,
    clock: kissi.clock,
    endpointOf: kissi.gateway.services.partners.webhookEndpoint,
    allowPrivate: true,
    report: (message) => void reports.push(message),
    ...rest,
  });
}

async function many(partner: TestPartner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await committed(kissi, completed(partner)));
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
  test('make every attempt once between them, and both take part', async () => {
    const other = await testGateway({ env: ENV, db: kissi.db, clock: testClock(kissi.clock.now() + 1) });
    const bank = await receiver();
    const ids = await many(await partnerAt(kissi, bank.url), 400);
    await Promise.all([deliver(kissi), deliver(other)]);
    assert.equal(bank.received.length, 400);
    assert.deepEqual(bank.received.map(({ id }) => id).toSorted(), ids);
    assert.equal((await attemptsOf(ids)).length, 400);
    assert.equal(new Set(bank.received.map(({ headers }) => headers['x-hook-timestamp'])).size, 2, 'both clocks');
    assert.deepEqual(await statuses(), { delivered: 400 });
    await other.close();
    await bank.close();
  });

  test('never make the same attempt at once while an endpoint is slow and both ask again and again', async () => {
    const underWay = new Map<string, number>();
    let most = 0;
    const waiting: (() => void)[] = [];
    const bank = await receiver((response, { id }) => {
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
      most = Math.max(most, ...underWay.values());
      waiting.push(() => {
        underWay.delete(id);
        response.writeHead(500).end();
      });
    });
    const ids = await many(await partnerAt(kissi, bank.url), 20);
    const pair = [another(), another()] as const;
    for (let step = 0; step < 3; step++) {
      await Promise.all(pair.map((gateway) => gateway.deliver()));
      await waitFor('all are under way', async () => waiting.length === 20);
      for (let asking = 0; asking < 5; asking++) await Promise.all(pair.map((gateway) => gateway.deliver()));
      for (const answer of waiting.splice(0)) answer();
      await Promise.all(pair.map((gateway) => gateway.settled()));
      kissi.clock.advance(10 * MINUTE_MS);
    }
    assert.equal(most, 1);
    assert.equal(bank.received.length, 60);
    assert.equal((await attemptsOf(ids)).length, 60);
    await bank.close();
  });

  test('a gateway whose lease ran out while it stood still changes nothing when it comes back', async () => {
    const reports: string[] = [];
    let answer: (() => void) | null = null;
    const bank = await receiver((response, received, request) => {
      if (answer) return acknowledge(response, received, request);
      answer = () => void response.writeHead(500).end();
    });
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
    const slow = another({ reports });
    await slow.deliver();
    await waitFor('it is under way', async () => answer !== null);
    kissi.clock.advance(LEASE_MS - 1);
    await deliver(kissi);
    assert.equal(bank.received.length, 1, 'until the lease is over nobody else tries');
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

describe('one slow or dead endpoint', () => {
  test('never delays another, however much waits for it', async () => {
    const dead = await receiver(hang);
    const bank = await receiver();
    await many(await partnerAt(kissi, dead.url), 60);
    const gateway = another({ limits: { total: 24, perPartner: 16 } });
    await gateway.deliver();
    await waitFor('it has all it may have', async () => dead.received.length === 12);
    const ids = await many(await partnerAt(kissi, bank.url), 30);
    await gateway.deliver();
    await waitFor('the others are delivered', async () => bank.received.length === ids.length);
    assert.equal(dead.received.length, 12, 'while it still hangs');
    await dead.close();
    await gateway.stop();
    await bank.close();
  });

  test('is not given more attempts at a time than one partner may have', async () => {
    let underWay = 0;
    let most = 0;
    const bank = await receiver((response) => {
      most = Math.max(most, ++underWay);
      setImmediate(() => {
        underWay--;
        response.writeHead(204).end();
      });
    });
    await many(await partnerAt(kissi, bank.url), 100);
    await deliver(kissi);
    assert.equal(bank.received.length, 100);
    assert.ok(most > 1 && most <= 32, `${most} at a time`);
    await bank.close();
  });

  test('with more partners than there is room, each has its turn', async () => {
    const bank = await receiver();
    const partners = await Promise.all(Array.from({ length: 12 }, () => partnerAt(kissi, bank.url)));
    for (const partner of partners) await many(partner, 5);
    const gateway = another({ limits: { total: 4, perPartner: 2 } });
    await gateway.deliver();
    await gateway.settled();
    assert.deepEqual(await statuses(), { delivered: 60 });
    await bank.close();
  });
});

describe('a partner whose webhook secret cannot be decrypted', () => {
  test('delays nobody; its attempts fail and count, and it is reported once', async () => {
    const reports: string[] = [];
    const bank = await receiver();
    const [broken, sound] = [await partnerAt(kissi, bank.url), await partnerAt(kissi, bank.url)];
    const garbled = "update partner_webhook_secrets set sealed_secret = '\\x00' where partner_id = $1";
    await kissi.db.query(garbled, [broken.id]);
    const [one = '', two = ''] = await many(broken, 2);
    const [delivered = ''] = await many(sound, 1);
    const gateway = another({ reports });
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

describe('a stop in the middle', () => {
  test('lets what is under way end', async () => {
    let answer: (() => void) | null = null;
    const bank = await receiver((response) => {
      answer = () => void response.writeHead(200).end();
    });
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
    const gateway = another();
    await gateway.deliver();
    await waitFor('it is under way', async () => answer !== null);
    const stopping = gateway.stop();
    (answer as (() => void) | null)?.();
    await stopping;
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
    await bank.close();
  });

  test('gives back what does not end, uncounted, for the next gateway to make at once', async () => {
    const bank = await receiver(hang);
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
    const gateway = another({ graceMs: 50 });
    await gateway.deliver();
    await waitFor('it is under way', async () => bank.received.length === 1);
    await gateway.stop();
    const released = await deliveryOf(kissi, id);
    assert.deepEqual([released.status, released.lease, released.made.length], ['pending', null, 0]);
    bank.behave(acknowledge);
    await deliver(kissi);
    const { status, attempts } = await deliveryOf(kissi, id);
    assert.deepEqual([status, attempts, bank.received.length], ['delivered', 1, 2]);
    await bank.close();
  });

  test('begins nothing more', async () => {
    const bank = await receiver();
    const gateway = another();
    await gateway.stop();
    await many(await partnerAt(kissi, bank.url), 1);
    gateway.wake();
    await gateway.deliver();
    await gateway.settled();
    assert.equal(bank.received.length, 0);
    await bank.close();
  });
});

describe('the database gone', () => {
  function failingAt(name: string, fails: () => boolean): Database {
    const { pool } = kissi.db.database;
    const faulty = faultyPool(pool, async (statement, { send }) => {
      if (statement === name && fails()) throw new Error('gone');
      return send();
    });
    return { ...kissi.db.database, pool: faulty.pool };
  }

  test('for a moment does not lose the answer of a receiver: it is recorded when the database is back', async () => {
    let failures = 2;
    const database = failingAt('webhooks-record', () => failures-- > 0);
    const bank = await receiver();
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
    const gateway = another({ database });
    await gateway.deliver();
    await gateway.settled();
    const { status, made } = await deliveryOf(kissi, id);
    assert.deepEqual([status, made.length, bank.received.length], ['delivered', 1, 1]);
    await bank.close();
  });

  test('while an endpoint is looked up is no attempt: it is given back', async () => {
    const bank = await receiver();
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
    const reports: string[] = [];
    const gateway = another({ reports, endpointOf: () => Promise.reject(new Error('gone')) });
    const failing = gateway.deliver();
    await waitFor('it was reported', async () => reports.length > 0);
    await gateway.stop();
    await failing;
    const { made, lease, status } = await deliveryOf(kissi, id);
    assert.deepEqual([made.length, lease, status], [0, null, 'pending']);
    await bank.close();
  });

  test('makes a round fail, and the next one goes on', async () => {
    let broken = true;
    const bank = await receiver();
    await many(await partnerAt(kissi, bank.url), 3);
    const gateway = another({ database: failingAt('webhooks-claim', () => broken) });
    await assert.rejects(gateway.deliver(), /gone/);
    broken = false;
    await gateway.deliver();
    await gateway.settled();
    assert.equal(bank.received.length, 3);
    await bank.close();
  });
});

describe('the statements', () => {
  const PARTNERS = 50;

  /** The statements and what is set for them, asked for their plans instead of being carried out. */
  async function assertPlans(when: string): Promise<void> {
    const plans: { text: string; plan: string }[] = [];
    const listening = faultyPool(kissi.db.database.pool, async (statement, { send, text, client }) => {
      if (['begin', 'commit', 'webhooks-settings'].includes(statement)) return send();
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      plans.push({ text, plan: rows.map((row) => row['QUERY PLAN']).join('\n') });
      return { rows: [] };
    });
    const outbox = createOutbox(listening.pool);
    await outbox.claim(new Map([['ptn_x', 1]]), { lease: 'x', now: new Date(), until: new Date() });
    await outbox.record([]);
    assert.equal(plans.length, 2);
    for (const { text, plan } of plans) {
      assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join|Sort Key/, `${when}:\n${plan}`);
      if (text.includes('earlier')) assert.match(plan, /webhook_deliveries_reference on webhook_deliveries earlier/);
    }
  }

  test('are planned by the right index on an empty outbox, and with a long backlog', async () => {
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
      assert.equal((await outbox.duePartners(now)).length, PARTNERS);
      const lease = { lease: `round-${round}`, now, until: new Date(now.getTime() + LEASE_MS) };
      assert.equal((await outbox.claim(new Map([['ptn_7', 5]]), lease)).claimed.length, 5);
    }
  });

  test('do not look again and again at what waits for an earlier event of its reference', async () => {
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
    assert.deepEqual(found, ['evt_2'], 'what is ready behind them is found');
    assert.deepEqual(await outbox.duePartners(now), []);
    // Each was looked at once: none of them is due any more before what it waits for.
    const due = `select count(*)::int as n from webhook_deliveries where partner_id = 'ptn_1' and status = 'pending'
      and lease is null and next_attempt_at <= $1`;
    assert.equal((await kissi.db.query(due, [now])).rows[0].n, 0);
    assert.equal((await claim(32, 'second')).claimed.length, 0);
  });

  test('what waited is due as soon as the earlier one has ended, however long that had still to wait', async () => {
    const bank = await receiver((response) => void response.writeHead(500).end());
    const partner = await partnerAt(kissi, bank.url);
    const credit = completed(partner);
    const id = await committed(kissi, credit);
    await deliver(kissi);
    kissi.clock.advance(MINUTE_MS);
    await deliver(kissi);
    const reversal = await committed(kissi, { ...credit, event: 'credit.reversed', reason: 'Sent twice' });
    await deliver(kissi);
    const [first, second] = [await deliveryOf(kissi, id), await deliveryOf(kissi, reversal)];
    assert.ok(second.next_attempt_at > first.next_attempt_at, 'it is put off until after the other');
    bank.behave(acknowledge);
    const path = `/api/v1/admin/webhook-deliveries/${id}/replay`;
    const replayed = await kissi.call('POST', path, { token: await kissi.adminToken() });
    assert.equal(replayed.status, 200, replayed.text);
    await deliver(kissi);
    assert.deepEqual(
      bank.received.map(({ headers }) => headers['x-hook-event']),
      ['credit.completed', 'credit.completed', 'credit.completed', 'credit.reversed'],
    );
    await bank.close();
  });

  test('forget nothing that was replayed in the moment in which it was to be forgotten', async () => {
    const { pool } = kissi.db.database;
    const bank = await receiver();
    const [id = ''] = await many(await partnerAt(kissi, bank.url), 1);
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
