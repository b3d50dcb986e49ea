// Replays the movements of a past period in time order, for what-if reports: on its own connection, page by page, and
// in bounded time and memory.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { firstIdAt, timeOfId } from '../../kernel/ids.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementType } from '../movement-types.ts';
import { haveIndex, type ReplayedMovement, readPage } from './history-pages.ts';
import { createRollups, type Rollups } from './rollups.ts';

export type { ReplayedMovement } from './history-pages.ts';

export interface ReplayRequest<State> {
  types: readonly MovementType[];
  from: number;
  to: number;
  /** How much history before `from` is replayed first. */
  warmUpMs: number;
  /** An empty state. A replay that is too slow for its time limit restarts at a later point in history, with a new state. */
  begin(): State;
  /** `isCounted`: the movement is in the period, not before it. */
  visit(state: State, movement: ReplayedMovement, isCounted: boolean): void;
}

type Period = Pick<ReplayRequest<unknown>, 'types' | 'from' | 'to' | 'warmUpMs'>;

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
  run<State>(request: ReplayRequest<State>): Promise<(Replayed & { state: State }) | Refusal>;
}

export interface ReplayLimits {
  maxRows: number;
  pageRows: number;
  maxMs: number;
  /** The limit for one page. */
  statementMs: number;
  /** A monotonic clock in milliseconds. */
  now(): number;
}

const LIMITS: ReplayLimits = {
  ...{ maxRows: 300_000, pageRows: 1_000, maxMs: 25 * SECOND_MS, statementMs: 5 * SECOND_MS },
  now: () => performance.now(),
};

/** The share of its time limit after which a replay that would not finish in time restarts with fewer movements. */
const MEASURED = 0.2;
/** The share of the remaining time that the restart plans to use, in case the machine slows down. */
const PLANNED = 0.8;

/** A movement's id is created at most this long before the movement is posted. */
const ID_LEAD_MS = MINUTE_MS;

export function createHistoryReplay(
  database: Pick<Database, 'withLongQueries' | 'pool'>,
  options: Partial<ReplayLimits> = {},
): HistoryReplay {
  const rollups = createRollups(database.pool);
  const limits = { ...LIMITS, ...options };
  let isRunning = false;

  async function replay<State>(request: ReplayRequest<State>): Promise<Replayed & { state: State }> {
    const deadline = limits.now() + limits.maxMs;
    return database.withLongQueries(async (queries) => {
      await sql`select set_config('statement_timeout', ${String(limits.statementMs)}, false),
        set_config('default_transaction_read_only', 'on', false)`.execute(queries);
      for (let { maxRows } = limits; ; ) {
        const { start, rows } = await startOf(rollups, request, maxRows);
        const from = countedFrom(request, start);
        const state = request.begin();
        const visit = (movement: ReplayedMovement) => request.visit(state, movement, movement.at >= from);
        const { types, to: end } = request;
        const read = await readAll(queries, { types, from: start, to: end, visit, rows, deadline }, limits);
        if ('affordableRows' in read) {
          maxRows = read.affordableRows;
          continue;
        }
        const truncated = from > request.from || read.to < end;
        const warmUpCut = from - start < request.warmUpMs;
        return { from, to: Math.max(from, read.to), truncated, warmUpCut, state };
      }
    });
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

/** The newest part of the requested history that has at most `maxRows` movements, according to the hourly sums. `rows` is their number. */
async function startOf(
  rollups: Pick<Rollups, 'movements'>,
  { types, from, to, warmUpMs }: Period,
  maxRows: number,
): Promise<{ start: number; rows: number }> {
  const requested = Math.max(0, from - warmUpMs);
  const [first, end] = [Math.floor(requested / HOUR_MS), Math.floor(to / HOUR_MS) + 1];
  const read = (type: MovementType) => !haveIndex(types) || types.includes(type);
  const counts = new Array<number>(end - first).fill(0);
  for (const { bucket, type, count } of await rollups.movements({ from: first, to: end, step: 1 })) {
    if (read(type)) counts[bucket] = (counts[bucket] ?? 0) + count;
  }
  let rows = 0;
  for (let bucket = counts.length - 1; bucket >= 0; bucket--) {
    const count = counts[bucket] ?? 0;
    // The current hour is always replayed, up to the row limit.
    if (rows + count > maxRows && bucket === counts.length - 1)
      return { start: (first + bucket) * HOUR_MS, rows: count };
    if (rows + count > maxRows) return { start: (first + bucket + 1) * HOUR_MS, rows };
    rows += count;
  }
  return { start: requested, rows };
}

/** If not all of the history is replayed, the time before the period gets at most half of what is. */
function countedFrom({ from, to, warmUpMs }: Period, start: number): number {
  if (start + warmUpMs <= from) return from;
  return Math.max(from, Math.min(start + warmUpMs, Math.floor((start + to) / 2)));
}

interface Reading {
  types: readonly MovementType[];
  from: number;
  to: number;
  visit(movement: ReplayedMovement): void;
}

interface TimedReading extends Reading {
  /** How many movements are expected. */
  rows: number;
  deadline: number;
}

/** `to`: all movements until this instant were visited. */
type ReadResult = { to: number } | { affordableRows: number };

async function readAll(queries: Queries, reading: TimedReading, limits: ReplayLimits): Promise<ReadResult> {
  const { now } = limits;
  const { deadline } = reading;
  const began = now();
  let isMeasured = false;
  const visitor = new InTimeOrder(reading);
  const below = firstIdAt('txn', reading.to + 1);
  let after = firstIdAt('txn', reading.from - ID_LEAD_MS);
  for (let rows = 0; ; ) {
    const page = await readPage(queries, { after, below, types: reading.types, limit: limits.pageRows });
    const startedAt = now();
    rows += page.scanned;
    if (page.last === null || page.scanned < limits.pageRows) {
      visitor.add(page.movements, Number.POSITIVE_INFINITY);
      return { to: reading.to };
    }
    after = page.last;
    const seenUntil = timeOfId(after);
    visitor.add(page.movements, seenUntil);
    const elapsed = now() - began;
    // Measured once, early: a replay that is nearly done is not started again.
    if (!isMeasured && elapsed >= (deadline - began) * MEASURED) {
      isMeasured = true;
      const inTime = (rows / elapsed) * (deadline - now());
      if (inTime > 0 && rows + inTime < reading.rows && startsBeforeLastHour(reading)) {
        return { affordableRows: Math.floor(inTime * PLANNED) };
      }
    }
    // The start is chosen from the hourly sums, which grow while the replay runs.
    if (rows >= limits.maxRows * 2 || now() >= deadline) return { to: Math.min(reading.to, seenUntil) };
    // This gateway's payments get at least as much CPU time as the replay.
    await delay(now() - startedAt);
  }
}

/** Otherwise the replay covers only the current hour, and cannot start later. */
function startsBeforeLastHour({ from, to }: Reading): boolean {
  return from < Math.floor(to / HOUR_MS) * HOUR_MS;
}

/** Movements are read by id. Movements on one page may have been posted in a different order, or after movements on later pages. */
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
