// Batched look-ups while their connection is terminated repeatedly: right results or errors, never mixed-up results.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { answeredRequests } from '../../src/ledger/posting/idempotency.ts';
import { createBooks } from '../../src/ledger/queries/account-history.ts';
import { createCardLookups } from '../../src/parties/card.ts';
import { createHolders } from '../../src/parties/subscriber.ts';
import { asOwner, open, orderOf } from '../ledger/books.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { waitFor } from '../support/wait.ts';

const COUNT = 200;
const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 4,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();
await open(
  database.queries,
  Array.from({ length: COUNT }, (_, n) => `sub_${n}`),
);
await open(database.queries, ['bank'], { floor: null });
const ledger = testLedger({ pool: database.pool, clock: systemClock });
await Promise.all(
  Array.from({ length: COUNT }, (_, n) =>
    ledger.post(orderOf({ from: 'bank', to: `sub_${n}`, amount: n + 1, request: { id: `r${n}` } })),
  ),
);
await asOwner(db.url, (client) =>
  client.query(`
  insert into subscribers (id, account_number, phone_number, first_name, last_name, status, created_at, updated_at)
    select 'sub_' || n, n::text, '+' || n, 'F' || n, 'L', 'ACTIVE', now(), now() from generate_series(0, ${COUNT - 1}) n;
  insert into cards (serial, status, subscriber_id, linked_at, created_at) select 'CARD-' || n, 'active', 'sub_' || n, now(), now() from generate_series(0, ${COUNT - 1}) n`),
);
after(async () => {
  await owner.end();
  await database.close();
  await db.close();
});

test('the reader never mixes up results and recovers after each terminated connection', async () => {
  const { reader, pool } = database;
  const { balance } = createBooks({ pool, reader });
  const answered = answeredRequests(reader);
  const cardWithHolder = createCardLookups(reader).withHolder;
  const { byId, byPhone, statusById } = createHolders(reader);
  let stop = false;
  let answers = 0;
  const errors: Record<string, number> = {};
  const lookUps = [
    async (n: number) => assert.equal((await balance(`sub_${n}`))?.balance, n + 1),
    async (n: number) =>
      assert.equal(
        JSON.parse((await answered({ scope: 'key_1', id: `r${n}` }))?.reply ?? '{}').balance !== undefined,
        true,
      ),
    async (n: number) =>
      assert.equal((await cardWithHolder(n % 2 ? `card-${n}` : ` CARD-${n} `))?.subscriber_id, `sub_${n}`),
    async (n: number) => assert.equal((await byId(`sub_${n}`))?.first_name, `F${n}`),
    async (n: number) => assert.equal((await byPhone(`+${n}`))?.id, `sub_${n}`),
    async (n: number) => assert.equal((await statusById(`sub_${n}`))?.id, `sub_${n}`),
    async (n: number) => assert.equal(await statusById(`SUB_${n}`), null),
    async (n: number) => assert.equal(await byId(`sub_${n}\ud800`), null),
  ];
  const clients = Array.from({ length: 64 }, async (_, k) => {
    for (let n = k; !stop; n = (n * 31 + 7) % COUNT) {
      try {
        await lookUps[(n + k) % lookUps.length]?.(n);
        answers += 1;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        const name = `${(error as { code?: string }).code ?? error}`;
        errors[name] = (errors[name] ?? 0) + 1;
      }
    }
  });
  for (let kills = 0; kills < 40; kills++) {
    const before = answers;
    await waitFor('the reader responds again', () => answers > before + 50);
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'kissi'`,
    );
  }
  stop = true;
  await Promise.all(clients);
  await lookUps[0]?.(5);
});
