// Opens the database. There are two ways to query it.
//
// 1. Kysely, through `queries` and `transact`: its query builder, or its `sql` template where SQL is clearer. For everything
//    that is not on a hot path. The planner sees the parameters, so lists and searches get the plan that fits them.
// 2. Prepared statements (driver/statement.ts), for hot paths and for statements that must use an index. A statement is a
//    value with a name, a text and a decoder. It runs on
//      - `reader`, a connection that all look-ups share: short reads by index, usually through batchLoader or lookup;
//      - `pool`: longer reads, and writes that are one statement;
//      - a connection held from `pool` or `ledgerPool`: transactions, and pipelines of several statements.
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Refusal } from '../kernel/refusal.ts';
import { clientWithTimeout } from './driver/client.ts';
import { parserFor } from './driver/columns.ts';
import { Connection } from './driver/connection.ts';
import { isSerializationFailure } from './driver/errors.ts';
import { ConnectionPool, openPool, type PoolUse, poolUse } from './driver/pool.ts';
import { type SharedReader, sharedReader } from './driver/reader.ts';
import { statement } from './driver/statement.ts';
import { targetOf } from './failover/leader-client.ts';
import type { Tables } from './schema/tables.ts';

export type Queries = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

export interface DatabaseOptions {
  /** May name several hosts: connections go to the primary, and follow it when another host is promoted. */
  url: string;
  poolSize: number;
  /** The role that queries run as; by default the user of the URL. */
  role?: string;
  /** By default those of a gateway. A migration and tests on a loaded machine need longer ones. */
  timeouts?: Partial<DatabaseTimeouts>;
  onIdleError?: (error: Error) => void;
}

export interface DatabaseTimeouts {
  connectMs: number;
  /** With several hosts: a host that takes longer to report whether it accepts writes is skipped. */
  probeMs?: number;
  /** The connection of a query that takes longer is closed. */
  queryMs: number;
  /** The server cancels a statement that takes longer. */
  statementMs: number;
  /** A gateway that is suspended inside a transaction loses its locks after this time. */
  idleInTransactionMs: number;
}

export interface NamedPoolUse extends PoolUse {
  pool: 'statements' | 'ledger' | 'queries';
}

export interface Database {
  /** Prepared statements that are too slow for the shared reader, or that write. */
  readonly pool: ConnectionPool;
  /** Reserved for the ledger, so that payments do not wait for a connection behind reads. */
  readonly ledgerPool: ConnectionPool;
  /** Kysely. */
  readonly queries: Queries;
  /** Batched look-ups by prepared statements. */
  readonly reader: SharedReader;
  /** Runs `work` in a transaction. A thrown error or a returned Refusal rolls it back. Repeats it after a deadlock. */
  transact<T>(work: (trx: DatabaseTransaction) => Promise<T>): Promise<T>;
  /** Runs `work` on a connection of its own, whose queries may take a minute: for the few that read very many rows. */
  withLongQueries<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  pools(): NamedPoolUse[];
  /** Whether the server answers within `timeoutMs`. */
  isResponding(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

const TIMEOUTS: DatabaseTimeouts = {
  // Their sum stays below the five seconds within which a request is answered when PostgreSQL does not respond.
  connectMs: 1_500,
  queryMs: 2_200,
  // Below queryMs: the server cancels the query first, so that it does not run on without a client.
  statementMs: 2_000,
  idleInTransactionMs: 3_000,
};
/** Of withLongQueries. */
const LONG_QUERIES = { statementMs: 60_000, queryMs: 65_000 };
const TRANSACTION_ATTEMPTS = 4;
// One batch is in flight at a time. The second connection replaces the first when it breaks.
const LEDGER_CONNECTIONS = 2;

export function openDatabase(options: DatabaseOptions): Database {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const { connectionString, Client } = targetOf(options.url, clientWithTimeout(timeouts.queryMs), timeouts.probeMs);
  const configOf = (extraSettings: Record<string, string>, limits = timeouts) => ({
    connectionString,
    connectionTimeoutMillis: timeouts.connectMs,
    keepAlive: true,
    // Queries are sent without waiting for the answer to the previous one.
    pipeline: true,
    application_name: 'kissi',
    types: { getTypeParser: parserFor },
    ...(options.role ? { options: serverSettings(limits, { role: options.role, ...extraSettings }) } : {}),
  });
  const open = (extraSettings: Record<string, string>, max: number) =>
    openPool({ ...configOf(extraSettings), Client, max }, options.onIdleError);
  // The connections left by the ledger and the reader, divided between the other two pools.
  const poolShare = Math.max(1, Math.floor((options.poolSize - LEDGER_CONNECTIONS - 1) / 2));
  const pool = new ConnectionPool(open(BY_INDEX, poolShare));
  const ledgerPool = new ConnectionPool(open(BY_INDEX, LEDGER_CONNECTIONS));
  const queriesPool = open({}, poolShare);
  const queries: Queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: queriesPool }) });

  async function withLongQueries<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const limits = { ...timeouts, ...LONG_QUERIES };
    const { Client: LongClient } = targetOf(options.url, clientWithTimeout(limits.queryMs), timeouts.probeMs);
    const own = openPool({ ...configOf({}, limits), Client: LongClient, max: 1 }, options.onIdleError);
    const long: Queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: own }) });
    try {
      return await work(long);
    } finally {
      await long.destroy();
    }
  }

  const reader = sharedReader(() => new Client(configOf(BY_INDEX)));
  return {
    pool,
    ledgerPool,
    queries,
    reader,
    transact: (work) => transact(queries, work),
    withLongQueries,
    pools: () => [
      { pool: 'statements', ...pool.use() },
      { pool: 'ledger', ...ledgerPool.use() },
      { pool: 'queries', ...poolUse(queriesPool) },
    ],
    isResponding: (timeoutMs) => isResponding(pool, timeoutMs),
    async close() {
      await Promise.all([reader.close(), pool.close(), ledgerPool.close(), queries.destroy()]);
    },
  };
}

/** A connection without timeouts and outside of the pools, for tools that run long. The caller discards it. */
export async function openConnection(url: string, applicationName: string): Promise<Connection> {
  const { connectionString, Client } = targetOf(url);
  const client = new Client({ connectionString, application_name: applicationName });
  // When the connection breaks, the statement in flight reports it.
  client.on('error', () => undefined);
  await client.connect();
  return new Connection(client, () => void client.end().catch(() => undefined));
}

/**
 * Prepared statements look up by index and keep their plan. A plan made while a table is empty prefers a sequential scan
 * (measured: 98 payments per second instead of 8,000). These settings rule such plans out.
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

function serverSettings(timeouts: DatabaseTimeouts, extraSettings: Record<string, string>): string {
  const settings = {
    statement_timeout: timeouts.statementMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    jit: 'off',
    ...extraSettings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

async function transact<T>(queries: Queries, work: (trx: DatabaseTransaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(async (trx) => {
        const result = await work(trx);
        if (result instanceof Refusal) throw new RolledBack(result);
        return result;
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.refusal as T;
      if (attempt >= TRANSACTION_ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}

const PING = statement('ping', 'select 1');

async function isResponding(pool: ConnectionPool, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  pool.run(PING).then(
    () => resolve(true),
    () => resolve(false),
  );
  const isAlive = await promise;
  clearTimeout(timer);
  return isAlive;
}
