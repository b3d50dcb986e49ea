// Tells whether two kinds of request take different times, on a machine that may be busy with something else.
import type { Random } from '../hostile/random.ts';

/** One request; how long it took is measured around it. */
export type Probe = () => Promise<void>;

export interface Round {
  /** Milliseconds. */
  medians: [number, number];
  /** The chance that one of the second kind takes longer than one of the first: 0.5 where nothing tells them apart. */
  superiority: number;
  /** How far that is from chance, in standard errors (Mann-Whitney). */
  z: number;
  /** -1: the second kind is faster; 1: it is slower; 0: they cannot be told apart. */
  verdict: -1 | 0 | 1;
}

export interface CompareOptions {
  samples: number;
  rounds: number;
  random: Random;
}

/** Rarer than three rounds in a thousand by chance, and by more than a shade: both, or it is noise. */
const MIN_Z = 3;
const MIN_EFFECT = 0.05;

/**
 * Rounds until one of them finds no difference. A busy machine spoils a round now and then, never all of them in the
 * same direction; a real difference shows in each.
 */
export async function compare(first: Probe, second: Probe, options: CompareOptions): Promise<Round[]> {
  const rounds: Round[] = [];
  while (rounds.length < options.rounds) {
    const round = judge(...(await interleaved(first, second, options)));
    rounds.push(round);
    if (round.verdict === 0 || round.verdict !== rounds[0]?.verdict) break;
  }
  return rounds;
}

export function canBeTold(rounds: Round[], wanted: number): boolean {
  const [{ verdict } = { verdict: 0 }] = rounds;
  return rounds.length === wanted && verdict !== 0 && rounds.every((round) => round.verdict === verdict);
}

/** In pairs, each in an order of its own: whatever else the machine does falls on both alike. */
async function interleaved(
  first: Probe,
  second: Probe,
  { samples, random }: CompareOptions,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let n = 0; n < samples; n++) {
    const swapped = random.chance(0.5);
    for (const which of swapped ? ([1, 0] as const) : ([0, 1] as const)) {
      const begun = performance.now();
      await (which === 0 ? first : second)();
      taken[which].push(performance.now() - begun);
    }
  }
  return taken;
}

export function judge(first: number[], second: number[]): Round {
  const superiority = chanceOfLonger(first, second);
  const error = Math.sqrt((first.length + second.length + 1) / (12 * first.length * second.length));
  const z = (superiority - 0.5) / error;
  const told = Math.abs(z) >= MIN_Z && Math.abs(superiority - 0.5) >= MIN_EFFECT;
  const verdict = told ? (z > 0 ? 1 : -1) : 0;
  return { medians: [median(first), median(second)], superiority, z, verdict };
}

/** The U of Mann and Whitney as a share of all pairs; equal ones count half. */
function chanceOfLonger(first: number[], second: number[]): number {
  const sorted = first.toSorted((a, b) => a - b);
  let wins = 0;
  for (const value of second) wins += (below(sorted, value, false) + below(sorted, value, true)) / 2;
  return wins / (first.length * second.length);
}

/** How many are smaller, or with `orEqual` not larger. */
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
      const figures = `${a.toFixed(3)} ms and ${b.toFixed(3)} ms`;
      return `${figures}, the second longer in ${(superiority * 100).toFixed(1)} % (z ${z.toFixed(1)})`;
    })
    .join('; ');
}
