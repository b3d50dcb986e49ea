// Counters and histograms of the gateway processes of one machine. Their sum never falls when a process ends or does not
// answer: Prometheus would take that for a restart, and count everything that is left as new.
import { combinedFamilies } from './combined.ts';
import type { ReadFamily } from './prometheus.ts';

export class Counts<Process> {
  private readonly last = new Map<Process, ReadFamily[]>();
  /** The sum of all processes that have ended. */
  private ended: ReadFamily[] = [];

  add(process: Process): void {
    this.last.set(process, []);
  }

  /** Replaces what the process reported before. Gauges are left out, and so are reports of a process that has ended. */
  report(process: Process, families: readonly ReadFamily[]): void {
    if (this.last.has(process)) this.last.set(process, families.filter(isCount));
  }

  end(process: Process): void {
    this.ended = combinedFamilies([this.ended, this.last.get(process) ?? []]);
    this.last.delete(process);
  }

  /** A set for each process, and one for all that have ended. Their sum is the value. */
  sets(): ReadFamily[][] {
    return [...this.last.values(), this.ended];
  }
}

export function isCount({ type }: Pick<ReadFamily, 'type'>): boolean {
  return type !== 'gauge';
}
