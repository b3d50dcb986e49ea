// Deletes archived rows in small steps, so that no payment waits for them.
import { setTimeout as delay } from 'node:timers/promises';
import { text } from '../../db/driver/columns.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { seqAt } from './openings.ts';
import { idBound } from './write.ts';

/** Rows, or accounts, per step: some tens of milliseconds. */
const STEP = 2_000;
const ACCOUNTS = 1_000;

interface Step {
  /** The last account or movement of the page. Null: there are no more. */
  last: string | null;
  /** Deleted rows. */
  count: number;
}

/** The step after an account or movement, in one PostgreSQL or on all shards. */
type TakeStep = (after: string) => Promise<Step>;

// The opening of an account is its last checkpoint before the instant. Everything up to it is archived.
const deletePostings = (postings: string, checkpoints: string, after: string, seq: string) => `with
  page as materialized (
    select account_id, max(seq) as seq from ${checkpoints} where account_id > ${after} and seq < ${seq}
    group by account_id order by account_id limit ${ACCOUNTS}),
  gone as (delete from ${postings} where ctid = any (array(
      select p.ctid from page cross join lateral (
        select ctid from ${postings} where account_id = page.account_id and seq <= page.seq order by seq limit ${STEP}) p
      limit ${STEP})) returning 1),
  merged as (delete from ${checkpoints} where ctid = any (array(
      select c.ctid from page cross join lateral (
        select ctid from ${checkpoints} where account_id = page.account_id and seq < page.seq offset 0) c)))
  select json_build_array((select account_id from page order by account_id desc limit 1), (select count(*) from gone))`;

const deleteMovements = (movements: string, after: string, bound: string, before: string) => `with
  page as materialized (
    select id, ctid, at < to_timestamp(${before}::double precision / 1000) as is_archived from ${movements}
    where id > ${after} and id < ${bound} order by id limit ${STEP}),
  gone as (delete from ${movements} where ctid = any (array(select ctid from page where is_archived)) returning 1)
  select json_build_array((select id from page order by id desc limit 1), (select count(*) from gone))`;

function stepOf(json: string): Step {
  const [last, count] = JSON.parse(json) as [string | null, number];
  return { last, count };
}

const POSTINGS = statement(
  'archive-delete-postings',
  deletePostings('postings', 'account_checkpoints', '$1', '$2'),
  ([step]) => stepOf(text(step)),
);
const MOVEMENTS = statement('archive-delete-movements', deleteMovements('movements', '$1', '$2', '$3'), ([step]) =>
  stepOf(text(step)),
);

function shardStepOf([success, result]: Columns): Step {
  if (success !== 't') throw new Error(`a shard refused the deletion: ${result}`);
  return stepOf(text(result));
}

const ON_SHARDS = statement(
  'archive-on-shards',
  'select success, result from run_command_on_shards($1::regclass, $2::text)',
  shardStepOf,
);
const ON_COLOCATED_SHARDS = statement(
  'archive-on-colocated-shards',
  'select success, result from run_command_on_colocated_placements($1::regclass, $2::regclass, $3::text)',
  shardStepOf,
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
export async function removeArchived(connection: Connection, before: number, isDistributed: boolean): Promise<void> {
  const { postings, movements } = isDistributed ? onShards(connection, before) : onOneServer(connection, before);
  await connection.run(BY_INDEX);
  for (let after = ''; ; ) {
    const { last, count } = await sparingly(() => postings(after));
    if (last === null) break;
    // The page's accounts may have more.
    if (count < STEP) after = last;
  }
  for (let after = ''; ; ) {
    const { last } = await sparingly(() => movements(after));
    if (last === null) break;
    after = last;
  }
  await connection.run(ANY_PLAN);
}

interface Steps {
  postings: TakeStep;
  movements: TakeStep;
}

const NOTHING: Step = { last: null, count: 0 };

function onOneServer(connection: Connection, before: number): Steps {
  return {
    postings: async (after) => (await connection.run(POSTINGS, [after, seqAt(before)]))[0] ?? NOTHING,
    movements: async (after) => (await connection.run(MOVEMENTS, [after, idBound(before), before]))[0] ?? NOTHING,
  };
}

/** Each shard deletes rows of its own, as one PostgreSQL does. */
function onShards(connection: Connection, before: number): Steps {
  const seq = String(seqAt(before));
  return {
    async postings(after) {
      const text = deletePostings('%1$s', '%2$s', quoted(after), seq);
      const steps = await connection.run(ON_COLOCATED_SHARDS, ['postings', 'account_checkpoints', text]);
      return { last: earliest(steps.map(({ last }) => last)), count: Math.max(...steps.map(({ count }) => count)) };
    },
    async movements(after) {
      const text = deleteMovements('%1$s', quoted(after), quoted(idBound(before)), String(before));
      const steps = await connection.run(ON_SHARDS, ['movements', text]);
      return { last: earliest(steps.map(({ last }) => last)), count: 0 };
    },
  };
}

/** The next step begins where the shard with the densest page ended; the others read some accounts or movements again. */
function earliest(lasts: (string | null)[]): string | null {
  const [first = null] = lasts.filter((last) => last !== null).sort(byCode);
  return first;
}

const byCode = (a: string, b: string) => (a < b ? -1 : 1);
/** Citus replaces the names of shards with format(). */
const quoted = (value: string) => `'${value.replaceAll("'", "''").replaceAll('%', '%%')}'`;

/** Payments get at least as much of the server as the deletion. */
async function sparingly(work: () => Promise<Step>): Promise<Step> {
  const startedAt = performance.now();
  const done = await work();
  await delay(performance.now() - startedAt);
  return done;
}
