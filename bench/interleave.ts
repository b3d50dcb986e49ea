// Measures workloads in alternation, a few seconds each, so that changes in the speed of a shared machine affect all of them.

import { type CpuCost, costPerRequest } from './cpu-time.ts';

export interface Sample {
  /** Requests or transactions that were completed. */
  requests: number;
  perSecond: number;
  p50: number;
  /** Undefined for references that do not report it; likewise the fields below. */
  p95?: number;
  p99?: number;
  errors?: number;
  firstError?: string;
  /** Undefined if it was not measured. */
  cpu?: CpuCost;
  /** Payments in a batch of the ledger; undefined if it was not measured. */
  batch?: number;
}

export type MedianSample = Sample & { cpu: CpuCost };

/** Runs for the given number of seconds. */
export type Workload = (seconds: number) => Promise<Sample>;

export interface RoundOptions {
  rounds: number;
  sampleSeconds: number;
}

/** Measures the CPU time of each run. */
export function withCpu(run: Workload, read: () => Promise<CpuCost>): Workload {
  return async (seconds) => {
    const before = await read();
    const sample = await run(seconds);
    return { ...sample, cpu: costPerRequest(before, await read(), sample.requests) };
  };
}

/** The samples of each workload, one per round. */
export class Measurements {
  readonly samples: ReadonlyMap<string, Sample[]>;

  constructor(samples: ReadonlyMap<string, Sample[]>) {
    this.samples = samples;
  }

  /** The median, over all rounds, of the ratio between two workloads in the same round. */
  medianRatio(numerator: string, denominator: string, read: (sample: Sample) => number): number {
    return this.ratioSpread(numerator, denominator, read).median;
  }

  /** The ratios between two workloads in the same round. */
  ratioSpread(numerator: string, denominator: string, read: (sample: Sample) => number): Spread {
    const denominators = this.of(denominator);
    return spreadOf(this.of(numerator).map((sample, round) => read(sample) / read(denominators[round] as Sample)));
  }

  median(name: string): MedianSample {
    return medianSample(this.of(name));
  }

  private of(name: string): Sample[] {
    const samples = this.samples.get(name);
    if (!samples) throw new Error(`no workload is named ${name}`);
    return samples;
  }
}

/** In every second round the order is reversed, so that none always runs after the same one. */
export async function measureInterleaved(
  workloads: Record<string, Workload>,
  { rounds, sampleSeconds }: RoundOptions,
): Promise<Measurements> {
  const samples = new Map(Object.keys(workloads).map((name) => [name, [] as Sample[]]));
  for (let round = 0; round < rounds; round++) {
    const inOrder = round % 2 === 0 ? Object.entries(workloads) : Object.entries(workloads).toReversed();
    for (const [name, run] of inOrder) samples.get(name)?.push(await run(sampleSeconds));
  }
  return new Measurements(samples);
}

/** The median of each value, and the sums of requests and errors. */
export function medianSample(samples: Sample[]): MedianSample {
  const medianOf = (read: (sample: Sample) => number | undefined) =>
    median(samples.map((sample) => read(sample) ?? Number.NaN));
  return {
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    perSecond: Math.round(medianOf(({ perSecond }) => perSecond)),
    p50: medianOf(({ p50 }) => p50),
    p95: medianOf(({ p95 }) => p95),
    p99: medianOf(({ p99 }) => p99),
    errors: samples.reduce((sum, { errors = 0 }) => sum + errors, 0),
    firstError: samples.map(({ firstError = '' }) => firstError).find((text) => text !== '') ?? '',
    batch: medianOf(({ batch }) => batch),
    cpu: { gateway: medianOf(({ cpu }) => cpu?.gateway), postgres: medianOf(({ cpu }) => cpu?.postgres) },
  };
}

/** Gateway and PostgreSQL together, in microseconds per request. */
export function totalCpu({ cpu }: Sample): number {
  return cpu ? cpu.gateway + cpu.postgres : Number.NaN;
}

export interface Spread {
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  // Between two values in proportion: the median of an even number of values is their middle.
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below === undefined || above === undefined ? Number.NaN : below + (above - below) * (place % 1);
  };
  return { min: at(0), lowerQuartile: at(0.25), median: at(0.5), upperQuartile: at(0.75), max: at(1) };
}

function median(values: number[]): number {
  return spreadOf(values).median;
}
