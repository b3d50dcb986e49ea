// Seeded pseudorandom numbers (sfc32): the same seed gives the same country.

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks by weight. */
  weighted<T>(from: readonly (readonly [T, number])[]): T;
  /** A log-normal value around the median: half are below it, and a few are several times as large. */
  around(median: number, spread?: number): number;
  digits(count: number): string;
  /** An independent stream: drawing from it does not change the numbers of this one. */
  stream(name: string): Random;
}

export function seededRandom(seed: string): Random {
  const next = sfc32(seed);
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  function pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from');
    return from[int(0, from.length - 1)] as T;
  }

  function weighted<T>(from: readonly (readonly [T, number])[]): T {
    const total = from.reduce((sum, [, weight]) => sum + weight, 0);
    let left = next() * total;
    for (const [value, weight] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return pick(from)[0];
  }

  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick,
    weighted,
    around: (median, spread = 0.6) => median * Math.exp(spread * normal(next)),
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
    stream: (name) => seededRandom(`${seed}/${name}`),
  };
}

/** Standard normal, by the Box–Muller transform. */
function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function sfc32(seed: string): () => number {
  let [a, b, c, counter] = [hash(`${seed}a`), hash(`${seed}b`), hash(`${seed}c`), 1];
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }
  for (let n = 0; n < 12; n++) next();
  return next;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value | 0;
}
