// The service's metrics: counters, histograms and gauges, updated in place and read at a scrape.
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  value: number;
  labels?: Labels;
  /** The series of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
}

export type Combine = 'sum' | 'max' | 'min';

/** All series of one metric name. */
export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several gateways become one. By default gauges have the highest, and all others the sum. */
  combine?: Combine;
  samples(): Sample[] | Promise<Sample[]>;
}

/** Incremented by `counter.value += 1`: neither a call nor a look-up on the hot path. */
export class Counter {
  value = 0;
}

/** Buckets are counted separately and accumulated at a scrape. */
export class Histogram {
  private readonly bounds: Float64Array;
  private readonly counts: Float64Array;
  private sum = 0;

  /** `bounds`: upper bounds of the buckets, ascending, without +Inf. */
  constructor(bounds: readonly number[]) {
    this.bounds = Float64Array.from(bounds);
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
    counts[bucket] = (counts[bucket] as number) + 1;
    this.sum += value;
  }

  samples(labels: Labels = {}): Sample[] {
    const samples: Sample[] = [];
    let total = 0;
    for (const [index, count] of this.counts.entries()) {
      total += count;
      const le = index < this.bounds.length ? String(this.bounds[index]) : '+Inf';
      samples.push({ suffix: '_bucket', labels: { ...labels, le }, value: total });
    }
    samples.push({ suffix: '_sum', labels, value: this.sum }, { suffix: '_count', labels, value: total });
    return samples;
  }
}

type Read = () => number | null | Promise<number | null>;

/** A value that is read at a scrape. Without a source, or if the source returns null, it has no sample. */
export class Gauge {
  private read: Read = () => null;

  readFrom(read: Read): void {
    this.read = read;
  }

  async samples(): Promise<Sample[]> {
    const value = await this.read();
    return value === null ? [] : [{ value }];
  }
}

interface MetricInfo {
  name: string;
  help: string;
  combine?: Combine;
}

interface Labelled<Value extends string> extends MetricInfo {
  label: string;
  values: readonly Value[];
}

const NAME = /^kissi_[a-z]+(_[a-z]+)+$/;

/**
 * The registry. Components create their metrics once and keep them. Label values are declared in advance, so that their
 * number is bounded and none of them is an id.
 */
export class Metrics {
  private readonly byName = new Map<string, Family>();

  add(family: Family): void {
    if (!NAME.test(family.name) || this.byName.has(family.name))
      throw new Error(`invalid or duplicate metric name: ${family.name}`);
    this.byName.set(family.name, family);
  }

  families(): Family[] {
    return [...this.byName.values()];
  }

  counter(info: MetricInfo): Counter {
    const counter = new Counter();
    this.add({ ...info, type: 'counter', samples: () => [{ value: counter.value }] });
    return counter;
  }

  /** One counter per label value. */
  counters<Value extends string>({ label, values, ...info }: Labelled<Value>): Record<Value, Counter> {
    const children = byValue(values, () => new Counter());
    const samples = () => values.map((value) => ({ labels: { [label]: value }, value: children[value].value }));
    this.add({ ...info, type: 'counter', samples });
    return children;
  }

  histogram({ bounds, ...info }: MetricInfo & { bounds: readonly number[] }): Histogram {
    const histogram = new Histogram(bounds);
    this.add({ ...info, type: 'histogram', samples: () => histogram.samples() });
    return histogram;
  }

  histograms<Value extends string>({
    label,
    values,
    bounds,
    ...info
  }: Labelled<Value> & { bounds: readonly number[] }): Record<Value, Histogram> {
    const children = byValue(values, () => new Histogram(bounds));
    const samples = () => values.flatMap((value) => children[value].samples({ [label]: value }));
    this.add({ ...info, type: 'histogram', samples });
    return children;
  }

  gauge(info: MetricInfo): Gauge {
    const gauge = new Gauge();
    this.add({ ...info, type: 'gauge', samples: () => gauge.samples() });
    return gauge;
  }
}

function byValue<Value extends string, T>(values: readonly Value[], make: () => T): Record<Value, T> {
  return Object.fromEntries(values.map((value) => [value, make()])) as Record<Value, T>;
}

/** Concurrent calls share one execution. For several gauges that one query serves. */
export function singleFlight<T>(execute: () => Promise<T>): () => Promise<T> {
  let inFlight: Promise<T> | null = null;
  return () => {
    inFlight ??= execute().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
}
