// Kysely on a Citus cluster: queries that need another text there ask whether their connection is to a cluster.
import { type DialectAdapter, type Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
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
