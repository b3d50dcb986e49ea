// Measures workloads in alternation, a few seconds each, so that changes in the speed of a shared machine affect all of them.

export interface Sample {
  perSecond: number;
  p50: number;
  /** Undefined for references that do not report it; likewise the fields below. */
  p95?: number;
  p99?: number;
  errors?: number;
  firstError?: string;
}

/** Runs for the given number of seconds. */
export type Workload = (seconds: number) => Promise<Sample>;

export interface RoundOptions {
  rounds: number;
  sampleSeconds: number;
}

/** The samples of each workload, one per round. */
export class Measurements {
  readonly samples: ReadonlyMap<string, Sample[]>;

  constructor(samples: ReadonlyMap<string, Sample[]>) {
    this.samples = samples;
  }

  /** The median, over all rounds, of the ratio between two workloads in the same round. */
  medianRatio(numerator: string, denominator: string, read: (sample: Sample) => number): number {
    const denominators = this.of(denominator);
    return median(this.of(numerator).map((sample, round) => read(sample) / read(denominators[round] as Sample)));
  }

  private of(name: string): Sample[] {
    const samples = this.samples.get(name);
    if (!samples) throw new Error(`no workload is named ${name}`);
    return samples;
  }
}

export async function measureInterleaved(
  workloads: Record<string, Workload>,
  { rounds, sampleSeconds }: RoundOptions,
): Promise<Measurements> {
  const samples = new Map(Object.keys(workloads).map((name) => [name, [] as Sample[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(workloads)) samples.get(name)?.push(await run(sampleSeconds));
  }
  return new Measurements(samples);
}

/** The median of each value, and the sum of the errors. */
export function medianSample(samples: Sample[]): Sample {
  const medianOf = (read: (sample: Sample) => number | undefined) =>
    median(samples.map((sample) => read(sample) ?? Number.NaN));
  return {
    perSecond: Math.round(medianOf(({ perSecond }) => perSecond)),
    p50: medianOf(({ p50 }) => p50),
    p95: medianOf(({ p95 }) => p95),
    p99: medianOf(({ p99 }) => p99),
    errors: samples.reduce((sum, { errors = 0 }) => sum + errors, 0),
    firstError: samples.map(({ firstError = '' }) => firstError).find((text) => text !== '') ?? '',
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
