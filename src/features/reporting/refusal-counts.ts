// Counts refused payments by code and hour: in memory, and added to the database every few seconds.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { type Clock, HOUR_MS } from '../../kernel/clock.ts';
import type { Hours } from '../../ledger/queries/rollups.ts';

export interface RefusalCount {
  bucket: number;
  code: string;
  count: number;
}

export interface RefusalCounts {
  count(code: string): void;
  /** Adds the counts of this gateway to those of all gateways. */
  flush(): Promise<void>;
  /** The counts of all gateways, as of their last flush. */
  read(hours: Hours): Promise<RefusalCount[]>;
}

// Sorted, so that two gateways that flush at once lock the rows in the same order.
const ADD = statement(
  'refusals-add',
  `insert into refusal_rollups as r (hour, code, count)
  select * from unnest($1::bigint[], $2::text[], $3::bigint[]) as new (hour, code, count) order by hour, code
  on conflict (hour, code) do update set count = r.count + excluded.count`,
);

const READ = statement(
  'refusals-read',
  `select (hour - $1::integer) / $3::integer, code, sum(count) from refusal_rollups
  where hour >= $1 and hour < $2 group by 1, 2 order by 1, 3 desc, 2`,
  ([bucket, code, count]): RefusalCount => ({ bucket: integer(bucket), code: text(code), count: integer(count) }),
);

export function createRefusalCounts(pool: StatementRunner, clock: Clock): RefusalCounts {
  /** By hour and code; codes are from the catalogue of refusals. */
  let counted = new Map<string, { hour: number; code: string; count: number }>();

  function add(hour: number, code: string, count: number): void {
    const key = `${hour} ${code}`;
    const entry = counted.get(key);
    if (entry) entry.count += count;
    else counted.set(key, { hour, code, count });
  }

  return {
    count: (code) => add(Math.floor(clock.now() / HOUR_MS), code, 1),
    async flush() {
      const entries = [...counted.values()];
      if (entries.length === 0) return;
      counted = new Map();
      const hours = int8Array(entries.map(({ hour }) => hour));
      const codes = textArray(entries.map(({ code }) => code));
      try {
        await pool.run(ADD, [hours, codes, int8Array(entries.map(({ count }) => count))]);
      } catch (error) {
        for (const { hour, code, count } of entries) add(hour, code, count);
        throw error;
      }
    },
    read: ({ from, to, step }) => pool.run(READ, [from, to, step]),
  };
}
