// Pieces of a run, put together: what there was of everything, and what was typical of how long it took.
import type { OpenLoopMeasured, Quantiles } from './open-loop.ts';

export const QUARTERS = 4;

export interface Joined extends OpenLoopMeasured {
  /** What those took that were accepted in each quarter of the run. */
  quarters: Quantiles[];
}

/** At least one for each quarter. */
export function joined(pieces: OpenLoopMeasured[]): Joined {
  const sum = (read: (piece: OpenLoopMeasured) => number) => pieces.reduce((total, piece) => total + read(piece), 0);
  return {
    due: sum(({ due }) => due),
    accepted: sum(({ accepted }) => accepted),
    shed: sum(({ shed }) => shed),
    shedWithoutRetryAfter: sum(({ shedWithoutRetryAfter }) => shedWithoutRetryAfter),
    otherAnswers: sum(({ otherAnswers }) => otherAnswers),
    firstOther: pieces.find(({ firstOther }) => firstOther !== '')?.firstOther ?? '',
    broken: sum(({ broken }) => broken),
    unsent: sum(({ unsent }) => unsent),
    connections: Math.max(...pieces.map(({ connections }) => connections)),
    took: typical(pieces.map(({ took }) => took)),
    quarters: quartersOf(pieces.map(({ took }) => took)).map(typical),
    shedTook: typical(pieces.map(({ shedTook }) => shedTook)),
    lateness: typical(pieces.map(({ lateness }) => lateness)),
  };
}

function quartersOf<T>(values: T[]): T[][] {
  const edge = (quarter: number) => Math.round((values.length * quarter) / QUARTERS);
  return Array.from({ length: QUARTERS }, (_, quarter) => values.slice(edge(quarter), edge(quarter + 1)));
}

/** The middle of each, and the worst of all. */
function typical(values: Quantiles[]): Quantiles {
  const of = (read: (value: Quantiles) => number) =>
    values.map(read).toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const worst = Math.max(...values.map((value) => value.worst));
  return { p50: of(({ p50 }) => p50), p95: of(({ p95 }) => p95), p99: of(({ p99 }) => p99), worst };
}
