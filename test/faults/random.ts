// Chance that can be repeated: everything a run decides by chance follows from its seed.

export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** A whole number from the first to the last, both included. */
  between(first: number, last: number): number;
  pick<T>(some: readonly T[]): T;
  /** True that often. */
  chance(share: number): boolean;
  shuffled<T>(some: readonly T[]): T[];
  /** A source of its own, so that who draws more does not change what another draws. */
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
