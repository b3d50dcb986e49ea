// Chance from a seed: the same seed and the same turn always make the same choices.
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** Both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** So many characters of that alphabet. */
  text(length: number, alphabet: string): string;
  bytes(length: number): Buffer;
  uuid(): string;
}

const HEX = '0123456789abcdef';

export function random(seed: number, turn = 0): Random {
  // Turns are spread over the whole range first, so that neighbours have nothing in common.
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b)) | 0;

  /** mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const text = (length: number, alphabet: string) =>
    Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join('');
  return {
    next,
    int,
    text,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('there is nothing to pick from');
      return list[int(0, list.length - 1)] as T;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
    uuid: () => `${text(8, HEX)}-${text(4, HEX)}-4${text(3, HEX)}-a${text(3, HEX)}-${text(12, HEX)}`,
  };
}
