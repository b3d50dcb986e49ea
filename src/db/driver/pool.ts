// Connection pools: pg's own for Kysely, and one that runs prepared statements.
import pg from 'pg';
import { Connection } from './connection.ts';
import { serverName } from './pg-internals.ts';
import type { Statement, StatementRunner, Values } from './statement.ts';

export type PgPool = pg.Pool;

/** How a pool is used at this moment. */
export interface PoolUse {
  inUse: number;
  idle: number;
  limit: number;
  /** Callers waiting for a connection. */
  waiting: number;
}

/** `server`: its host and port. */
export type OnIdleError = (error: Error, server: string) => void;

export function openPool(config: pg.PoolConfig, onIdleError?: OnIdleError): pg.Pool {
  const pool = new pg.Pool(config);
  // The pool replaces a connection that breaks while idle. An error event without a listener would end the process.
  pool.on('error', (error, client) => onIdleError?.(error, serverName(client)));
  // The pool listens only to idle connections. On a connection in use the query reports the failure.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

export function poolUse({ totalCount, idleCount, waitingCount, options }: pg.Pool): PoolUse {
  return { inUse: totalCount - idleCount, idle: idleCount, limit: options.max, waiting: waitingCount };
}

export class ConnectionPool implements StatementRunner {
  private readonly pool: pg.Pool;
  private readonly replicaPool: () => pg.Pool | null;

  /** `replicaPool`: the pool to use instead, for a request that reads from a replica. */
  constructor(pool: pg.Pool, replicaPool: () => pg.Pool | null = () => null) {
    this.pool = pool;
    this.replicaPool = replicaPool;
  }

  /** The caller releases or discards the connection. */
  async connect(): Promise<Connection> {
    const client = await (this.replicaPool() ?? this.pool).connect();
    return new Connection(client, (isBroken) => client.release(isBroken));
  }

  run<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]> {
    return this.using((connection) => connection.run(statement, values));
  }

  execute(statement: Statement<unknown>, values?: Values): Promise<number> {
    return this.using((connection) => connection.execute(statement, values));
  }

  /** Closes the connection after a failure: its state is unknown. */
  async using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    try {
      const result = await work(connection);
      connection.release();
      return result;
    } catch (error) {
      connection.discard();
      throw error;
    }
  }

  use(): PoolUse {
    return poolUse(this.pool);
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
