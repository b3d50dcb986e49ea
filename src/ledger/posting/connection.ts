// The connection that batches are written by: kept from one to the next, so that nothing lies between them.
import type { Pool, PoolClient } from 'pg';

export class KeptConnection {
  private readonly pool: Pool;
  private kept: PoolClient | null = null;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** No promise where there is one at hand: whoever takes it can send at once. */
  take(): PoolClient | Promise<PoolClient> {
    const { kept } = this;
    this.kept = null;
    return kept ?? this.pool.connect();
  }

  /** In order, for the next batch. */
  keep(client: PoolClient): void {
    this.kept = client;
  }

  /** Whatever state it is in, it is not used again; a transaction it has open ends with it. */
  discard(client: PoolClient): void {
    client.release(true);
  }

  /** There is no next batch: it goes back to the pool. */
  release(): void {
    this.kept?.release();
    this.kept = null;
  }
}
