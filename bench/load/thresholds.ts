// What the findings are held against.
import type { Findings } from './phases.ts';
import type { Sight } from './watch.ts';

export interface Bar {
  name: string;
  found: string;
  bar: string;
  holds: boolean;
}

// Growth means a line that goes up: these leave room for what a garbage collector or a neighbour on the machine does.
const MEMORY_GROWTH = 1.2;
const LATENCY_GROWTH = 1.5;
const LATENCY_GRAIN_MS = 10;
const TAIL_TIMES = 5;
/** Of the maximum, while three times as much is asked for: the generator and the refusals take their part of the machine. */
const PAID_SHARE = 0.25;
/** Beside what it holds at 70 %: connections and a crowd at the door, and no queue that grows. */
const OVERLOAD_MEMORY = 2;
const RECOVERY_SECONDS = 5;
const PROBE_MS = 2_000;

export function barsOf({ maximum, steady, overload, recovery }: Findings): Bar[] {
  const [first, , , last] = steady.measured.quarters;
  const quarter = <T>(values: T[], which: 0 | 3): T[] => {
    const size = Math.max(1, Math.floor(values.length / 4));
    return which === 0 ? values.slice(0, size) : values.slice(-size);
  };
  const grows = (read: (sight: Sight) => number) =>
    [0, 3].map((which) => middle(quarter(steady.sights, which as 0 | 3).map(read))) as [number, number];
  const [memoryFirst, memoryLast] = grows(({ memoryMb }) => memoryMb);
  const [databaseFirst, databaseLast] = grows(({ databaseConnections }) => databaseConnections);
  const [p99First, p99Last] = [first?.p99 ?? 0, last?.p99 ?? 0];
  const [limit, tail] = [TAIL_TIMES * steady.measured.took.p99, overload.measured.took.p99];
  const { measured } = overload;
  const paid = Math.round(measured.accepted / overload.seconds);
  const most = Math.max(...overload.sights.map(({ memoryMb }) => memoryMb));
  const probes = [...steady.sights, ...overload.sights].map(({ probeMs }) => probeMs ?? Number.POSITIVE_INFINITY);
  const failed = steady.measured.shed + steady.measured.broken + steady.measured.unsent + steady.measured.otherAnswers;
  const allowed = Math.floor(steady.measured.due / 1_000);
  return [
    bar('70 %: sent away, broken or failed', failed, `≤ ${allowed} (1 in 1,000)`, failed <= allowed),
    bar(
      '70 %: memory, MB, first → last quarter',
      `${memoryFirst} → ${memoryLast}`,
      `≤ × ${MEMORY_GROWTH}`,
      memoryLast <= MEMORY_GROWTH * memoryFirst,
    ),
    bar(
      '70 %: p99, ms, first → last quarter',
      `${ms(p99First)} → ${ms(p99Last)}`,
      `≤ × ${LATENCY_GROWTH} + ${LATENCY_GRAIN_MS}`,
      p99Last <= LATENCY_GROWTH * p99First + LATENCY_GRAIN_MS,
    ),
    bar(
      '70 %: connections to PostgreSQL, first → last quarter',
      `${databaseFirst} → ${databaseLast}`,
      'no more',
      databaseLast <= databaseFirst,
    ),
    bar('300 %: p99 of what is accepted, ms', ms(tail), `≤ ${ms(limit)} (5 × that at 70 %)`, tail <= limit),
    bar(
      '300 %: paid each second',
      paid,
      `≥ ${Math.ceil(PAID_SHARE * maximum)} (${PAID_SHARE} × the maximum)`,
      paid >= PAID_SHARE * maximum,
    ),
    bar(
      '300 %: memory, MB, at most',
      most,
      `≤ × ${OVERLOAD_MEMORY} of that at 70 %`,
      most <= OVERLOAD_MEMORY * memoryLast,
    ),
    bar('300 %: sent away', measured.shed, '> 0', measured.shed > 0),
    bar(
      '300 %: sent away without Retry-After',
      measured.shedWithoutRetryAfter,
      '0',
      measured.shedWithoutRetryAfter === 0,
    ),
    bar(
      '300 %: broken, unsent, other answers',
      measured.broken + measured.unsent + measured.otherAnswers,
      '0',
      measured.broken + measured.unsent + measured.otherAnswers === 0,
    ),
    bar(
      '300 %: answered 200 / in the books',
      `${measured.accepted} / ${overload.booked}`,
      'the same',
      measured.accepted === overload.booked,
    ),
    bar(
      '/health and /metrics throughout, slowest, ms',
      ms(Math.max(...probes)),
      `≤ ${PROBE_MS}`,
      Math.max(...probes) <= PROBE_MS,
    ),
    bar(
      'recovery, s (p50 back, nothing waits)',
      recovery.seconds.toFixed(1),
      `≤ ${RECOVERY_SECONDS}`,
      recovery.seconds <= RECOVERY_SECONDS,
    ),
  ];
}

function bar(name: string, found: string | number, wanted: string, holds: boolean): Bar {
  return { name, found: String(found), bar: wanted, holds };
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ms(value: number): string {
  return value.toFixed(1);
}
