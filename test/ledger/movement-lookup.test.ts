// Movement look-ups by card and by id; the look-up by card uses indexes, on empty and on large tables.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { BY_CARD, createMovementLookup } from '../../src/ledger/queries/movement-lookup.ts';
import { isOnCluster } from '../support/citus.ts';
import { testDatabase } from '../support/database.ts';

const db = await testDatabase();
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();
after(async () => {
  await owner.end();
  await db.close();
});

async function assertUsesCardIndex(when: string): Promise<void> {
  // The plan of a cluster's coordinator does not show the indexes that workers use.
  if (isOnCluster) return;
  const { rows } = await db.query(`explain (generic_plan) ${BY_CARD.text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index Scan Backward using movements_by_card/, `${when}:\n${plan}`);
  assert.match(plan, /using allowances_pkey/, `${when}:\n${plan}`);
  assert.doesNotMatch(plan, /Seq Scan/, `${when}:\n${plan}`);
}

test('finds the newest payments of a card backwards in an index, on empty and on large tables', async () => {
  await assertUsesCardIndex('on empty tables');
  await owner.query(`insert into movements (id, type, from_account, to_account, amount, fee, details, at)
    select 'txn_' || lpad(n::text, 26, '0'), case when n % 2 = 0 then 'pos_payment' else 'pos_refund' end, 'sub_1',
      'proc_' || n % 4, n, 0, json_build_object('card_serial', 'CARD-' || n % 100), now()
    from generate_series(1, 20000) n`);
  await owner.query(`insert into allowances values ('refund:txn_' || lpad('19998', 26, '0'), 7)`);
  await owner.query('analyze');
  await assertUsesCardIndex('on large tables');
  const lookUp = createMovementLookup(db.database);
  const found = await lookUp.byCard({ serial: 'CARD-98', fromAccount: 'sub_1', limit: 3 });
  assert.deepEqual(
    found.map(({ amount, refundedTotal }) => [amount, refundedTotal]),
    [
      [19_998, 7],
      [19_898, 0],
      [19_798, 0],
    ],
  );
  assert.deepEqual(
    await lookUp.byCard({ serial: 'CARD-98', fromAccount: 'sub_1', toAccount: 'proc_0', limit: 10 }),
    [],
  );
  assert.equal(
    (await lookUp.byCard({ serial: 'CARD-98', fromAccount: 'sub_1', toAccount: 'proc_2', limit: 10 })).length,
    10,
  );
  assert.deepEqual(await lookUp.byCard({ serial: 'CARD-98', fromAccount: 'sub_2', limit: 3 }), []);
  assert.deepEqual(await lookUp.byCard({ serial: "CARD-1' or true --", fromAccount: 'sub_1', limit: 3 }), []);
});

test('concurrent look-ups by id each return their movement, or null for an unknown id', async () => {
  const { byId } = createMovementLookup(db.database);
  const [first, none, again] = await Promise.all(
    ['txn_00000000000000000000000002', 'txn_x', 'txn_00000000000000000000000002'].map(byId),
  );
  assert.equal(none, null);
  assert.deepEqual([first?.type, first?.amount, first?.details], ['pos_payment', 2, { card_serial: 'CARD-2' }]);
  assert.deepEqual(again, first);
});
