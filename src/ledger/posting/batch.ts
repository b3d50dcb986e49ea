// One batch of orders in one transaction: lock, read, decide, write, commit. Resolves commits in doubt after a lost connection.
import type { Connection } from '../../db/driver/connection.ts';
import { PipelineAborted } from '../../db/driver/pipeline.ts';
import { type BoundStatement, statement } from '../../db/driver/statement.ts';
import type { OutboxTable } from '../../db/outbox-table.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { inTrace, type Trace } from '../../kernel/tracing.ts';
import { activeHolds } from '../holds/lookup.ts';
import type { LedgerMetrics } from '../metrics.ts';
import type { Seal, SealChain } from '../seals/chain.ts';
import { chainOf } from '../seals/format.ts';
import type { Account, Draft, Order, OutboxRows, Outcome, Recorded, Result, Settled } from '../types.ts';
import { type KnownActivity, knownActivity, RECEIVED, RECENT } from '../velocity/batch-activity.ts';
import { isDefect, isRejectedByServer, isSealConflict, isUniqueViolation, orDefectiveOrder } from './batch-errors.ts';
import { type Decision, decide } from './decide.ts';
import type { LedgerEngine } from './engine.ts';
import type { KeptConnection } from './kept-connection.ts';
import { type Opened, Opening } from './opening.ts';
import type { RecentRequests } from './recent-requests.ts';
import { rollUp, rollUpStatements } from './rollups.ts';
import {
  type AnsweredOrder,
  allowanceStatements,
  decisionStatements,
  insertOnce,
  knownRequests,
  outboxStatements,
} from './store.ts';

/** Writes to the log of the server, and nothing else. On a cluster the locks are written on other servers only. */
const CONFIRM = statement('ledger-confirm', `select pg_logical_emit_message(true, 'kissi', '')`);
const ATTEMPTS = 5;

interface Written {
  /** In the order of the batch; null: a draft that was not completed. */
  orders: readonly (Order | null)[];
  decision: Decision;
  /** By movement id: posted movements and stored refusals. */
  answered: Map<string, AnsweredOrder>;
  /** Set once there is something to commit. */
  seal: Seal | null;
}

export interface BatchContext {
  /** No attempt begins later, by the monotonic clock; the last one may take as long as connections and queries wait. */
  giveUpAt: number;
  connection: KeptConnection;
  engine: LedgerEngine;
  /** The chain that the seal of the batch continues. */
  seals: SealChain;
  recent: RecentRequests;
  clock: Clock;
  metrics: LedgerMetrics;
  /** The traces of the batch and of its orders. Null: it is not traced. */
  traced: { batch: Trace; orders: readonly (Trace | null)[] } | null;
}

/** Retries until the batch is committed, fails for good, or its outcome cannot be determined. */
export class Batch {
  private readonly opening: Opening;
  private readonly giveUpAt: number;
  private readonly connection: KeptConnection;
  private readonly engine: LedgerEngine;
  private readonly seals: SealChain;
  private readonly recent: RecentRequests;
  private readonly clock: Clock;
  private readonly metrics: LedgerMetrics;
  private readonly traced: BatchContext['traced'];
  /** The last attempt whose commit was sent. If the connection was lost, it may have been committed. */
  private inDoubt: Written | null = null;

  constructor(entries: (Order | Draft)[], context: BatchContext) {
    const { giveUpAt, connection, engine, seals, recent, clock, metrics, traced } = context;
    this.opening = new Opening(entries, context);
    this.giveUpAt = giveUpAt;
    this.connection = connection;
    this.engine = engine;
    this.seals = seals;
    this.recent = recent;
    this.clock = clock;
    this.metrics = metrics;
    this.traced = traced;
  }

  /** True while it is unknown whether the last attempt was committed. */
  get isInDoubt(): boolean {
    return this.inDoubt !== null;
  }

  /** In the order of the batch; null for a draft that was not completed. */
  async run(): Promise<(Settled | null)[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.settled(await this.attempt());
      } catch (error) {
        // Errors that no order causes may not recur: a deadlock, a lock timeout, a request id that another gateway has
        // written, a lost connection.
        if (isUniqueViolation(error)) this.recent.wasSurprised();
        if (attempt >= ATTEMPTS || performance.now() > this.giveUpAt || isDefect(error)) throw error;
        this.metrics.retries.value += 1;
      }
    }
  }

  /**
   * Whether a single order can have caused the error, so that the orders can be retried one by one. False when an attempt
   * may have been committed: then the callers get an error and find the outcome by retrying with the same request id.
   */
  failedByOneOrder(error: unknown): boolean {
    return this.inDoubt === null && (isDefect(error) || isUniqueViolation(error));
  }

  private async attempt(): Promise<Written> {
    const before = this.inDoubt;
    const taken = this.connection.take();
    const client = taken instanceof Promise ? await taken : taken;
    try {
      if (this.inDoubt === null) this.seals.followKey();
      const opening = this.seals.ready(client);
      if (opening) await opening;
      const written = await this.transaction(client);
      this.connection.keep(client);
      return written;
    } catch (caught) {
      this.connection.discard(client);
      const error = caught instanceof PipelineAborted ? caught.cause : caught;
      // The server rejected this attempt, so it was not committed. The previous attempt may still have been committed.
      if (this.inDoubt !== before && isRejectedByServer(error)) this.inDoubt = null;
      if (this.inDoubt === null && isSealConflict(error)) this.seals.abandon();
      if (this.inDoubt !== null && this.inDoubt !== before) this.metrics.inDoubt.value += 1;
      throw error;
    }
  }

  private async transaction(client: Connection): Promise<Written> {
    const startedAt = performance.now();
    const [inDoubt, head] = [this.inDoubt?.seal?.batch ?? null, this.seals.unconfirmed(client)];
    const expected = [inDoubt, head].filter((batch) => batch !== null);
    const opened = await this.opening.open(client, expected, this.inDoubt?.orders ?? []);
    const { orders, accounts, allowances, sealed, known, endedHolds } = opened;
    this.metrics.phases.lock.observe(secondsSince(startedAt));
    this.traced?.batch.queried('ledger read and lock', startedAt, false);
    // Holding the same locks means that the previous attempt has ended: its outcome can now be read.
    if (this.inDoubt?.seal && sealed.has(this.inDoubt.seal.batch)) {
      // A commit with its own write: with synchronous replication it waits until the standby has the previous commit too.
      await client.pipeline(() => Promise.all([client.run(CONFIRM), client.commit()]));
      this.seals.advance(this.inDoubt.seal, client);
      return this.inDoubt;
    }
    this.inDoubt = null;
    if (head !== null && !sealed.has(head)) {
      this.seals.abandon();
      throw new Error(`batch ${head} was committed but no longer exists: the server lost transactions`);
    }
    const locked = performance.now();
    const now = this.clock.now();
    const movements = orders.flatMap((order) => order?.movement ?? []);
    const holds = await activeHolds(client, accounts);
    const recent = knownActivity(RECENT, accounts, movements, now, holds);
    const received = knownActivity(RECEIVED, accounts, movements, now);
    // The windows on the account rows nearly always decide. Otherwise the postings are read, while the accounts are locked.
    if (recent.undecided.length > 0) await this.readUndecided('recent', client, recent);
    if (received.undecided.length > 0) await this.readUndecided('received', client, received);
    const state = {
      ...{ accounts, allowances, known, endedHolds, now },
      activity: recent.windows,
      received: received.windows,
      ...(holds ? { activeHolds: holds } : {}),
    };
    const decideAll = () => orDefectiveOrder(() => decide(state, movements));
    const first = decideAll();
    const decision = (await this.readRefused(client, first, opened)) ? decideAll() : first;
    const written: Written = { orders, decision, answered: new Map(), seal: null };
    const recorded = orDefectiveOrder(() => this.recordOutcomes(written, now));
    const skips = [...recorded.keys()].some(({ skipExisting }) => skipExisting !== null);
    const rows = skips ? await insertOnce(client, recorded, this.seals.nextBatch) : recorded;
    // All statements are built before any is sent: an error while building must not follow a commit.
    const statements = orDefectiveOrder(() => this.statementsOf(written, accounts, rows, now));
    this.metrics.phases.decide.observe(secondsSince(locked));
    return this.commit(client, written, statements);
  }

  /**
   * A request that was not looked up and is refused may be the repetition of one that succeeded. True: one of them is known.
   * (If one is to be posted, the primary key rejects the batch, and it is repeated.)
   */
  private async readRefused(client: Connection, { outcomes, movements }: Decision, opened: Opened): Promise<boolean> {
    const unread = movements.flatMap(({ request }, index) =>
      request && outcomes[index]?.outcome === 'refused' && !opened.lookedUp.has(request) ? request : [],
    );
    if (unread.length === 0) return false;
    const found = await knownRequests(client, unread);
    for (const [key, request] of found) opened.known.set(key, request);
    return found.size > 0;
  }

  private async readUndecided(
    column: 'recent' | 'received',
    client: Connection,
    { windows, undecided, after }: KnownActivity,
  ): Promise<void> {
    const read = await this.engine.readActivity(column, client, undecided, after);
    for (const [id, window] of read) windows.set(id, window);
  }

  private async commit(client: Connection, written: Written, statements: BoundStatement[]): Promise<Written> {
    if (written.seal === null) {
      await client.rollback();
      return written;
    }
    this.inDoubt = written;
    const since = performance.now();
    await client.pipeline(() => {
      const written = statements.map(({ statement, values }) => client.run(statement, values));
      return Promise.all([...written, client.commit()]);
    });
    this.seals.advance(written.seal, client);
    this.metrics.phases.write.observe(secondsSince(since));
    this.traced?.batch.queried('ledger write and commit', since, false);
    return written;
  }

  private statementsOf(
    written: Written,
    accounts: ReadonlyMap<string, Account>,
    rows: OutboxRows,
    now: number,
  ): BoundStatement[] {
    if (written.answered.size === 0 && rows.size === 0) return [];
    const { decision, answered } = written;
    const outbox = outboxStatements(rows, this.seals.nextBatch);
    const sealed = { decision, answered: [...answered.values()], rows, at: now };
    const { statements, seal } = decisionStatements(this.engine, this.seals, sealed);
    written.seal = seal;
    const rollups = rollUpStatements(chainOf(seal.batch), rollUp(decision, accounts, now));
    return [...statements, ...allowanceStatements(decision.used), ...rollups, ...outbox];
  }

  /** Fills in the replies and returns the rows for other tables. */
  private recordOutcomes({ orders, decision, answered }: Written, now: number): OutboxRows {
    const rows = new Map<OutboxTable, object[]>();
    let index = 0;
    for (let place = 0; place < orders.length; place++) {
      const order = orders[place];
      if (!order) continue;
      const outcome = decision.outcomes[index++] as Outcome;
      const { reply, rows: added } = recordedOf(order, outcome, now, this.traced?.orders[place]);
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

  /** Of the attempt that was committed: a later one may have completed other orders, or none. */
  private settled({ orders, decision, answered }: Written): (Settled | null)[] {
    const { movements } = this.metrics;
    let index = 0;
    return orders.map((order) => {
      if (!order) return null;
      const outcome = decision.outcomes[index++] as Outcome;
      if (!isOnlyChecked(outcome)) movements[outcome.outcome].value += 1;
      return { order, result: resultOf(order, outcome, answered) };
    });
  }
}

function resultOf({ movement }: Order, outcome: Outcome, answered: Written['answered']): Result {
  const replyOf = (movementId: string) => answered.get(movementId)?.reply;
  if (outcome.outcome === 'conflict') return outcome;
  if (outcome.outcome === 'replayed') {
    const { movementId } = outcome;
    return { outcome: 'replayed', movementId, reply: outcome.reply ?? replyOf(movementId) ?? '' };
  }
  const reply = replyOf(movement.id);
  return outcome.outcome === 'posted' ? { ...outcome, reply: reply ?? '' } : { ...outcome, reply: reply ?? null };
}

function isOnlyChecked(outcome: Outcome): boolean {
  return outcome.outcome === 'refused' && outcome.reason === 'check_only';
}

function secondsSince(instant: number): number {
  return (performance.now() - instant) / SECOND_MS;
}

const NOTHING_RECORDED: Recorded = { reply: null, rows: [] };

/** The reply and the rows for other tables that are written with an outcome. Rows of events name the trace. */
function recordedOf(order: Order, outcome: Outcome, now: number, trace?: Trace | null): Recorded {
  if (trace) return inTrace(trace, () => recordedOf(order, outcome, now));
  if (outcome.outcome === 'posted') return order.onPosted(outcome);
  if (outcome.outcome !== 'refused' || !order.onRefused) return NOTHING_RECORDED;
  return order.onRefused(outcome, now);
}
