// Attempts counted in the database, so that the limits on guesses hold for all gateways together.
import { type Clock, DAY_MS, HOUR_MS } from '../kernel/clock.ts';
import { onPrimary } from '../kernel/read-context.ts';
import { integer, text, timestamp } from './driver/columns.ts';
import { type Columns, type StatementRunner, statement } from './driver/statement.ts';

export interface AttemptTotals {
  /** When the window started, in milliseconds. */
  startedAt: number;
  counted: number;
  correct: number;
}

export interface AttemptCounts {
  /** Adds to the counts of the subject's window and returns the totals of all gateways. Starts a new window if it ended. */
  add(subject: string, added: { counted: number; correct: number }, windowMs: number): Promise<AttemptTotals>;
  prune(): Promise<number>;
}

/** A window that counts nothing starts again with the next attempt. */
const ENDED = 'c.started_at <= $5 or (c.counted = 0 and c.correct = 0)';

const ADD = statement(
  'add-attempts',
  `insert into attempt_counts as c (subject, started_at, counted, correct)
  values ($1, $2, greatest($3::bigint, 0), $4::bigint)
  on conflict (subject) do update set
    started_at = case when ${ENDED} then excluded.started_at else c.started_at end,
    counted = case when ${ENDED} then excluded.counted else greatest(c.counted + $3::bigint, 0) end,
    correct = case when ${ENDED} then excluded.correct else c.correct + $4::bigint end
  returning started_at, counted, correct`,
  totalsOf,
);

const PRUNE = statement(
  'prune-attempts',
  `delete from attempt_counts where subject = any (array(
    select subject from attempt_counts where started_at < $1 order by started_at limit $2 for update skip locked))
  returning subject`,
  ([subject]) => text(subject),
);

/** Longer than any window. */
const KEPT_MS = DAY_MS + HOUR_MS;
const PRUNE_CHUNK = 1_000;

export function createAttemptCounts(pool: StatementRunner, clock: Clock): AttemptCounts {
  return {
    async add(subject, { counted, correct }, windowMs) {
      const now = clock.now();
      const values = [subject, new Date(now), counted, correct, new Date(now - windowMs)];
      const [totals] = await onPrimary(() => pool.run(ADD, values));
      if (!totals) throw new Error('the attempt was not counted');
      return totals;
    },
    async prune() {
      return (await pool.run(PRUNE, [new Date(clock.now() - KEPT_MS), PRUNE_CHUNK])).length;
    },
  };
}

function totalsOf([startedAt, counted, correct]: Columns): AttemptTotals {
  return { startedAt: timestamp(startedAt).getTime(), counted: integer(counted), correct: integer(correct) };
}
