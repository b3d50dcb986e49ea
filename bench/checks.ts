// The goals of the benchmark, and the results that are compared with them.

/** On two idle cores. Those of a kind of payment are of its throughput, as a ratio to TPC-B. */
export const GOALS = {
  p2p: 2.7,
  pos: 2.2,
  refund: 2.5,
  inbound: 2,
  /** The throughput of P2P, as a ratio to pgbench. */
  pgbench: 1.5,
  micros: 250,
  cpuRatio: 0.22,
  /** 60 % of what version 0.4 took on a Neoverse-N1. */
  lowLoadMicros: 1_090,
  singleLatency: 2.2,
  memoryMb: 300,
};

export interface Check {
  name: string;
  value: string;
  threshold: string;
  /** Null if there is no threshold or no value: for information only. */
  passed: boolean | null;
}

export class Checks {
  readonly all: Check[] = [];

  atLeast(name: string, value: number, goal: number): void {
    this.add(name, value, `≥ ${goal}`, value >= goal);
  }

  atMost(name: string, value: number, goal: number): void {
    this.add(name, value, `≤ ${goal}`, value <= goal);
  }

  add(name: string, value: number, threshold = '', passed: boolean | null = null): void {
    this.all.push({ name, value: value.toFixed(2), threshold, passed: Number.isNaN(value) ? null : passed });
  }
}
