// One batch of orders as one transaction: lock, read, decide, write, commit; and what became of it when a connection broke.
import type { Connection } from '../../db/driver/connection.ts';
import { sqlState } from '../../db/driver/errors.ts';
import { PipelineAborted } from '../../db/driver/pipeline.ts';
import type { ConnectionPool } from '../../db/driver/pool.ts';
import type { BoundStatement } from '../../db/driver/statement.ts';
import type { OutboxTable } from '../../db/outbox-table.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import type { LedgerMetrics } from '../metrics.ts';
import type { Movement, Outcome } from '../types.ts';
import { readRecents } from '../velocity/activity-store.ts';
import { knownRecents } from '../velocity/batch-activity.ts';
import { type Decision, decide } from './decide.ts';
import type { Order, Recorded, Result } from './order.ts';
import {
  type AnsweredOrder,
  allowanceStatements,
  committedMovements,
  decisionStatement,
  knownRequests,
  lockAccounts,
  lockAllowances,
  type OutboxRows,
  outboxStatements,
} from './store.ts';

const NONE: ReadonlySet<string> = new Set();
const ATTEMPTS = 5;

interface Written {
  decision: Decision;
  /** By movement: what was posted, and what was refused and is remembered. */
  answered: Map<string, AnsweredOrder>;
}

export interface BatchContext {
  /** No attempt begins later, by the monotonic clock; the last one may take as long as connections and queries wait. */
  giveUpAt: number;
  connection: KeptConnection;
  clock: Clock;
  metrics: LedgerMetrics;
}

/** One batch, tried until it is committed, refused whole, or cannot be known. */
export class Batch {
  private readonly orders: Order[];
  private readonly movements: Movement[];
  private readonly accountIds: string[];
  private readonly giveUpAt: number;
  private readonly connection: KeptConnection;
  private readonly clock: Clock;
  private readonly metrics: LedgerMetrics;
  /** What the last attempt sent to be committed: if the connection broke, it may have been. */
  private inDoubt: Written | null = null;

  constructor(orders: Order[], { giveUpAt, connection, clock, metrics }: BatchContext) {
    this.orders = orders;
    this.movements = orders.map(({ movement }) => movement);
    this.accountIds = [...new Set(this.movements.flatMap(({ legs }) => legs.map((leg) => leg.accountId)))].sort();
    this.giveUpAt = giveUpAt;
    this.connection = connection;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** What was last sent to be committed may have been: nothing has said otherwise. */
  get isInDoubt(): boolean {
    return this.inDoubt !== null;
  }

  async run(): Promise<Result[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.results(await this.attempt());
      } catch (error) {
        // Whatever no order can have caused may be over at the next attempt: a deadlock, a lock that was held, a request id
        // written by another gateway meanwhile, a connection or a server that broke.
        if (attempt >= ATTEMPTS || performance.now() > this.giveUpAt || isDefect(error)) throw error;
        this.metrics.retries.value += 1;
      }
    }
  }

  /**
   * Whether one order alone can have caused this, so that the others may be tried without it. Not where an attempt may
   * have been committed: whoever asks then is told that it is not known, and finds out under the same request id.
   */
  failedByOneOrder(error: unknown): boolean {
    const unique = (error as { code?: unknown }).code === UNIQUE_VIOLATION;
    return this.inDoubt === null && (isDefect(error) || unique);
  }

  private async attempt(): Promise<Written> {
    const before = this.inDoubt;
    const taken = this.connection.take();
    const client = taken instanceof Promise ? await taken : taken;
    try {
      const written = await this.transaction(client);
      this.connection.keep(client);
      return written;
    } catch (caught) {
      this.connection.discard(client);
      const error = caught instanceof PipelineAborted ? caught.cause : caught;
      // The server itself said that it could not be written: that is no doubt. Of the attempt before it said nothing.
      if (this.inDoubt !== before && isRefusedByServer(error)) this.inDoubt = null;
      if (this.inDoubt !== null && this.inDoubt !== before) this.metrics.inDoubt.value += 1;
      throw error;
    }
  }

  private async transaction(client: Connection): Promise<Written> {
    const begun = performance.now();
    // Sent together, answered in order: what is read behind the locks is read while holding them.
    const [, accounts, allowances, committed, known] = await client.pipeline(() =>
      Promise.all([
        client.begin(),
        lockAccounts(client, this.accountIds),
        lockAllowances(client, this.movements),
        this.inDoubt ? committedMovements(client, this.movements) : NONE,
        knownRequests(client, this.movements),
      ]),
    );
    this.metrics.phases.lock.observe(secondsSince(begun));
    // Holding the locks of the attempt before means that it is over: now its fate is read, not guessed.
    if (this.inDoubt && committed.size > 0) {
      // Not a rollback: where commits wait for a second server, this one waits until that server has the other one too.
      await client.commit();
      return this.inDoubt;
    }
    this.inDoubt = null;
    const locked = performance.now();
    const now = this.clock.now();
    const { recents, unsure, after } = knownRecents(accounts, this.movements, now);
    // The windows on the account rows nearly always decide. Otherwise the postings are read, while the accounts are locked.
    if (unsure.length > 0) {
      for (const [id, window] of await readRecents(client, unsure, after)) recents.set(id, window);
    }
    const decision = concluding(() => decide({ accounts, allowances, known, recents, now }, this.movements));
    const written = { decision, answered: new Map<string, AnsweredOrder>() };
    // All of it is made before any of it is sent: what cannot be made must not leave a commit behind it.
    const statements = concluding(() => this.statementsOf(written, now));
    this.metrics.phases.decide.observe(secondsSince(locked));
    return this.commit(client, written, statements);
  }

  private async commit(client: Connection, written: Written, statements: BoundStatement[]): Promise<Written> {
    if (statements.length === 0) {
      await client.rollback();
      return written;
    }
    this.inDoubt = written;
    const since = performance.now();
    await client.pipeline(() => {
      const written = statements.map(({ statement, values }) => client.run(statement, values));
      return Promise.all([...written, client.commit()]);
    });
    this.metrics.phases.write.observe(secondsSince(since));
    return written;
  }

  private statementsOf(written: Written, now: number): BoundStatement[] {
    const outbox = outboxStatements(this.conclude(written, now));
    // Nothing but alerts about what was blocked, or nothing at all.
    if (written.answered.size === 0) return outbox;
    const decided = decisionStatement(this.movements, written.decision, [...written.answered.values()]);
    return [decided, ...allowanceStatements(written.decision.used), ...outbox];
  }

  /** Fills in the replies, and returns the rows for other tables. */
  private conclude({ decision, answered }: Written, now: number): OutboxRows {
    const rows = new Map<OutboxTable, object[]>();
    for (const [index, outcome] of decision.outcomes.entries()) {
      const order = this.orders[index] as Order;
      const { reply, rows: added } = recordedOf(order, outcome, now);
      const { id, request } = order.movement;
      if (reply !== null) answered.set(id, { request, movementId: id, reply, refused: outcome.outcome === 'refused' });
      for (const { table, row } of added) {
        const others = rows.get(table);
        if (others) others.push(row);
        else rows.set(table, [row]);
      }
    }
    return rows;
  }

  private results({ decision, answered }: Written): Result[] {
    const replyOf = (movementId: string | undefined) => answered.get(movementId ?? '')?.reply;
    const { movements } = this.metrics;
    return decision.outcomes.map((outcome, index): Result => {
      movements[outcome.outcome].value += 1;
      if (outcome.outcome === 'conflict') return outcome;
      if (outcome.outcome === 'replayed') {
        return { outcome: 'replayed', reply: outcome.reply ?? replyOf(outcome.movementId) ?? '' };
      }
      const reply = replyOf(this.movements[index]?.id);
      return outcome.outcome === 'posted' ? { ...outcome, reply: reply ?? '' } : { ...outcome, reply: reply ?? null };
    });
  }
}

function secondsSince(instant: number): number {
  return (performance.now() - instant) / SECOND_MS;
}

const NOTHING_RECORDED: Recorded = { reply: null, rows: [] };

/** What is written for an outcome besides its postings. */
function recordedOf(order: Order, outcome: Outcome, now: number): Recorded {
  if (outcome.outcome === 'posted') return order.onPosted(outcome);
  if (outcome.outcome !== 'refused' || !order.onRefused) return NOTHING_RECORDED;
  return order.onRefused(outcome, now);
}

/** The connection that batches are written on, kept from one batch to the next while the queue is not empty. */
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

/** One of the orders throws while it is written down. */
class DefectiveOrder extends Error {}

function concluding<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new DefectiveOrder('an order of the batch cannot be concluded', { cause });
  }
}

const UNIQUE_VIOLATION = '23505';

function isRefusedByServer(error: unknown): boolean {
  return /^(22|23|40|42|54)...$/.test(sqlState(error) ?? '');
}

/** What an order can do to a batch: throw while it is concluded, or hold a value that the tables do not take. */
export function isDefect(error: unknown): boolean {
  if (error instanceof DefectiveOrder || error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|42|54)...$/.test(code) && code !== UNIQUE_VIOLATION;
}
