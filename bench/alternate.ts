// Loads that are held against each other are measured in turns, a piece of each at a time: a machine that is shared is not the same
// from one minute to the next, and what slows one of them down then slows down the others too.

export interface Piece {
  perSecond: number;
  p50: number;
  /** Not known of every reference, as the next. */
  p95?: number;
  p99?: number;
  errors?: number;
  firstError?: string;
}

export type Measure = (seconds: number) => Promise<Piece>;

export interface Turns {
  rounds: number;
  /** Of each piece. */
  seconds: number;
}

/** What each of them gave, round by round. */
export class Outcome {
  readonly pieces: ReadonlyMap<string, Piece[]>;

  constructor(pieces: ReadonlyMap<string, Piece[]>) {
    this.pieces = pieces;
  }

  /** The middle of what one was to the other in the same round. */
  ratio(one: string, other: string, read: (piece: Piece) => number): number {
    const others = this.of(other);
    return middle(this.of(one).map((piece, round) => read(piece) / read(others[round] as Piece)));
  }

  private of(name: string): Piece[] {
    const pieces = this.pieces.get(name);
    if (!pieces) throw new Error(`nothing was measured as ${name}`);
    return pieces;
  }
}

export async function inTurns(contestants: Record<string, Measure>, { rounds, seconds }: Turns): Promise<Outcome> {
  const pieces = new Map(Object.keys(contestants).map((name) => [name, [] as Piece[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(contestants)) pieces.get(name)?.push(await measure(seconds));
  }
  return new Outcome(pieces);
}

/** One that stands for all rounds: the middle of each figure, and every error. */
export function typical(pieces: Piece[]): Piece {
  const of = (read: (piece: Piece) => number | undefined) => middle(pieces.map((piece) => read(piece) ?? Number.NaN));
  return {
    perSecond: Math.round(of(({ perSecond }) => perSecond)),
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    p99: of(({ p99 }) => p99),
    errors: pieces.reduce((sum, { errors = 0 }) => sum + errors, 0),
    firstError: pieces.map(({ firstError = '' }) => firstError).find((text) => text !== '') ?? '',
  };
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
