// Reads from replicas that have replayed everything the primary had committed when the request arrived.
import { setTimeout as pause } from 'node:timers/promises';
import { onReplica } from '../../kernel/read-context.ts';
import { batchLoader, type Load } from '../batch-loader.ts';
import { integer, text } from '../driver/columns.ts';
import { lostConnection, sqlState } from '../driver/errors.ts';
import type { Reader } from '../driver/reader.ts';
import { statement } from '../driver/statement.ts';
import type { ReadTarget } from './read-target.ts';

export interface Replicas {
  /** Runs `work`, which only reads, on a replica that is up to date; otherwise, and after a failure there, on the primary. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** Requests so far, by where they read. */
  readonly counts: Readonly<ReplicaCounts>;
}

export interface Replica extends ReadTarget {
  /** Host and port. */
  name: string;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  replicas: Replica[];
  /** Reads from the primary. */
  primary: Reader;
  /** How long a request waits for a replica to catch up. */
  maxLagMs: number;
  /** Called when a replica is left, and when it is read from again. */
  onChange?: ((change: ReplicaChange) => void) | undefined;
  /** Monotonic, in milliseconds. */
  now?: () => number;
}

export interface ReplicaChange {
  /** Host and port of the replica. */
  server: string;
  outcome: ReadOutcome;
  reason?: string;
}

/** `lagging`: no replica caught up in time. `failed`: a replica did not answer or refused. Both were read from the primary. */
export const OUTCOMES = ['replica', 'lagging', 'failed'] as const;
type ReadOutcome = (typeof OUTCOMES)[number];
export type ReplicaCounts = Record<ReadOutcome, number>;

/** A replica that lagged or failed is not asked for this long. */
const AVOIDED_MS = 1_000;
const POLL_MS = 5;

/** A position in the WAL. After a failover it counts on in a new timeline. */
interface Position {
  lsn: string;
  timeline: number;
}

// What is acknowledged is flushed on the primary, so a replica that has replayed up to here shows it.
const FLUSHED = statement(
  'wal-flushed',
  // Names of WAL files begin with the timeline.
  `select lsn::text, ('x' || substr(pg_walfile_name(lsn), 1, 8))::bit(32)::int from pg_current_wal_flush_lsn() as lsn`,
  ([lsn, timeline]): Position => ({ lsn: text(lsn), timeline: integer(timeline) }),
);
// A standby that was not attached to the new primary after a failover may have replayed further than it, in the old timeline. The
// control file of a standby has its new timeline some minutes after it has followed, and pg_stat_wal_receiver at once, but shows
// it only to members of pg_read_all_stats. Until one of them has it, the standby is not read from.
const REPLAYED = statement(
  'wal-replayed',
  `select case when not pg_is_in_recovery() or $2::int > greatest(
        (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()),
        (select received_tli from pg_stat_wal_receiver)) then 'elsewhere'
      when pg_last_wal_replay_lsn() >= $1::pg_lsn then 'replayed' else 'behind' end`,
  ([state]) => text(state),
);

export function createReplicas(options: ReplicaOptions): Replicas {
  const { primary, maxLagMs, onChange = () => undefined, now = () => performance.now() } = options;
  const servers = options.replicas.map((replica) => new Server(replica, onChange));
  const counts: ReplicaCounts = { replica: 0, lagging: 0, failed: 0 };
  const flushed = flushedAt(primary);
  let turn = 0;

  function leave(server: Server, outcome: 'lagging' | 'failed', reason: string): void {
    server.leave(outcome, reason, now() + AVOIDED_MS);
    counts[outcome] += 1;
  }

  async function chooseServer(): Promise<Server | null> {
    const at = now();
    const usable = servers.filter(({ avoidedUntil }) => avoidedUntil <= at);
    const server = usable[turn++ % usable.length];
    if (!server) {
      counts[servers.every(({ outcome }) => outcome === 'failed') ? 'failed' : 'lagging'] += 1;
      return null;
    }
    const position = await flushed('now');
    const { outcome, reason } = await catchesUp(server.replica, position, maxLagMs).catch(failureOf);
    if (outcome === 'replica') return server;
    leave(server, outcome, reason);
    return null;
  }

  return {
    counts,
    async read(work) {
      const server = await chooseServer();
      if (!server) return work();
      const { timesLeft } = server;
      try {
        const result = await onReplica(server.replica, work);
        counts.replica += 1;
        // Another request may have left it since: this one began before that.
        if (timesLeft === server.timesLeft) server.isRead();
        return result;
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        leave(server, 'failed', failureOf(error).reason);
        return work();
      }
    },
  };
}

/** A replica, and whether it is in use. */
class Server {
  readonly replica: Replica;
  outcome: ReadOutcome = 'replica';
  avoidedUntil = 0;
  timesLeft = 0;
  private readonly onChange: (change: ReplicaChange) => void;

  constructor(replica: Replica, onChange: (change: ReplicaChange) => void) {
    this.replica = replica;
    this.onChange = onChange;
  }

  leave(outcome: 'lagging' | 'failed', reason: string, until: number): void {
    this.timesLeft += 1;
    this.avoidedUntil = until;
    this.change({ outcome, reason });
  }

  isRead(): void {
    this.change({ outcome: 'replica' });
  }

  private change(to: Omit<ReplicaChange, 'server'>): void {
    if (to.outcome === this.outcome) return;
    this.outcome = to.outcome;
    this.onChange({ server: this.replica.name, ...to });
  }
}

type Checked = { outcome: 'replica'; reason?: never } | { outcome: 'lagging' | 'failed'; reason: string };

function failureOf(error: unknown): { outcome: 'failed'; reason: string } {
  // An error for several addresses of a host has no message.
  const { message, code } = error as { message?: string; code?: string };
  return { outcome: 'failed', reason: message || code || String(error) };
}

/** Requests that arrive together share one look at the primary. */
function flushedAt(primary: Reader): Load<string, Position> {
  return batchLoader({
    async fetch(requests: string[]) {
      const [position] = await primary.run(FLUSHED);
      if (!position) throw new Error('the primary did not return its position');
      return requests.map(() => position);
    },
  });
}

async function catchesUp(replica: Replica, { lsn, timeline }: Position, maxLagMs: number): Promise<Checked> {
  const ended = new AbortController();
  // A replica that hangs is not waited for longer than one that lags.
  const timeout = pause(maxLagMs, 'late' as const, { signal: ended.signal, ref: false });
  timeout.catch(() => undefined);
  let hasAnswered = false;
  try {
    for (;;) {
      const answer = await Promise.race([replica.reader.run(REPLAYED, [lsn, timeline]), timeout]);
      if (answer === 'late')
        return hasAnswered
          ? { outcome: 'lagging', reason: `it did not catch up within ${maxLagMs} ms` }
          : { outcome: 'failed', reason: `it did not answer within ${maxLagMs} ms` };
      if (answer[0] === 'replayed') return { outcome: 'replica' };
      // A former replica that was promoted, or one in an earlier timeline, does not catch up.
      if (answer[0] === 'elsewhere')
        return { outcome: 'lagging', reason: 'it does not follow the primary in its timeline' };
      hasAnswered = true;
      await Promise.race([pause(POLL_MS), timeout]);
    }
  } finally {
    ended.abort();
  }
}

/**
 * SQLSTATE of failures that the primary does not have: the replica does not write (25006), refuses the login (28), had to cancel
 * the query to replay changes (40), or lacks connections, memory or disk space (53).
 */
const OF_REPLICA = /^(25006|28|40|53)/;

function isOfReplica(error: unknown): boolean {
  const state = sqlState(error);
  return (state !== null && OF_REPLICA.test(state)) || (error instanceof Error && lostConnection(error));
}
