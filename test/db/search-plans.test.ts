// Query plans of the search: every look-up is served by an index, even in a plan made while the tables were empty.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import * as store from '../../src/features/search/store.ts';
import { BY_SLIP } from '../../src/ledger/queries/movement-by-slip.ts';
import { testDatabase } from '../support/database.ts';

const db = await testDatabase();
after(() => db.close());

const NAMED = {
  SUBSCRIBERS: store.SUBSCRIBERS,
  AGENTS: store.AGENTS,
  PROCESSORS: store.PROCESSORS,
  PARTNERS: store.PARTNERS,
};
const STATEMENTS = {
  ...Object.fromEntries(
    Object.entries(NAMED).flatMap(([name, { byName, byIdentifier, byPart }]) => [
      [`${name} by name`, [byName, ["'mar ses'", 'true']]],
      [`${name} by identifier`, [byIdentifier, ["'+23276'", "'x_1'", "'x'"]]],
      ...(byPart ? [[`${name} by a part of a number`, [byPart, ["'7612'", 'true', "'+2327612'"]]]] : []),
    ]),
  ),
  CARDS: [store.CARDS, ["'04A1'"]],
  CREDITS: [store.CREDITS, ["'REF-1'", "'inb_1'"]],
  BY_SLIP: [BY_SLIP, ["'txn_1'", "'REF-1'", "'ABC123'", '10']],
} as Record<string, [{ text: string }, string[]]>;

for (const [name, [{ text }, values]] of Object.entries(STATEMENTS)) {
  test(`${name} reads no table as a whole`, async () => {
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    try {
      await client.query('set plan_cache_mode = force_generic_plan');
      await client.query(`prepare look_up as ${text}`);
      const { rows } = await client.query(`explain (costs off) execute look_up(${values.join(', ')})`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.doesNotMatch(plan, /Seq Scan/, plan);
      assert.match(plan, /Index (Only )?Scan|Bitmap Index Scan/, plan);
    } finally {
      await client.end();
    }
  });
}
