// Audits events that a caller can repeat at will. The first is recorded at once; its repetitions within a minute are counted
// and recorded as one entry, because entries are never deleted and refused requests must not fill the log.
import type { Queries } from '../db/database.ts';
import { type Clock, iso, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import type { Actor, AuditEvent, AuditLog } from './log.ts';

export interface RepeatableEvent {
  /** Events with the same key are repetitions of each other. */
  key: string;
  actor: Actor;
  action: string;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  /** Details that all repetitions have in common. */
  details: Record<string, unknown>;
  /** A detail that differs. The first entry has it as `name`, the entry of the repetitions has a list under `listName`. */
  sample: { name: string; listName: string; value: string };
}

export interface RepeatedEvents {
  record(event: RepeatableEvent): Promise<void>;
  /** Records the repetitions of the minutes that have ended. */
  flush(): Promise<void>;
  /** Records all repetitions, before the gateway stops. */
  close(): Promise<void>;
}

export interface RepeatedEventsDependencies {
  audit: Pick<AuditLog, 'record'>;
  queries: Queries;
  clock: Clock;
  /** Called when an entry cannot be written. */
  onError(error: unknown, event: AuditEvent): void;
}

/** The events of one minute with the same key. */
interface Window {
  startedAt: number;
  /** Events after the first, which has its own entry. */
  repetitions: number;
  latest: RepeatableEvent;
  latestAt: number;
  samples: Set<string>;
  resourceIds: Set<string | undefined>;
}

/** Samples that a window keeps: enough to recognize the purpose of the attempts. */
const MAX_SAMPLES = 10;
const MAX_WINDOWS = 10_000;

export function createRepeatedEvents(dependencies: RepeatedEventsDependencies): RepeatedEvents {
  const { audit, queries, clock, onError } = dependencies;
  /** Removed from `windows` and not yet recorded. */
  let ended: Window[] = [];
  const windows = expiringCache<Window>({
    max: MAX_WINDOWS,
    ttlMs: MINUTE_MS,
    clock,
    onRemoved: (window) => ended.push(window),
  });

  /** A refusal is sent even if it cannot be recorded: the database may be unavailable. */
  async function write(actor: Actor, event: AuditEvent): Promise<void> {
    try {
      await audit.record(queries, actor, event);
    } catch (error) {
      onError(error, event);
    }
  }

  async function writeEnded(): Promise<void> {
    const repeated = ended.filter(({ repetitions }) => repetitions > 0);
    ended = [];
    await Promise.all(repeated.map((window) => write(window.latest.actor, repetitionsEvent(window))));
  }

  return {
    async record(event) {
      const window = windows.get(event.key);
      if (window) return addTo(window, event, clock.now());
      windows.set(event.key, newWindow(event, clock.now()));
      await writeEnded();
      await write(event.actor, firstEvent(event));
    },
    flush() {
      windows.purgeStale();
      return writeEnded();
    },
    close() {
      windows.clear();
      return writeEnded();
    },
  };
}

function newWindow(latest: RepeatableEvent, now: number): Window {
  return { startedAt: now, repetitions: 0, latest, latestAt: now, samples: new Set(), resourceIds: new Set() };
}

function addTo(window: Window, event: RepeatableEvent, now: number): void {
  window.repetitions += 1;
  window.latest = event;
  window.latestAt = now;
  if (window.samples.size < MAX_SAMPLES) window.samples.add(event.sample.value);
  if (window.resourceIds.size < MAX_SAMPLES) window.resourceIds.add(event.resourceId);
}

function firstEvent({ action, resourceType, resourceId, details, sample }: RepeatableEvent): AuditEvent {
  return { action, ...resourceOf(resourceType, resourceId), details: { [sample.name]: sample.value, ...details } };
}

/** Names the record only if all events were about the same one. */
function repetitionsEvent({ startedAt, repetitions, latest, latestAt, samples, resourceIds }: Window): AuditEvent {
  const [resourceId] = resourceIds.size === 1 ? resourceIds : [];
  const when = { since: iso(startedAt), until: iso(latestAt) };
  return {
    action: latest.action,
    ...resourceOf(latest.resourceType, resourceId),
    details: { ...latest.details, count: repetitions, ...when, [latest.sample.listName]: [...samples] },
  };
}

function resourceOf(resourceType: string | undefined, resourceId: string | undefined) {
  return {
    ...(resourceType === undefined ? {} : { resourceType }),
    ...(resourceId === undefined ? {} : { resourceId }),
  };
}
