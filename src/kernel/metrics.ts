// Figures that the service keeps of itself: numbers changed in place where things happen, read only when somebody asks.
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  value: number;
  labels?: Labels;
  /** Of a histogram, which of its series this is. */
  suffix?: '_bucket' | '_sum' | '_count';
}

/** One name with all its series. */
export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): Sample[] | Promise<Sample[]>;
}

/** Only grows, by `counter.value += 1`: no call and no look-up where it counts. */
export class Counter {
  value = 0;
}

/** Values sorted into buckets; each bucket counts for itself, and is summed up when somebody reads. */
export class Histogram {
  private readonly bounds: Float64Array;
  private readonly counts: Float64Array;
  private sum = 0;

  /** `bounds`: the upper ends of the buckets, ascending; what is above them all has a bucket of its own. */
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

/** What is asked for rather than counted. Without a source, or when that says null, it has a name and no value. */
export class Gauge {
  private read: Read = () => null;

  readBy(read: Read): void {
    this.read = read;
  }

  async samples(): Promise<Sample[]> {
    const value = await this.read();
    return value === null ? [] : [{ value }];
  }
}

interface Named {
  name: string;
  help: string;
}

interface Labelled<Value extends string> extends Named {
  label: string;
  values: readonly Value[];
}

const NAME = /^kissi_[a-z]+(_[a-z]+)+$/;

/**
 * Where metrics are registered. Whoever counts gets its counters here, once, and keeps them. The values of a label are
 * named beforehand, so that none can be an id, and their number is known.
 */
export class Metrics {
  private readonly byName = new Map<string, Family>();

  add(family: Family): void {
    if (!NAME.test(family.name) || this.byName.has(family.name))
      throw new Error(`no name for a figure: ${family.name}`);
    this.byName.set(family.name, family);
  }

  families(): Family[] {
    return [...this.byName.values()];
  }

  counter(named: Named): Counter {
    const counter = new Counter();
    this.add({ ...named, type: 'counter', samples: () => [{ value: counter.value }] });
    return counter;
  }

  /** A counter for each value of the label. */
  counters<Value extends string>({ label, values, ...named }: Labelled<Value>): Record<Value, Counter> {
    const children = byValue(values, () => new Counter());
    const samples = () => values.map((value) => ({ labels: { [label]: value }, value: children[value].value }));
    this.add({ ...named, type: 'counter', samples });
    return children;
  }

  histogram({ bounds, ...named }: Named & { bounds: readonly number[] }): Histogram {
    const histogram = new Histogram(bounds);
    this.add({ ...named, type: 'histogram', samples: () => histogram.samples() });
    return histogram;
  }

  histograms<Value extends string>({
    label,
    values,
    bounds,
    ...named
  }: Labelled<Value> & { bounds: readonly number[] }): Record<Value, Histogram> {
    const children = byValue(values, () => new Histogram(bounds));
    const samples = () => values.flatMap((value) => children[value].samples({ [label]: value }));
    this.add({ ...named, type: 'histogram', samples });
    return children;
  }

  gauge(named: Named): Gauge {
    const gauge = new Gauge();
    this.add({ ...named, type: 'gauge', samples: () => gauge.samples() });
    return gauge;
  }
}

function byValue<Value extends string, T>(values: readonly Value[], make: () => T): Record<Value, T> {
  return Object.fromEntries(values.map((value) => [value, make()])) as Record<Value, T>;
}

/** Several metrics that one question answers: those that ask at once share the answer. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };
}
