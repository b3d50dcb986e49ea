// Detects whether two kinds of request take different times, even on a busy machine.
import type { Random } from '@kissi/testkit/random';

/** Sends one request; the caller measures its time. */
export type Probe = () => Promise<void>;

export interface Round {
  /** In milliseconds. */
  medians: [number, number];
  /** The probability that a request of the second kind takes longer than one of the first; 0.5 if they are alike. */
  superiority: number;
  /** The deviation of that probability from 0.5, in standard errors (Mann-Whitney). */
  z: number;
  /** -1: the second kind is faster; 1: it is slower; 0: no difference. */
  direction: -1 | 0 | 1;
}

export interface CompareOptions {
  samples: number;
  rounds: number;
  random: Random;
}

/** A difference must be significant (three rounds in a thousand by accident) and not too small. */
const MIN_Z = 3;
const MIN_EFFECT = 0.05;

/**
 * Repeats rounds until one of them finds no difference. A busy machine can distort a single round, but not all of them
 * in the same direction; a real difference appears in each.
 */
export async function compare(first: Probe, second: Probe, options: CompareOptions): Promise<Round[]> {
  const rounds: Round[] = [];
  while (rounds.length < options.rounds) {
    const round = compareTimes(...(await interleaved(first, second, options)));
    rounds.push(round);
    if (round.direction === 0 || round.direction !== rounds[0]?.direction) break;
  }
  return rounds;
}

export function isDistinguishable(rounds: Round[], required: number): boolean {
  const [{ direction } = { direction: 0 }] = rounds;
  return rounds.length === required && direction !== 0 && rounds.every((round) => round.direction === direction);
}

/** Measures in pairs, each in random order, so that other load on the machine affects both kinds alike. */
async function interleaved(
  first: Probe,
  second: Probe,
  { samples, random }: CompareOptions,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < samples; n++) {
    const swapped = random.chance(0.5);
    for (const which of swapped ? ([1, 0] as const) : ([0, 1] as const)) {
      const startedAt = performance.now();
      await (which === 0 ? first : second)();
      times[which].push(performance.now() - startedAt);
    }
  }
  return times;
}

export function compareTimes(first: number[], second: number[]): Round {
  const superiority = probabilityOfLonger(first, second);
  const error = Math.sqrt((first.length + second.length + 1) / (12 * first.length * second.length));
  const z = (superiority - 0.5) / error;
  const isDifferent = Math.abs(z) >= MIN_Z && Math.abs(superiority - 0.5) >= MIN_EFFECT;
  const direction = isDifferent ? (z > 0 ? 1 : -1) : 0;
  return { medians: [median(first), median(second)], superiority, z, direction };
}

/** The Mann-Whitney U as a share of all pairs; ties count half. */
function probabilityOfLonger(first: number[], second: number[]): number {
  const sorted = first.toSorted((a, b) => a - b);
  let wins = 0;
  for (const value of second) wins += (below(sorted, value, false) + below(sorted, value, true)) / 2;
  return wins / (first.length * second.length);
}

/** The number of smaller values, including equal ones with `orEqual`. */
function below(sorted: number[], value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] as number;
    if (at < value || (orEqual && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

export function describeRounds(rounds: Round[]): string {
  return rounds
    .map(({ medians: [a, b], superiority, z }) => {
      const values = `${a.toFixed(3)} ms and ${b.toFixed(3)} ms`;
      return `${values}, the second longer in ${(superiority * 100).toFixed(1)} % (z ${z.toFixed(1)})`;
    })
    .join('; ');
}
