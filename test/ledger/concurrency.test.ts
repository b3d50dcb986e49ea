// Two gateways on one PostgreSQL with many writers, hot accounts and broken connections: totals are exact, nothing posts twice.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Ledger, Result } from '../../src/ledger/posting/ledger.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, pgPool, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, type OrderSpec, open, orderOf } from './books.ts';
import { faultyPool, socketOf } from './faulty-pool.ts';

const WRITERS = 64;
const MOVEMENTS_EACH = 25;
const FUNDS = 1_000_000;
const gateways: Database[] = [];

const db = await testDatabase();
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();
for (let n = 0; n < 2; n++)
  gateways.push(
    openDatabase({ url: db.url, poolSize: 11, role: APP_ROLE, timeouts: LONG_TIMEOUTS, shards: TEST_SHARDS }),
  );

after(async () => {
  await assertClean(db.url);
  await owner.end();
  for (const gateway of gateways) await gateway.close();
  await db.close();
});

function ledgerOf(gateway: number, options: { maxBatch?: number; onBatch?: () => void } = {}): Ledger {
  return testLedger({ pool: (gateways[gateway] as Database).pool, clock: systemClock, ...options });
}

async function openFunded(ids: readonly string[], amount = FUNDS): Promise<void> {
  const queries = (gateways[0] as Database).queries;
  const bank = `bank_${ids[0]}`;
  await open(queries, ids);
  await open(queries, [bank], { kind: 'partner_clearing', floor: null });
  const ledger = ledgerOf(0);
  await Promise.all(ids.map((to) => ledger.post(orderOf({ from: bank, to, amount }))));
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

/** Breaks connections of both gateways during a batch: by pg_terminate_backend or by destroying the socket. */
class ConnectionBreaker {
  kills = 0;
  private readonly clients = new Set<pg.PoolClient>();
  private readonly track = (client: pg.PoolClient) => void this.clients.add(client);
  private batches = 0;
  private working: Promise<unknown> = Promise.resolve();

  constructor() {
    for (const { pool } of gateways) pgPool(pool).on('acquire', this.track);
    for (const { pool } of gateways)
      pgPool(pool).on('remove', (client) => this.clients.delete(client as pg.PoolClient));
  }

  /** Called at the start of each batch. */
  readonly onBatch = (): void => {
    this.batches += 1;
    if (this.batches % 4 === 1) this.working = Promise.all([this.working, this.breakOne(this.batches % 8 === 1)]);
  };

  private async breakOne(byAdministrator: boolean): Promise<void> {
    this.kills += 1;
    if (byAdministrator) {
      await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'kissi' order by random() limit 1`);
      return;
    }
    // Waits for some turns of the event loop, so that breaks hit every statement of a batch.
    for (let turns = Math.floor(Math.random() * 12); turns > 0; turns--) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const client = pick([...this.clients]);
    if (client) socketOf(client).destroy(Math.random() < 0.5 ? new Error('broken by the test') : undefined);
  }

  async stop(): Promise<void> {
    for (const { pool } of gateways) pgPool(pool).off('acquire', this.track);
    await this.working;
  }
}

interface Attempt {
  spec: OrderSpec & { request: { id: string } };
  /** Null: the writer never received a result. */
  result: Result | null;
}

/** Writers that retry under the same request id when they get no reply; some give up after one attempt. */
async function write(
  name: string,
  ids: readonly string[],
  hot: string | null,
): Promise<{ attempts: Attempt[]; errors: unknown[] }> {
  const breaker = new ConnectionBreaker();
  const ledgers = [0, 1].map((gateway) => ledgerOf(gateway, { onBatch: breaker.onBatch }));
  const errors: unknown[] = [];
  const attempts: Attempt[] = [];

  async function postWithRetry(spec: Attempt['spec'], tries: number): Promise<Result | null> {
    for (let attempt = 0; attempt < tries; attempt++) {
      try {
        return await pick(ledgers).post(orderOf(spec));
      } catch (error) {
        errors.push(error);
      }
    }
    return null;
  }

  function newSpec(number: number, n: number): Attempt['spec'] {
    const from = hot !== null && number % 4 === 0 ? hot : pick(ids);
    const to = hot !== null && from !== hot ? hot : pick(ids.filter((id) => id !== from));
    return {
      from,
      to,
      amount: 1 + Math.floor(Math.random() * 50),
      fee: n % 3,
      request: { id: `${name}-${number}-${n}` },
    };
  }

  async function writer(number: number): Promise<void> {
    for (let n = 0; n < MOVEMENTS_EACH; n++) {
      const spec = newSpec(number, n);
      attempts.push({ spec, result: await postWithRetry(spec, number % 8 === 7 ? 1 : 20) });
      // A client that loses a reply sends the request again.
      if (n % 10 === 0) attempts.push({ spec, result: await postWithRetry(spec, 20) });
    }
  }

  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  await breaker.stop();
  assert.ok(breaker.kills >= 5, `${breaker.kills} connections were broken`);
  return { attempts, errors };
}

async function assertExact(ids: readonly string[], attempts: Attempt[], before: number[]): Promise<void> {
  const { rows } = await owner.query<{ request_id: string; reply: string; count: string }>(
    `with m as materialized (select request_id, count(*) from movements group by 1),
       r as materialized (select request_id, reply from requests)
     select r.*, coalesce(m.count, 0) as count from r left join m using (request_id)`,
  );
  const written = new Map(rows.map((row) => [row.request_id, row]));
  const expected = new Map(ids.map((id, index) => [id, before[index] as number]));
  const counted = new Set<string>();
  for (const { spec, result } of attempts) {
    const row = written.get(spec.request.id);
    if (result) {
      assert.ok(result.outcome === 'posted' || result.outcome === 'replayed', result.outcome);
      assert.equal(row?.reply, result.reply, 'the reply matches the stored reply');
    }
    if (!row || counted.has(spec.request.id)) continue;
    counted.add(spec.request.id);
    assert.equal(row.count, '1', 'the movement was posted once');
    const { from, to, amount, fee = 0 } = spec;
    expected.set(from, (expected.get(from) ?? 0) - amount - fee);
    expected.set(to, (expected.get(to) ?? 0) + amount);
  }
  assert.deepEqual(await balances(db.url, ids), [...expected.values()]);
}

/** Five attempts recover from nearly every break. The remaining errors are connection errors, never a lost internal race. */
function assertOnlyConnections(errors: unknown[]): void {
  const kinds = errors.map((error) => (error as { code?: string }).code ?? String(error));
  assert.ok(errors.length <= WRITERS, `${errors.length} posts had to be retried: ${kinds}`);
  for (const kind of kinds) assert.match(kind, /^(?:57P01|08.+|E[A-Z]+|Error: .*(?:terminated|broken by the test).*)$/);
}

describe(`${WRITERS} writers over two gateways while connections break`, () => {
  for (const kind of ['uniform', 'hot'] as const) {
    test(`${kind} accounts: each acknowledged movement is stored once, and the totals are exact`, async () => {
      const ids = Array.from({ length: kind === 'hot' ? 8 : 40 }, (_, n) => `${kind}_${n}`);
      await openFunded(ids);
      const { attempts, errors } = await write(kind, ids, kind === 'hot' ? 'hot_0' : null);
      assertOnlyConnections(errors);
      await assertExact(
        ids,
        attempts,
        ids.map(() => FUNDS),
      );
      await assertClean(db.url);
    });
  }
});

describe('races', () => {
  test('posts one of twenty movements that each need the whole balance', async () => {
    for (let round = 0; round < 5; round++) {
      const [rich, poor] = [`rich_${round}`, `poor_${round}`];
      await openFunded([rich, poor], 500);
      // One gateway posts them one by one, the other in a batch.
      const ledgers = [ledgerOf(0, { maxBatch: 1 }), ledgerOf(1)];
      const specs = Array.from({ length: 20 }, (_, n) => ({
        from: rich,
        to: poor,
        amount: 500,
        request: { id: `${rich}-${n}` },
      }));
      const results = await Promise.all(specs.map((spec, n) => (ledgers[n % 2] as Ledger).post(orderOf(spec))));
      const outcomes = results.map((result) => (result.outcome === 'refused' ? result.reason : result.outcome));
      assert.deepEqual(outcomes.toSorted(), [...Array(19).fill('floor'), 'posted']);
      assert.deepEqual(await balances(db.url, [rich, poor]), [0, 1_000]);
    }
  });

  /** Two ledgers that both look up the request before either writes it. */
  function ledgersWritingAtOnce(): [Ledger, Ledger] {
    let arrived = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ledgers = gateways.map(({ pool }) => {
      const faulty = faultyPool(pool, async (statement, { send, number }) => {
        if (statement === 'ledger-write' && number === 1) {
          arrived += 1;
          if (arrived === 2) resolve();
          await promise;
        }
        return send();
      });
      return testLedger({ pool: faulty.pool, clock: systemClock });
    });
    return ledgers as [Ledger, Ledger];
  }

  test('one request sent to both gateways has one effect and one reply, byte for byte', async () => {
    await openFunded(['same_a', 'same_b'], 1_000);
    const ledgers = [ledgerOf(0), ledgerOf(1)];
    for (let round = 0; round < 20; round++) {
      const spec = { from: 'same_a', to: 'same_b', amount: 10, request: { id: `same-${round}` } };
      const results = await Promise.all([0, 1, 0, 1].map((n) => (ledgers[n] as Ledger).post(orderOf(spec))));
      assert.deepEqual(results.map(({ outcome }) => outcome).toSorted(), [
        'posted',
        'replayed',
        'replayed',
        'replayed',
      ]);
      assert.equal(new Set(results.map((result) => 'reply' in result && result.reply)).size, 1);
    }
    assert.deepEqual(await balances(db.url, ['same_a', 'same_b']), [800, 1_200]);
  });

  test('one request id sent with different details has one effect; the others are conflicts', async () => {
    await openFunded(['diff_a', 'diff_b'], 1_000);
    const ledgers = [ledgerOf(0), ledgerOf(1)];
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const request = { id: 'different', hash: `0${n}` };
        return (ledgers[n % 2] as Ledger).post(orderOf({ from: 'diff_a', to: 'diff_b', amount: 100, request }));
      }),
    );
    assert.deepEqual(results.map(({ outcome }) => outcome).toSorted(), [...Array(7).fill('conflict'), 'posted']);
    assert.deepEqual(await balances(db.url, ['diff_a', 'diff_b']), [900, 1_100]);
  });

  for (const [name, hashes, outcomes] of [
    ['equal details', ['00', '00'], ['posted', 'replayed']],
    ['different details', ['00', '01'], ['conflict', 'posted']],
  ] as const) {
    test(`a request that both gateways write at once, over disjoint accounts, with ${name}, has one effect`, async () => {
      const ids = ['a', 'b', 'c', 'd'].map((id) => `apart_${hashes[1]}_${id}`);
      await openFunded(ids, 1_000);
      const [a, b, c, d] = ids as [string, string, string, string];
      const ledgers = ledgersWritingAtOnce();
      const request = (hash: string) => ({ id: `apart-${hashes[1]}`, hash });
      const results = await Promise.all([
        ledgers[0].post(orderOf({ from: a, to: b, amount: 10, request: request(hashes[0]) })),
        ledgers[1].post(orderOf({ from: c, to: d, amount: 10, request: request(hashes[1]) })),
      ]);
      assert.deepEqual(results.map(({ outcome }) => outcome).toSorted(), outcomes);
      const moved = (await balances(db.url, ids)).filter((balance) => balance !== 1_000);
      assert.deepEqual(moved, [990, 1_010]);
    });
  }

  test('two credentials may use the same request id', async () => {
    await openFunded(['own_a', 'own_b'], 1_000);
    const ledger = ledgerOf(0);
    const results = await Promise.all(
      ['key_1', 'key_2'].map((scope) =>
        ledger.post(orderOf({ from: 'own_a', to: 'own_b', amount: 1, request: { id: 'own', scope } })),
      ),
    );
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['posted', 'posted'],
    );
  });

  test('batches that lock the same accounts in opposite order do not deadlock', async () => {
    const ids = Array.from({ length: 6 }, (_, n) => `cross_${n}`);
    await openFunded(ids);
    const ledgers = [ledgerOf(0, { maxBatch: 3 }), ledgerOf(1, { maxBatch: 3 })];
    const posts = Array.from({ length: 600 }, (_, n) => {
      const [from, to] = [ids[n % 6], ids[(n + 1 + (n % 5)) % 6]] as [string, string];
      return (ledgers[n % 2] as Ledger).post(orderOf({ from, to, amount: 1 }));
    });
    for (const { outcome } of await Promise.all(posts)) assert.equal(outcome, 'posted');
    assert.equal(
      (await balances(db.url, ids)).reduce((a, b) => a + b),
      6 * FUNDS,
    );
  });
});
