// Finds the host that accepts writes by asking all of them, and remembers it until a connection to it fails.
import type { Host } from './address.ts';

/** Returns the timeline of a server that accepts writes, in hexadecimal digits; null for a standby. */
export type Probe = (host: Host) => Promise<string | null>;

export interface Leader {
  /** The host to connect to. Rejects when no host accepts writes. */
  find(): Promise<Host>;
  /** Reports a failed connection: the next `find` probes all hosts again. */
  suspect(host: Host): void;
  /** Calls `disconnect` once another host leads. Returns the function that unsubscribes. */
  onChange(host: Host, disconnect: () => void): () => void;
}

export class NoLeader extends Error {
  readonly code = 'NO_LEADER';
  constructor() {
    super('None of the hosts of DATABASE_URL accepts writes.');
  }
}

// While there is no leader, the hosts are probed at most this often.
const FAILURE_CACHED_MS = 200;

type ProbeResult = PromiseSettledResult<string | null>;

interface Subscription {
  host: Host;
  disconnect(): void;
}

export function findLeaderAmong(hosts: readonly Host[], probe: Probe): Leader {
  const subscriptions = new Set<Subscription>();
  let known: Host | null = null;
  let highestTimeline = '';
  let searching: Promise<Host> | null = null;
  let failure: { error: unknown; at: number } | null = null;

  async function search(): Promise<Host> {
    try {
      const results = await Promise.allSettled(hosts.map(probe));
      const { host: found, timeline } = newestLeader(hosts, results, highestTimeline);
      known = found;
      highestTimeline = timeline;
      failure = null;
      // Connections to any other host are connections to a deposed leader, which may not know that it was deposed.
      for (const { host, disconnect } of subscriptions) if (host !== found) disconnect();
      return found;
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    } finally {
      searching = null;
    }
  }

  return {
    async find() {
      if (known) return known;
      if (failure && performance.now() - failure.at < FAILURE_CACHED_MS) throw failure.error;
      searching ??= search();
      return searching;
    },
    suspect(host) {
      if (known === host) known = null;
    },
    onChange(host, disconnect) {
      const subscription = { host, disconnect };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}

/**
 * A leader that was cut off and replaced may still accept writes, and may come first in the list. Every promotion starts a
 * new timeline, so the host with the highest timeline was promoted last. A lower timeline than one seen before is ignored.
 */
function newestLeader(hosts: readonly Host[], results: ProbeResult[], atLeast: string) {
  let newest: { host: Host; timeline: string } | null = null;
  for (const [index, result] of results.entries()) {
    const timeline = result.status === 'fulfilled' ? result.value : null;
    if (timeline === null || timeline < atLeast) continue;
    if (newest === null || timeline > newest.timeline) newest = { host: hosts[index] as Host, timeline };
  }
  if (newest) return newest;
  throw reasonOf(results);
}

/** Reports errors that an operator can fix first: a wrong password rather than an unreachable host. */
function reasonOf(results: ProbeResult[]): unknown {
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as { code?: unknown }] : [],
  );
  const refused = reasons.find(({ code }) => typeof code === 'string' && /^(28|3D|42)/.test(code));
  if (refused) return refused;
  return reasons.length === results.length ? reasons[0] : new NoLeader();
}
