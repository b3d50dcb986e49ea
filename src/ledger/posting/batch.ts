// One batch of orders in one transaction: lock, read, decide, write, commit. Resolves commits in doubt after a lost connection.
import type { Connection } from '../../db/driver/connection.ts';
import { sqlState } from '../../db/driver/errors.ts';
import { PipelineAborted } from '../../db/driver/pipeline.ts';
import { type BoundStatement, statement } from '../../db/driver/statement.ts';
import { BatchReads, type Rows } from '../../db/keyed-lookup.ts';
import type { OutboxTable } from '../../db/outbox-table.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import type { LedgerMetrics } from '../metrics.ts';
import { type Seal, type SealChain, sealedBatches } from '../seals/chain.ts';
import { chainOf } from '../seals/format.ts';
import type {
  Account,
  Draft,
  KnownRequest,
  MovementRequest,
  Order,
  OutboxRows,
  Outcome,
  Recorded,
  Result,
} from '../types.ts';
import { type KnownActivity, knownActivity, RECEIVED, RECENT } from '../velocity/batch-activity.ts';
import { assertBalanced, type Decision, decide } from './decide.ts';
import type { LedgerEngine } from './engine.ts';
import type { KeptConnection } from './kept-connection.ts';
import { lockAccounts, lockAllowances } from './locks.ts';
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

const NONE: ReadonlySet<number> = new Set();
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
}

/** What the first round trip of a batch reads and locks. */
interface Opened {
  orders: readonly (Order | null)[];
  accounts: ReadonlyMap<string, Account>;
  allowances: Map<string, number>;
  sealed: ReadonlySet<number>;
  known: ReadonlyMap<string, KnownRequest>;
}

/** Retries until the batch is committed, fails for good, or its outcome cannot be determined. */
export class Batch {
  private readonly entries: readonly (Order | Draft)[];
  private readonly requests: readonly MovementRequest[];
  private readonly reads: BatchReads;
  /** Sorted. */
  private readonly accountIds: string[];
  private readonly allowances: { existing: readonly string[]; opened: readonly string[] };
  private readonly giveUpAt: number;
  private readonly connection: KeptConnection;
  private readonly engine: LedgerEngine;
  private readonly seals: SealChain;
  private readonly recent: RecentRequests;
  private readonly clock: Clock;
  private readonly metrics: LedgerMetrics;
  /** The last attempt whose commit was sent. If the connection was lost, it may have been committed. */
  private inDoubt: Written | null = null;

  constructor(entries: (Order | Draft)[], context: BatchContext) {
    const { giveUpAt, connection, engine, seals, recent, clock, metrics } = context;
    this.entries = entries;
    this.requests = entries.flatMap((entry) => (isDraft(entry) ? entry.request : entry.movement.request) ?? []);
    this.reads = new BatchReads(entries.flatMap((entry) => (isDraft(entry) ? entry.reads : [])));
    this.accountIds = sortedSet(entries.flatMap((entry) => (isDraft(entry) ? entry.accountIds : accountsOf(entry))));
    this.allowances = {
      existing: entries.flatMap((entry) => (isDraft(entry) ? entry.allowanceIds : [])),
      opened: entries.flatMap((entry) => (isDraft(entry) ? [] : allowancesOf(entry))),
    };
    this.giveUpAt = giveUpAt;
    this.connection = connection;
    this.engine = engine;
    this.seals = seals;
    this.recent = recent;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** True while it is unknown whether the last attempt was committed. */
  get isInDoubt(): boolean {
    return this.inDoubt !== null;
  }

  /** In the order of the batch; null for a draft that was not completed. */
  async run(): Promise<(Result | null)[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.results(await this.attempt());
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
    const { orders, accounts, allowances, sealed, known } = await this.open(client, expected);
    this.metrics.phases.lock.observe(secondsSince(startedAt));
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
    const recent = knownActivity(RECENT, accounts, movements, now);
    const received = knownActivity(RECEIVED, accounts, movements, now);
    // The windows on the account rows nearly always decide. Otherwise the postings are read, while the accounts are locked.
    if (recent.undecided.length > 0) await this.readUndecided('recent', client, recent);
    if (received.undecided.length > 0) await this.readUndecided('received', client, received);
    const activity = { activity: recent.windows, received: received.windows };
    const decision = orDefectiveOrder(() => decide({ accounts, allowances, known, ...activity, now }, movements));
    const written: Written = { orders, decision, answered: new Map(), seal: null };
    const recorded = orDefectiveOrder(() => this.recordOutcomes(written, now));
    const skips = [...recorded.keys()].some(({ skipExisting }) => skipExisting !== null);
    const rows = skips ? await insertOnce(client, recorded, this.seals.nextBatch) : recorded;
    // All statements are built before any is sent: an error while building must not follow a commit.
    const statements = orDefectiveOrder(() => this.statementsOf(written, accounts, rows, now));
    this.metrics.phases.decide.observe(secondsSince(locked));
    return this.commit(client, written, statements);
  }

  /** Begins the transaction, reads and locks: in one round trip, if one statement can lock the accounts that rows name. */
  private async open(client: Connection, expected: number[]): Promise<Opened> {
    const lookedUp = this.recent.mayExist(this.requests);
    this.recent.add(this.requests);
    const early = this.engine.locksNamed ? null : await this.readFirst(client);
    const held = this.inDoubt?.orders ?? [];
    const accountIds = sortedSet([...this.accountIds, ...[...held, ...(early ?? [])].flatMap(accountsOf)]);
    // Pipelined: the reads behind the locks run while the locks are held.
    const [, rows, accounts, allowances, sealed, known] = await client.pipeline(() =>
      Promise.all([
        early ? null : client.begin(),
        early ? null : this.reads.run(client),
        lockAccounts(this.engine, client, accountIds, early ? null : this.reads),
        lockAllowances(this.engine, client, this.allowances),
        expected.length > 0 ? sealedBatches(client, expected) : NONE,
        knownRequests(client, lookedUp),
      ]),
    );
    const completed = early ?? this.complete(rows as Rows);
    const isLocked = (order: Order | null) => accountsOf(order).every((id) => accounts.has(id));
    // An account that is not locked does not exist, or the row that names it has just changed.
    const orders = completed.map((order, n) => (isLocked(order) || !isDraft(this.entries[n] as Order) ? order : null));
    const expectedTotals = new Set([...this.allowances.existing, ...this.allowances.opened]);
    const opened = orders.flatMap(allowancesOf).filter((id) => !expectedTotals.has(id));
    const others = await lockAllowances(this.engine, client, { existing: [], opened });
    for (const [id, used] of others) allowances.set(id, used);
    return { orders, accounts, allowances, sealed, known };
  }

  private async readFirst(client: Connection): Promise<(Order | null)[]> {
    const [, rows] = await client.pipeline(() => Promise.all([client.begin(), this.reads.run(client)]));
    return this.complete(rows);
  }

  private complete(rows: Rows): (Order | null)[] {
    return orDefectiveOrder(() =>
      this.entries.map((entry) => {
        if (!isDraft(entry)) return entry;
        const order = entry.complete(rows);
        if (order) assertBalanced(order.movement);
        return order;
      }),
    );
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
    for (const order of orders) {
      if (!order) continue;
      const outcome = decision.outcomes[index++] as Outcome;
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

  private results({ orders, decision, answered }: Written): (Result | null)[] {
    const replyOf = (movementId: string) => answered.get(movementId)?.reply;
    const { movements } = this.metrics;
    let index = 0;
    return orders.map((order): Result | null => {
      if (!order) return null;
      const outcome = decision.outcomes[index++] as Outcome;
      if (!isOnlyChecked(outcome)) movements[outcome.outcome].value += 1;
      if (outcome.outcome === 'conflict') return outcome;
      if (outcome.outcome === 'replayed') {
        const { movementId } = outcome;
        return { outcome: 'replayed', movementId, reply: outcome.reply ?? replyOf(movementId) ?? '' };
      }
      const reply = replyOf(order.movement.id);
      return outcome.outcome === 'posted' ? { ...outcome, reply: reply ?? '' } : { ...outcome, reply: reply ?? null };
    });
  }
}

function isDraft(entry: Order | Draft): entry is Draft {
  return 'complete' in entry;
}

const sortedSet = (ids: readonly string[]) => [...new Set(ids)].sort();

function accountsOf(order: Order | null): string[] {
  return order?.movement.legs.map(({ accountId }) => accountId) ?? [];
}

function allowancesOf(order: Order | null): string[] {
  return order?.movement.allowances?.map(({ id }) => id) ?? [];
}

function isOnlyChecked(outcome: Outcome): boolean {
  return outcome.outcome === 'refused' && outcome.reason === 'check_only';
}

function secondsSince(instant: number): number {
  return (performance.now() - instant) / SECOND_MS;
}

const NOTHING_RECORDED: Recorded = { reply: null, rows: [] };

/** The reply and the rows for other tables that are written with an outcome. */
function recordedOf(order: Order, outcome: Outcome, now: number): Recorded {
  if (outcome.outcome === 'posted') return order.onPosted(outcome);
  if (outcome.outcome !== 'refused' || !order.onRefused) return NOTHING_RECORDED;
  return order.onRefused(outcome, now);
}

/** An order's callback threw. */
class DefectiveOrder extends Error {}

function orDefectiveOrder<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new DefectiveOrder('an order of the batch cannot be recorded', { cause });
  }
}

const UNIQUE_VIOLATION = '23505';

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNIQUE_VIOLATION;
}

/** An earlier attempt without locks was committed after all. Its outcome is found by its idempotency keys. */
function isSealConflict(error: unknown): boolean {
  return (error as { constraint?: unknown }).constraint === 'seals_pkey';
}

function isRejectedByServer(error: unknown): boolean {
  return /^(22|23|40|42|54)...$/.test(sqlState(error) ?? '');
}

/** Errors that an order causes: its callback throws, or it has a value that the tables do not accept. */
export function isDefect(error: unknown): boolean {
  if (error instanceof DefectiveOrder || error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|42|54)...$/.test(code) && code !== UNIQUE_VIOLATION;
}
