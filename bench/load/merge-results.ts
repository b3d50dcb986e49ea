// Merges the results of a run's segments: sums the counts, and takes the median of the latencies.
import type { OpenLoopResult, Quantiles } from './open-loop.ts';

export const QUARTERS = 4;

export interface MergedResult extends OpenLoopResult {
  /** Latency of accepted requests in each quarter of the run. */
  quarters: Quantiles[];
}

/** Needs at least one segment per quarter. */
export function mergeResults(segments: OpenLoopResult[]): MergedResult {
  const sum = (read: (segment: OpenLoopResult) => number) =>
    segments.reduce((total, segment) => total + read(segment), 0);
  return {
    scheduled: sum(({ scheduled }) => scheduled),
    accepted: sum(({ accepted }) => accepted),
    rejected: sum(({ rejected }) => rejected),
    rejectedWithoutRetryAfter: sum(({ rejectedWithoutRetryAfter }) => rejectedWithoutRetryAfter),
    otherReplies: sum(({ otherReplies }) => otherReplies),
    firstOtherReply: segments.find(({ firstOtherReply }) => firstOtherReply !== '')?.firstOtherReply ?? '',
    unanswered: sum(({ unanswered }) => unanswered),
    unsent: sum(({ unsent }) => unsent),
    connections: Math.max(...segments.map(({ connections }) => connections)),
    latency: medianQuantiles(segments.map(({ latency }) => latency)),
    quarters: splitIntoQuarters(segments.map(({ latency }) => latency)).map(medianQuantiles),
    rejectionLatency: medianQuantiles(segments.map(({ rejectionLatency }) => rejectionLatency)),
    schedulingDelay: medianQuantiles(segments.map(({ schedulingDelay }) => schedulingDelay)),
  };
}

function splitIntoQuarters<T>(values: T[]): T[][] {
  const start = (quarter: number) => Math.round((values.length * quarter) / QUARTERS);
  return Array.from({ length: QUARTERS }, (_, quarter) => values.slice(start(quarter), start(quarter + 1)));
}

/** The median of each quantile, and the highest maximum. */
function medianQuantiles(values: Quantiles[]): Quantiles {
  const medianOf = (read: (value: Quantiles) => number) =>
    values.map(read).toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const max = Math.max(...values.map((value) => value.max));
  return { p50: medianOf(({ p50 }) => p50), p95: medianOf(({ p95 }) => p95), p99: medianOf(({ p99 }) => p99), max };
}
