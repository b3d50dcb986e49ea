// Seeded random numbers: the seed determines every random decision of a fault run.

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** An integer between the first and the last, both included. */
  between(first: number, last: number): number;
  pick<T>(some: readonly T[]): T;
  /** True with the given probability. */
  chance(share: number): boolean;
  shuffled<T>(some: readonly T[]): T[];
  /** An independent generator, so that the number of draws of one user does not affect another. */
  fork(name: string): Random;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;

  /** Mulberry32. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (first: number, last: number) => first + Math.floor(fraction() * (last - first + 1));

  return {
    fraction,
    between,
    pick: (some) => some[between(0, some.length - 1)] as (typeof some)[number],
    chance: (share) => fraction() < share,
    shuffled(some) {
      const mixed = [...some];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = between(0, last);
        [mixed[last], mixed[other]] = [mixed[other] as (typeof some)[number], mixed[last] as (typeof some)[number]];
      }
      return mixed;
    },
    fork(name) {
      let hash = seed >>> 0;
      for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
      return randomFrom(hash);
    },
  };
}
