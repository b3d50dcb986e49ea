// Keeps the ledger's database connection between batches, so that a batch does not wait for the pool.
import type { Connection } from '../../db/driver/connection.ts';
import type { ConnectionPool } from '../../db/driver/pool.ts';

/** Kept while the queue is not empty. */
export class KeptConnection {
  private readonly pool: ConnectionPool;
  private kept: Connection | null = null;

  constructor(pool: ConnectionPool) {
    this.pool = pool;
  }

  /** Not a promise when a connection is at hand, so that the batch is sent in the same turn. */
  take(): Connection | Promise<Connection> {
    const { kept } = this;
    this.kept = null;
    return kept ?? this.pool.connect();
  }

  /** For the next batch. */
  keep(client: Connection): void {
    this.kept = client;
  }

  /** Closes the connection, and with it any open transaction. */
  discard(client: Connection): void {
    client.discard();
  }

  /** Returns the connection to the pool. */
  release(): void {
    this.kept?.release();
    this.kept = null;
  }
}
