// Seeded pseudorandom numbers (sfc32): the same seed gives the same choices.

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
  /** A text of the given length over the alphabet. */
  text(length: number, alphabet: string): string;
  bytes(length: number): Buffer;
  uuid(): string;
  shuffled<T>(from: readonly T[]): T[];
  /** An independent stream: drawing from it does not change the numbers of this one. */
  stream(name: string): Random;
}

const HEX = '0123456789abcdef';

export function seededRandom(seed: string | number): Random {
  const next = sfc32(String(seed));
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

  const text = (length: number, alphabet: string) =>
    Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join('');

  function shuffled<T>(from: readonly T[]): T[] {
    const mixed = [...from];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = int(0, last);
      [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
    }
    return mixed;
  }

  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick,
    weighted,
    around: (median, spread = 0.6) => median * Math.exp(spread * normal(next)),
    digits: (count) => text(count, '0123456789'),
    text,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
    uuid: () => `${text(8, HEX)}-${text(4, HEX)}-4${text(3, HEX)}-a${text(3, HEX)}-${text(12, HEX)}`,
    shuffled,
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
