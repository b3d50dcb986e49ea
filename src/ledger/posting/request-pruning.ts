// Deletes expired idempotency keys of parties, so that their table stays bounded.
import { bool } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { pruningMac, type SealKeys } from '../seals/format.ts';

export interface RequestPruning {
  /** Continues the pass over the table, or begins the next one, within the time of a round. */
  prune(stopping?: AbortSignal): Promise<void>;
}

export interface RequestPruningOptions {
  pool: StatementRunner;
  clock: Clock;
  /** Signs the instant before which keys may be missing. */
  sealKeys: SealKeys;
  /** How long a key is kept. */
  days: number;
  /** Pages of the table per statement. */
  pages?: number;
  roundMs?: number;
}

/** 1 MiB, or some 2,500 keys, per statement: some tens of milliseconds. */
const PAGES = 128;
const ROUND_MS = 5 * SECOND_MS;

/** False: the pass over the table is complete, or another gateway is at it. */
const PRUNE = statement(
  'ledger-prune-requests',
  'select prune_requests(to_timestamp($1::double precision / 1000), $2::bytea, $3::integer)',
  ([more]) => bool(more),
);

export function createRequestPruning(options: RequestPruningOptions): RequestPruning {
  const { pool, clock, sealKeys, days, pages = PAGES, roundMs = ROUND_MS } = options;
  return {
    async prune(stopping) {
      const endsAt = performance.now() + roundMs;
      const until = clock.now() - days * DAY_MS;
      const values = [until, pruningMac(sealKeys.writing.key, until), pages];
      do {
        const [more] = await pool.run(PRUNE, values);
        if (!more) return;
      } while (performance.now() < endsAt && !stopping?.aborted);
    },
  };
}
