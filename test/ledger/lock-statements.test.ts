// The statements that lock accounts which other rows name: one for each combination of look-ups in a batch.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { int8Array, jsonArray, textArray } from '../../src/db/driver/binary-arrays.ts';
import type { KeyedLookup, Rows } from '../../src/db/keyed-lookup.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { PLAIN_ENGINE } from '../../src/ledger/posting/engine.ts';
import { MOVEMENTS } from '../../src/ledger/queries/movement-lookup.ts';
import { HELD_CARDS, PLAIN_CARDS } from '../../src/parties/card.ts';
import { HOLDERS_BY_ACCOUNT_NUMBER, HOLDERS_BY_PHONE } from '../../src/parties/subscriber.ts';
import { testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, balances, open, orderOf } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

const db = await testDatabase();
after(async () => {
  await assertClean(db.url);
  await db.close();
});

const WALLETS = ['holder', 'other', 'payer'];
const CARD = 'LOCKED-CARD';

before(async () => {
  await open(db.database.queries, WALLETS, { floor: null });
  await db.query(`insert into subscribers (id, phone_number, account_number, first_name, last_name, status, created_at, updated_at)
    select id, id, id, 'A', 'B', 'ACTIVE', now(), now() from unnest(array['holder', 'other']) id`);
  await db.query(
    `insert into cards (serial, status, subscriber_id, linked_at, created_at) values ($1, 'active', 'holder', now(), now())`,
    [CARD],
  );
});

/** A payment to whoever holds the card. */
const toCard = (amount: number) => {
  const read = { lookup: PLAIN_CARDS, key: CARD };
  return {
    ...{ request: null, reads: [read], accountIds: ['payer'], allowanceIds: [] },
    complete: (rows: Rows) => orderOf({ from: 'payer', to: rows.get(read)?.subscriber_id ?? '', amount }),
  };
};

test('batches with different look-ups follow each other on one connection', async () => {
  const sizes: number[] = [];
  const onBatch = (size: number) => void sizes.push(size);
  const ledger = testLedger({ pool: db.database.ledgerPool, clock: systemClock, onBatch });
  const post = (...lookups: KeyedLookup<unknown>[]) =>
    Promise.all(
      lookups.map((lookup) =>
        ledger.postDraft({
          ...{ request: null, reads: [{ lookup, key: 'none' }], accountIds: [], allowanceIds: [] },
          complete: () => null,
        }),
      ),
    );
  const credits = [HELD_CARDS, HOLDERS_BY_ACCOUNT_NUMBER, HOLDERS_BY_PHONE];
  await post(...credits);
  await post(...credits, PLAIN_CARDS);
  await post(...credits, PLAIN_CARDS, MOVEMENTS);
  await post(...credits, PLAIN_CARDS);
  // A batch that fails is posted again, one by one.
  assert.deepEqual(sizes, [3, 4, 5, 4]);
});

test('a payment is posted to the wallet that a card names', async () => {
  const ledger = testLedger({ pool: db.database.ledgerPool, clock: systemClock });
  const before = await balances(db.url, WALLETS);
  assert.equal((await ledger.postDraft(toCard(7)))?.result.outcome, 'posted');
  const after = await balances(db.url, WALLETS);
  assert.deepEqual(
    after.map((balance, n) => balance - (before[n] ?? 0)),
    [7, 0, -7],
  );
});

test('a card that changes its holder after the lock names a wallet that is not locked: nothing is posted', async () => {
  const before = await balances(db.url, WALLETS);
  const { pool } = faultyPool(db.database.ledgerPool, async (statement, { send }) => {
    if (statement === PLAIN_CARDS.name) await db.query(`update cards set subscriber_id = 'other'`);
    return send();
  });
  const ledger = testLedger({ pool, clock: systemClock });
  assert.equal(await ledger.postDraft(toCard(7)), null);
  assert.deepEqual(await balances(db.url, WALLETS), before);
  // The look-up and the lock agree again.
  assert.equal((await ledger.postDraft(toCard(7)))?.result.outcome, 'posted');
  assert.equal((await balances(db.url, ['other']))[0], (before[1] ?? 0) + 7);
});

test('an account that is not where it was locked fails the write', async () => {
  const none = (columns: number) => Array.from({ length: columns }, () => textArray([]));
  const numbers = (columns: number) => Array.from({ length: columns }, () => int8Array([]));
  const one = int8Array([1]);
  const json = jsonArray([]);
  const [write] = PLAIN_ENGINE.write({
    movements: [...none(4), ...numbers(2), ...none(3), json, ...none(1), json, ...none(2)],
    postings: [...none(1), ...numbers(1), ...none(1), ...numbers(3)],
    requests: [...none(5), ...numbers(1)],
    accounts: [[textArray(['(4000000,1)']), one, one, one, one, one, one, textArray(['']), textArray([''])]],
    stamp: ['0', '1'],
    seal: ['1', null, Buffer.alloc(32), null, null],
  });
  const client = await db.database.ledgerPool.connect();
  await client.begin();
  await assert.rejects(client.run(write?.statement as never, write?.values), { code: '22012' });
  client.discard();
});
