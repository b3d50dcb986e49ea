// PINs of subscribers and agents: setting, ordered verification across gateways, locks after wrong attempts.
import { LRUCache } from 'lru-cache';
import { batchLoader } from '../../db/batch-loader.ts';
import type { Database, DatabaseTransaction, Queries } from '../../db/database.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PinHasher } from './attempts.ts';
import { evaluateAttempts, isLockedForDay, type LockReason, lockAt, type PinState, type Verdict } from './attempts.ts';
import {
  clearFailures,
  type PinChange,
  type PinRow,
  putPin,
  readPins,
  readPinsByCard,
  readSubscriberPins,
  removeLock,
  replacePin,
  writePins,
} from './store.ts';

export type PinOutcome =
  /** `version`: the row version the PIN was verified against, for replace(). */
  | { outcome: 'right'; version: number }
  | { outcome: 'wrong'; attemptsRemaining: number }
  | { outcome: 'locked'; lockedUntil: Date }
  /** The owner has no PIN. */
  | { outcome: 'unknown' };

export interface Pins {
  setPin(trx: Queries, ownerId: string, pin: string): Promise<void>;
  /** Resets the failure count and removes the lock. */
  reset(trx: Queries, ownerId: string): Promise<void>;
  /** Removes an active lock and resets the failure count. False if the PIN is not locked. */
  unlock(trx: Queries, ownerId: string): Promise<boolean>;
  verify(ownerId: string, pin: string): Promise<PinOutcome>;
  /**
   * In two steps: the row is read now, in parallel with other look-ups, and the PIN is verified later. The PIN of an agent
   * is never compared: a caller could otherwise guess it before the sender is known to be a subscriber.
   */
  attemptBySubscriber(subscriberId: string): PinAttempt;
  /** The same for the PIN of the subscriber who holds this card. */
  attemptByCard(serial: string): PinAttempt;
  /** Replaces the verified PIN. False if the row has changed since the verification, or is locked. */
  replace(trx: Queries, ownerId: string, change: { version: number; pin: string }): Promise<boolean>;
  /** Null if the PIN is not locked. */
  lock(ownerId: string): Promise<{ until: Date; reason: LockReason } | null>;
}

export interface PinAttempt {
  /** Resolves when the row has been read. */
  ready(): Promise<void>;
  /** Call after `ready`. Null if the card has no holder, or the holder has no PIN. */
  ownerId(): string | null;
  /**
   * Call after `ready`. True if the PIN is right and the row needs no update. False means undecided: call `verify`.
   * Until `end`, all other attempts for this owner are verified in order.
   */
  isRight(pin: string): boolean;
  verify(pin: string): Promise<PinOutcome>;
  /** Must be called after `isRight`, whatever the outcome. */
  end(): void;
}

export interface PinsDependencies {
  database: Pick<Database, 'queries' | 'transact'> & { reader: Reader };
  hasher: PinHasher;
  clock: Clock;
  /** In the transaction that locks a PIN for the rest of the day. */
  onLockedForDay?(trx: DatabaseTransaction, ownerId: string): Promise<void>;
}

interface Attempt {
  ownerId: string;
  pin: string;
}

interface EvaluatedOwner {
  outcomes: PinOutcome[];
  change: PinChange | null;
  /** Whether this change locks the PIN for the rest of the day. */
  locksForDay: boolean;
}

/**
 * Optimistic concurrency control. A batch's attempts are evaluated in order on the row as it was read. The
 * outcomes are returned only if the row could be updated from exactly that version; otherwise the attempts are
 * evaluated again on the new row. So no two evaluations that change the row start from the same state. An evaluation
 * that does not change the row (a right PIN without previous failures, or an active lock) writes nothing: it counts as
 * having happened at the time of the read.
 */
export function createPins({ database, hasher, clock, onLockedForDay }: PinsDependencies): Pins {
  const { queries, reader } = database;

  function evaluateOwner(row: PinRow, attempts: Attempt[]): EvaluatedOwner {
    const now = clock.now();
    const evaluated = evaluateAttempts(row, attempts, now, {
      matches: ({ ownerId, pin }) => hasher.matches(ownerId, pin, row),
    });
    const changed = !sameState(row, evaluated.state);
    const version = changed ? row.version + 1 : row.version;
    return {
      outcomes: evaluated.verdicts.map((verdict) => outcomeOf(verdict, version)),
      change: changed ? { ownerId: row.ownerId, version: row.version, state: evaluated.state } : null,
      locksForDay: !isLockedForDay(row, now) && isLockedForDay(evaluated.state, now),
    };
  }

  /** The holder is told in the transaction that locks the PIN. */
  async function write(evaluated: EvaluatedOwner[]): Promise<Set<string>> {
    const changes = evaluated.flatMap(({ change }) => change ?? []);
    const locking = evaluated.flatMap(({ change, locksForDay }) => (change && locksForDay ? change.ownerId : []));
    if (!onLockedForDay || locking.length === 0) return writePins(queries, changes);
    return database.transact(async (trx) => {
      const written = await writePins(trx, changes);
      for (const ownerId of locking) if (written.has(ownerId)) await onLockedForDay(trx, ownerId);
      return written;
    });
  }

  /** Returns the outcomes by owner. Owners whose row changed concurrently are missing, and must be tried again. */
  async function tryVerify(open: Map<string, Attempt[]>): Promise<Map<string, PinOutcome[]>> {
    const rows = await readPins(reader, [...open.keys()]);
    const decided = new Map<string, PinOutcome[]>();
    const changed = new Map<string, EvaluatedOwner>();
    for (const [ownerId, attempts] of open) {
      const row = rows.get(ownerId);
      const evaluated = row ? evaluateOwner(row, attempts) : unknownOwner(attempts);
      if (evaluated.change) changed.set(ownerId, evaluated);
      else decided.set(ownerId, evaluated.outcomes);
    }
    const written = await write([...changed.values()]);
    for (const [ownerId, { outcomes }] of changed) if (written.has(ownerId)) decided.set(ownerId, outcomes);
    return decided;
  }

  async function verifyAll(attempts: Attempt[]): Promise<PinOutcome[]> {
    const byOwner = Map.groupBy(attempts, (attempt) => attempt.ownerId);
    const outcomes = new Map<Attempt, PinOutcome>();
    // Terminates: whenever an update fails here, one succeeded on another gateway.
    while (byOwner.size > 0) {
      for (const [ownerId, settled] of await tryVerify(byOwner)) {
        const owned = byOwner.get(ownerId) ?? [];
        for (const [index, attempt] of owned.entries()) outcomes.set(attempt, settled[index] ?? { outcome: 'unknown' });
        byOwner.delete(ownerId);
      }
    }
    return attempts.map((attempt) => outcomes.get(attempt) ?? { outcome: 'unknown' });
  }

  const verify = batchLoader<Attempt, PinOutcome>({ fetch: verifyAll });
  /** Owners with attempts that may change their row, with the number of such attempts. */
  const contested = new Map<string, number>();
  /** Incremented after each verification. A row read before the latest increment may be out of date. */
  let changes = 0;

  function holdOwner(ownerId: string): void {
    contested.set(ownerId, (contested.get(ownerId) ?? 0) + 1);
  }

  function releaseOwner(ownerId: string): void {
    const others = (contested.get(ownerId) ?? 1) - 1;
    if (others > 0) contested.set(ownerId, others);
    else contested.delete(ownerId);
  }

  // Made when it is needed: it reserves memory for all its entries.
  let uncounted: LRUCache<string, true> | undefined;

  async function verifyInOrder(ownerId: string, pin: string): Promise<PinOutcome> {
    holdOwner(ownerId);
    try {
      const verified = await verify({ ownerId, pin });
      if (verified.outcome === 'right') uncounted?.delete(ownerId);
      return verified;
    } finally {
      releaseOwner(ownerId);
      changes += 1;
    }
  }

  /**
   * A row that was read ahead decides only attempts that need no update. Any other attempt is verified in order, and
   * from then on no attempt for this owner is decided by an earlier read: of many concurrent guesses at most one is
   * evaluated ahead. If that attempt is never counted (the payment is a replay, or the wallet is blocked), its timing
   * may reveal whether the PIN was right. So no attempt for this owner is evaluated ahead again until a right PIN is
   * verified.
   */
  function attemptOn(reading: Promise<PinRow | undefined>, knownOwnerId: string | null): PinAttempt {
    const changesAtRead = changes;
    let row: PinRow | undefined;
    let held: string | null = null;
    const ready = reading.then((found) => {
      row = found;
    });
    ready.catch(() => undefined);
    const ownerId = () => knownOwnerId ?? row?.ownerId ?? null;

    function evaluateAhead(pin: string): PinOutcome | null {
      if (!row || changesAtRead !== changes || contested.has(row.ownerId) || uncounted?.has(row.ownerId)) return null;
      const { outcomes, change } = evaluateOwner(row, [{ ownerId: row.ownerId, pin }]);
      if (!change) return outcomes[0] ?? null;
      held = row.ownerId;
      holdOwner(held);
      uncounted ??= new LRUCache({ max: MAX_UNCOUNTED });
      uncounted.set(held, true);
      return null;
    }

    function end(): void {
      if (held !== null) releaseOwner(held);
      held = null;
    }

    return {
      ready: () => ready,
      ownerId,
      isRight: (pin) => evaluateAhead(pin)?.outcome === 'right',
      async verify(pin) {
        await ready;
        const outcome = evaluateAhead(pin);
        if (outcome) return outcome;
        const owner = ownerId();
        if (owner === null) return { outcome: 'unknown' };
        const wasEvaluatedAhead = held !== null;
        const verifying = verifyInOrder(owner, pin);
        end();
        const verified = await verifying;
        if (wasEvaluatedAhead && verified.outcome === 'wrong') uncounted?.delete(owner);
        return verified;
      },
      end,
    };
  }

  const readOne = batchLoader<string, PinRow | undefined>({
    async fetch(ownerIds) {
      const rows = await readPins(reader, [...new Set(ownerIds)]);
      return ownerIds.map((ownerId) => rows.get(ownerId));
    },
  });

  const readOfSubscriber = batchLoader<string, PinRow | undefined>({
    async fetch(ids) {
      const rows = await readSubscriberPins(reader, [...new Set(ids)]);
      return ids.map((id) => rows.get(id));
    },
  });

  const readByCard = batchLoader<string, PinRow | undefined>({
    async fetch(serials) {
      const rows = await readPinsByCard(reader, [...new Set(serials)]);
      return serials.map((serial) => rows.get(serial));
    },
  });

  return {
    setPin: (trx, ownerId, pin) => putPin(trx, ownerId, hasher.make(ownerId, pin)),
    reset: clearFailures,
    unlock: (trx, ownerId) => removeLock(trx, ownerId, new Date(clock.now())),
    verify: verifyInOrder,
    attemptBySubscriber: (ownerId) => attemptOn(readOfSubscriber(ownerId), ownerId),
    attemptByCard: (serial) => attemptOn(readByCard(serial), null),
    // Equivalent to verifying again: the hash of this version matched, and the row is not locked.
    replace: (trx, ownerId, { version, pin }) =>
      replacePin(trx, { ownerId, version, pin: hasher.make(ownerId, pin), now: new Date(clock.now()) }),
    async lock(ownerId) {
      const row = await readOne(ownerId);
      const lock = row ? lockAt(row, clock.now()) : null;
      return lock && { until: new Date(lock.until), reason: lock.reason };
    },
  };
}

// A few megabytes. An attacker with more accounts than this to guess at gains nothing from the evicted ones.
const MAX_UNCOUNTED = 100_000;

function unknownOwner(attempts: Attempt[]): EvaluatedOwner {
  return { outcomes: attempts.map(() => ({ outcome: 'unknown' })), change: null, locksForDay: false };
}

function sameState(a: PinState, b: PinState): boolean {
  const fields = ['failures', 'lockedUntil', 'guesses', 'guessesUntil'] as const;
  return fields.every((field) => a[field] === b[field]);
}

function outcomeOf(verdict: Verdict, version: number): PinOutcome {
  switch (verdict.outcome) {
    case 'right':
      return { outcome: 'right', version };
    case 'wrong':
      return verdict;
    case 'locked':
      return { outcome: 'locked', lockedUntil: new Date(verdict.lockedUntil) };
  }
}
