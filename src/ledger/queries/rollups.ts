// Reads the roll-ups of all gateways: sums over movements by period, active accounts, and balances by kind of account.
import { integer, text } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import type { AccountKind } from '../account-kinds.ts';
import type { MovementType } from '../movement-types.ts';
import { ALL_HOURS } from '../posting/rollups.ts';

/** Hours since 1970, UTC. */
export interface Hours {
  from: number;
  /** Exclusive. */
  to: number;
  /** The length of one bucket; the first starts at `from`. */
  step: number;
}

export interface MovementSums {
  /** The number of the bucket, from zero. */
  bucket: number;
  type: MovementType;
  count: number;
  amount: number;
  fee: number;
  commission: number;
}

export interface ActiveAccounts {
  bucket: number;
  /** Accounts whose first posting of the hour, day or week was in the bucket. */
  inHour: number;
  inDay: number;
  inWeek: number;
}

export interface Rollups {
  movements(hours: Hours): Promise<MovementSums[]>;
  active(kind: AccountKind, hours: Hours): Promise<ActiveAccounts[]>;
  /** The sums of all balances, now. Kinds without a posting are missing. */
  balances(): Promise<Map<AccountKind, number>>;
  /** The sums of all balances at the start of this hour. */
  balancesBefore(hour: number): Promise<Map<AccountKind, number>>;
}

const MOVEMENTS = statement(
  'rollups-movements',
  `select (hour - $1::integer) / $3::integer, type, sum(count), sum(amount), sum(fee), sum(commission)
  from movement_rollups where hour >= $1 and hour < $2 group by 1, 2`,
  ([bucket, type, count, amount, fee, commission]): MovementSums => ({
    bucket: integer(bucket),
    type: text<MovementType>(type),
    count: integer(count),
    // A sum beyond 2^53 is only possible with amounts that no wallet can hold; a report rounds it.
    amount: Number(amount),
    fee: Number(fee),
    commission: Number(commission),
  }),
);

const ACTIVE = statement(
  'rollups-active',
  `select (hour - $1::integer) / $3::integer, sum(active_in_hour), sum(active_in_day), sum(active_in_week)
  from account_rollups where hour >= $1 and hour < $2 and kind = $4 group by 1`,
  ([bucket, inHour, inDay, inWeek]): ActiveAccounts => ({
    bucket: integer(bucket),
    inHour: integer(inHour),
    inDay: integer(inDay),
    inWeek: integer(inWeek),
  }),
);

const balanceOf = ([kind, sum]: readonly (string | null)[]) => [text<AccountKind>(kind), Number(sum)] as const;

const BALANCES = statement(
  'rollups-balances',
  `select kind, sum(change) from account_rollups where hour = ${ALL_HOURS} group by kind`,
  balanceOf,
);

// The total without the hours since: recent instants, which are asked for most, read few rows.
const BALANCES_BEFORE = statement(
  'rollups-balances-before',
  `select kind, sum(case when hour = ${ALL_HOURS} then change else -change end)
  from account_rollups where hour = ${ALL_HOURS} or hour >= $1::integer group by kind`,
  balanceOf,
);

export function createRollups(pool: StatementRunner): Rollups {
  return {
    movements: ({ from, to, step }) => pool.run(MOVEMENTS, [from, to, step]),
    active: (kind, { from, to, step }) => pool.run(ACTIVE, [from, to, step, kind]),
    async balances() {
      return new Map(await pool.run(BALANCES));
    },
    async balancesBefore(hour) {
      return new Map(await pool.run(BALANCES_BEFORE, [hour]));
    },
  };
}
