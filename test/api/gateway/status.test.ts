// Tests GET /api/v1/status: what partners see while payments fail, webhooks are late, the database is away or maintenance is announced.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { CACHED_MS, SHOWN_MS } from '../../../src/features/status/service.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { databaseUrl } from '../../support/database.ts';
import { assertStatus, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, runChore } from '../../support/staff.ts';
import { commitEvent, completed, deliver, partnerAt } from '../../webhooks/receiver.ts';

const { kissi, bank } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const closing: TestGateway[] = [];
after(async () => {
  for (const gateway of closing) await gateway.close();
});

const ask = (gateway: TestGateway = kissi) => gateway.call('GET', '/api/v1/status');

const nameOf = ({ db }: TestGateway) => new URL(db.url).pathname.slice(1);

/** The report once the last one is no longer repeated. */
async function freshStatus(gateway: TestGateway = kissi): Promise<Json> {
  gateway.clock.advance(CACHED_MS);
  return assertStatus(await ask(gateway), 200).json;
}

test('anybody may ask, and learns no figure of the business', async () => {
  const reply = assertStatus(await ask(), 200);
  assert.equal(reply.headers.get('cache-control'), 'public, max-age=10');
  const { checked_at, ...rest } = reply.json;
  assert.equal(checked_at, new Date(kissi.clock.now()).toISOString());
  const fine = { status: 'ok', delay_seconds: 0 };
  assert.deepEqual(rest, {
    ...{ status: 'ok', payments: { status: 'ok' }, webhooks: fine, messages: fine },
    maintenance: null,
  });
});

test('the answer is repeated for ten seconds, however many ask', async () => {
  const { checked_at } = await freshStatus();
  kissi.clock.advance(CACHED_MS - 1);
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask()));
  assert.deepEqual(new Set(replies.map(({ json }) => json.checked_at)), new Set([checked_at]));
  kissi.clock.advance(1);
  assert.notEqual((await ask()).json.checked_at, checked_at);
});

test('one address may ask only so often', async () => {
  const limited = await testGateway({ db: kissi.db, env: { PUBLIC_PAGES_PER_MINUTE: '3' } });
  closing.push(limited);
  for (let n = 0; n < 3; n++) assertStatus(await ask(limited), 200);
  assertRefused(await ask(limited), 429, 'RATE_LIMITED');
});

describe('payments', () => {
  const pay = async () => {
    const { id } = await bank.wallet();
    const order = { partner_id: bank.partnerId, subscriber_id: id, amount: 70_707, request_id: randomUUID() };
    return bank.post('/wallet/fund-from-partner', order);
  };

  /** A defect that the ledger did not expect. */
  async function failedPayment(): Promise<void> {
    const owner = new pg.Client({ connectionString: databaseUrl(nameOf(kissi)) });
    await owner.connect();
    await owner.query('alter table movements add constraint refused check (amount <> 70707) not valid');
    try {
      assert.equal((await pay()).status, 500);
    } finally {
      await owner.query('alter table movements drop constraint refused');
      await owner.end();
    }
  }

  test('are degraded for five minutes after one failed, and refusals do not count', async () => {
    await failedPayment();
    const degraded = await freshStatus();
    assert.deepEqual(
      [degraded.status, degraded.payments.status, degraded.webhooks.status],
      ['degraded', 'degraded', 'ok'],
    );
    assertStatus(await pay(), 200);
    const unpaid = { partner_id: bank.partnerId, subscriber_id: 'sub_none', amount: 5, request_id: randomUUID() };
    assert.equal((await bank.post('/wallet/fund-from-partner', unpaid)).status, 404);
    kissi.clock.advance(SHOWN_MS - 2 * CACHED_MS);
    assert.equal((await freshStatus()).payments.status, 'degraded');
    assert.deepEqual((await freshStatus()).payments, { status: 'ok' });
  });

  test('a failure is noted although nobody asks', async () => {
    await failedPayment();
    await runChore(kissi, 'note failed payments for the status');
    kissi.clock.advance(SHOWN_MS);
    await runChore(kissi, 'note failed payments for the status');
    assert.equal((await freshStatus()).payments.status, 'ok', 'an old failure is not new because somebody asks');
  });
});

test('late webhooks are told in whole minutes, without whose they are', async () => {
  const partner = await partnerAt(kissi, 'http://127.0.0.1:9/');
  await commitEvent(kissi, completed(partner));
  kissi.clock.advance(5 * MINUTE_MS - CACHED_MS);
  const soon = await freshStatus();
  assert.deepEqual([soon.status, soon.webhooks], ['ok', { status: 'ok', delay_seconds: 300 }]);
  kissi.clock.advance(65 * SECOND_MS);
  const late = await freshStatus();
  assert.deepEqual([late.status, late.payments.status], ['degraded', 'ok']);
  assert.deepEqual(late.webhooks, { status: 'degraded', delay_seconds: 360 });
  assert.doesNotMatch(JSON.stringify(late), /ptn_|127\.0\.0\.1/);
  await deliver(kissi);
  assert.deepEqual(
    (await freshStatus()).webhooks,
    { status: 'ok', delay_seconds: 0 },
    'the next attempt is not due yet',
  );
});

test('without the database everything is down, and it is told with 200', async () => {
  const alone = await testGateway();
  closing.push(alone);
  const name = nameOf(alone);
  const administrator = new pg.Client({ connectionString: databaseUrl('postgres') });
  await administrator.connect();
  try {
    await administrator.query(`alter database ${name} allow_connections false`);
    await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const { status, payments, webhooks, messages } = await freshStatus(alone);
    const stopped = { status: 'down', delay_seconds: null };
    assert.deepEqual(
      { status, payments, webhooks, messages },
      {
        ...{ status: 'down', payments: { status: 'down' } },
        ...{ webhooks: stopped, messages: stopped },
      },
    );
  } finally {
    await administrator.query(`alter database ${name} allow_connections true`);
    await administrator.end();
  }
  assert.equal((await freshStatus(alone)).status, 'ok');
});

describe('maintenance', () => {
  const at = (ms: number) => new Date(ms).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
  const minute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

  test('is announced until it ends', async () => {
    const from = minute(kissi.clock.now()) + 60 * MINUTE_MS;
    const until = from + 30 * MINUTE_MS;
    const env = { MAINTENANCE: `${at(from)}/${at(until)} Upgrade of the database` };
    const announcing = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    const expected = {
      ...{ from: new Date(from).toISOString(), until: new Date(until).toISOString() },
      message: 'Upgrade of the database',
    };
    closing.push(announcing);
    const before = await freshStatus(announcing);
    assert.deepEqual([before.status, before.maintenance], ['ok', expected]);
    kissi.clock.advance(from - kissi.clock.now());
    assert.deepEqual((await freshStatus(announcing)).maintenance, expected);
    kissi.clock.advance(until - kissi.clock.now() - CACHED_MS);
    assert.equal((await freshStatus(announcing)).maintenance, null);
  });

  test('is refused at the start if its times or text are wrong', () => {
    const wrong = [
      'tonight',
      '2026-11-30T22:00Z/2026-11-30T23:00Z',
      '2026-11-30T22:00Z/2026-11-30T23:00Z ',
      '2026-11-30T23:00Z/2026-11-30T22:00Z The end is before the beginning',
      '2026-11-30T22:00/2026-11-30T23:00 Without a time zone',
      '2026-11-31T22:61Z/2026-12-01T23:00Z No such minute',
      `2026-11-30T22:00Z/2026-11-30T23:00Z ${'x'.repeat(201)}`,
    ];
    for (const MAINTENANCE of wrong)
      assert.throws(() => loadConfig({ MAINTENANCE }), /MAINTENANCE must be/, MAINTENANCE);
    assert.equal(loadConfig({}).maintenance, null);
  });
});
