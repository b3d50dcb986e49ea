// Counts the PINs that merchants and agents send on a UTC day, and reports those of whom many are wrong.
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import type { Caller } from '../caller.ts';

/** Where a PIN was entered. */
export interface PinParty {
  kind: 'processor' | 'agent';
  id: string;
}

export interface SentPins extends PinParty {
  wrong: number;
  right: number;
  /** The start of the UTC day. */
  day: number;
}

export interface GuessWatch {
  /** In memory: a payment with a right PIN waits for nothing. */
  countRight(party: PinParty | null): void;
  countWrong(party: PinParty | null): Promise<void>;
  /** Adds the right PINs to the shared counts. */
  share(): Promise<void>;
}

export interface GuessWatchDependencies {
  /** Shared by all gateways. */
  counts: Pick<AttemptCounts, 'add'>;
  clock: Clock;
  /** Is called again for the same party and day, at least by other gateways. */
  report(sent: SentPins): Promise<void>;
}

const MIN_ATTEMPTS = 20;
/** One in four: customers mistype far less often. */
const SUSPICIOUS = 4;

interface Unshared {
  party: PinParty;
  day: number;
  right: number;
}

export function createGuessWatch({ counts, clock, report }: GuessWatchDependencies): GuessWatch {
  const unshared = new Map<string, Unshared>();

  /** Adds wrong PINs and the right ones of this gateway. */
  async function add(party: PinParty, day: number, wrong: number): Promise<void> {
    const waiting = unshared.get(party.id);
    const correct = waiting?.day === day ? waiting.right : 0;
    unshared.delete(party.id);
    const totals = await counts.add(`pins-at:${party.id}:${day / DAY_MS}`, { counted: wrong, correct }, DAY_MS);
    const sent = { ...party, day, wrong: totals.counted, right: totals.correct };
    const attempts = sent.wrong + sent.right;
    if (attempts >= MIN_ATTEMPTS && sent.wrong * SUSPICIOUS >= attempts) await report(sent);
  }

  const today = () => Math.floor(clock.now() / DAY_MS) * DAY_MS;

  return {
    countRight(party) {
      if (party === null) return;
      const day = today();
      const waiting = unshared.get(party.id);
      if (waiting?.day === day) waiting.right += 1;
      else unshared.set(party.id, { party, day, right: 1 });
    },
    async countWrong(party) {
      if (party === null) return;
      await add(party, today(), 1);
    },
    async share() {
      for (const { party, day } of [...unshared.values()]) await add(party, day, 0);
    },
  };
}

export const NO_WATCH: GuessWatch = {
  countRight: () => undefined,
  countWrong: async () => undefined,
  share: async () => undefined,
};

/** The merchant or agent whose credential it is; null for callers of the operator. */
export function partyOf(by: Caller): PinParty | null {
  if (by.kind !== 'key' && by.kind !== 'user') return null;
  if (by.processorId !== null) return { kind: 'processor', id: by.processorId };
  return by.kind === 'user' && by.agentId !== null ? { kind: 'agent', id: by.agentId } : null;
}
