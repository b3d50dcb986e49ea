// Pages of long histories: the right records for any filter, without reading the records in between, within a time limit.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { createBooks, type HistoryQuery } from '../../src/ledger/queries/account-history.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import type { SearchOptions } from '../../src/ledger/queries/history-by-type.ts';
import { createMovementList } from '../../src/ledger/queries/movement-list.ts';
import { isOnCluster, TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, pgPool, testDatabase } from '../support/database.ts';
import { HISTORY_START, insertHistory } from '../support/history.ts';
import { open } from './books.ts';

const EVERY = 50;
const SHORT = 900;
const LONG = 20_000;
const RARE = `case when n % 97 = 0 then 'rare' when n = 5 then 'once' when n % 2 = 0 then 'often' else 'other' end`;
const VERY_RARE = `case when n % 4000 = 7 then 'rare' when n <= 100 then 'old' else 'often' end`;
const db = await testDatabase();
// One connection, so that its statistics are flushed before they are read.
const database = openDatabase({
  url: db.url,
  poolSize: 1,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();
await open(db.database.queries, ['sub_short', 'sub_half', 'sub_bare', 'sub_long'], { floor: null });
for (const accountId of ['sub_short', 'sub_half', 'sub_bare']) {
  await insertHistory(db.url, { accountId, postings: SHORT, type: RARE });
}
await insertHistory(db.url, { accountId: 'sub_long', postings: LONG, type: VERY_RARE });
const withoutTime = createCheckpoints(database.pool, { every: EVERY, waitMs: 0 });
for (let n = 0; n < SHORT / EVERY / 2; n++) await withoutTime.catchUp('sub_half');
const withTime = createCheckpoints(database.pool, { every: EVERY, waitMs: 60_000 });
for (const id of ['sub_short', 'sub_long']) await withTime.catchUp(id);
after(async () => {
  await owner.end();
  await database.close();
  await db.close();
});

const books = (options: SearchOptions = {}) =>
  createBooks(database, { rangeSize: EVERY, searchMs: 60_000, ...options });
/** A time limit that has always expired. */
const NO_TIME = { searchMs: -1 };

interface PostingRef {
  seq: number;
  type: string;
  amount: number;
}

/** All postings of the account, newest first. */
async function allPostings(accountId: string): Promise<PostingRef[]> {
  const text = `with p as materialized (select seq, movement_id from postings where account_id = $1)
    select p.seq, m.type, m.amount from p join movements m on m.id = p.movement_id order by p.seq desc`;
  return (await db.query(text, [accountId])).rows;
}

function matching(all: PostingRef[], query: Partial<HistoryQuery>): number[] {
  const { type, from, to, before, minAmount = 0, maxAmount = Infinity } = query;
  const found = all.filter(({ seq, type: postingType, amount }) => {
    if (amount < minAmount || amount > maxAmount) return false;
    const at = Math.floor(seq / 1_000);
    const isOfType = type === undefined || postingType === type;
    return isOfType && at >= (from ?? 0) && at <= (to ?? Number.POSITIVE_INFINITY) && seq < (before ?? Infinity);
  });
  return found.map(({ seq }) => seq);
}

describe('any page', () => {
  for (const accountId of ['sub_short', 'sub_half', 'sub_bare']) {
    const checkpoints = { sub_short: 'all', sub_half: 'half of the', sub_bare: 'no' }[accountId];
    test(`equals the page computed from all postings, with ${checkpoints} checkpoints`, async () => {
      const all = await allPostings(accountId);
      const instant = fc.option(
        fc.integer({ min: -2, max: SHORT + 2 }).map((n) => HISTORY_START + n * 1_000),
        {
          nil: undefined,
        },
      );
      const query = fc.record({
        type: fc.constantFrom(undefined, 'rare', 'once', 'often', 'other', 'none'),
        minAmount: fc.constantFrom(undefined, undefined, 2, 5, 6),
        maxAmount: fc.constantFrom(undefined, undefined, 2, 4),
        from: instant,
        to: instant,
        before: fc.option(
          fc.nat(SHORT - 1).map((n) => all[n]?.seq ?? 0),
          { nil: undefined },
        ),
        limit: fc.constantFrom(0, 1, 3, 50),
        offset: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(SHORT)),
        passesCount: fc.boolean(),
      });
      const property = fc.asyncProperty(query, async ({ passesCount, ...given }) => {
        const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const { limit, offset } = given;
        const left = matching(all, asked).slice(offset);
        const count = passesCount ? { left: left.length } : {};
        const page = await books().history({ accountId, limit, ...asked, ...count });
        const seqs = page?.entries.map(({ seq }) => seq);
        assert.deepEqual(seqs, left.slice(0, limit));
        assert.equal(page?.next, left.length > limit && limit > 0 ? left[limit - 1] : null);
      });
      await fc.assert(property, { numRuns: 300 });
    });

    test(`that ends early resumes where it stopped, with ${checkpoints} checkpoints`, async () => {
      const all = await allPostings(accountId);
      const filters = [...['rare', 'once', 'often', 'none'].map((type) => ({ type })), { minAmount: 5 }];
      for (const filter of filters) {
        const seen: number[] = [];
        let before: number | null | undefined;
        for (let pages = 0; before !== null; pages++) {
          assert.ok(pages < SHORT, 'the pages end');
          const page = await books(NO_TIME).history({ accountId, ...filter, limit: 3, before });
          assert.ok(page && page.entries.length <= 3);
          seen.push(...page.entries.map(({ seq }) => seq));
          before = page.next;
        }
        assert.deepEqual(seen, matching(all, filter), JSON.stringify(filter));
      }
    });
  }

  test('is null when there is no time to skip to its offset', async () => {
    assert.equal(await books(NO_TIME).history({ accountId: 'sub_bare', type: 'often', limit: 5, offset: 300 }), null);
    const near = await books(NO_TIME).history({ accountId: 'sub_bare', type: 'often', limit: 5, offset: 3 });
    assert.equal(near?.entries.length, 5);
  });
});

describe('rows read for a page', () => {
  /** The number of movements that the work reads. */
  async function rowsRead(work: () => Promise<unknown>): Promise<number> {
    const read = async (): Promise<number> => {
      await pgPool(database.pool).query('select pg_stat_force_next_flush()');
      await owner.query('select pg_stat_clear_snapshot()');
      const text = `select seq_tup_read::int + coalesce(idx_tup_fetch, 0)::int as rows
        from pg_stat_user_tables where relname = 'movements'`;
      return (await owner.query(text)).rows[0].rows;
    };
    const start = await read();
    await work();
    return (await read()) - start;
  }

  const bare = { accountId: 'sub_bare' };
  const cases: [string, Partial<HistoryQuery>, most: number][] = [
    ['the last page of a type whose remaining count is known', { ...bare, type: 'rare', limit: 2, left: 2 }, 150],
    ['a rare type', { type: 'rare', limit: 50 }, 400],
    ['a type that only occurred long ago', { type: 'old', limit: 50 }, 250],
    ['a type that never occurred', { type: 'none', limit: 50 }, 100],
    ['a page at a large offset', { limit: 50, offset: 15_000 }, 51],
    ['a page of a type at a large offset', { type: 'often', limit: 50, offset: 15_000 }, 300],
  ];
  for (const [name, query, most] of cases) {
    test(`${name} reads a few of thousands of movements`, async () => {
      const { accountId = 'sub_long', limit = 50, offset = 0 } = query;
      const all = await allPostings(accountId);
      const asked = { ...query, accountId, limit, offset };
      let seqs: number[] | undefined;
      const read = await rowsRead(async () => {
        seqs = (await books().history(asked))?.entries.map(({ seq }) => seq);
      });
      assert.deepEqual(seqs, matching(all, asked).slice(offset, offset + limit));
      // The counters are those of one server; on a cluster it has no movements.
      if (!isOnCluster) assert.ok(read <= most, `${read} movements`);
    });
  }
});

describe("the operator's list of movements", () => {
  const list = (options: SearchOptions = {}) =>
    createMovementList(database.pool, { rangeSize: 500, searchMs: 60_000, ...options });

  async function idsOf(type: string): Promise<string[]> {
    const text = 'select id from movements where type = $1 order by id desc';
    return (await db.query(text, [type])).rows.map(({ id }) => id);
  }

  test('lists every movement of a type once, even when pages end early', async () => {
    for (const options of [{}, NO_TIME]) {
      for (const type of ['rare', 'once', 'old', 'none']) {
        const seen: string[] = [];
        let before: string | null | undefined;
        while (before !== null) {
          const page = await list(options).page({ type, limit: 20, before });
          assert.ok(page);
          seen.push(...page.entries.map(({ id }) => id));
          before = page.next;
        }
        assert.deepEqual(seen, await idsOf(type), type);
      }
    }
  });

  test('lists every movement of an amount and a party once, even when pages end early', async () => {
    const text = `select id from movements where amount between 4 and 5 and 'sub_half' in (from_account, to_account)
      order by id desc`;
    const expected = (await db.query(text)).rows.map(({ id }) => id);
    for (const options of [{}, NO_TIME]) {
      const seen: string[] = [];
      let before: string | null | undefined;
      while (before !== null) {
        const filter = { minAmount: 4, maxAmount: 5, parties: ['sub_half'] };
        const page = await list(options).page({ ...filter, limit: 20, before });
        assert.ok(page);
        seen.push(...page.entries.map(({ id }) => id));
        before = page.next;
      }
      assert.deepEqual(seen, expected);
    }
  });

  test('skips to an offset, or returns null when there is no time for it', async () => {
    const ids = await idsOf('rare');
    const query = { type: 'rare', limit: 4, offset: 3 };
    const page = await list().page(query);
    assert.deepEqual([page?.entries.map(({ id }) => id), page?.next], [ids.slice(3, 7), ids[6]]);
    assert.equal(await list(NO_TIME).page({ minAmount: 5, limit: 4, offset: 250 }), null);
  });

  test('counts all movements, or as many as there is time for', async () => {
    const rare = (await idsOf('rare')).length;
    assert.deepEqual(await list().count({ type: 'rare' }), { count: rare, complete: true });
    assert.deepEqual(await list().count({}), { count: 3 * SHORT + LONG, complete: true });
    const { count, complete } = await list(NO_TIME).count({ type: 'often' });
    assert.ok(!complete && count > 0 && count < (await idsOf('often')).length, String(count));
  });
});
