// Payments at a fixed rate, as a workload that can be compared with others.
import type { Workload } from './interleave.ts';
import type { Load } from './load-job.ts';
import type { Bench } from './setup.ts';

/** Far below what the service can do. */
export const LOW_RATE = 700;
const CONNECTIONS = 256;

/** Latency of accepted payments, from the time they were due. */
export function lowLoad(bench: Bench, payments: Load): Workload {
  // Opening a connection costs as much as a payment, so all of them are opened at the start.
  const connections = { connections: CONNECTIONS, maxConnections: CONNECTIONS };
  return async (seconds) => {
    const load = { ...payments, ...connections, rate: LOW_RATE, seconds };
    const { accepted, scheduled, latency, firstOtherReply } = await bench.runOpenLoop(load);
    const errors = scheduled - accepted;
    return { requests: accepted, perSecond: accepted / seconds, ...latency, errors, firstError: firstOtherReply };
  };
}
