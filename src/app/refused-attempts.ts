// Records refused attempts of staff in the audit log. The first is recorded at once; repetitions within a minute are counted
// and recorded as one entry, because entries are never deleted and refused requests must not fill the log.
import type { Actor, AuditEvent, AuditLog } from '../audit/log.ts';
import type { Queries } from '../db/database.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import type { RefusedAttempt } from '../http/route-handler.ts';
import { type Clock, iso, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';

export interface RefusedAttempts {
  record(attempt: RefusedAttempt): Promise<void>;
  /** Records the repetitions of the minutes that have ended. */
  flush(): Promise<void>;
  /** Records all repetitions, before the gateway stops. */
  close(): Promise<void>;
}

export interface RefusedAttemptsDependencies {
  audit: AuditLog;
  queries: Queries;
  clock: Clock;
  logger: Logger;
}

/** The attempts of one minute that have the same actor, action and refusal code. */
interface Window {
  startedAt: number;
  /** Attempts after the first, which has its own entry. */
  repetitions: number;
  latest: Attempt;
  latestAt: number;
  paths: Set<string>;
  resourceIds: Set<string | undefined>;
}

interface Attempt {
  actor: Actor;
  action: string;
  path: string;
  resourceType: string;
  resourceId: string | undefined;
  /** Attempts at different records are counted separately. */
  perResource: boolean;
  code: string;
  status: number;
}

/** Paths, and ids of records, that a window keeps: enough to recognize the purpose of the attempts. */
const MAX_SAMPLES = 10;
const MAX_WINDOWS = 10_000;

export function createRefusedAttempts(dependencies: RefusedAttemptsDependencies): RefusedAttempts {
  const { audit, queries, clock, logger } = dependencies;
  /** Removed from `windows` and not yet recorded. */
  let ended: Window[] = [];
  const windows = expiringCache<Window>({
    max: MAX_WINDOWS,
    ttlMs: MINUTE_MS,
    clock,
    onRemoved: (window) => ended.push(window),
  });

  /** The refusal is sent even if it cannot be recorded: the database may be unavailable. */
  async function write(actor: Actor, event: AuditEvent): Promise<void> {
    try {
      await audit.record(queries, actor, event);
    } catch (error) {
      const { action, details } = event;
      logger.error({ err: loggableError(error), action, details }, 'a refused attempt could not be recorded');
    }
  }

  async function writeEnded(): Promise<void> {
    const repeated = ended.filter(({ repetitions }) => repetitions > 0);
    ended = [];
    await Promise.all(repeated.map((window) => write(window.latest.actor, repetitionsEvent(window))));
  }

  async function record(refused: RefusedAttempt): Promise<void> {
    const attempt = attemptOf(refused);
    const { actor, action, code, perResource, resourceId } = attempt;
    const windowKey = JSON.stringify([actor.caller.id, action, code, ...(perResource ? [resourceId] : [])]);
    const window = windows.get(windowKey);
    if (window) return addTo(window, attempt, clock.now());
    windows.set(windowKey, newWindow(attempt, clock.now()));
    await writeEnded();
    await write(actor, firstAttemptEvent(attempt));
  }

  return {
    record,
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

function attemptOf({ call, action, target, refusal, resource }: RefusedAttempt): Attempt {
  // The record that the path names.
  const [pathId] = Object.values((call.params ?? {}) as Record<string, string>);
  const { caller, ip, requestId } = call;
  const path = target.split('?', 1)[0] ?? target;
  return {
    actor: { caller, ip, requestId },
    action,
    path,
    resourceType: resource?.type ?? action.split('.', 1)[0] ?? action,
    resourceId: resource?.id ?? pathId,
    perResource: resource !== undefined,
    code: refusal.code,
    status: refusal.status,
  };
}

function newWindow(latest: Attempt, now: number): Window {
  return { startedAt: now, repetitions: 0, latest, latestAt: now, paths: new Set(), resourceIds: new Set() };
}

function addTo(window: Window, attempt: Attempt, now: number): void {
  window.repetitions += 1;
  window.latest = attempt;
  window.latestAt = now;
  if (window.paths.size < MAX_SAMPLES) window.paths.add(attempt.path);
  if (window.resourceIds.size < MAX_SAMPLES) window.resourceIds.add(attempt.resourceId);
}

function eventFields({ action, resourceType }: Attempt, resourceId: string | undefined) {
  return { action: `${action}.refused`, resourceType, ...(resourceId === undefined ? {} : { resourceId }) };
}

function firstAttemptEvent(attempt: Attempt): AuditEvent {
  const { path, code, status, resourceId } = attempt;
  return { ...eventFields(attempt, resourceId), details: { path, code, status } };
}

/** Names the record only if all attempts were at the same one. */
function repetitionsEvent({ startedAt, repetitions, latest, latestAt, paths, resourceIds }: Window): AuditEvent {
  const [resourceId] = resourceIds.size === 1 ? resourceIds : [];
  const { code, status } = latest;
  const when = { since: iso(startedAt), until: iso(latestAt) };
  return {
    ...eventFields(latest, resourceId),
    details: { code, status, count: repetitions, ...when, paths: [...paths] },
  };
}
