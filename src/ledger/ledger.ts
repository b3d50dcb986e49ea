// The ledger as the rest of the code knows it: post a movement, and be told what became of it once that is durable.
import type { Pool, PoolClient } from 'pg';
import { endOfTurn } from '../db/batch.ts';
import { inOneWrite } from '../db/client.ts';
import type { Clock } from '../kernel/clock.ts';
import { assertBalanced, type Decision, decide } from './decide.ts';
import {
  type AnsweredOrder,
  committedMovements,
  knownRequests,
  lockAccounts,
  lockAllowances,
  type SideRows,
  useAllowances,
  writeDecision,
  writeSideRows,
} from './store.ts';
import type { Movement, Outcome, Posted, Posting, Refused } from './types.ts';

/** A row for another table, in the same commit. */
export interface SideRow {
  table: string;
  row: object;
}

/** A movement with what belongs into the same commit. */
export interface Order {
  movement: Movement;
  /** The bytes a repeated request is answered with. */
  reply(posted: Posted): string;
  /** Audit entries, events, records. */
  beside?(posted: Posted): SideRow[];
  /** For a movement that remembers its refusal: the bytes and the rows that are kept of it. */
  refused?(refused: Refused, at: number): { reply: string; beside: SideRow[] };
}

export type Result =
  | { outcome: 'posted'; at: number; postings: Posting[]; reply: string }
  | { outcome: 'replayed'; reply: string }
  | (Refused & { reply: string | null })
  | { outcome: 'conflict' };

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
    const orders = batch.map(({ order }) => order);
    try {
      const results = await new Batch(orders, pool, clock).run();
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || isTransient(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      // One of them cannot be written and nothing was; alone, it fails alone.
      for (const waiting of batch) await settle([waiting]);
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
  /** By movement: what was posted, and what was refused and is remembered. */
  answered: Map<string, AnsweredOrder>;
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
        if (attempt >= ATTEMPTS || performance.now() > giveUpAt || !isTransient(error)) throw error;
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
    // Sent together, answered in order: what is read behind the locks is read while holding them.
    const [, accounts, allowances, committed, known] = await inOneWrite(client, () =>
      Promise.all([
        client.query('begin'),
        lockAccounts(client, this.accountIds),
        lockAllowances(client, this.movements),
        this.inDoubt ? committedMovements(client, this.movements) : NONE,
        knownRequests(client, this.movements),
      ]),
    );
    // Holding the locks of the attempt before means that it is over: now its fate is read, not guessed.
    if (this.inDoubt && committed.size > 0) {
      await client.query('rollback');
      return this.inDoubt;
    }
    this.inDoubt = null;
    const now = this.clock.now();
    const decision = decide({ accounts, allowances, known, now }, this.movements);
    return this.commit(client, decision, now);
  }

  private async commit(client: PoolClient, decision: Decision, now: number): Promise<Written> {
    const written = { decision, answered: new Map<string, AnsweredOrder>() };
    const rows = this.conclude(written, now);
    if (written.answered.size === 0) {
      await client.query('rollback');
      return written;
    }
    this.inDoubt = written;
    const [, , , { command }] = await inOneWrite(client, () =>
      Promise.all([
        writeDecision(client, this.movements, decision, [...written.answered.values()]),
        useAllowances(client, decision.used),
        writeSideRows(client, rows),
        client.query('commit'),
      ]),
    );
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit');
    return written;
  }

  /** Fills in the replies, and returns the rows for other tables. */
  private conclude({ decision, answered }: Written, now: number): SideRows {
    const rows = new Map<string, object[]>();
    for (const [index, outcome] of decision.outcomes.entries()) {
      const order = this.orders[index] as Order;
      const { reply, beside } = keptOf(order, outcome, now);
      if (reply === null) continue;
      const { id, request } = order.movement;
      answered.set(id, { request, movementId: id, reply, refused: outcome.outcome === 'refused' });
      for (const { table, row } of beside) {
        const others = rows.get(table);
        if (others) others.push(row);
        else rows.set(table, [row]);
      }
    }
    return rows;
  }

  private results({ decision, answered }: Written): Result[] {
    const replyOf = (movementId: string | undefined) => answered.get(movementId ?? '')?.reply;
    return decision.outcomes.map((outcome, index): Result => {
      if (outcome.outcome === 'conflict') return outcome;
      if (outcome.outcome === 'replayed') {
        return { outcome: 'replayed', reply: outcome.reply ?? replyOf(outcome.movementId) ?? '' };
      }
      const reply = replyOf(this.movements[index]?.id);
      return outcome.outcome === 'posted' ? { ...outcome, reply: reply ?? '' } : { ...outcome, reply: reply ?? null };
    });
  }
}

interface Kept {
  reply: string | null;
  beside: readonly SideRow[];
}

const NOTHING_KEPT: Kept = { reply: null, beside: [] };

/** What is written of an outcome, besides its postings. */
function keptOf(order: Order, outcome: Outcome, now: number): Kept {
  try {
    if (outcome.outcome === 'posted') return { reply: order.reply(outcome), beside: order.beside?.(outcome) ?? [] };
    if (outcome.outcome === 'refused' && order.refused) return order.refused(outcome, now);
    return NOTHING_KEPT;
  } catch (cause) {
    throw new DefectiveOrder(`movement ${order.movement.id} cannot be concluded`, { cause });
  }
}

class DefectiveOrder extends Error {}

/** Of what `post` rejects with: nothing was written, and nothing would be however often it were tried. */
export function isDefect(error: unknown): boolean {
  if (error instanceof DefectiveOrder) return true;
  const { code } = error as { code?: unknown };
  // A value that has no room, or breaks a constraint. A request id that was taken is no defect.
  return typeof code === 'string' && code !== '23505' && /^2[23][0-9A-Z]{3}$/.test(code);
}

/** Deadlock, serialisation, a request id written by another gateway meanwhile, or a connection that broke. */
function isTransient(error: unknown): boolean {
  if (error instanceof DefectiveOrder) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return true;
  // EPIPE looks like one of PostgreSQL's codes, none of which begins with an E.
  return ['40P01', '40001', '23505'].includes(code) || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|E)/.test(code);
}
