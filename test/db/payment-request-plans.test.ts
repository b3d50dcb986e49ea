// Query plans of the list of payment requests: a status that few have is found by an index, and the newest are read in order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../src/db/schema/tables.ts';
import { listRequests, type RequestFilters } from '../../src/features/payment-requests/store.ts';
import { testDatabase } from '../support/database.ts';

const db = await testDatabase();
const pool = new pg.Pool({ connectionString: db.url, max: 1 });
// At the end the database is dropped, perhaps before the connection has ended.
pool.on('connect', (client) => void client.on('error', () => undefined));
const executed: CompiledQuery[] = [];
const queries = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => void executed.push(query),
});
after(async () => {
  await queries.destroy();
  await db.close();
});

await pool.query(`insert into payment_requests (id, payee_kind, payee_id, description, single_use, code, expires_at, actor_type,
    actor_id, created_at, token_hash, sealed_token, batch)
  select 'prq_' || lpad(n::text, 8, '0'), 'processor', 'proc_' || n % 50, 'x', true, lpad(n::text, 10, '0'),
    now() - interval '1 day', 'key', 'k', now(), decode(md5(n::text), 'hex'), 'x', 1 from generate_series(1, 20000) n`);
await pool.query(`insert into payment_request_ends (request_id, outcome, used, actor_type, actor_id, at, batch)
  select id, case when batch_no = 7 then 'cancelled' when batch_no = 8 then 'declined' else 'paid' end, 0, 'key', 'k',
    now(), 1 from (select id, row_number() over () % 10000 as batch_no from payment_requests) r`);
await pool.query('analyze payment_requests, payment_request_ends');

const READS_ALL = /Seq Scan on payment_request(s|_ends) /;

/** The plans of the page and of its count. */
async function plans(filters: RequestFilters): Promise<string[]> {
  executed.length = 0;
  await listRequests(queries, { ...filters, now: new Date(), hidden: [], creator: '', limit: 50, offset: 0 });
  const explained: string[] = [];
  for (const { sql, parameters } of [...executed]) {
    const { rows } = await pool.query(`explain (costs off) ${sql}`, [...parameters]);
    explained.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return explained;
}

for (const status of ['cancelled', 'declined'] as const) {
  for (const payee_id of [undefined, 'proc_7']) {
    test(`${status} requests of ${payee_id ?? 'all'} are found by an index`, async () => {
      for (const plan of await plans({ status, payee_id })) {
        assert.match(plan, new RegExp(`payment_request_ends_${status}`), plan);
        assert.doesNotMatch(plan, READS_ALL, plan);
      }
    });
  }
}

test('the newest paid requests are read in their order', async () => {
  const [page = ''] = await plans({ status: 'paid' });
  assert.match(page, /Index Scan Backward using payment_requests_pkey/, page);
  assert.doesNotMatch(page, READS_ALL, page);
});
