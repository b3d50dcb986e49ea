// A snapshot of all servers of a Citus cluster. Citus has none: a transaction becomes visible on one server after the other.

import { plural } from '../../kernel/plural.ts';
import { integer } from '../driver/columns.ts';
import type { Connection } from '../driver/connection.ts';
import { statement } from '../driver/statement.ts';

/** Held by every batch from its first write until it is committed on all servers, and exclusively by the taker of a snapshot. */
const COMMIT_LOCK = 7_203_685_114;

export const JOIN_COMMITS = statement('citus-join-commits', `select pg_advisory_xact_lock_shared(${COMMIT_LOCK})`);
const STOP_COMMITS = statement('citus-stop-commits', `select pg_advisory_xact_lock(${COMMIT_LOCK})`);

// The server ends the session if a worker or the command itself hangs, so that payments go on.
const LIMIT_STOP = statement(
  'citus-limit-stop',
  `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
);

const BEGIN = statement('citus-begin', 'begin isolation level repeatable read');
// One connection to each worker, and so one snapshot.
const SEQUENTIAL = statement(
  'citus-sequential',
  `select set_config('citus.multi_shard_modify_mode', 'sequential', true),
    set_config('citus.max_adaptive_executor_pool_size', '1', true)`,
);
// Every shard answers at once, from an index: no id is before the empty one.
const FIRST_READ = statement('citus-first-read', `select count(*) from allowances where id < ''`);
// Committed, but not visible on the worker yet: on a worker that was killed, or by a transaction that is not a batch.
const PREPARED = statement(
  'citus-prepared',
  `select coalesce(sum(result::integer), 0) from run_command_on_workers(
    'select count(*) from pg_prepared_xacts where database = current_database()')`,
  ([count]) => integer(count),
);

const ATTEMPTS = 10;
const LONGEST_STOP_MS = 10_000;

/**
 * Begins a transaction that sees everything committed before and nothing later, on all servers. Payments wait for some
 * milliseconds. `barrier`: another connection.
 */
export async function beginSnapshot(
  connection: Connection,
  barrier: Connection,
  longestStopMs = LONGEST_STOP_MS,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await barrier.begin();
    await barrier.run(LIMIT_STOP, [String(longestStopMs)]);
    await barrier.run(STOP_COMMITS);
    await connection.execute(BEGIN);
    await connection.run(SEQUENTIAL);
    await connection.run(FIRST_READ);
    const [prepared] = await barrier.run(PREPARED);
    await barrier.commit();
    if (prepared === 0) return;
    if (attempt === ATTEMPTS) {
      throw new Error(
        `${plural(Number(prepared), 'transaction')} of a worker that was interrupted must be completed first: try again in a minute`,
      );
    }
    await connection.rollback();
  }
}

const READ_COPIES = statement('citus-read-copies', `select set_config('search_path', 'pg_temp, public', true)`);

/** From now on the transaction reads copies of the tables, on the coordinator: temporary tables take precedence. */
export async function copyTables(connection: Connection, schema: string, tables: readonly string[]): Promise<void> {
  await connection.run(READ_COPIES);
  for (const table of tables) {
    const text = `create temp table ${table} on commit drop as select * from "${schema}".${table}`;
    await connection.execute(statement(`citus-copy-${table}`, text));
  }
}

/** Nothing is added to the copies from now on. */
export async function completeCopies(connection: Connection, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await connection.execute(statement(`citus-analyze-${table}`, `analyze pg_temp.${table}`));
  }
  await connection.execute(statement('citus-read-only', 'set transaction read only'));
}
