// The ledger's engine for Citus, on one PostgreSQL, which accepts the same statements, or on a cluster: it posts, refuses and
// locks like the plain engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { planDistribution } from '../../src/db/citus/distribute.ts';
import { ShardMap } from '../../src/db/citus/shard-map.ts';
import { readShards } from '../../src/db/citus/shards.ts';
import { textHash } from '../../src/db/citus/text-hash.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import { citusEngine } from '../../src/ledger/posting/citus-engine.ts';
import { PLAIN_ENGINE } from '../../src/ledger/posting/engine.ts';
import type { Ledger, Order } from '../../src/ledger/posting/ledger.ts';
import { LONG_TIMEOUTS, pgPool, type TestDatabase, testDatabase, undistributed } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, type OrderSpec, open, orderOf } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

const SHARDS = new ShardMap([-(2 ** 31), -1_000_000_000, 0, 1_500_000_000]);
const ENGINE = citusEngine(SHARDS);
const IDS = Array.from({ length: 24 }, (_, n) => `sub_${n}`);
const BANK = 'ptn_bank';
const FUNDS = 100_000;

let db: TestDatabase;
const gateways: Database[] = [];

before(async () => {
  db = await testDatabase();
  const options = { url: db.url, poolSize: 4, role: APP_ROLE, timeouts: LONG_TIMEOUTS, shards: SHARDS };
  gateways.push(openDatabase(options), openDatabase(options));
  await open(gatewayOf(0).queries, IDS);
  await open(gatewayOf(0).queries, [BANK], { kind: 'partner_clearing', floor: null });
  const ledger = ledgerOf(0);
  await Promise.all(IDS.map((to) => ledger.post(orderOf({ from: BANK, to, amount: FUNDS }))));
});

after(async () => {
  await assertClean(db.url);
  for (const gateway of gateways) await gateway.close();
  await db.close();
});

const gatewayOf = (n: number) => gateways[n] as Database;

function ledgerOf(gateway: number, maxBatch?: number): Ledger {
  const { pool } = gatewayOf(gateway);
  return testLedger({ pool, clock: systemClock, engine: ENGINE, ...(maxBatch ? { maxBatch } : {}) });
}

test("the hash of a text is the server's", async () => {
  const lengths = Array.from({ length: 60 }, (_, length) => length);
  const texts = [...IDS, ...lengths.flatMap((length) => ['x'.repeat(length), 'é∂😀z'.repeat(length), `${length}`])];
  const { rows } = await db.query('select t, hashtext(t) as hash from unnest($1::text[]) t', [texts]);
  assert.equal(rows.length, texts.length);
  for (const { t, hash } of rows) assert.equal(textHash(t), hash, t);
});

test('the accounts of the tests are in several shards', () => {
  assert.ok(SHARDS.group(IDS, (id) => id).length > 2);
});

describe('two gateways', () => {
  test('batches over all shards do not deadlock, and their totals are exact', async () => {
    const sumBefore = sumOf(await balances(db.url, IDS));
    const ledgers = [ledgerOf(0, 5), ledgerOf(1, 7)];
    const posts = Array.from({ length: 600 }, (_, n) => {
      const [from, to] = [IDS[n % 24], IDS[(n * 7 + 1 + (n % 5)) % 24]] as [string, string];
      return from === to ? null : (ledgers[n % 2] as Ledger).post(orderOf({ from, to, amount: 3, fee: n % 2 }));
    });
    const outcomes = (await Promise.all(posts.filter((post) => post !== null))).map(({ outcome }) => outcome);
    assert.ok(outcomes.length > 500);
    assert.deepEqual([...new Set(outcomes)], ['posted']);
    const fees = posts.filter((post, n) => post !== null && n % 2 === 1).length;
    assert.equal(sumOf(await balances(db.url, IDS)), sumBefore - fees);
  });

  test('one request has one effect and one reply, and another content is a conflict', async () => {
    const [from, to] = ['sub_1', 'sub_2'];
    const [had] = await balances(db.url, [from]);
    const ledgers = [ledgerOf(0), ledgerOf(1)];
    const spec = { from, to, amount: 10, request: { id: 'same' } };
    const results = await Promise.all([0, 1, 0, 1].map((n) => (ledgers[n] as Ledger).post(orderOf(spec))));
    assert.deepEqual(results.map(({ outcome }) => outcome).toSorted(), ['posted', 'replayed', 'replayed', 'replayed']);
    assert.equal(new Set(results.map((result) => 'reply' in result && result.reply)).size, 1);
    const other = await ledgerOf(0).post(orderOf({ ...spec, request: { id: 'same', hash: '01' } }));
    assert.equal(other.outcome, 'conflict');
    const ofOther = await ledgerOf(0).post(orderOf({ ...spec, request: { id: 'same', scope: 'key_2' } }));
    assert.equal(ofOther.outcome, 'posted', 'another credential may use the same request id');
    assert.deepEqual(await balances(db.url, [from]), [(had as number) - 20]);
  });

  test('allowances are opened, locked and used over all shards', async () => {
    const ledgers = [ledgerOf(0, 3), ledgerOf(1, 3)];
    const posts = Array.from({ length: 40 }, (_, n) => {
      const order = orderOf({ from: IDS[n % 24] as string, to: 'sub_3', amount: n % 24 === 3 ? 1 : 2 });
      return n % 24 === 3 ? null : (ledgers[n % 2] as Ledger).post(withAllowance(order, `card:${n % 4}`));
    });
    const results = await Promise.all(posts.filter((post) => post !== null));
    const posted = results.filter(({ outcome }) => outcome === 'posted').length;
    const { rows } = await db.query(`select sum(used)::int as used, max(used)::int as most from allowances`);
    assert.deepEqual(rows[0], { used: posted * 2, most: 10 });
    assert.equal(posted, 20);
  });
});

function withAllowance(order: Order, id: string): Order {
  return { ...order, movement: { ...order.movement, allowances: [{ id, amount: 2, limit: 10 }] } };
}

test('a payment that the tables do not accept fails alone', async () => {
  const [had] = await balances(db.url, ['sub_4']);
  const ledger = ledgerOf(0);
  const spec = { from: 'sub_4', to: 'sub_5', amount: 1 };
  const bad = orderOf(spec);
  const results = await Promise.allSettled([
    ledger.post(orderOf(spec)),
    ledger.post({ ...bad, movement: { ...bad.movement, narration: 'a \u0000 b' } }),
    ledger.post(orderOf(spec)),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await balances(db.url, ['sub_4']), [(had as number) - 2]);
});

for (const when of ['before', 'after'] as const) {
  test(`a batch whose connection breaks ${when} the commit is posted once`, async () => {
    const [had] = await balances(db.url, ['sub_6']);
    const { pool } = faultyPool(gatewayOf(0).pool, async (statement, { send, number }) => {
      if (statement !== 'commit' || number > 1) return send();
      if (when === 'after') await send();
      throw new Error('lost');
    });
    const ledger = testLedger({ pool, clock: systemClock, engine: ENGINE });
    const spec: OrderSpec = { from: 'sub_6', to: 'sub_7', amount: 5, request: { id: `lost-${when}` } };
    assert.equal((await ledger.post(orderOf(spec))).outcome, 'posted');
    assert.deepEqual(await balances(db.url, ['sub_6']), [(had as number) - 5]);
  });
}

test('both engines read the same activity', async () => {
  const kindOf = (id: string): AccountKind => (id === BANK ? 'partner_clearing' : 'wallet');
  const subjects = [...IDS, BANK].map((id) => ({ id, kind: kindOf(id) }));
  const one = await undistributed(db);
  const plain = openDatabase({ url: one.url, poolSize: 1, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  try {
    for (const column of ['recent', 'received'] as const) {
      for (const after of [0, systemClock.now() + 1_000]) {
        const expected = await PLAIN_ENGINE.readActivity(column, plain.pool, subjects, after);
        const found = await ENGINE.readActivity(column, gatewayOf(0).pool, subjects, after);
        assert.deepEqual(found, expected, `${column} after ${after}`);
        const runs = [...found.values()].reduce((sum, window) => sum + window.runs.length, 0);
        assert.equal(runs > 0, after === 0);
      }
    }
  } finally {
    await plain.close();
    await one.close();
  }
});

test('a database without the extension is one PostgreSQL, and cannot be distributed', async () => {
  const one = await undistributed(db);
  const owner = openDatabase({ url: one.url, poolSize: 1, timeouts: LONG_TIMEOUTS });
  try {
    assert.equal(await readShards(one.url), null);
    await assert.rejects(planDistribution(owner.queries), /citus is not created/);
  } finally {
    await owner.close();
    await one.close();
  }
});

test('the connections of a cluster plan each statement with its parameters', async () => {
  const { rows } = await pgPool(gatewayOf(0).pool).query('show plan_cache_mode');
  assert.equal(rows[0].plan_cache_mode, 'auto');
});

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
