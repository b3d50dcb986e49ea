// Verifies on a Citus cluster that each row is in the shard of its key. The service does not find a row in any other.
import { DISTRIBUTED } from '../../db/citus/distribute.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { schemaOf } from './archives.ts';
import { type Findings, rowsOf } from './findings.ts';

export const PLACEMENT_RULES = {
  row_misplaced: 'a shard has rows that belong in another, where the service looks for them',
} as const;

// Each worker answers with one line per shard. The name of a shard ends with its number.
const MISPLACED = (table: string, column: string) => `with held as materialized (
    select tableoid::regclass::text as shard, min(worker_hash(${column})) as lowest, max(worker_hash(${column})) as highest
    from ${table} group by 1)
  select shard from held join pg_dist_shard s on s.shardid = substring(shard from '[0-9]+$')::bigint
  where lowest < s.shardminvalue::integer or highest > s.shardmaxvalue::integer order by shard`;

/** In the snapshot of the verification. Reads the tables themselves: copies do not show where a row was. */
export async function verifyPlacements(connection: Connection, findings: Findings): Promise<void> {
  const schema = await schemaOf(connection);
  for (const [table, column] of DISTRIBUTED) {
    const text = MISPLACED(`"${schema}".${table}`, column);
    for await (const [shard] of rowsOf(connection, `misplaced_${table}`, text)) {
      findings.fault('row_misplaced', shard as string, `the hash of a row's ${column} is outside its range`);
    }
  }
}
