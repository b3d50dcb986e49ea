// Reads whether the ledger is distributed over a Citus cluster, and over which shards.
import { openBriefly } from '../database.ts';
import { bool, integer } from '../driver/columns.ts';
import type { Connection } from '../driver/connection.ts';
import { statement } from '../driver/statement.ts';
import { ShardMap } from './shard-map.ts';

const IS_INSTALLED = statement(
  'citus-is-installed',
  `select exists (select from pg_extension where extname = 'citus')`,
  ([installed]) => bool(installed),
);

// The ledger's distributed tables are co-located: the shards of accounts are those of all of them.
const SHARD_MINIMUMS = statement(
  'citus-shard-minimums',
  `select shardminvalue::integer from pg_dist_shard where logicalrelid = to_regclass('accounts')`,
  ([minimum]) => integer(minimum),
);

export async function shardsOn(connection: Connection): Promise<ShardMap | null> {
  const [installed] = await connection.run(IS_INSTALLED);
  if (!installed) return null;
  const minimums = await connection.run(SHARD_MINIMUMS);
  return minimums.length === 0 ? null : new ShardMap(minimums);
}

/** Null: the ledger is in one PostgreSQL, not distributed. */
export async function readShards(url: string): Promise<ShardMap | null> {
  const connection = await openBriefly(url);
  try {
    return await shardsOn(connection);
  } finally {
    connection.discard();
  }
}
