// Statements that have another text for a Citus cluster return the same rows with both texts. One PostgreSQL runs both; on a
// cluster the other text reads a copy.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ShardMap } from '../../src/db/citus/shard-map.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { answeredRequests, latestOfSeries, seriesId } from '../../src/ledger/posting/idempotency.ts';
import { createBooks } from '../../src/ledger/queries/account-history.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { movementsBySlip } from '../../src/ledger/queries/movement-by-slip.ts';
import { createMovementRecords } from '../../src/ledger/queries/movement-details.ts';
import { createMovementList, type MovementQuery } from '../../src/ledger/queries/movement-list.ts';
import { createMovementLookup } from '../../src/ledger/queries/movement-lookup.ts';
import { createStatements } from '../../src/ledger/queries/statement.ts';
import { createAccountTotals } from '../../src/ledger/queries/totals.ts';
import { notOnCluster } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase, undistributed } from '../support/database.ts';
import { HISTORY_START, insertHistory } from '../support/history.ts';
import { testLedger } from '../support/ledger.ts';
import { open, orderOf } from './books.ts';

const POSTINGS = 260;
const EVERY = 50;
const TYPES = `case when n % 9 = 0 then 'pos_payment' when n % 2 = 0 then 'agent_fund' else 'transfer_p2p' end`;
const WAIT = { searchMs: 60_000 };

const db = await testDatabase();
await open(db.database.queries, ['sub_a', 'sub_b', 'sub_c', 'sub_d'], { floor: null });
for (const accountId of ['sub_a', 'sub_b']) await insertHistory(db.url, { accountId, postings: POSTINGS, type: TYPES });
const ledger = testLedger({ pool: db.database.pool, clock: systemClock });
for (const n of [1, 2, 3]) {
  const request = { id: seriesId('close', n) };
  const { movement, ...order } = orderOf({ from: 'sub_c', to: 'sub_d', amount: n, fee: 1, request });
  const details = { card_serial: 'CARD1' };
  const paid = { type: 'pos_payment', reference: `ref-${n % 2}`, details } as const;
  const allowances = [{ id: `refund:${movement.id}`, amount: n, limit: 10 }];
  await ledger.post({ ...order, movement: { ...movement, ...paid, allowances } });
}
const found = await db.query<{ id: string }>(`select id from movements where from_account = 'sub_c' order by id desc`);
/** Ids of some movements, newest first. */
const ids: string[] = found.rows.map(({ id }) => id);
const one = await undistributed(db);
const options = { poolSize: 4, role: APP_ROLE, timeouts: LONG_TIMEOUTS };
const plain = openDatabase({ ...options, url: one.url });
const citus = openDatabase({ ...options, url: db.url, shards: new ShardMap([-(2 ** 31), 0]) });

after(async () => {
  await plain.close();
  await citus.close();
  await one.close();
  await db.close();
});

/** Runs `read` with both texts, and returns what both found. */
async function same<T>(read: (database: Database) => Promise<T>): Promise<T> {
  const [expected, found] = [await read(plain), await read(citus)];
  assert.deepEqual(found, expected);
  return found;
}

const SAME_TABLES = notOnCluster('the plain text cannot write to a cluster');

test('both texts write the same checkpoints, one after another', SAME_TABLES, async () => {
  const write = (database: Database) => createCheckpoints(database.pool, { every: EVERY, waitMs: 60_000 });
  await write(plain).catchUp('sub_a');
  await write(citus).catchUp('sub_b');
  const sums = `select seq - (select min(seq) from postings p where p.account_id = c.account_id) as seq, type, paid, count,
      amount, fee, change, newest - c.seq as newest
    from account_checkpoints c where account_id = $1 order by 1, 2, 3`;
  const [ofPlain, ofCitus] = [await db.query(sums, ['sub_a']), await db.query(sums, ['sub_b'])];
  assert.ok(ofPlain.rows.length > Math.floor(POSTINGS / EVERY));
  assert.deepEqual(ofCitus.rows, ofPlain.rows);
  await write(citus).catchUp('sub_b');
  assert.deepEqual((await db.query(sums, ['sub_b'])).rows, ofPlain.rows, 'none is due');
  await open(plain.queries, ['proc_a', 'proc_b'], { kind: 'processor', floor: null });
  await insertHistory(db.url, { accountId: 'proc_a', postings: EVERY * 2 + 1, type: TYPES });
  assert.equal(await createCheckpoints(citus.pool, { every: EVERY, pageSize: 1 }).write(), 2);
  assert.equal(await createCheckpoints(citus.pool, { every: EVERY, pageSize: 1 }).write(), 0);
  assert.equal(await createCheckpoints(plain.pool, { every: EVERY, pageSize: 1 }).write(), 0);
});

test('pages of a history', async () => {
  const middle = HISTORY_START + 150_000;
  const filters = [
    {},
    { from: middle },
    { to: middle },
    { type: 'pos_payment' },
    { type: 'pos_payment', from: HISTORY_START + 40_000, to: middle },
    { type: 'nothing' },
    { minAmount: 3, maxAmount: 4 },
    { counterparty: 'sys_treasury_00', type: 'agent_fund', minAmount: 2 },
    { counterparty: 'sub_c' },
  ];
  for (const filter of filters) {
    for (const offset of [0, 7]) {
      for (const rangeSize of [EVERY, 1_000]) {
        const query = { accountId: 'sub_a', limit: 20, offset, ...filter };
        const page = await same((database) => createBooks(database, { ...WAIT, rangeSize }).history(query));
        if (page?.next == null) continue;
        await same((database) => createBooks(database, WAIT).history({ ...query, before: page.next ?? 0 }));
      }
    }
  }
});

test('balances, totals and statements', async () => {
  const period = { accountId: 'sub_a', from: HISTORY_START + 20_000, to: HISTORY_START + 200_000 };
  const balances = await same((database) => {
    const books = createBooks(database);
    return Promise.all(['sub_a', 'sub_b', 'nobody', 'sub_a'].map((id) => books.balance(id)));
  });
  assert.equal(balances[2], null);
  assert.ok(await same((database) => createBooks(database).balanceAt('sub_a', period.to)));
  for (const query of [period, { accountId: 'sub_a' }, { accountId: 'sub_d' }, { ...period, type: 'pos_payment' }]) {
    const byType = (rows: readonly { type: string; paid: boolean }[]) =>
      rows.toSorted((a, b) => `${a.type} ${a.paid}`.localeCompare(`${b.type} ${b.paid}`));
    const sums = await same(async (database) => {
      const { rows, complete } = await createAccountTotals(database.pool).byType(query);
      return { rows: byType(rows), complete };
    });
    assert.ok(sums.complete && sums.rows.length > 0);
  }
  const pages = await same(async (database) => {
    const statements = createStatements(database.pool);
    const read = await statements.period(period);
    return { read, totals: await statements.totals(read), pages: await Array.fromAsync(statements.pages(read, 30)) };
  });
  assert.ok(pages.pages.length > 2);
});

test('lists, searches and single movements', async () => {
  const [newest, second] = ids as [string, string];
  const queries: Partial<MovementQuery>[] = [
    {},
    { offset: 5 },
    { type: 'agent_fund' },
    { type: 'pos_payment', minAmount: 2 },
    { reference: 'ref-1' },
    { authorizationCode: newest.slice(-6) },
    { requestId: seriesId('close', 2) },
    { movementId: second },
    { parties: ['sub_c', 'sub_d'] },
    { parties: ['sub_a'], minAmount: 4 },
  ];
  for (const query of queries) {
    for (const rangeSize of [40, 5_000]) {
      const list = (database: Database) => createMovementList(database.pool, { ...WAIT, rangeSize });
      const page = await same((database) => list(database).page({ limit: 10, ...query }));
      assert.ok(page && page.entries.length > 0, JSON.stringify(query));
    }
  }
  const slips = [
    { movementId: newest, reference: newest, authorizationCode: null },
    { movementId: null, reference: 'ref-1', authorizationCode: null },
    { movementId: null, reference: seriesId('close', 3), authorizationCode: null },
    { movementId: null, reference: 'none', authorizationCode: second.slice(-6) },
  ];
  for (const slip of slips) {
    assert.ok((await same((database) => movementsBySlip(database.reader, slip, 10))).length > 0);
  }
  const looked = await same(async (database) => {
    const lookup = createMovementLookup(database);
    const found = await Promise.all([...ids, 'txn_none'].map((id) => lookup.byId(id)));
    const refunded = await Promise.all(ids.map((id) => lookup.refunded(id)));
    return { found, refunded, byCard: await lookup.byCard({ serial: 'CARD1', fromAccount: 'sub_c', limit: 2 }) };
  });
  assert.deepEqual(looked.refunded, [3, 2, 1]);
  assert.equal(looked.byCard.length, 2);
  const postings = await same(async (database) => {
    const records = createMovementRecords(database.pool);
    const movement = await records.find(newest);
    assert.ok(movement);
    return records.postings(movement);
  });
  assert.equal(postings.length, 3);
});

test('stored replies', async () => {
  const [known, unknown] = [seriesId('close', 1), seriesId('close', 9)];
  const keys = [known, unknown].flatMap((id) => ['key_1', 'key_2'].map((scope) => ({ id, scope })));
  const replies = await same((database) => {
    const load = answeredRequests(database.reader);
    return Promise.all(keys.map((key) => load(key)));
  });
  assert.deepEqual(
    replies.map((reply) => reply !== null),
    [true, false, false, false],
  );
  assert.equal((await same((database) => latestOfSeries(database.reader)('key_1', 'close')))?.number, 3);
  assert.equal(await same((database) => latestOfSeries(database.reader)('key_2', 'close')), null);
});
