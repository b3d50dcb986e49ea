// PINs of subscribers and agents: set, verified one attempt after another on any number of gateways, locked after three.
import { LRUCache } from 'lru-cache';
import { batchLoader } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PinHasher } from './attempts.ts';
import { isLocked, judge, type PinState, type Verdict } from './attempts.ts';
import {
  clearFailures,
  type PinChange,
  type PinRow,
  putPin,
  readPins,
  readPinsByCard,
  replacePin,
  writePins,
} from './store.ts';

export type PinOutcome =
  /** `version` is what the PIN was verified on: replace() wants it. */
  | { outcome: 'right'; version: number }
  | { outcome: 'wrong'; attemptsRemaining: number }
  | { outcome: 'locked'; lockedUntil: Date }
  /** The owner has no PIN. */
  | { outcome: 'unknown' };

export interface Pins {
  setPin(trx: Queries, ownerId: string, pin: string): Promise<void>;
  /** The counter at 0 and the lock gone. */
  reset(trx: Queries, ownerId: string): Promise<void>;
  verify(ownerId: string, pin: string): Promise<PinOutcome>;
  /** The same in two steps: what is needed is read now, among other look-ups, and the attempt is made when its turn comes. */
  attempt(ownerId: string): PinAttempt;
  /** At the PIN of whoever holds the card of this serial. */
  attemptByCard(serial: string): PinAttempt;
  /** Sets a new PIN over the one that was verified; false when the row has changed since, or was locked. */
  replace(trx: Queries, ownerId: string, change: { version: number; pin: string }): Promise<boolean>;
  /** Null: not locked now. */
  lockedUntil(ownerId: string): Promise<Date | null>;
}

export interface PinAttempt {
  /** When what is needed has been read. */
  ready(): Promise<void>;
  /** Once it is ready: whose PIN it is at. Null: of a card that nobody holds, or nobody who has a PIN. */
  ownerId(): string | null;
  /**
   * Once it is ready: whether the PIN is right and nothing needs to be written about that. Otherwise nothing is decided
   * yet, and until `end` nobody else's attempt at this owner is judged but in its turn.
   */
  isRight(pin: string): boolean;
  verify(pin: string): Promise<PinOutcome>;
  /** Whoever asked `isRight` says when they are through, whatever came of it. */
  end(): void;
}

export interface PinsDependencies {
  queries: Queries;
  reader: Reader;
  hasher: PinHasher;
  clock: Clock;
}

interface Attempt {
  ownerId: string;
  pin: string;
}

interface JudgedOwner {
  outcomes: PinOutcome[];
  change: PinChange | null;
}

/**
 * Why no lock is needed: attempts count in the order in which their rows are written. A judgement is made on the
 * row as it was read, all attempts of the batch in turn, and its outcomes leave this file only if the row could be
 * written over exactly that version: so no two judgements ever start from the same state, and whoever lost the race
 * is judged again on what the winner left. A judgement that leaves the row as it was (a right PIN and no failures, a
 * lock that stands) writes nothing: it took place at the instant of the read, before whatever changes the row next.
 */
export function createPins({ queries, reader, hasher, clock }: PinsDependencies): Pins {
  function judgeOwner(row: PinRow, attempts: Attempt[]): JudgedOwner {
    const judged = judge(row, attempts, clock.now(), ({ ownerId, pin }) => hasher.matches(ownerId, pin, row));
    const changed = !sameState(row, judged.state);
    const version = changed ? row.version + 1 : row.version;
    return {
      outcomes: judged.verdicts.map((verdict) => outcomeOf(verdict, version)),
      change: changed ? { ownerId: row.ownerId, version: row.version, state: judged.state } : null,
    };
  }

  /** One round: what was settled in it, by owner. Owners that are missing lost the race for their row. */
  async function round(open: Map<string, Attempt[]>): Promise<Map<string, PinOutcome[]>> {
    const rows = await readPins(reader, [...open.keys()]);
    const settled = new Map<string, PinOutcome[]>();
    const waiting = new Map<string, JudgedOwner>();
    for (const [ownerId, attempts] of open) {
      const row = rows.get(ownerId);
      const judged = row ? judgeOwner(row, attempts) : unknownOwner(attempts);
      if (judged.change) waiting.set(ownerId, judged);
      else settled.set(ownerId, judged.outcomes);
    }
    const written = await writePins(
      queries,
      [...waiting.values()].flatMap(({ change }) => change ?? []),
    );
    for (const [ownerId, { outcomes }] of waiting) if (written.has(ownerId)) settled.set(ownerId, outcomes);
    return settled;
  }

  async function verifyAll(attempts: Attempt[]): Promise<PinOutcome[]> {
    const byOwner = Map.groupBy(attempts, (attempt) => attempt.ownerId);
    const outcomes = new Map<Attempt, PinOutcome>();
    // Each round that an owner loses is one that another gateway won, so this comes to an end.
    while (byOwner.size > 0) {
      for (const [ownerId, settled] of await round(byOwner)) {
        const owned = byOwner.get(ownerId) ?? [];
        for (const [index, attempt] of owned.entries()) outcomes.set(attempt, settled[index] ?? { outcome: 'unknown' });
        byOwner.delete(ownerId);
      }
    }
    return attempts.map((attempt) => outcomes.get(attempt) ?? { outcome: 'unknown' });
  }

  const verify = batchLoader<Attempt, PinOutcome>({ fetch: verifyAll });
  /** Owners with attempts that change their row, and how often that has happened to any: what was read before is old. */
  const contested = new Map<string, number>();
  let changes = 0;

  function hold(ownerId: string): void {
    contested.set(ownerId, (contested.get(ownerId) ?? 0) + 1);
  }

  function letGo(ownerId: string): void {
    const others = (contested.get(ownerId) ?? 1) - 1;
    if (others > 0) contested.set(ownerId, others);
    else contested.delete(ownerId);
  }

  const uncounted = new LRUCache<string, true>({ max: MAX_UNCOUNTED });

  async function inTurn(ownerId: string, pin: string): Promise<PinOutcome> {
    hold(ownerId);
    try {
      const judged = await verify({ ownerId, pin });
      if (judged.outcome === 'right') uncounted.delete(ownerId);
      return judged;
    } finally {
      letGo(ownerId);
      changes += 1;
    }
  }

  /**
   * A row that was read ahead decides only what needs no writing. An attempt that would count joins the queue, and from that
   * moment on nobody is judged by an earlier reading: so of many guesses at once, one is judged ahead at most. Where that
   * one comes to nothing that counts (the payment was made before, or its wallet is blocked), the time it took may have told
   * whether it was right: nobody is judged ahead again at this owner until a right PIN was.
   */
  function attemptOn(reading: Promise<PinRow | undefined>, named: string | null): PinAttempt {
    const seen = changes;
    let row: PinRow | undefined;
    let held: string | null = null;
    const ready = reading.then((found) => {
      row = found;
    });
    ready.catch(() => undefined);
    const ownerId = () => named ?? row?.ownerId ?? null;

    function judgedAhead(pin: string): PinOutcome | null {
      if (!row || seen !== changes || contested.has(row.ownerId) || uncounted.has(row.ownerId)) return null;
      const { outcomes, change } = judgeOwner(row, [{ ownerId: row.ownerId, pin }]);
      if (!change) return outcomes[0] ?? null;
      held = row.ownerId;
      hold(held);
      uncounted.set(held, true);
      return null;
    }

    function end(): void {
      if (held !== null) letGo(held);
      held = null;
    }

    return {
      ready: () => ready,
      ownerId,
      isRight: (pin) => judgedAhead(pin)?.outcome === 'right',
      async verify(pin) {
        await ready;
        const outcome = judgedAhead(pin);
        if (outcome) return outcome;
        const owner = ownerId();
        if (owner === null) return { outcome: 'unknown' };
        const wasJudged = held !== null;
        const judging = inTurn(owner, pin);
        end();
        const judged = await judging;
        if (wasJudged && judged.outcome === 'wrong') uncounted.delete(owner);
        return judged;
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

  const readByCard = batchLoader<string, PinRow | undefined>({
    async fetch(serials) {
      const rows = await readPinsByCard(reader, [...new Set(serials)]);
      return serials.map((serial) => rows.get(serial));
    },
  });

  return {
    setPin: (trx, ownerId, pin) => putPin(trx, ownerId, hasher.make(ownerId, pin)),
    reset: clearFailures,
    verify: inTurn,
    attempt: (ownerId) => attemptOn(readOne(ownerId), ownerId),
    attemptByCard: (serial) => attemptOn(readByCard(serial), null),
    // As good as verifying again at this instant: the hash of that version matched, and it is not locked.
    replace: (trx, ownerId, { version, pin }) =>
      replacePin(trx, { ownerId, version, pin: hasher.make(ownerId, pin), now: new Date(clock.now()) }),
    async lockedUntil(ownerId) {
      const row = await readOne(ownerId);
      return row?.lockedUntil && isLocked(row, clock.now()) ? new Date(row.lockedUntil) : null;
    },
  };
}

// A few megabytes. An attacker with more accounts than this to guess at gains nothing from the evicted ones.
const MAX_UNCOUNTED = 100_000;

function unknownOwner(attempts: Attempt[]): JudgedOwner {
  return { outcomes: attempts.map(() => ({ outcome: 'unknown' })), change: null };
}

function sameState(a: PinState, b: PinState): boolean {
  return a.failures === b.failures && a.lockedUntil === b.lockedUntil;
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
