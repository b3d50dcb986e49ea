// Merge sort as a generator: sorts a large list in steps of a few milliseconds.

/** Yields after about `slice` comparisons' worth of work. */
export function* sortInSlices<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
  slice: number,
): Generator<void, Value[]> {
  let runs: Value[][] = [];
  for (let start = 0; start < values.length; start += slice) {
    runs.push(values.slice(start, start + slice).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Value[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare, slice));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Value>(
  left: readonly Value[],
  right: readonly Value[],
  compare: (a: Value, b: Value) => number,
  slice: number,
): Generator<void, Value[]> {
  const merged: Value[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const takesLeft = j >= right.length || (i < left.length && compare(left[i] as Value, right[j] as Value) <= 0);
    merged.push((takesLeft ? left[i++] : right[j++]) as Value);
    if (merged.length % slice === 0) yield;
  }
  return merged;
}
