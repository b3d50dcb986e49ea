// The load test's thresholds: compares the results with each of them.
import type { Observation } from './monitor.ts';
import type { LoadResults } from './phases.ts';

export interface ThresholdResult {
  name: string;
  measured: string;
  threshold: string;
  passed: boolean;
}

// Growth means a trend. The factors allow for garbage collection and for other work on the machine.
const MAX_MEMORY_GROWTH = 1.2;
const MAX_LATENCY_GROWTH = 1.5;
const LATENCY_TOLERANCE_MS = 10;
/** p99 at 300 %, as a multiple of p99 at 70 %. */
const MAX_TAIL_FACTOR = 5;
/** Share of the maximum throughput that is still served at 300 %: the generator and the rejections use part of the CPU. */
const MIN_SERVED_SHARE = 0.25;
/** Memory at 300 %, as a multiple of memory at 70 %: room for connections and bounded queues, not for a growing queue. */
const MAX_OVERLOAD_MEMORY = 2;
const MAX_RECOVERY_SECONDS = 5;
const MAX_PROBE_MS = 2_000;

export function checkThresholds(results: LoadResults): ThresholdResult[] {
  return [...steadyThresholds(results), ...overloadThresholds(results), ...availabilityThresholds(results)];
}

function steadyThresholds({ steady }: LoadResults): ThresholdResult[] {
  const { result, observations } = steady;
  const [first, , , last] = result.quarters;
  const [memoryFirst, memoryLast] = firstAndLastQuarter(observations, ({ memoryMb }) => memoryMb);
  const [databaseFirst, databaseLast] = firstAndLastQuarter(
    observations,
    ({ databaseConnections }) => databaseConnections,
  );
  const [p99First, p99Last] = [first?.p99 ?? 0, last?.p99 ?? 0];
  const failed = result.rejected + result.unanswered + result.unsent + result.otherReplies;
  const allowed = Math.floor(result.scheduled / 1_000);
  return [
    check('70 %: rejected or failed requests', failed, `≤ ${allowed} (1 in 1,000)`, failed <= allowed),
    check(
      '70 %: memory, MB, first → last quarter',
      `${memoryFirst} → ${memoryLast}`,
      `≤ × ${MAX_MEMORY_GROWTH}`,
      memoryLast <= MAX_MEMORY_GROWTH * memoryFirst,
    ),
    check(
      '70 %: p99, ms, first → last quarter',
      `${ms(p99First)} → ${ms(p99Last)}`,
      `≤ × ${MAX_LATENCY_GROWTH} + ${LATENCY_TOLERANCE_MS}`,
      p99Last <= MAX_LATENCY_GROWTH * p99First + LATENCY_TOLERANCE_MS,
    ),
    check(
      '70 %: connections to PostgreSQL, first → last quarter',
      `${databaseFirst} → ${databaseLast}`,
      'no growth',
      databaseLast <= databaseFirst,
    ),
  ];
}

function overloadThresholds({ maximum, steady, overload }: LoadResults): ThresholdResult[] {
  const { result, observations, recorded } = overload;
  const [tail, maxTail] = [result.latency.p99, MAX_TAIL_FACTOR * steady.result.latency.p99];
  const servedPerSecond = Math.round(result.accepted / overload.seconds);
  const minServed = MIN_SERVED_SHARE * maximum;
  const peakMemory = Math.max(...observations.map(({ memoryMb }) => memoryMb));
  const [, steadyMemory] = firstAndLastQuarter(steady.observations, ({ memoryMb }) => memoryMb);
  const failed = result.unanswered + result.unsent + result.otherReplies;
  return [
    check(
      '300 %: p99 of accepted requests, ms',
      ms(tail),
      `≤ ${ms(maxTail)} (${MAX_TAIL_FACTOR} × p99 at 70 %)`,
      tail <= maxTail,
    ),
    check(
      '300 %: payments per second',
      servedPerSecond,
      `≥ ${Math.ceil(minServed)} (${MIN_SERVED_SHARE} × the maximum)`,
      servedPerSecond >= minServed,
    ),
    check(
      '300 %: peak memory, MB',
      peakMemory,
      `≤ ${MAX_OVERLOAD_MEMORY} × memory at 70 %`,
      peakMemory <= MAX_OVERLOAD_MEMORY * steadyMemory,
    ),
    check('300 %: rejected requests', result.rejected, '> 0', result.rejected > 0),
    check(
      '300 %: rejected without Retry-After',
      result.rejectedWithoutRetryAfter,
      '0',
      result.rejectedWithoutRetryAfter === 0,
    ),
    check('300 %: unanswered, unsent, other replies', failed, '0', failed === 0),
    check(
      '300 %: accepted / recorded in the ledger',
      `${result.accepted} / ${recorded}`,
      'equal',
      result.accepted === recorded,
    ),
  ];
}

function availabilityThresholds({ steady, overload, recovery }: LoadResults): ThresholdResult[] {
  const probes = [...steady.observations, ...overload.observations].map(
    ({ probeMs }) => probeMs ?? Number.POSITIVE_INFINITY,
  );
  const slowest = Math.max(...probes);
  return [
    check('slowest /health and /metrics, ms', ms(slowest), `≤ ${MAX_PROBE_MS}`, slowest <= MAX_PROBE_MS),
    check(
      'recovery, s (p50 back, queues empty)',
      recovery.seconds.toFixed(1),
      `≤ ${MAX_RECOVERY_SECONDS}`,
      recovery.seconds <= MAX_RECOVERY_SECONDS,
    ),
  ];
}

/** The medians of the first and the last quarter of the observations. */
function firstAndLastQuarter(
  observations: Observation[],
  read: (observation: Observation) => number,
): [number, number] {
  const size = Math.max(1, Math.floor(observations.length / 4));
  return [median(observations.slice(0, size).map(read)), median(observations.slice(-size).map(read))];
}

function check(name: string, measured: string | number, threshold: string, passed: boolean): ThresholdResult {
  return { name, measured: String(measured), threshold, passed };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ms(value: number): string {
  return value.toFixed(1);
}
