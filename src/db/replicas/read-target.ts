// The connections to the replica that a request reads from.
import { chosenReplica } from '../../kernel/read-context.ts';
import type { PgPool } from '../driver/pool.ts';
import type { Reader } from '../driver/reader.ts';

export interface ReadTarget {
  /** For prepared statements. */
  pool: PgPool;
  /** For Kysely. */
  queriesPool: PgPool;
  reader: Reader;
  /** One connection whose queries may take a minute. The caller ends the pool. */
  openLong(): PgPool;
}

/** Null: the request reads from the primary. Only createReplicas chooses replicas. */
export function readTarget(): ReadTarget | null {
  return chosenReplica() as ReadTarget | null;
}
