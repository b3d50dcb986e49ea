// Seeded random numbers: the same seed and turn give the same choices.
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** Both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A text of the given length over the alphabet. */
  text(length: number, alphabet: string): string;
  bytes(length: number): Buffer;
  uuid(): string;
}

const HEX = '0123456789abcdef';

export function random(seed: number, turn = 0): Random {
  // Spreads the turns over the whole range, so that successive turns are not correlated.
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
      if (list.length === 0) throw new Error('the list is empty');
      return list[int(0, list.length - 1)] as T;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
    uuid: () => `${text(8, HEX)}-${text(4, HEX)}-4${text(3, HEX)}-a${text(3, HEX)}-${text(12, HEX)}`,
  };
}
