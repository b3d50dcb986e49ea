// The phases of the load test: find the maximum throughput, run at 70 % of it, then at 300 %, and measure the recovery.
import { makeMerchant, times } from '@kissi/testkit/parties';
import type { Load } from '../load-job.ts';
import type { Bench, OpenLoopLoad } from '../setup.ts';
import { type MergedResult, mergeResults, QUARTERS } from './merge-results.ts';
import { type Monitor, type Observation, startMonitor } from './monitor.ts';
import type { OpenLoopResult } from './open-loop.ts';

export interface LoadResults {
  /** Payments per second, from the last measurement. */
  maximum: number;
  /** `rates` are the scheduled rates of the segments. */
  steady: { rates: number[]; seconds: number; result: MergedResult; observations: Observation[] };
  /** `recorded` is how many of the phase's requests are stored in the database. */
  overload: {
    rate: number;
    seconds: number;
    result: OpenLoopResult;
    observations: Observation[];
    recorded: number;
  };
  /** A single client's p50 before and after the load, and how long until it recovered and the queues were empty. */
  recovery: { beforeMs: number; afterMs: number; seconds: number };
}

export interface Plan {
  seconds: number;
  overloadSeconds: number;
  subscribers: number;
}

export const STEADY_SHARE = 0.7;
const OVERLOAD_FACTOR = 3;
const MERCHANTS = 50;
const CLOSED_LOOP_CONNECTIONS = 128;
const STEADY_CONNECTIONS = { connections: 512, maxConnections: 2_000 };
const OVERLOAD_CONNECTIONS = { connections: 2_000, maxConnections: 4_000 };
const REFUNDABLE_PAYMENTS = 10_000;
const RECOVERY_TIMEOUT_SECONDS = 30;
const SEGMENT_SECONDS = 55;
const MEASUREMENT_SECONDS = 5;

export async function runPhases(bench: Bench, plan: Plan, log: (text: string) => void): Promise<LoadResults> {
  const monitor = await startMonitor(bench);
  try {
    return await new Phases(bench, monitor, log).run(plan);
  } finally {
    await monitor.close();
  }
}

class Phases {
  private readonly bench: Bench;
  private readonly monitor: Monitor;
  private readonly log: (text: string) => void;

  constructor(bench: Bench, monitor: Monitor, log: (text: string) => void) {
    this.bench = bench;
    this.monitor = monitor;
    this.log = log;
  }

  async run(plan: Plan): Promise<LoadResults> {
    const mixed = await this.prepare(plan.subscribers);
    // Warms up the service; the result is not used.
    await this.measureMaximum(mixed, 2 * MEASUREMENT_SECONDS);
    const beforeMs = await this.measureSingleClient(mixed);
    const steady = await this.runSteady(mixed, plan.seconds);
    const maximum = await this.measureMaximum(mixed, MEASUREMENT_SECONDS);
    const overload = await this.runOverload(mixed, maximum * OVERLOAD_FACTOR, plan.overloadSeconds);
    return { maximum, steady, overload, recovery: await this.measureRecovery(mixed, beforeMs) };
  }

  private async prepare(subscribers: number): Promise<Load> {
    this.log('preparing the test data …');
    const { ids, cardSerials } = await this.bench.populate(subscribers);
    const merchants = await times(MERCHANTS, () => makeMerchant(this.bench.admin));
    const load: Load = { kind: 'pos', senderIds: ids, cardSerials, merchants, connections: 32, seconds: 5 };
    // Creates payments to refund.
    await this.bench.runClosedLoop(load);
    return { ...load, kind: 'mixed' };
  }

  /** The throughput in a closed loop: each client sends its next request after the reply to its last one. */
  private async measureMaximum(mixed: Load, seconds: number): Promise<number> {
    const refundableIds = await this.refundableIds();
    const load = { ...mixed, refundableIds, connections: CLOSED_LOOP_CONNECTIONS, seconds };
    const { requests, perSecond, errors, firstError } = await this.bench.runClosedLoop(load);
    const maximum = Math.round(perSecond * (1 - errors / requests));
    this.log(`maximum: ${maximum}/s, ${errors} errors ${firstError}`);
    return maximum;
  }

  /** Returns p50 in milliseconds. */
  private async measureSingleClient(mixed: Load): Promise<number> {
    const { p50 } = await this.bench.runClosedLoop({ ...mixed, connections: 1, seconds: 2 });
    return p50;
  }

  private async runSteady(mixed: Load, seconds: number): Promise<LoadResults['steady']> {
    const { result: segments, observations } = await this.monitor.observeDuring(this.runSegments(mixed, seconds));
    const rates = segments.map(({ rate }) => rate);
    return { rates, seconds, result: mergeResults(segments.map(({ result }) => result)), observations };
  }

  /** Measures the maximum again before each segment: on a shared machine it changes from one minute to the next. */
  private async runSegments(mixed: Load, seconds: number): Promise<{ rate: number; result: OpenLoopResult }[]> {
    const count = Math.max(QUARTERS, Math.round(seconds / SEGMENT_SECONDS));
    const segments: { rate: number; result: OpenLoopResult }[] = [];
    for (let n = 0; n < count; n++) {
      const rate = Math.round(STEADY_SHARE * (await this.measureMaximum(mixed, MEASUREMENT_SECONDS)));
      const result = await this.runOpenLoop(mixed, { rate, seconds: seconds / count, ...STEADY_CONNECTIONS });
      this.log(`70 %: ${rate}/s scheduled, ${describe(result)}`);
      segments.push({ rate, result });
    }
    return segments;
  }

  private async runOpenLoop(
    mixed: Load,
    settings: Pick<OpenLoopLoad, 'rate' | 'seconds' | 'connections' | 'maxConnections'>,
  ) {
    return this.bench.runOpenLoop({ ...mixed, refundableIds: await this.refundableIds(), ...settings });
  }

  /** The latest payments: earlier ones may be fully refunded already. */
  private refundableIds(): Promise<string[]> {
    return this.bench.recentPosPayments(REFUNDABLE_PAYMENTS);
  }

  private async runOverload(mixed: Load, rate: number, seconds: number): Promise<LoadResults['overload']> {
    const load = this.runOpenLoop(mixed, { rate, seconds, ...OVERLOAD_CONNECTIONS });
    const { result, observations } = await this.monitor.observeDuring(load);
    this.log(`300 %: ${rate}/s scheduled, ${describe(result)}`);
    return { rate, seconds, result, observations, recorded: await this.monitor.countRecorded(result.runId) };
  }

  private async measureRecovery(mixed: Load, beforeMs: number): Promise<LoadResults['recovery']> {
    const startedAt = performance.now();
    for (;;) {
      const { p50: afterMs } = await this.bench.runClosedLoop({ ...mixed, connections: 1, seconds: 1 });
      const { waiting } = await this.monitor.observe();
      const seconds = (performance.now() - startedAt) / 1_000;
      const hasRecovered = afterMs <= 2 * beforeMs && waiting === 0;
      this.log(`single client: p50 ${afterMs.toFixed(2)} ms (before: ${beforeMs.toFixed(2)}), ${waiting} queued`);
      if (hasRecovered || seconds > RECOVERY_TIMEOUT_SECONDS) return { beforeMs, afterMs, seconds };
    }
  }
}

function describe(result: OpenLoopResult): string {
  const { accepted, rejected, unanswered, unsent, otherReplies, firstOtherReply, latency } = result;
  const failures = `${unanswered} unanswered, ${unsent} unsent, ${otherReplies} other replies ${firstOtherReply}`;
  const times = `p50 ${latency.p50.toFixed(1)} p99 ${latency.p99.toFixed(1)} max ${latency.max.toFixed(0)} ms`;
  return `${accepted} accepted, ${rejected} rejected, ${failures}; ${times}`;
}
