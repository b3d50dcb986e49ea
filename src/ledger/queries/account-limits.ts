// The limits of an account and what is used of them, from the counters that the ledger checks under its locks.
import { integer, integerOrNull } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { reducedLimit, usedOn } from '../posting/limits.ts';

export interface AccountLimits {
  balance: number;
  /** Null: no bound. */
  ceiling: number | null;
  daily: DailyLimit;
}

export interface DailyLimit {
  /** As it applies now; null: no bound. */
  limit: number | null;
  /** Without a reduction. */
  regularLimit: number | null;
  used: number;
  /** Until when a PIN reset reduces the limit, in milliseconds since 1970; null: it does not. */
  reducedUntil: number | null;
  /** The next UTC midnight, in milliseconds since 1970. */
  resetsAt: number;
}

const LIMITS = statement(
  'account-limits',
  `select balance, ceiling, daily_limit, daily_used, daily_on, (extract(epoch from reduced_until) * 1000)::bigint
    from accounts where id = $1 limit 1`,
  ([balance, ceiling, dailyLimit, dailyUsed, dailyOn, reducedUntil]) => ({
    balance: integer(balance),
    ceiling: integerOrNull(ceiling),
    dailyLimit: integerOrNull(dailyLimit),
    dailyUsed: integer(dailyUsed),
    dailyOn: integer(dailyOn),
    reducedUntil: integerOrNull(reducedUntil),
  }),
);

/** Null: there is no such account. */
export function accountLimits(reader: Reader): (id: string, now: number) => Promise<AccountLimits | null> {
  return async (id, now) => {
    const [row] = await reader.run(LIMITS, [id]);
    if (!row) return null;
    const { balance, ceiling, dailyLimit, reducedUntil } = row;
    const day = Math.floor(now / DAY_MS);
    const until = reducedUntil !== null && reducedUntil > now ? reducedUntil : null;
    const limit = until === null || dailyLimit === null ? dailyLimit : reducedLimit(dailyLimit);
    const times = { reducedUntil: until, resetsAt: (day + 1) * DAY_MS };
    return { balance, ceiling, daily: { limit, regularLimit: dailyLimit, used: usedOn(row, day), ...times } };
  };
}
