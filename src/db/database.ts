// Opens the database. There are two ways to query it.
//
// 1. Kysely, through `queries` and `transact`: its query builder, or its `sql` template where SQL is clearer. For everything
//    that is not on a hot path. The planner sees the parameters, so lists and searches get the plan that fits them.
// 2. Prepared statements (driver/statement.ts), for hot paths and for statements that must use an index. A statement is a
//    value with a name, a text and a decoder. It runs on
//      - `reader`, a connection that all look-ups share: short reads by index, usually through batchLoader or lookup;
//      - `pool`: longer reads, and writes that are one statement;
//      - a connection held from `pool` or `ledgerPool`: transactions, and pipelines of several statements.
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import { onPrimary } from '../kernel/read-context.ts';
import { CitusDialect } from './citus/queries.ts';
import type { ShardMap } from './citus/shard-map.ts';
import { clientWithTimeout } from './driver/client.ts';
import { parserFor } from './driver/columns.ts';
import { Connection } from './driver/connection.ts';
import { ConnectionPool, type OnIdleError, openPool, type PgPool, type PoolUse, poolUse } from './driver/pool.ts';
import { type Reader, type SharedReader, sharedReader } from './driver/reader.ts';
import { statement } from './driver/statement.ts';
import { hostOf, urlPerHost } from './failover/address.ts';
import { targetOf } from './failover/leader-client.ts';
import { readTarget } from './replicas/read-target.ts';
import { createReplicas, type Replica, type ReplicaChange, type Replicas } from './replicas/replicas.ts';
import type { Tables } from './schema/tables.ts';
import { TracedPool, tracedReader, traceQuery } from './traced.ts';
import { transact } from './transact.ts';

export type Queries = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

export interface DatabaseOptions {
  /** May name several hosts: connections go to the primary, and follow it when another host is promoted. */
  url: string;
  poolSize: number;
  /** The role that queries run as; by default the user of the URL. */
  role?: string;
  /** By default a gateway's. A migration and tests on a loaded machine need longer ones. */
  timeouts?: Partial<DatabaseTimeouts>;
  onIdleError?: OnIdleError;
  /** Streaming replicas; see `replicas`. */
  replicas?: { url: string; maxLagMs: number } | undefined;
  onReplicaChange?: (change: ReplicaChange) => void;
  /** Shards of the ledger's tables on a Citus cluster (citus/shards.ts). Null, the default: one PostgreSQL. */
  shards?: ShardMap | null;
  /** Whether queries are noted for the traces that they belong to. */
  isTraced?: boolean;
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
  pool: 'statements' | 'ledger' | 'queries' | 'replica';
}

export interface Database {
  /** Prepared statements that are too slow for the shared reader, or that write. */
  readonly pool: ConnectionPool;
  /** Reserved for the ledger, so that payments do not wait for a connection behind reads. */
  readonly ledgerPool: ConnectionPool;
  /** Kysely. */
  readonly queries: Queries;
  /** Batched look-ups by prepared statements. Always on the primary: requests share them. */
  readonly reader: SharedReader;
  /** Like `reader`, but for the look-ups of one request, which may be on a replica. */
  readonly ownReader: Reader;
  /** `pool`, `queries`, `ownReader` and long queries of a request that it runs are on a replica. Null: there are none. */
  readonly replicas: Replicas | null;
  /** Null: the ledger is in one PostgreSQL. */
  readonly shards: ShardMap | null;
  /** Runs `work` in a transaction. A thrown error or a returned Refusal rolls it back. Repeats it after a deadlock. */
  transact<T>(work: (trx: DatabaseTransaction) => Promise<T>): Promise<T>;
  /** Runs `work` on its own connection, whose queries may take a minute: for the few that read very many rows. */
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
/** Timeouts of withLongQueries. */
const LONG_QUERIES = { statementMs: 60_000, queryMs: 65_000 };
// One batch is in flight at a time. The second connection replaces the first when it breaks.
const LEDGER_CONNECTIONS = 2;

export function openDatabase(options: DatabaseOptions): Database {
  const server = serverOf(options.url, options);
  // The connections left by the ledger and the reader, divided between the other two pools.
  const poolShare = Math.max(1, Math.floor((options.poolSize - LEDGER_CONNECTIONS - 1) / 2));
  const { isTraced = false } = options;
  const pool = new (isTraced ? TracedPool : ConnectionPool)(
    server.open(server.byIndex, poolShare),
    () => readTarget()?.pool ?? null,
  );
  const ledgerPool = new ConnectionPool(server.open(server.byIndex, LEDGER_CONNECTIONS));
  const queriesPool = server.open({}, poolShare);
  const isCitus = options.shards != null;
  const connect = () => (readTarget()?.queriesPool ?? queriesPool).connect();
  const queries = kysely({ connect, end: () => queriesPool.end() }, isCitus, isTraced);

  async function withLongQueries<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const long = kysely(readTarget()?.openLong() ?? server.openLong(), isCitus, isTraced);
    try {
      return await work(long);
    } finally {
      await long.destroy();
    }
  }

  const reader = isTraced ? tracedReader(server.reader()) : server.reader();
  const opened = openReplicas(options, poolShare);
  return {
    pool,
    ledgerPool,
    queries,
    reader,
    ownReader: { run: (...query) => (readTarget()?.reader ?? reader).run(...query) },
    replicas: opened && createReplicas({ ...opened, primary: reader, onChange: options.onReplicaChange }),
    shards: options.shards ?? null,
    transact: (work) => onPrimary(() => transact(queries, work)),
    withLongQueries,
    pools: () => [
      { pool: 'statements', ...pool.use() },
      { pool: 'ledger', ...ledgerPool.use() },
      { pool: 'queries', ...poolUse(queriesPool) },
      ...(opened?.replicas ?? []).flatMap((each) =>
        [each.pool, each.queriesPool].map((its) => ({ pool: 'replica' as const, ...poolUse(its) })),
      ),
    ],
    isResponding: (timeoutMs) => isResponding(pool, timeoutMs),
    async close() {
      const replicas = opened?.replicas.map((replica) => replica.close()) ?? [];
      await Promise.all([reader.close(), pool.close(), ledgerPool.close(), queries.destroy(), ...replicas]);
    },
  };
}

/** Kysely reads no options of its pool. */
function kysely(pool: Pick<PgPool, 'connect' | 'end'>, isCitus: boolean, isTraced: boolean): Queries {
  const Dialect = isCitus ? CitusDialect : PostgresDialect;
  const dialect = new Dialect({ pool: pool as unknown as PostgresPool });
  return new Kysely<Tables>({ dialect, ...(isTraced ? { log: traceQuery } : {}) });
}

/** How to connect to one server, or to the leader among several. */
function serverOf(url: string, { role, onIdleError, ...options }: DatabaseOptions) {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const isCitus = options.shards != null;
  const clientFor = (queryMs: number) => targetOf(url, clientWithTimeout(queryMs, { isCitus }), timeouts.probeMs);
  const { connectionString, Client } = clientFor(timeouts.queryMs);
  const configOf = (extraSettings: Record<string, string>, limits = timeouts) => ({
    connectionString,
    connectionTimeoutMillis: timeouts.connectMs,
    keepAlive: true,
    // Queries are sent without waiting for the answer to the previous one.
    pipeline: true,
    application_name: 'kissi',
    types: { getTypeParser: parserFor },
    options: role ? serverSettings(limits, { role, ...extraSettings, ...(isCitus ? ON_CITUS : {}) }) : SEARCH_PATH,
  });
  const byIndex = isCitus ? BY_INDEX_ON_CITUS : BY_INDEX;
  return {
    byIndex,
    open: (extraSettings: Record<string, string>, max: number) =>
      openPool({ ...configOf(extraSettings), Client, max }, onIdleError),
    openLong() {
      const limits = { ...timeouts, ...LONG_QUERIES };
      const { Client: LongClient } = clientFor(limits.queryMs);
      return openPool({ ...configOf({}, limits), Client: LongClient, max: 1 }, onIdleError);
    },
    reader: () => sharedReader(() => new Client(configOf(byIndex))),
  };
}

function openReplicas(options: DatabaseOptions, poolShare: number) {
  if (!options.replicas) return null;
  const { url, ...rest } = options.replicas;
  const replicas = urlPerHost(url).map((each): Replica => {
    const server = serverOf(each, options);
    const [pool, queriesPool, reader] = [
      server.open(server.byIndex, poolShare),
      server.open({}, poolShare),
      server.reader(),
    ];
    const close = async () => void (await Promise.all([reader.close(), pool.end(), queriesPool.end()]));
    const { host, port } = hostOf(each);
    return { name: `${host}:${port}`, pool, queriesPool, reader, openLong: server.openLong, close };
  });
  return { replicas, ...rest };
}

/** A connection without timeouts and outside the pools, for tools that run long. The caller discards it. */
export function openConnection(url: string, applicationName: string): Promise<Connection> {
  const { connectionString, Client } = targetOf(url);
  return connected(new Client({ connectionString, application_name: applicationName, options: SEARCH_PATH }));
}

/** The same with the pools' timeouts, for what a start must know. */
export function openBriefly(url: string): Promise<Connection> {
  const { connectionString, Client } = targetOf(url, clientWithTimeout(TIMEOUTS.queryMs), TIMEOUTS.probeMs);
  const connectionTimeoutMillis = TIMEOUTS.connectMs;
  return connected(
    new Client({ connectionString, connectionTimeoutMillis, application_name: 'kissi', options: SEARCH_PATH }),
  );
}

async function connected(client: InstanceType<ReturnType<typeof targetOf>['Client']>): Promise<Connection> {
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

/** For the few queries that join movements with postings of several accounts. */
const ON_CITUS = { 'citus.enable_repartition_joins': 'on' };

/** Citus needs the parameters to find the shards of a statement. */
const BY_INDEX_ON_CITUS = { ...BY_INDEX, plan_cache_mode: 'auto' };

/**
 * PostgreSQL looks first into a schema that is named like the login, and settings of the role or the database can name others:
 * tables there would replace the service's. What a connection asks for takes precedence. Temporary tables come first
 * unless they are named.
 */
const SEARCH_PATH = '-c search_path=public,pg_temp';

function serverSettings(timeouts: DatabaseTimeouts, extraSettings: Record<string, string>): string {
  const settings = {
    statement_timeout: timeouts.statementMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    jit: 'off',
    ...extraSettings,
  };
  return [SEARCH_PATH, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
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
