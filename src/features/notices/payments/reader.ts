// Tells customers about committed payments, in the order of their batches. Payments know nothing of it: what is still to be told
// is what the ledger has after a position, so that a dead provider leaves no queue behind and a crash loses nothing.
import type { Database } from '../../../db/database.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { type CommittedBatch, type CommittedMovement, createCommitted } from '../../../ledger/queries/committed.ts';
import type { Channel, Messaging, Provider } from '../../messaging/service.ts';
import type { NoticeMetrics } from '../metrics.ts';
import { makeNotices, type PaymentNotice, type ToldMovement, WORTH_MS } from './notices.ts';
import { createPositions, type Lease, type Position } from './positions.ts';
import { createReceivedLimit } from './received-limit.ts';
import { type SentPage, sendPage } from './sending.ts';

export interface PaymentReader {
  /** A page, and further ones while they are full. Does nothing while another gateway tells payments on the channel. */
  run(stopping?: AbortSignal): Promise<void>;
  /** Lets another gateway go on at once. */
  release(): Promise<void>;
}

export interface ReaderContext {
  database: Database;
  messaging: Pick<Messaging, 'keep' | 'wake'>;
  channel: Channel;
  /** Undefined: the notices stay in the local outbox, where the lab shows them. */
  provider: Provider | undefined;
  isChosen(channels: readonly string[] | null): boolean;
  clock: Clock;
  metrics: NoticeMetrics;
  report(message: string, details: Record<string, unknown>): void;
}

/** Of each chain. Bounds what one page reads, as a batch has a bounded number of payments. */
const MOST_BATCHES = 128;
const MOST_MOVEMENTS = 2_000;
/** Most chains have ended with their gateway. Old ones that are quiet are looked at less often. */
const NEWEST_CHAINS = 100;
const QUIET_MS = HOUR_MS;
const EVERY_CHAIN_MS = MINUTE_MS;
const RETRY_MS = 5 * SECOND_MS;
const KIND = 'payment';

/** What this gateway knows while it has the lease. */
interface Reading {
  lease: Lease;
  positions: Map<number, Position>;
  /** When each chain last had a new batch. */
  active: Map<number, number>;
  lookedAtAll: number;
}

const NEVER = new AbortController().signal;

export function createPaymentReader(context: ReaderContext): PaymentReader {
  const { database, messaging, channel, provider, isChosen, clock, report } = context;
  const { pool } = database;
  const metrics = context.metrics.of(channel);
  const committed = createCommitted(pool);
  const positions = createPositions(database.queries, channel, clock);
  const received = createReceivedLimit();
  const maker = { pool, committed, channel, isChosen, received };
  let reading: Reading | null = null;

  /** From the first time on, payments are told; those before are not. */
  async function begin(lease: Lease): Promise<Reading | null> {
    const stored = await positions.read();
    if (stored.size === 0) {
      const heads = await committed.heads();
      for (const [chain, batch] of heads) stored.set(chain, { batch, movement: '' });
      if (!(await database.transact((trx) => positions.advance(trx, lease, stored)))) return null;
    }
    return { lease, positions: stored, active: new Map(), lookedAtAll: Number.NEGATIVE_INFINITY };
  }

  async function prepare(): Promise<Reading | null> {
    const lease = await positions.take(reading?.lease ?? null);
    if (!lease) return null;
    if (reading) return Object.assign(reading, { lease });
    return begin(lease);
  }

  /** In the order of time, whichever gateway committed them. */
  async function newBatches(current: Reading): Promise<CommittedBatch[]> {
    const now = clock.now();
    const all = now - current.lookedAtAll >= EVERY_CHAIN_MS;
    const newest = current.positions.keys().reduce((most, chain) => Math.max(most, chain), 0);
    const after: number[] = [];
    for (const [chain, { batch }] of current.positions) {
      const isLive = chain > newest - NEWEST_CHAINS || now - (current.active.get(chain) ?? 0) < QUIET_MS;
      if (all || isLive) after.push(batch);
    }
    const batches = await committed.batchesAfter(after, MOST_BATCHES, newest);
    if (all) current.lookedAtAll = now;
    for (const { chain } of batches) current.active.set(chain, now);
    return batches.sort((a, b) => a.at - b.at || a.batch - b.batch);
  }

  /** Whether more may be left. */
  async function turn(current: Reading, stopping: AbortSignal): Promise<boolean> {
    const batches = await newBatches(current);
    metrics.oldest = batches[0]?.at ?? null;
    if (batches.length === 0 || provider?.room() === 0) return false;
    const places = new Map(batches.map(({ batch }, index) => [batch, index]));
    const placeOf = ({ batch }: CommittedMovement) => places.get(batch) ?? 0;
    const movements = (await committed.movements(batches))
      .filter((movement) => !isTold(current, movement))
      .sort((a, b) => placeOf(a) - placeOf(b) || (a.place < b.place ? -1 : 1));
    const tooOld = clock.now() - WORTH_MS;
    const old = movements.findIndex(({ at }) => at > tooOld);
    const dropped = old < 0 ? movements.length : old;
    if (dropped > 0) {
      metrics.ended.dropped.value += dropped;
      report('payments were not told within a day', { channel, count: dropped });
      return record(current, { batches, movements, handled: dropped, failed: [] });
    }
    const page = await makeNotices(maker, movements.slice(0, MOST_MOVEMENTS));
    const { handled, failed } = await tell(page, stopping);
    for (const { hour } of page.slice(0, handled).flatMap(({ notices }) => notices)) if (hour) received.count(hour);
    await record(current, { batches, movements, handled, failed });
    if (handled === 0) return movements.length === 0 && batches.length >= MOST_BATCHES;
    // What was committed in the meantime is told a second later: many payments share a page, which is much cheaper.
    return handled < movements.length || batches.length >= MOST_BATCHES;
  }

  async function tell(page: ToldMovement[], stopping: AbortSignal): Promise<Pick<SentPage, 'handled' | 'failed'>> {
    if (!provider) {
      const failed = page.flatMap(({ notices }) => notices).map((notice) => ({ notice, reason: '' }));
      metrics.ended.sent.value += failed.length;
      return { handled: page.length, failed };
    }
    const isWorthSending = ({ expiresAt }: PaymentNotice) => expiresAt > clock.now();
    const sent = await sendPage(provider, page, stopping, isWorthSending);
    metrics.ended.sent.value += sent.sent;
    metrics.ended.failed.value += sent.refused;
    metrics.ended.retried.value += sent.failed.length;
    return sent;
  }

  /** In one transaction: how far the page came, and what is to be tried again. */
  async function record(current: Reading, page: Page): Promise<boolean> {
    const moved = positionsAfter(page);
    const isKept = await database.transact(async (trx) => {
      if (!(await positions.advance(trx, current.lease, moved))) return false;
      const attempts = provider ? 1 : 0;
      const kept = page.failed.map(({ notice, reason }) => ({ ...notice, kind: KIND, channel, attempts, reason }));
      await messaging.keep(trx, kept, RETRY_MS);
      return true;
    });
    if (!isKept) {
      reading = null;
      report('telling payments outlasted its lease', { channel });
      return false;
    }
    for (const [chain, position] of moved) current.positions.set(chain, position);
    return true;
  }

  return {
    async run(stopping = NEVER) {
      while (!stopping.aborted) {
        reading = await prepare();
        if (!reading || !(await turn(reading, stopping))) break;
      }
      if (!reading) metrics.oldest = null;
    },
    async release() {
      if (!reading) return;
      const { lease } = reading;
      reading = null;
      await positions.release(lease);
    },
  };
}

interface Page {
  /** In the order in which they are told. */
  batches: readonly CommittedBatch[];
  movements: readonly CommittedMovement[];
  /** How many of the movements, from the first on, were told. */
  handled: number;
  failed: SentPage['failed'];
}

/** Of the batch after a position, some may have been told. */
function isTold({ positions }: Reading, { batch, place }: CommittedMovement): boolean {
  const position = positions.get(Math.floor(batch / 2 ** 32));
  return position !== undefined && batch === position.batch + 1 && place <= position.movement;
}

/** Batches are told one after the other: a batch is told once all of its movements are, and all batches before it. */
function positionsAfter({ batches, movements, handled }: Page): Map<number, Position> {
  const moved = new Map<number, Position>();
  let next = 0;
  for (const { batch, chain } of batches) {
    let last = '';
    while (next < handled && movements[next]?.batch === batch) last = movements[next++]?.place ?? '';
    if (movements[next]?.batch !== batch) {
      moved.set(chain, { batch, movement: '' });
      continue;
    }
    if (last !== '') moved.set(chain, { batch: batch - 1, movement: last });
    return moved;
  }
  return moved;
}
