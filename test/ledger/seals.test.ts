// The chain of seals: it continues over retries, is replaced when its end is unknown, and covers every immutable column.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SEALED } from '../../src/app/verification.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { MOVEMENT_COLUMNS, POSTING_COLUMNS, REQUEST_COLUMNS } from '../../src/ledger/seals/format.ts';
import { testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { asOwner, assertClean, open, orderOf } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

const db = await testDatabase();
after(() => db.close());

async function openPair(): Promise<[string, string]> {
  const [from, to] = [newId('sub'), newId('sub')];
  await open(db.database.queries, [from, to], { floor: null });
  return [from, to];
}

async function sealsOf(movementIds: string[]): Promise<{ chain: number; n: number }[]> {
  const text = `select (batch >> 32)::int as chain, (batch & 4294967295)::int as n from movements where id = any($1) order by id`;
  return (await db.query(text, [movementIds])).rows;
}

describe('a chain of seals', () => {
  test('continues with each batch of a ledger, even when an attempt was not committed', async () => {
    const [from, to] = await openPair();
    let commits = 0;
    const faulty = faultyPool(db.database.pool, (statement, { send, socket }) => {
      if (statement !== 'commit' || ++commits !== 2) return send();
      socket.destroy(new Error('broken by the test'));
      return Promise.reject(new Error('broken by the test'));
    });
    const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
    const orders = [1, 2, 3].map((amount) => orderOf({ from, to, amount }));
    for (const order of orders) assert.equal((await ledger.post(order)).outcome, 'posted');
    const seals = await sealsOf(orders.map(({ movement }) => movement.id));
    assert.equal(new Set(seals.map(({ chain }) => chain)).size, 1);
    assert.deepEqual(
      seals.map(({ n }) => n),
      [1, 2, 3],
    );
    await assertClean(db.url);
  });

  test('is replaced after a batch whose outcome stays unknown, and no number is used twice', async () => {
    const [from, to] = await openPair();
    let broken = false;
    const faulty = faultyPool(db.database.pool, async (statement, { send, socket }) => {
      if (!broken && statement !== 'commit') return send();
      if (statement === 'commit') await send();
      if (!broken && faulty.connections() > 1) return undefined;
      broken = true;
      socket.destroy(new Error('broken by the test'));
      throw new Error('broken by the test');
    });
    const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
    const [unknown, next] = [orderOf({ from, to, amount: 1 }), orderOf({ from, to, amount: 2 })];
    await assert.rejects(ledger.post(unknown));
    broken = false;
    assert.equal((await ledger.post(next)).outcome, 'posted');
    const [first, second] = await sealsOf([unknown.movement.id, next.movement.id]);
    assert.equal(first?.n, 1);
    assert.deepEqual(second, { chain: (first?.chain ?? 0) + 1, n: 1 });
    await assertClean(db.url);
  });

  test('is replaced when the server lost its end in a failover', async () => {
    const [from, to] = await openPair();
    const ledger = testLedger({ pool: db.database.pool, clock: systemClock });
    const [kept, lost, next] = [1, 2, 3].map((amount) => orderOf({ from, to, amount }));
    assert.ok(kept && lost && next);
    await ledger.post(kept);
    const rows = await db.query('select * from accounts where id = any($1)', [[from, to]]);
    await ledger.post(lost);
    // As on a standby that was promoted without the last commit.
    await asOwner(db.url, async (client) => {
      await client.query('delete from seals where batch = (select batch from movements where id = $1)', [
        lost.movement.id,
      ]);
      await client.query('delete from postings where movement_id = $1', [lost.movement.id]);
      await client.query('delete from movements where id = $1', [lost.movement.id]);
      await client.query(`update movement_rollups set count = count - 1, amount = amount - 2
        where chain = (select max(id) from seal_chains)`);
      for (const { id, balance, last_seq, posting_count, daily_on } of rows.rows) {
        const text = `update accounts set balance = $2, last_seq = $3, posting_count = $4, daily_on = $5, recent_seq = 0, received_seq = 0 where id = $1`;
        await client.query(text, [id, balance, last_seq, posting_count, daily_on]);
      }
    });
    assert.equal((await ledger.post(next)).outcome, 'posted');
    const [before, later] = await sealsOf([kept.movement.id, next.movement.id]);
    assert.deepEqual(later, { chain: (before?.chain ?? 0) + 1, n: 1 });
    await assertClean(db.url);
  });

  test('covers a refusal that is stored without a movement, once per request', async () => {
    const ledger = testLedger({ pool: db.database.pool, clock: systemClock });
    const refusal = () => {
      const { movement } = orderOf({ from: 'a', to: 'b', amount: 1, request: { id: 'refused-before' } });
      return {
        movement: { ...movement, legs: [], isRefused: true, storesRefusal: true },
        onPosted: () => assert.fail('nothing is posted'),
        onRefused: () => ({ reply: '{"success":false}', rows: [] }),
      };
    };
    const results = await Promise.all([refusal(), refusal(), refusal()].map((order) => ledger.post(order)));
    assert.deepEqual(results.map(({ outcome }) => outcome).sort(), ['refused', 'replayed', 'replayed']);
    const { rows } = await db.query(
      `select batch is not null as sealed from requests where request_id = 'refused-before'`,
    );
    assert.deepEqual(rows, [{ sealed: true }]);
    await assertClean(db.url);
  });
});

test('seals cover every column that never changes', async () => {
  const text = `select column_name from information_schema.columns where table_schema = 'public' and table_name = $1`;
  const columnsOf = async (table: string) => (await db.query(text, [table])).rows.map((row) => row.column_name).sort();
  const names = (columns: typeof MOVEMENT_COLUMNS, ...rest: string[]) =>
    [...columns.map(([name]) => name), ...rest].sort();
  assert.deepEqual(await columnsOf('movements'), names(MOVEMENT_COLUMNS, 'at', 'batch'));
  assert.deepEqual(await columnsOf('postings'), names(POSTING_COLUMNS));
  assert.deepEqual(await columnsOf('requests'), names(REQUEST_COLUMNS, 'batch'));
  const handling = ['status', 'notes', 'updated_at', 'resolved_at', 'resolved_by', 'resolution', 'outcome'];
  for (const { name, sealed } of SEALED.tables) {
    const mutable = { compliance_alerts: handling, holds: ['ended'], payment_requests: ['sealed_token'] }[name] ?? [];
    assert.deepEqual(await columnsOf(name), [...Object.keys(sealed ?? {}), 'batch', ...mutable].sort(), name);
  }
});
