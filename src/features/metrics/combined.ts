// Adds up the metrics of several gateway processes.
import type { Combine, Sample } from '../../kernel/metrics.ts';
import type { ReadFamily, Snapshot } from './prometheus.ts';

/** Metrics of the process keep their values, with the label `gateway`. */
export function combined(snapshots: ReadonlyMap<string, Snapshot>): Snapshot {
  const labelled = [...snapshots].flatMap(([gateway, { process }]) =>
    process.map((metric) => ({
      ...metric,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, gateway } })),
    })),
  );
  return {
    families: combinedFamilies([...snapshots.values()].map(({ families }) => families)),
    process: [...Map.groupBy(labelled, ({ name }) => name).values()].map((same) => ({
      ...(same[0] as (typeof labelled)[number]),
      values: same.flatMap(({ values }) => values),
    })),
  };
}

/** `sets`: each process's metrics. */
export function combinedFamilies(sets: readonly (readonly ReadFamily[])[]): ReadFamily[] {
  return [...Map.groupBy(sets.flat(), ({ name }) => name).values()].map(combinedFamily);
}

function combinedFamily(families: ReadFamily[]): ReadFamily {
  const [first] = families as [ReadFamily];
  const how = first.combine ?? (first.type === 'gauge' ? 'max' : 'sum');
  const bySeries = Map.groupBy(
    families.flatMap(({ samples }) => samples),
    ({ suffix, labels }) => JSON.stringify([suffix, labels]),
  );
  const samples = [...bySeries.values()].map((same) => {
    const values = same.map(({ value }) => value);
    return { ...(same[0] as Sample), value: combinedValue(how, values) };
  });
  return { ...first, samples };
}

function combinedValue(how: Combine, values: number[]): number {
  return how === 'sum' ? values.reduce((sum, value) => sum + value, 0) : Math[how](...values);
}
