// Deletes archived rows in small steps, so that no payment waits for them.
import { setTimeout as delay } from 'node:timers/promises';
import { integer, textOrNull } from '../../db/driver/columns.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { statement } from '../../db/driver/statement.ts';
import { seqAt } from './openings.ts';
import { idBound } from './write.ts';

/** Rows, or accounts, per step: some tens of milliseconds. */
const STEP = 2_000;
const ACCOUNTS = 1_000;

// The opening of an account is its last checkpoint before the instant. Everything up to it is archived.
const POSTINGS = statement(
  'archive-delete-postings',
  `with page as materialized (
    select account_id, max(seq) as seq from account_checkpoints where account_id > $1 and seq < $2
    group by account_id order by account_id limit ${ACCOUNTS}),
  gone as (delete from postings where ctid = any (array(
      select p.ctid from page cross join lateral (
        select ctid from postings where account_id = page.account_id and seq <= page.seq order by seq limit ${STEP}) p
      limit ${STEP})) returning 1),
  merged as (delete from account_checkpoints where ctid = any (array(
      select c.ctid from page cross join lateral (
        select ctid from account_checkpoints where account_id = page.account_id and seq < page.seq offset 0) c)))
  select (select account_id from page order by account_id desc limit 1), (select count(*) from gone)`,
  ([last, count]) => ({ last: textOrNull(last), count: integer(count) }),
);

const MOVEMENTS = statement(
  'archive-delete-movements',
  `with page as materialized (
    select id, ctid, at < to_timestamp($3::double precision / 1000) as is_archived from movements
    where id > $1 and id < $2 order by id limit ${STEP}),
  gone as (delete from movements where ctid = any (array(select ctid from page where is_archived)) returning 1)
  select (select id from page order by id desc limit 1), (select count(*) from gone)`,
  ([last, count]) => ({ last: textOrNull(last), count: integer(count) }),
);

// Each step reads a few rows by index. The planner, which does not know how few, would scan whole tables.
const BY_INDEX = statement(
  'archive-by-index',
  `select set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
    set_config('enable_mergejoin', 'off', false), set_config('enable_bitmapscan', 'off', false)`,
);
const ANY_PLAN = statement(
  'archive-any-plan',
  `select set_config('enable_seqscan', 'on', false), set_config('enable_hashjoin', 'on', false),
    set_config('enable_mergejoin', 'on', false), set_config('enable_bitmapscan', 'on', false)`,
);

/** Each step is a transaction. A run that was interrupted is repeated from the beginning. */
export async function removeArchived(connection: Connection, before: number): Promise<void> {
  await connection.run(BY_INDEX);
  for (let after = ''; ; ) {
    const { last, count } = await step(connection, POSTINGS, [after, seqAt(before)]);
    if (last === null) break;
    // The accounts of the page may have more.
    if (count < STEP) after = last;
  }
  for (let after = ''; ; ) {
    const { last } = await step(connection, MOVEMENTS, [after, idBound(before), before]);
    if (last === null) break;
    after = last;
  }
  await connection.run(ANY_PLAN);
}

/** Payments get at least as much of the server as the deletion. */
async function step(connection: Connection, work: typeof POSTINGS, values: (string | number)[]) {
  const startedAt = performance.now();
  const [done] = await connection.run(work, values);
  await delay(performance.now() - startedAt);
  return done ?? { last: null, count: 0 };
}
