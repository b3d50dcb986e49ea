// The ledger as the rest of the code knows it: post a movement, and be told what became of it once that is durable.
import type { Pool, PoolClient } from 'pg';
import { endOfTurn } from '../db/batch.ts';
import type { Clock } from '../kernel/clock.ts';
import { assertBalanced, type Decision, decide } from './decide.ts';
import {
  committedMovements,
  knownRequests,
  lockAccounts,
  postedOf,
  type SideRows,
  writeDecision,
  writeSideRows,
} from './store.ts';
import type { Movement, Outcome, Posting } from './types.ts';

export type Posted = Extract<Outcome, { outcome: 'posted' }>;

/** A movement with what belongs into the same commit. */
export interface Order {
  movement: Movement;
  /** The bytes a repeated request is answered with. */
  reply(posted: Posted): string;
  /** Rows for other tables: audit entries, events, records. */
  beside?(posted: Posted): { table: string; row: object }[];
}

export type Result =
  | { outcome: 'posted'; at: number; postings: Posting[]; reply: string }
  | { outcome: 'replayed'; reply: string }
  | Exclude<Outcome, { outcome: 'posted' | 'replayed' }>;

export interface Ledger {
  /** Resolves when the outcome is durable; rejects when it is not known (ask again under the same request id). */
  post(order: Order): Promise<Result>;
}

export interface LedgerOptions {
  pool: Pool;
  clock: Clock;
  maxBatch?: number;
  onBatch?(size: number): void;
}

interface Waiting {
  order: Order;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

const NONE: ReadonlySet<string> = new Set();
const MAX_BATCH = 256;
const ATTEMPTS = 5;
// Inside the five seconds in which every request is answered.
const GIVE_UP_AFTER_MS = 4_000;

export function createLedger({ pool, clock, maxBatch = MAX_BATCH, onBatch }: LedgerOptions): Ledger {
  let queue: Waiting[] = [];
  let busy = false;

  /** One batch in flight; what arrives meanwhile is the next one. One commit, and its fsync, serves them all. */
  async function drain(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      await endOfTurn();
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      onBatch?.(batch.length);
      await settle(batch);
    }
    busy = false;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const results = await new Batch(
        batch.map(({ order }) => order),
        pool,
        clock,
      ).run();
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  return {
    post(order) {
      assertBalanced(order.movement);
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ order, resolve, reject });
      if (!busy) void drain();
      return promise;
    },
  };
}

interface Written {
  decision: Decision;
  replies: Map<string, string>;
}

/** One batch, tried until it is committed, refused whole, or cannot be known. */
class Batch {
  private readonly orders: Order[];
  private readonly movements: Movement[];
  private readonly accountIds: string[];
  private readonly pool: Pool;
  private readonly clock: Clock;
  /** What the last attempt sent to be committed: if the connection broke, it may have been. */
  private inDoubt: Written | null = null;

  constructor(orders: Order[], pool: Pool, clock: Clock) {
    this.orders = orders;
    this.movements = orders.map(({ movement }) => movement);
    this.accountIds = [...new Set(this.movements.flatMap(({ legs }) => legs.map((leg) => leg.accountId)))].sort();
    this.pool = pool;
    this.clock = clock;
  }

  async run(): Promise<Result[]> {
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return this.results(await this.attempt());
      } catch (error) {
        if (attempt >= ATTEMPTS || performance.now() > giveUpAt || !worthRetrying(error)) throw error;
      }
    }
  }

  private async attempt(): Promise<Written> {
    const client = await this.pool.connect();
    try {
      const written = await this.transaction(client);
      client.release();
      return written;
    } catch (error) {
      // Whatever state it is in, this connection is not used again; its transaction ends with it.
      client.release(true);
      throw error;
    }
  }

  private async transaction(client: PoolClient): Promise<Written> {
    // Sent together, answered in order: what is read behind the lock is read while holding it.
    const [, accounts, committed, known] = await Promise.all([
      client.query('begin'),
      lockAccounts(client, this.accountIds),
      this.inDoubt
        ? committedMovements(
            client,
            this.movements.map(({ id }) => id),
          )
        : NONE,
      knownRequests(client, this.movements),
    ]);
    // Holding the locks of the attempt before means that it is over: now its fate is read, not guessed.
    if (this.inDoubt && committed.size > 0) {
      await client.query('rollback');
      return this.inDoubt;
    }
    this.inDoubt = null;
    const decision = decide({ accounts, known, now: this.clock.now() }, this.movements);
    return this.commit(client, decision);
  }

  private async commit(client: PoolClient, decision: Decision): Promise<Written> {
    const posted = postedOf(this.movements, decision);
    const written = { decision, replies: this.replies(decision) };
    if (posted.length === 0) {
      await client.query('rollback');
      return written;
    }
    this.inDoubt = written;
    const [, , { command }] = await Promise.all([
      writeDecision(client, this.movements, decision, written.replies),
      writeSideRows(client, this.sideRows(decision)),
      client.query('commit'),
    ]);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit');
    return written;
  }

  private replies({ outcomes }: Decision): Map<string, string> {
    const replies = new Map<string, string>();
    for (const [index, outcome] of outcomes.entries()) {
      const order = this.orders[index];
      if (order && outcome.outcome === 'posted') replies.set(order.movement.id, order.reply(outcome));
    }
    return replies;
  }

  private sideRows({ outcomes }: Decision): SideRows {
    const rows = new Map<string, object[]>();
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome !== 'posted') continue;
      for (const { table, row } of this.orders[index]?.beside?.(outcome) ?? []) {
        rows.set(table, [...(rows.get(table) ?? []), row]);
      }
    }
    return rows;
  }

  private results({ decision, replies }: Written): Result[] {
    return decision.outcomes.map((outcome, index) => {
      if (outcome.outcome === 'posted') {
        return { ...outcome, reply: replies.get(this.movements[index]?.id ?? '') ?? '' };
      }
      if (outcome.outcome === 'replayed') {
        return { outcome: 'replayed', reply: outcome.reply ?? replies.get(outcome.movementId) ?? '' };
      }
      return outcome;
    });
  }
}

/** Deadlock, serialisation, a request id written by another gateway meanwhile, or a connection that broke. */
function worthRetrying(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return true;
  // EPIPE looks like one of PostgreSQL's codes, none of which begins with an E.
  return ['40P01', '40001', '23505'].includes(code) || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|E)/.test(code);
}
