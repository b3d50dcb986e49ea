// Replays the movements of a past period in time order, for what-if reports: on a connection of its own, page by page, and
// in bounded time and memory.
import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { firstIdAt, timeOfId } from '../../kernel/ids.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AccountKind } from '../account-kinds.ts';
import { type MovementType, sqlType } from '../movement-types.ts';
import { createRollups, type Rollups } from './rollups.ts';

export interface ReplayedMovement {
  id: string;
  type: MovementType;
  amount: number;
  fee: number;
  fromAccount: string;
  toAccount: string;
  fromKind: AccountKind;
  toKind: AccountKind;
  /** Milliseconds since 1970. */
  at: number;
}

export interface ReplayRequest {
  types: readonly MovementType[];
  from: number;
  to: number;
  /** How much history before `from` is replayed first. */
  warmUpMs: number;
  /** `isCounted`: the movement is in the period, not before it. */
  visit(movement: ReplayedMovement, isCounted: boolean): void;
}

/** The period that was replayed. */
export interface Replayed {
  from: number;
  to: number;
  /** The period is shorter than requested, because it has too many movements. */
  truncated: boolean;
  /** Less history before the period was replayed than requested. */
  warmUpCut: boolean;
}

export interface HistoryReplay {
  /** Refuses with 429 while another replay runs on this gateway. */
  run(request: ReplayRequest): Promise<Replayed | Refusal>;
}

export interface ReplayLimits {
  maxRows: number;
  pageRows: number;
  maxMs: number;
  /** Of one page. */
  statementMs: number;
}

const LIMITS: ReplayLimits = { maxRows: 300_000, pageRows: 1_000, maxMs: 25 * SECOND_MS, statementMs: 5 * SECOND_MS };

/** The id of a movement is created before it is posted, at most this long. */
const ID_LEAD_MS = MINUTE_MS;

export function createHistoryReplay(
  database: Pick<Database, 'withLongQueries' | 'pool'>,
  options: Partial<ReplayLimits> = {},
): HistoryReplay {
  const rollups = createRollups(database.pool);
  const limits = { ...LIMITS, ...options };
  let isRunning = false;

  async function replay(request: ReplayRequest): Promise<Replayed> {
    const start = await startOf(rollups, request, limits.maxRows);
    const from = countedFrom(request, start);
    const visit = (movement: ReplayedMovement) => request.visit(movement, movement.at >= from);
    const to = await database.withLongQueries((queries) =>
      readAll(queries, { ...request, from: start, visit }, limits),
    );
    const truncated = from > request.from || to < request.to;
    return { from, to: Math.max(from, to), truncated, warmUpCut: from - start < request.warmUpMs };
  }

  return {
    async run(request) {
      if (isRunning) return busy();
      isRunning = true;
      try {
        return await replay(request);
      } finally {
        isRunning = false;
      }
    },
  };
}

function busy(): Refusal {
  const headers = { 'retry-after': '10' };
  return refuse('RATE_LIMITED', 'Another what-if is running on this gateway; try again.', { headers });
}

/** The newest part of the requested history that has at most `maxRows` movements, by the sums per hour. */
async function startOf(
  rollups: Pick<Rollups, 'movements'>,
  { types, from, to, warmUpMs }: ReplayRequest,
  maxRows: number,
): Promise<number> {
  const requested = Math.max(0, from - warmUpMs);
  const [first, end] = [Math.floor(requested / HOUR_MS), Math.floor(to / HOUR_MS) + 1];
  const read = (type: MovementType) => !haveIndex(types) || types.includes(type);
  const counts = new Array<number>(end - first).fill(0);
  for (const { bucket, type, count } of await rollups.movements({ from: first, to: end, step: 1 })) {
    if (read(type)) counts[bucket] = (counts[bucket] ?? 0) + count;
  }
  let rows = 0;
  for (let bucket = counts.length - 1; bucket >= 0; bucket--) {
    rows += counts[bucket] ?? 0;
    // The running hour is always replayed, as far as the limit of rows allows.
    if (rows > maxRows) return (first + Math.min(bucket + 1, counts.length - 1)) * HOUR_MS;
  }
  return requested;
}

/** If not all of the history is replayed, the time before the period takes at most half of it. */
function countedFrom({ from, to, warmUpMs }: ReplayRequest, start: number): number {
  if (start + warmUpMs <= from) return from;
  return Math.max(from, Math.min(start + warmUpMs, Math.floor((start + to) / 2)));
}

interface Reading {
  types: readonly MovementType[];
  from: number;
  to: number;
  visit(movement: ReplayedMovement): void;
}

/** Returns the instant until which all movements were visited. */
async function readAll(queries: Queries, reading: Reading, limits: ReplayLimits): Promise<number> {
  await sql`select set_config('statement_timeout', ${String(limits.statementMs)}, false),
    set_config('default_transaction_read_only', 'on', false)`.execute(queries);
  const deadline = performance.now() + limits.maxMs;
  const visitor = new InTimeOrder(reading);
  const below = firstIdAt('txn', reading.to + 1);
  let after = firstIdAt('txn', reading.from - ID_LEAD_MS);
  for (let rows = 0; ; ) {
    const page = await readPage(queries, { after, below, types: reading.types, limit: limits.pageRows });
    const startedAt = performance.now();
    rows += page.scanned;
    if (page.last === null || page.scanned < limits.pageRows) {
      visitor.add(page.movements, Number.POSITIVE_INFINITY);
      return reading.to;
    }
    after = page.last;
    const seenUntil = timeOfId(after);
    visitor.add(page.movements, seenUntil);
    // The start is chosen by the sums per hour; those of earlier versions can be incomplete.
    if (rows >= limits.maxRows * 2 || performance.now() >= deadline) return Math.min(reading.to, seenUntil);
    // Payments of this gateway get at least as much of the processor as the replay.
    await delay(performance.now() - startedAt);
  }
}

/** Movements are read by id. Those of one page can be posted in another order, and after movements of later pages. */
class InTimeOrder {
  private readonly reading: Reading;
  private waiting: ReplayedMovement[] = [];

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** `until`: no later page has a movement that was posted before it. */
  add(movements: readonly ReplayedMovement[], until: number): void {
    const { from, to, visit } = this.reading;
    const all = [...this.waiting, ...movements].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const firstLater = all.findIndex(({ at }) => at >= until);
    const ready = firstLater < 0 ? all.length : firstLater;
    this.waiting = all.slice(ready);
    for (const movement of all.slice(0, ready)) if (movement.at >= from && movement.at <= to) visit(movement);
  }
}

interface PageRequest {
  after: string;
  below: string;
  types: readonly MovementType[];
  limit: number;
}

interface PageRow {
  last: string | null;
  scanned: number;
  /** Null: no movement of the page has one of the types. */
  id: string | null;
  type: MovementType;
  amount: number;
  fee: number;
  from_account: string;
  to_account: string;
  from_kind: AccountKind;
  to_kind: AccountKind;
  at: Date;
}

interface Page {
  last: string | null;
  scanned: number;
  movements: ReplayedMovement[];
}

/** Types without the index movements_by_type (0043). */
const FREQUENT: readonly MovementType[] = ['transfer_p2p', 'pos_payment', 'agent_cashin'];

function haveIndex(types: readonly MovementType[]): boolean {
  return types.every((type) => !FREQUENT.includes(type));
}

async function readPage(queries: Queries, request: PageRequest): Promise<Page> {
  const { types } = request;
  const { rows } = await sql<PageRow>`with page as materialized (${pageOf(request)})
    select scan.last, scan.scanned, m.* from (select max(id) as last, count(*) as scanned from page) scan
    left join lateral (select p.*, payer.kind as from_kind, payee.kind as to_kind from page p
      left join lateral (select kind from accounts where id = p.from_account limit 1) payer on true
      left join lateral (select kind from accounts where id = p.to_account limit 1) payee on true
      where p.type = any (${[...types]}::text[])) m on true`.execute(queries);
  const [first] = rows;
  return { last: first?.last ?? null, scanned: first?.scanned ?? 0, movements: rows.flatMap(movementOf) };
}

/** All movements by id, or only those of the types, if these have an index. */
function pageOf({ after, below, types, limit }: PageRequest): RawBuilder<unknown> {
  const select = (condition: RawBuilder<unknown>) => sql`(select id, type, amount, fee, from_account, to_account, at
    from movements where id > ${after} and id < ${below} and ${condition} order by id limit ${limit})`;
  if (!haveIndex(types)) return select(sql`true`);
  // The planner uses the partial index only for a literal.
  const ofTypes = types.map((type) => select(sql`type = ${sql.raw(sqlType(type))}`));
  return sql`select * from (${sql.join(ofTypes, sql` union all `)}) found order by id limit ${limit}`;
}

function movementOf(row: PageRow): ReplayedMovement[] {
  const { id, type, amount, fee, from_account, to_account, from_kind, to_kind, at } = row;
  if (id === null) return [];
  const accounts = { fromAccount: from_account, toAccount: to_account, fromKind: from_kind, toKind: to_kind };
  return [{ id, type, amount, fee, ...accounts, at: at.getTime() }];
}
