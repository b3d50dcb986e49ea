// What every drill has: its options, what it measured after a failure, and the table of these results.
import { table } from '../table.ts';
import { inSeconds } from './payments.ts';
import type { Sandbox } from './sandbox.ts';

export interface DrillOptions {
  /** How long payments run before the failure. */
  seconds: number;
  /** Clients that pay at the same time. */
  payers: number;
}

export interface Drill {
  /** What it does, after the command line. */
  about: string;
  /** Throws if something was not proved. */
  run(sandbox: Sandbox, options: DrillOptions): Promise<DrillResult[]>;
}

export interface DrillResult {
  /** What was lost: "the primary". */
  failure: string;
  acknowledgedBefore: number;
  /** Acknowledged payments that are missing afterwards. */
  lost: number;
  /** How long before the failure the oldest missing payment was acknowledged. */
  oldestLostMs: number;
  /** From the failure until payments are back: at full rate, or the first one where the drill says so. */
  recoveryMs: number;
  /** A drill of asynchronous replication measures what it loses; others must lose nothing. */
  mayLose?: boolean;
}

export function resultTable(results: readonly DrillResult[]): string {
  const rows = results.map((result) => {
    const { failure, acknowledgedBefore, lost, oldestLostMs, recoveryMs } = result;
    const age = lost > 0 ? `, the oldest acknowledged ${Math.round(oldestLostMs)} ms before` : '';
    return [failure, acknowledgedBefore, `${lost} payments${age}`, inSeconds(recoveryMs)];
  });
  return table(['lost', 'acknowledged before', 'RPO', 'RTO'], rows);
}

/** What a drill did not prove; empty if it proved everything. */
export function unproved(results: readonly DrillResult[]): string[] {
  if (results.length === 0) return ['nothing was measured'];
  return results.flatMap(({ failure, acknowledgedBefore, lost, mayLose }) => [
    ...(acknowledgedBefore > 0 ? [] : [`${failure}: no payment was acknowledged before the failure`]),
    ...(lost > 0 && !mayLose ? [`${failure}: ${lost} acknowledged payments are missing`] : []),
  ]);
}
