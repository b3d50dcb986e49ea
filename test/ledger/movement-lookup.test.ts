// Look-ups of single movements use an index, on empty and on full tables.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { BY_CARD, createMovementLookup } from '../../src/ledger/queries/movement-lookup.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
let owner: pg.Client;
before(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});
after(async () => {
  await owner.end();
  await db.close();
});

async function assertByCardIndex(when: string): Promise<void> {
  const { rows } = await db.query(`explain (generic_plan) ${BY_CARD.text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index Scan Backward using movements_by_card/, `${when}:\n${plan}`);
  assert.match(plan, /using allowances_pkey/, `${when}:\n${plan}`);
  assert.doesNotMatch(plan, /Seq Scan/, `${when}:\n${plan}`);
}

test('reads the newest payments of a card backwards from an index, however full the tables are', async () => {
  await assertByCardIndex('on empty tables');
  await owner.query(`insert into movements (id, type, from_account, to_account, amount, fee, details, at)
    select 'txn_' || lpad(n::text, 26, '0'), case when n % 2 = 0 then 'pos_payment' else 'pos_refund' end, 'sub_1',
      'proc_' || n % 4, n, 0, json_build_object('card_serial', 'CARD-' || n % 100), now()
    from generate_series(1, 20000) n`);
  await owner.query(`insert into allowances values ('refund:txn_' || lpad('19998', 26, '0'), 7)`);
  await owner.query('analyze');
  await assertByCardIndex('on full tables');
  const lookUp = createMovementLookup(db.database);
  const found = await lookUp.byCard({ serial: 'CARD-98', limit: 3 });
  assert.deepEqual(
    found.map(({ amount, refundedTotal }) => [amount, refundedTotal]),
    [
      [19_998, 7],
      [19_898, 0],
      [19_798, 0],
    ],
  );
  const own = await lookUp.byCard({ serial: 'CARD-98', toAccount: 'proc_0', limit: 10 });
  assert.deepEqual([own.length, own.every(({ toAccount }) => toAccount === 'proc_0')], [0, true]);
  assert.equal((await lookUp.byCard({ serial: 'CARD-98', toAccount: 'proc_2', limit: 10 })).length, 10);
  assert.deepEqual(await lookUp.byCard({ serial: "CARD-1' or true --", limit: 3 }), []);
});

test('looks up concurrent requests by id in one statement and returns null for an unknown id', async () => {
  const { byId } = createMovementLookup(db.database);
  const [first, none, again] = await Promise.all(
    ['txn_00000000000000000000000002', 'txn_x', 'txn_00000000000000000000000002'].map(byId),
  );
  assert.equal(none, null);
  assert.deepEqual([first?.type, first?.amount, first?.details], ['pos_payment', 2, { card_serial: 'CARD-2' }]);
  assert.deepEqual(again, first);
});
