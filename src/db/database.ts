// The pool of connections, typed queries over it, and transactions that roll back on a refusal.
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { Refusal } from '../kernel/refusal.ts';
import { impatientClient } from './driver/client.ts';
import { type SharedReader, sharedReader } from './driver/reader.ts';
import { reach } from './failover/follower.ts';
import type { Tables } from './schema/tables.ts';

export type Queries = Kysely<Tables>;
export type Transact = Transaction<Tables>;

export interface DatabaseOptions {
  /** May name several hosts: the one that takes writes is found, and followed when it changes. */
  url: string;
  poolSize: number;
  /** The role queries run as; the owner of the tables when unset. */
  role?: string;
  /** How long one query may take before its connection is given up. */
  queryTimeoutMs?: number;
  onIdleError?: (error: Error) => void;
}

/** How a pool of connections is used at this moment. */
export interface PoolUse {
  pool: 'statements' | 'ledger' | 'queries';
  inUse: number;
  idle: number;
  limit: number;
  /** Who waits for a connection. */
  waiting: number;
}

export interface Database {
  /** For hand-written statements, by index. */
  readonly pool: pg.Pool;
  /** The ledger's own: however many read, those who pay do not wait for a connection. */
  readonly ledgerPool: pg.Pool;
  /** For everything else. */
  readonly queries: Queries;
  /** For batched look-ups. */
  readonly reader: SharedReader;
  /** Runs the work in one transaction; a thrown error or a returned Refusal rolls it back. May run it again after a deadlock. */
  transact<T>(work: (trx: Transact) => Promise<T>): Promise<T>;
  pools(): PoolUse[];
  /** Whether the server answers within the time given. */
  answers(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

// Together under the five seconds within which a request is answered when PostgreSQL is gone or frozen.
const CONNECT_TIMEOUT_MS = 1_500;
const QUERY_TIMEOUT_MS = 2_200;

// The server gives up first, so that a query nobody waits for does not run on; the socket is closed when even that fails.
const STATEMENT_TIMEOUT_MS = 2_000;
// A gateway that stands still inside a transaction does not keep its locks for ever.
const IDLE_IN_TRANSACTION_MS = 3_000;
const TRANSACTION_ATTEMPTS = 4;
// One batch is in flight at a time; a second connection is there when the first one breaks.
const LEDGER_CONNECTIONS = 2;

const INT8 = 20;
const DATE = 1082;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer from the database is larger than 2^53-1');
  return value;
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return parseInt8;
  // A birthday is a day on a calendar, not an instant: keep the text.
  if (oid === DATE) return (text: string) => text;
  return pg.types.getTypeParser(oid, format as 'text');
}

export function openDatabase(options: DatabaseOptions): Database {
  const impatient = impatientClient(options.queryTimeoutMs ?? QUERY_TIMEOUT_MS);
  const { connectionString, Client } = reach(options.url, impatient);
  const settings = (further: Record<string, string>) => ({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Queries that do not wait for each other's results share a round trip; whoever awaits each one notices nothing.
    pipeline: true,
    application_name: 'kissi',
    types: { getTypeParser: typeParser } as pg.CustomTypesConfig,
    ...(options.role ? { options: serviceSettings({ role: options.role, ...further }) } : {}),
  });
  const openPool = (further: Record<string, string>, max: number) =>
    watched({ ...settings(further), Client, max }, options);
  // What is left after the ledger and the reader, for each of the other two.
  const share = Math.max(1, Math.floor((options.poolSize - LEDGER_CONNECTIONS - 1) / 2));
  const pool = openPool(BY_INDEX, share);
  const ledgerPool = openPool(BY_INDEX, LEDGER_CONNECTIONS);
  const queriesPool = openPool({}, share);
  const queries: Queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: queriesPool }) });
  const reader = sharedReader(() => new Client(settings(BY_INDEX)));
  return {
    pool,
    ledgerPool,
    queries,
    reader,
    transact: (work) => transact(queries, work),
    pools: () => [useOf('statements', pool), useOf('ledger', ledgerPool), useOf('queries', queriesPool)],
    answers: (timeoutMs) => answers(pool, timeoutMs),
    async close() {
      await Promise.all([reader.close(), pool.end(), ledgerPool.end(), queries.destroy()]);
    },
  };
}

function watched(config: pg.PoolConfig, { onIdleError }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool(config);
  // A connection that dies while idle is replaced at the next use; without a listener it would end the process.
  pool.on('error', (error) => onIdleError?.(error));
  // The pool listens only while a connection is idle; in use, its query fails and says so, and the event needs no one.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

function useOf(name: PoolUse['pool'], { totalCount, idleCount, waitingCount, options }: pg.Pool): PoolUse {
  return { pool: name, inUse: totalCount - idleCount, idle: idleCount, limit: options.max, waiting: waitingCount };
}

/**
 * The hand-written statements look up by index and are prepared once. A plan made while a table was empty would prefer
 * to read all of it, and would be kept: measured, 98 payments a second instead of 8,000. So such plans are ruled out.
 * Lists and searches, whose best plan depends on what is asked for, are left to the planner.
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

function serviceSettings(further: Record<string, string>): string {
  const settings = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    jit: 'off',
    ...further,
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

async function transact<T>(queries: Queries, work: (trx: Transact) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(async (trx) => {
        const result = await work(trx);
        if (result instanceof Refusal) throw new RolledBack(result);
        return result;
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.refusal as T;
      if (attempt >= TRANSACTION_ATTEMPTS || !lostRace(error)) throw error;
    }
  }
}

/** A deadlock or a serialisation failure: nothing happened, and trying again is the remedy. */
function lostRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

async function answers(pool: pg.Pool, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  pool.query('select 1').then(
    () => resolve(true),
    () => resolve(false),
  );
  const alive = await promise;
  clearTimeout(timer);
  return alive;
}

/** The name of the unique constraint that an insert or update ran into, or null when it failed for another reason. */
export function violatedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}
