// PINs of subscribers and agents: setting, ordered verification across gateways, locks after wrong attempts.
import { LRUCache } from 'lru-cache';
import { batchLoader } from '../../db/batch-loader.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { loader, type Read } from '../../db/keyed-lookup.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  evaluateAttempts,
  isLockedForDay,
  isOwnLocked,
  lockAt,
  ownLockAt,
  type PinState,
  type Verdict,
} from './attempts.ts';
import type { PinHasher } from './hasher.ts';
import { LastChanges } from './last-changes.ts';
import type { CurrentLock, OwnPinState, PinAttempt, PinOptions, PinOutcome, Pins } from './pin-types.ts';
import {
  clearFailures,
  hasVersion,
  PINS,
  PINS_BY_CARD,
  PINS_OF_SUBSCRIBERS,
  type PinChange,
  type PinRow,
  putPin,
  removeLock,
  replacePin,
  writePins,
} from './store.ts';

export type { PinAttempt, PinOptions, PinOutcome, Pins } from './pin-types.ts';

export interface PinsDependencies {
  database: Pick<Database, 'queries' | 'transact'> & { reader: Reader };
  hasher: PinHasher;
  clock: Clock;
  /** In the transaction that locks a PIN for the rest of the day. */
  onLockedForDay?(trx: DatabaseTransaction, ownerId: string): Promise<void>;
  /** A right PIN whose hash needs an old pepper. Must not delay the attempt. */
  onOldPepper?(row: PinRow, pin: string): void;
  /** In the transaction that locks the holder's own channels. */
  onOwnLocked?(trx: DatabaseTransaction, ownerId: string): Promise<void>;
}

interface Attempt extends PinOptions {
  ownerId: string;
  pin: string;
}

interface EvaluatedOwner {
  outcomes: PinOutcome[];
  change: PinChange | null;
  /** Whether this change locks the PIN for the rest of the day. */
  locksForDay: boolean;
  /** Whether it locks the holder's own channels. */
  locksOwn: boolean;
}

/**
 * Optimistic concurrency control. A batch's attempts are evaluated in order on the row as it was read. The
 * outcomes are returned only if the row could be updated from exactly that version; otherwise the attempts are
 * evaluated again on the new row. So no two evaluations that change the row start from the same state. An evaluation
 * that does not change the row (a right PIN without previous failures, or an active lock) writes nothing: it counts as
 * having happened at the time of the read.
 */
export function createPins({ database, hasher, clock, ...hooks }: PinsDependencies): Pins {
  const { queries, reader } = database;

  function evaluateOwner(row: PinRow, attempts: Attempt[]): EvaluatedOwner {
    const now = clock.now();
    const evaluated = evaluateAttempts(row, attempts, now, {
      matches: ({ ownerId, pin }) => hasher.matches(ownerId, pin, row),
      isOwnChannel: ({ own }) => own === true,
      isLate: ({ salt }) => salt !== undefined && !salt.equals(row.salt),
    });
    const right = evaluated.verdicts.findIndex(({ outcome }) => outcome === 'right');
    const rightPin = attempts[right]?.pin;
    if (rightPin !== undefined && hooks.onOldPepper && !hasher.isCurrent(row)) hooks.onOldPepper(row, rightPin);
    const changed = !sameState(row, evaluated.state);
    const version = changed ? row.version + 1 : row.version;
    return {
      outcomes: evaluated.verdicts.map((verdict) => outcomeOf(verdict, version)),
      change: changed ? { ownerId: row.ownerId, version: row.version, state: evaluated.state } : null,
      locksForDay: !isLockedForDay(row, now) && isLockedForDay(evaluated.state, now),
      locksOwn: !isOwnLocked(row) && isOwnLocked(evaluated.state),
    };
  }

  /** The holder is told, and loses the devices, in the transaction that locks the PIN. */
  async function write(evaluated: EvaluatedOwner[]): Promise<Set<string>> {
    const changes = evaluated.flatMap(({ change }) => change ?? []);
    const locking = evaluated.filter(({ locksForDay, locksOwn }) => locksForDay || locksOwn);
    if (locking.length === 0) return writePins(queries, changes);
    return database.transact(async (trx) => {
      const written = await writePins(trx, changes);
      for (const { change, locksForDay, locksOwn } of locking) {
        if (!change || !written.has(change.ownerId)) continue;
        if (locksForDay) await hooks.onLockedForDay?.(trx, change.ownerId);
        if (locksOwn) await hooks.onOwnLocked?.(trx, change.ownerId);
      }
      return written;
    });
  }

  /** Returns the outcomes by owner. Owners whose row changed concurrently are missing, and must be tried again. */
  async function tryVerify(open: Map<string, Attempt[]>): Promise<Map<string, PinOutcome[]>> {
    const rows = await PINS.fetch(reader, [...open.keys()]);
    const decided = new Map<string, PinOutcome[]>();
    const changed = new Map<string, EvaluatedOwner>();
    for (const [ownerId, attempts] of open) {
      const row = rows.get(ownerId);
      // If the row changes before it is written, and the PIN with it, the attempts were of the PIN before.
      for (const attempt of attempts) attempt.salt ??= row?.salt;
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
  /** A row that was read before its owner's last verification may be out of date. */
  const verified = new LastChanges(MAX_VERIFIED);

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

  async function verifyInOrder(ownerId: string, pin: string, options: PinOptions = {}): Promise<PinOutcome> {
    holdOwner(ownerId);
    try {
      const outcome = await verify({ ownerId, pin, ...options });
      if (outcome.outcome === 'right') uncounted?.delete(ownerId);
      return outcome;
    } finally {
      releaseOwner(ownerId);
      verified.add(ownerId);
    }
  }

  /**
   * A row that was read ahead decides only attempts that need no update. Any other attempt is verified in order, and
   * from then on no attempt for this owner is decided by an earlier read: of many concurrent guesses at most one is
   * evaluated ahead. If that attempt is never counted (the payment is a replay, or the wallet is blocked), its timing
   * may reveal whether the PIN was right. So no attempt for this owner is evaluated ahead again until a right PIN is
   * verified.
   */
  function attemptOn(read: Read<PinRow>, options: PinOptions = {}): PinAttempt {
    const begun = verified.count;
    let held: string | null = null;
    let ahead: PinRow | null = null;

    function end(): void {
      if (held !== null) releaseOwner(held);
      held = null;
    }

    return {
      read,
      isRight(pin, row) {
        if (!row) return false;
        const { ownerId } = row;
        ahead = row;
        if (verified.hasSince(ownerId, begun) || contested.has(ownerId) || uncounted?.has(ownerId)) return false;
        const { outcomes, change } = evaluateOwner(row, [{ ownerId, pin, ...options }]);
        if (!change) return outcomes[0]?.outcome === 'right';
        held = ownerId;
        holdOwner(held);
        uncounted ??= new LRUCache({ max: MAX_UNCOUNTED });
        uncounted.set(held, true);
        return false;
      },
      async verify(ownerId, pin) {
        const wasEvaluatedAhead = held === ownerId;
        const meant = ahead?.ownerId === ownerId ? { salt: ahead.salt, ...options } : options;
        const verifying = verifyInOrder(ownerId, pin, meant);
        end();
        const outcome = await verifying;
        if (wasEvaluatedAhead && outcome.outcome === 'wrong') uncounted?.delete(ownerId);
        return outcome;
      },
      end,
    };
  }

  const readOne = loader(reader, PINS);

  async function currentLock(ownerId: string): Promise<CurrentLock | null> {
    const row = await readOne(ownerId);
    const lock = row && (lockAt(row, clock.now()) ?? ownLockAt(row, clock.now()));
    return lock && { until: lock.until === null ? null : new Date(lock.until), reason: lock.reason };
  }

  async function ownState(ownerId: string): Promise<OwnPinState | null> {
    const row = await readOne(ownerId);
    return row && { salt: row.salt, isLocked: isOwnLocked(row) };
  }

  return {
    setPin: (trx, ownerId, pin) => putPin(trx, ownerId, hasher.make(ownerId, pin)),
    reset: clearFailures,
    unlock: (trx, ownerId) => removeLock(trx, ownerId, new Date(clock.now())),
    verify: verifyInOrder,
    attemptBySubscriber: (key, options) => attemptOn({ lookup: PINS_OF_SUBSCRIBERS, key }, options),
    attemptByCard: (key) => attemptOn({ lookup: PINS_BY_CARD, key }),
    // Equivalent to verifying again: the hash of this version matched, and the row is not locked.
    replace: (trx, ownerId, { version, pin, own = false }) =>
      replacePin(trx, { ownerId, version, pin: hasher.make(ownerId, pin), now: new Date(clock.now()), own }),
    holds: hasVersion,
    lock: currentLock,
    ownState,
  };
}

// A few megabytes. An attacker with more accounts than this to guess at gains nothing from the evicted ones.
const MAX_UNCOUNTED = 100_000;
/** More than are verified while a payment waits. */
const MAX_VERIFIED = 10_000;

function unknownOwner(attempts: Attempt[]): EvaluatedOwner {
  return { outcomes: attempts.map(() => ({ outcome: 'unknown' })), change: null, locksForDay: false, locksOwn: false };
}

function sameState(a: PinState, b: PinState): boolean {
  const fields = ['failures', 'lockedUntil', 'guesses', 'guessesUntil', 'ownFailures'] as const;
  return fields.every((field) => a[field] === b[field]);
}

function outcomeOf(verdict: Verdict, version: number): PinOutcome {
  switch (verdict.outcome) {
    case 'right':
      return { outcome: 'right', version };
    case 'wrong':
      return verdict;
    case 'locked':
      return { outcome: 'locked', lockedUntil: verdict.lockedUntil === null ? null : new Date(verdict.lockedUntil) };
  }
}
