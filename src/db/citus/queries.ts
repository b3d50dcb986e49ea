// Kysely on a Citus cluster: queries that need another text there ask whether their connection is to a cluster.
import { type DialectAdapter, type Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

class CitusAdapter extends PostgresAdapter {}

/** Transactions share the adapter of the instance that began them. */
export class CitusDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    return new CitusAdapter();
  }
}

/** Whether the ledger's tables are distributed. Joins then need the rows of one side first (materialized), and LATERAL is refused. */
export function isDistributed(queries: Kysely<Tables>): boolean {
  return queries.getExecutor().adapter instanceof CitusAdapter;
}

/**
 * Committed transactions that a worker does not show yet because it was killed. Citus completes them within
 * a minute or so (citus.recover_2pc_interval). Those of payments that are being posted are some milliseconds old. A worker that
 * cannot be asked counts as one.
 */
export async function interruptedCommits(queries: Kysely<Tables>): Promise<number> {
  if (!isDistributed(queries)) return 0;
  const prepared = `select count(*) from pg_prepared_xacts
    where database = current_database() and prepared < now() - interval '1 minute'`;
  const { rows } = await sql<{ count: string }>`select sum(case when success then result::integer else 1 end) as count
    from run_command_on_workers(${prepared})`.execute(queries);
  return Number(rows[0]?.count ?? 0);
}
