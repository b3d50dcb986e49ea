// What staff attempted and were refused, for the audit log: the first at once, and how many more of the same came within a
// minute. The log is kept for ever, and nobody may fill it by being refused.
import type { Actor, AuditEvent, AuditLog } from '../audit/log.ts';
import type { Queries } from '../db/database.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import type { RefusedAttempt } from '../http/route-handler.ts';
import { type Clock, iso, MINUTE_MS } from '../kernel/clock.ts';

export interface RefusedAttempts {
  record(attempt: RefusedAttempt): Promise<void>;
  /** Writes down how many more there were, of the minutes that are over. */
  flush(): Promise<void>;
  /** The same of those under way, before the gateway stops. */
  close(): Promise<void>;
}

export interface RefusedAttemptsDependencies {
  audit: AuditLog;
  queries: Queries;
  clock: Clock;
  logger: Logger;
}

/** Attempts by one actor at one action that were refused with one code. */
interface Window {
  startedAt: number;
  /** Those after the first, which has an entry of its own. */
  more: number;
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
  /** Attempts at one record are counted apart from those at another. */
  watched: boolean;
  code: string;
  status: number;
}

/** Enough to see what somebody was after. */
const PATHS_NAMED = 10;

export function createRefusedAttempts(dependencies: RefusedAttemptsDependencies): RefusedAttempts {
  const { audit, queries, clock, logger } = dependencies;
  const windows = new Map<string, Window>();

  /** A refusal is answered even when it cannot be recorded: the database may be what is broken. */
  async function write(actor: Actor, event: AuditEvent): Promise<void> {
    try {
      await audit.record(queries, actor, event);
    } catch (error) {
      const { action, details } = event;
      logger.error({ err: loggableError(error), action, details }, 'a refused attempt could not be recorded');
    }
  }

  async function writeMore(window: Window | undefined): Promise<void> {
    if (window && window.more > 0) await write(window.latest.actor, moreOf(window));
  }

  async function record(refused: RefusedAttempt): Promise<void> {
    const attempt = attemptOf(refused);
    const { actor, action, code, watched, resourceId } = attempt;
    const name = JSON.stringify([actor.caller.id, action, code, ...(watched ? [resourceId] : [])]);
    const known = windows.get(name);
    const now = clock.now();
    if (known && known.startedAt + MINUTE_MS > now) return addTo(known, attempt, now);
    windows.set(name, newWindow(attempt, now));
    await writeMore(known);
    await write(attempt.actor, { ...about(attempt, attempt.resourceId), details: detailsOf(attempt) });
  }

  async function flush(isOver: (window: Window) => boolean): Promise<void> {
    const over = [...windows].filter(([, window]) => isOver(window));
    for (const [name] of over) windows.delete(name);
    await Promise.all(over.map(([, window]) => writeMore(window)));
  }

  return {
    record,
    flush: () => flush(({ startedAt }) => startedAt + MINUTE_MS <= clock.now()),
    close: () => flush(() => true),
  };
}

function attemptOf({ call, action, target, refusal, resource }: RefusedAttempt): Attempt {
  // What the attempt was aimed at: the record that the path names.
  const [named] = Object.values((call.params ?? {}) as Record<string, string>);
  const { caller, ip, requestId } = call;
  const path = target.split('?', 1)[0] ?? target;
  return {
    actor: { caller, ip, requestId },
    action,
    path,
    resourceType: resource?.type ?? action.split('.', 1)[0] ?? action,
    resourceId: resource?.id ?? named,
    watched: resource !== undefined,
    code: refusal.code,
    status: refusal.status,
  };
}

function newWindow(latest: Attempt, now: number): Window {
  return { startedAt: now, more: 0, latest, latestAt: now, paths: new Set(), resourceIds: new Set() };
}

function addTo(window: Window, attempt: Attempt, now: number): void {
  window.more += 1;
  window.latest = attempt;
  window.latestAt = now;
  if (window.paths.size < PATHS_NAMED) window.paths.add(attempt.path);
  if (window.resourceIds.size < PATHS_NAMED) window.resourceIds.add(attempt.resourceId);
}

function about({ action, resourceType }: Attempt, resourceId: string | undefined) {
  return { action: `${action}.refused`, resourceType, ...(resourceId === undefined ? {} : { resourceId }) };
}

function detailsOf({ path, code, status }: Attempt) {
  return { path, code, status };
}

/** Of one record where all were aimed at the same. */
function moreOf({ startedAt, more, latest, latestAt, paths, resourceIds }: Window): AuditEvent {
  const [resourceId] = resourceIds.size === 1 ? resourceIds : [];
  const { code, status } = latest;
  const when = { since: iso(startedAt), until: iso(latestAt) };
  return { ...about(latest, resourceId), details: { code, status, count: more, ...when, paths: [...paths] } };
}
