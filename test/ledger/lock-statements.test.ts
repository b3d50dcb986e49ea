// The statements that lock accounts which other rows name: one for each combination of look-ups in a batch.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { KeyedLookup } from '../../src/db/keyed-lookup.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { MOVEMENTS } from '../../src/ledger/queries/movement-lookup.ts';
import { HELD_CARDS, PLAIN_CARDS } from '../../src/parties/card.ts';
import { HOLDERS_BY_ACCOUNT_NUMBER, HOLDERS_BY_PHONE } from '../../src/parties/subscriber.ts';
import { testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';

const db = await testDatabase();
after(() => db.close());

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
