// Drains the outbox: claims what is due as far as there is room, attempts it, records what came of it, and goes on.
import { randomUUID } from 'node:crypto';
import { batchLoader } from '../db/batch.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import type { Attempt, MakeAttempt } from './attempt.ts';
import { countAttempt, type WebhookFigures } from './figures.ts';
import type { Claim, Claimed, Outbox, Result } from './outbox.ts';
import { afterAttempt } from './schedule.ts';
import { beginningAfter, type Limits, shareOut } from './shares.ts';
import { ATTEMPT_TIMEOUT_MS, BrokenOff } from './transport.ts';

export interface WorkerParts {
  outbox: Outbox;
  attempt: MakeAttempt;
  clock: Clock;
  figures: WebhookFigures;
  limits?: Limits;
  /** What an operator should know of. */
  report(message: string, details: Record<string, unknown>): void;
}

export interface Worker {
  /** Begins whatever is due and finds room; resolves when nothing more can be begun, rejects when the database is gone. */
  deliver(): Promise<void>;
  /** The same, without waiting: for who has just committed an event. The next round makes up for one that fails. */
  wake(): void;
  /** Resolves when no attempt is under way. */
  settled(): Promise<void>;
  /** Begins nothing more, and gives back what is broken off from now on. */
  stop(): void;
}

const LIMITS: Limits = { total: 512, perPartner: 32 };

/**
 * How long a claim is nobody else's. An attempt and the writing down of it take far less; the rest is for clocks that
 * differ between gateways. What a killed gateway held is taken up by another after this.
 */
export const LEASE_MS = 60 * SECOND_MS;
// Later than this after the claim nothing is sent, since the attempt might outlast the lease: the process stood still.
const BEGIN_WITHIN_MS = LEASE_MS - 2 * ATTEMPT_TIMEOUT_MS;
// Before the database is tried again.
const PAUSE_MS = SECOND_MS / 2;
// From the beginning of one round to that of the next: what is committed or ends meanwhile goes together, so that a stream
// of credits does not become a stream of claims.
const BETWEEN_ROUNDS_MS = 5;

export function createWorker({ outbox, attempt, clock, figures, limits = LIMITS, report }: WorkerParts): Worker {
  const held = new Map<string, number>();
  const record = batchLoader<Result, boolean>({ fetch: (results) => outbox.record(results) });
  let stopped = false;
  let again = false;
  let rounds: Promise<void> | null = null;
  let lastServed = '';
  let waiting: (() => void)[] = [];

  async function deliver(): Promise<void> {
    again = true;
    rounds ??= roundsWhileDue().finally(() => {
      rounds = null;
      // Asked for in the moment in which the last round was ending.
      if (again) wake();
      tellSettled();
    });
    return rounds;
  }

  /** One round after another, never two at once: what ends meanwhile makes room for the next. */
  async function roundsWhileDue(): Promise<void> {
    for (let begun = 0; again && !stopped; ) {
      await pause(begun + BETWEEN_ROUNDS_MS - performance.now());
      again = false;
      begun = performance.now();
      const { claimed, deferred } = await claim();
      if (claimed.length + deferred > 0) again = true;
      for (const delivery of claimed) void carryOut(delivery, begun);
    }
  }

  async function claim(): Promise<Claim> {
    const now = clock.now();
    const due = await outbox.duePartners(new Date(now));
    const shares = shareOut(beginningAfter(lastServed, due), held, limits);
    if (shares.size === 0) return { claimed: [], deferred: 0 };
    lastServed = [...shares.keys()].at(-1) ?? '';
    return outbox.claim(shares, { lease: randomUUID(), now: new Date(now), until: new Date(now + LEASE_MS) });
  }

  async function carryOut(claimed: Claimed, claimedAt: number): Promise<void> {
    const { partnerId } = claimed;
    held.set(partnerId, (held.get(partnerId) ?? 0) + 1);
    try {
      if (stopped) throw new BrokenOff();
      const made = await attempt(claimed, claimedAt + BEGIN_WITHIN_MS);
      await conclude(resultOf(claimed, made), claimedAt + LEASE_MS);
    } catch (error) {
      if (!(error instanceof BrokenOff)) await afterFault(claimed, error);
      // If even this fails, the lease runs out.
      await outbox.release(claimed).catch(() => undefined);
    }
    letGo(partnerId);
  }

  /** The database could not say where it goes, or take what came of it; at once it could not either. */
  async function afterFault({ id }: Claimed, error: unknown): Promise<void> {
    report('a webhook was not attempted, or its attempt not recorded', { delivery: id, error });
    if (!stopped) await pause(PAUSE_MS);
  }

  async function conclude(result: Result, leaseEnd: number): Promise<void> {
    const recorded = await patiently(() => record(result), leaseEnd);
    if (recorded) countAttempt(figures, result);
    if (!recorded) report('an attempt outlasted its lease', { delivery: result.id, number: result.number });
    else if (result.status === 'abandoned') report('a webhook was abandoned', { delivery: result.id });
  }

  /** The answer of a receiver is not given up because the database is away for a moment. */
  async function patiently<T>(write: () => Promise<T>, until: number): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (stopped || performance.now() > until) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  function letGo(partnerId: string): void {
    const left = (held.get(partnerId) ?? 1) - 1;
    if (left > 0) held.set(partnerId, left);
    else held.delete(partnerId);
    wake();
    tellSettled();
  }

  function wake(): void {
    if (!stopped) deliver().catch(() => undefined);
  }

  function tellSettled(): void {
    if (held.size > 0 || rounds !== null) return;
    for (const tell of waiting) tell();
    waiting = [];
  }

  return {
    deliver,
    wake,
    settled() {
      if (held.size === 0 && rounds === null) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    stop() {
      stopped = true;
    },
  };
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

function resultOf({ id, lease, attempts, step }: Claimed, { at, durationMs, status, error }: Attempt): Result {
  const next = afterAttempt({ step, at, acknowledged: error === null });
  const ended = next.nextAt === null;
  return {
    id,
    lease,
    number: attempts + 1,
    at: new Date(at),
    durationMs,
    httpStatus: status,
    error,
    status: next.status,
    step: next.step,
    nextAt: next.nextAt === null ? null : new Date(next.nextAt),
    finishedAt: ended ? new Date(at) : null,
  };
}
