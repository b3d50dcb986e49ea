// Which part of the history is archived (npm run ledger:archive), for look-ups that reach into it.
import { integer, integerOrNull } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { iso } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { onPrimary } from '../../kernel/read-context.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

export interface Archives {
  /** Movements before this instant, in milliseconds, are archived. Null: none are. */
  before(): Promise<number | null>;
  /** The number of archived postings of an account. */
  countOf(accountId: string, before: number): Promise<number>;
  /** For the id of a movement that was not found: null if it would not be archived. Does not say whether it exists there. */
  refusalOf(movementId: string): Promise<Refusal | null>;
}

/** Shorter than the time between the record of an archive and the deletion of its rows (archive/archive.ts). */
const KNOWN_MS = 1_000;

const BEFORE = statement(
  'archived-before',
  'select (extract(epoch from max(before)) * 1000)::bigint from ledger_archives',
  ([before]) => integerOrNull(before),
);

/** The opening balance is the only checkpoint before the instant. While rows are being deleted, it is the last one. */
const COUNT = statement(
  'archived-count',
  `select coalesce(sum(count), 0) from account_checkpoints where account_id = $1 and seq = (
    select seq from account_checkpoints where account_id = $1 and seq < $2::bigint order by seq desc limit 1)`,
  ([count]) => integer(count),
);

export function createArchives(runner: Pick<StatementRunner, 'run'>): Archives {
  let known: { before: Promise<number | null>; until: number } | null = null;

  async function read(): Promise<number | null> {
    return (await runner.run(BEFORE))[0] ?? null;
  }

  /** Every page of a history asks, and the answer changes once per quarter. */
  function before(): Promise<number | null> {
    if (known && performance.now() < known.until) return known.before;
    // Requests share it, including those that do not read from a replica.
    const reading = onPrimary(read);
    known = { before: reading, until: performance.now() + KNOWN_MS };
    reading.catch(() => {
      known = null;
    });
    return reading;
  }

  return {
    before,
    async countOf(accountId, instant) {
      return (await runner.run(COUNT, [accountId, instant * 1_000]))[0] ?? 0;
    },
    async refusalOf(movementId) {
      return refusalIfBefore(movementId, await before());
    },
  };
}

/** Null if a movement with this id would not be archived. */
export function refusalIfBefore(movementId: string, instant: number | null): Refusal | null {
  const isOld = instant !== null && movementId.startsWith('txn_') && movementId < firstIdAt('txn', instant);
  return isOld ? archivedRefusal(instant) : null;
}

export function archivedRefusal(before: number): Refusal {
  return refuse('ARCHIVED', `Transactions before ${iso(before)} are archived. Ask the operator for them.`, {
    details: { archived_before: iso(before) },
  });
}
