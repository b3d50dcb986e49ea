// Which of several hosts takes writes: found by asking all of them, remembered until something speaks against it.
import type { Host } from './address.ts';

/** The timeline of a server that takes writes, in hexadecimal digits; null for one that only reads. */
export type Look = (host: Host) => Promise<string | null>;

export interface Leader {
  /** Where to connect. Throws when nobody takes writes. */
  find(): Promise<Host>;
  /** Something went wrong there: before the next connection, all are asked again. */
  doubt(host: Host): void;
  /** `leave` is called once another host leads; the returned function ends that. */
  follow(host: Host, leave: () => void): () => void;
}

export class NoLeader extends Error {
  readonly code = 'NO_LEADER';
  constructor() {
    super('None of the hosts of DATABASE_URL takes writes.');
  }
}

// While nobody leads, those who are about to are not kept busy with questions.
const FAILURE_KEPT_MS = 200;

type Sight = PromiseSettledResult<string | null>;

interface Follower {
  host: Host;
  leave(): void;
}

export function leaderAmong(hosts: readonly Host[], look: Look): Leader {
  const followers = new Set<Follower>();
  let known: Host | null = null;
  let highest = '';
  let searching: Promise<Host> | null = null;
  let failure: { error: unknown; at: number } | null = null;

  async function search(): Promise<Host> {
    try {
      const seen = await Promise.allSettled(hosts.map(look));
      const { host: found, timeline } = newest(hosts, seen, highest);
      known = found;
      highest = timeline;
      failure = null;
      // Whoever still talks to another host talks to one that was deposed, and may not know it.
      for (const { host, leave } of followers) if (host !== found) leave();
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
      if (failure && performance.now() - failure.at < FAILURE_KEPT_MS) throw failure.error;
      searching ??= search();
      return searching;
    },
    doubt(host) {
      if (known === host) known = null;
    },
    follow(host, leave) {
      const follower = { host, leave };
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/**
 * A leader that was cut off and replaced may go on to believe that it leads, and may be first in the list. Each promotion
 * begins a new timeline, so the one with the highest is the one that was made leader last; nobody goes back to a lower one.
 */
function newest(hosts: readonly Host[], seen: Sight[], highest: string): { host: Host; timeline: string } {
  let best: { host: Host; timeline: string } | null = null;
  for (const [index, sight] of seen.entries()) {
    const timeline = sight.status === 'fulfilled' ? sight.value : null;
    if (timeline === null || timeline < highest) continue;
    if (best === null || timeline > best.timeline) best = { host: hosts[index] as Host, timeline };
  }
  if (best) return best;
  throw reasonOf(seen);
}

/** What an operator can mend comes first: a wrong password rather than a host that is down. */
function reasonOf(seen: Sight[]): unknown {
  const reasons = seen.flatMap((sight) => (sight.status === 'rejected' ? [sight.reason as { code?: unknown }] : []));
  const refused = reasons.find(({ code }) => typeof code === 'string' && /^(28|3D|42)/.test(code));
  if (refused) return refused;
  return reasons.length === seen.length ? reasons[0] : new NoLeader();
}
