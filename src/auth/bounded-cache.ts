// A memory of the last few results of a pure computation; it forgets the oldest first.
export type Recall<Value> = (key: string, make: () => Value) => Value;

export function boundedCache<Value>(limit: number): Recall<Value> {
  const kept = new Map<string, Value>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (kept.size >= limit) {
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    }
    kept.set(key, value);
    return value;
  };
}
