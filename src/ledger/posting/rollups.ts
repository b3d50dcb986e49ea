// Roll-ups: sums per hour that reports read, written in the commit of the batch they count.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { type BoundStatement, statement } from '../../db/driver/statement.ts';
import { HOUR_MS, HOURS_PER_DAY, mondayOf } from '../../kernel/clock.ts';
import type { AccountKind } from '../account-kinds.ts';
import type { MovementType } from '../movement-types.ts';
import type { Account } from '../types.ts';
import { type Decision, isWritten } from './decide.ts';

/** The row of account_rollups that sums all hours. */
export const ALL_HOURS = 0;

/** Adds safe integers exactly, at the speed of numbers as long as the sum is a safe integer itself. */
class ExactSum {
  private sum = 0;
  private beyond = 0n;

  add(value: number): void {
    if (!Number.isSafeInteger(this.sum + value)) {
      this.beyond += BigInt(this.sum);
      this.sum = 0;
    }
    this.sum += value;
  }

  get isZero(): boolean {
    return this.sum === 0 && this.beyond === 0n;
  }

  toString(): string {
    return this.beyond === 0n ? String(this.sum) : String(this.beyond + BigInt(this.sum));
  }
}

interface MovementSums {
  count: number;
  amount: ExactSum;
  fee: ExactSum;
  commission: ExactSum;
}

interface AccountSums {
  change: ExactSum;
  activeInHour: number;
  activeInDay: number;
  activeInWeek: number;
}

export interface BatchRollup {
  /** Hours since 1970, UTC. */
  hour: number;
  movements: ReadonlyMap<MovementType, MovementSums>;
  accounts: ReadonlyMap<AccountKind, AccountSums>;
}

/** `accounts`: as they were before the batch. */
export function rollUp(decision: Decision, accounts: ReadonlyMap<string, Account>, now: number): BatchRollup {
  const periods = periodsOf(now);
  const byType = new Map<MovementType, MovementSums>();
  for (const [index, outcome] of decision.outcomes.entries()) {
    const movement = decision.movements[index];
    if (!isWritten(outcome) || !movement) continue;
    const sums = byType.get(movement.type) ?? noMovements();
    sums.count += 1;
    sums.amount.add(movement.amount);
    sums.fee.add(movement.fee);
    sums.commission.add(commissionOf(movement.details));
    byType.set(movement.type, sums);
  }
  const byKind = new Map<AccountKind, AccountSums>();
  for (const after of decision.changed) {
    const before = accounts.get(after.id);
    if (before && before.lastSeq < after.lastSeq) addAccount(byKind, before, after, periods);
  }
  return { hour: periods.hour, movements: byType, accounts: byKind };
}

function noMovements(): MovementSums {
  return { count: 0, amount: new ExactSum(), fee: new ExactSum(), commission: new ExactSum() };
}

interface Periods {
  hour: number;
  /** Starts of hour, UTC day and ISO week as a posting's seq: microseconds since 1970. */
  hourStart: number;
  dayStart: number;
  weekStart: number;
}

const MICROS_PER_HOUR = HOUR_MS * 1_000;

function periodsOf(now: number): Periods {
  const hour = Math.floor(now / HOUR_MS);
  const day = Math.floor(hour / HOURS_PER_DAY);
  return {
    hour,
    hourStart: hour * MICROS_PER_HOUR,
    dayStart: day * HOURS_PER_DAY * MICROS_PER_HOUR,
    weekStart: mondayOf(day) * HOURS_PER_DAY * MICROS_PER_HOUR,
  };
}

/** An account becomes active with its first posting of a period. If clocks differ at its start, the later period counts. */
function addAccount(
  byKind: Map<AccountKind, AccountSums>,
  before: Account,
  after: Account,
  { hourStart, dayStart, weekStart }: Periods,
): void {
  const { kind, lastSeq } = before;
  const sums = byKind.get(kind) ?? { change: new ExactSum(), activeInHour: 0, activeInDay: 0, activeInWeek: 0 };
  sums.change.add(after.balance);
  sums.change.add(-before.balance);
  if (lastSeq < hourStart) sums.activeInHour += 1;
  if (lastSeq < dayStart) sums.activeInDay += 1;
  if (lastSeq < weekStart) sums.activeInWeek += 1;
  byKind.set(kind, sums);
}

function commissionOf({ earned }: Record<string, unknown>): number {
  if (earned === undefined) return 0;
  const { payer = 0, payee = 0 } = earned as { payer?: number; payee?: number };
  return payer + payee;
}

// Only the gateway of the chain writes these rows: the locks are never contended.
const ROLL_UP = statement(
  'ledger-roll-up',
  `with new_movement_sums as (
    insert into movement_rollups as r (hour, chain, type, count, amount, fee, commission)
    select $1::integer, $2::integer, * from unnest($3::text[], $4::bigint[], $5::text[]::numeric[], $6::text[]::numeric[],
      $7::text[]::numeric[])
    on conflict (hour, chain, type) do update set count = r.count + excluded.count, amount = r.amount + excluded.amount,
      fee = r.fee + excluded.fee, commission = r.commission + excluded.commission)
  insert into account_rollups as r (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
  select hour, $2::integer, kind, change, in_hour, in_day, in_week
  from unnest($8::bigint[], $9::text[], $10::text[]::numeric[], $11::bigint[], $12::bigint[], $13::bigint[])
    as new (hour, kind, change, in_hour, in_day, in_week)
  on conflict (hour, chain, kind) do update set change = r.change + excluded.change,
    active_in_hour = r.active_in_hour + excluded.active_in_hour, active_in_day = r.active_in_day + excluded.active_in_day,
    active_in_week = r.active_in_week + excluded.active_in_week`,
);

/** None if the batch posts nothing. */
export function rollUpStatements(chain: number, { hour, movements, accounts }: BatchRollup): BoundStatement[] {
  if (movements.size === 0) return [];
  const sums = [...movements.values()];
  const rows = [...accounts].flatMap(([kind, each]) => accountRows(hour, kind, each));
  const values = [
    hour,
    chain,
    textArray([...movements.keys()]),
    int8Array(sums.map(({ count }) => count)),
    textArray(sums.map(({ amount }) => String(amount))),
    textArray(sums.map(({ fee }) => String(fee))),
    textArray(sums.map(({ commission }) => String(commission))),
    int8Array(rows.map((row) => row.hour)),
    textArray(rows.map(({ kind }) => kind)),
    textArray(rows.map(({ change }) => String(change))),
    int8Array(rows.map(({ activeInHour }) => activeInHour)),
    int8Array(rows.map(({ activeInDay }) => activeInDay)),
    int8Array(rows.map(({ activeInWeek }) => activeInWeek)),
  ];
  return [{ statement: ROLL_UP, values }];
}

type AccountRow = AccountSums & { hour: number; kind: AccountKind };

/** The rows for the hour and for all hours, without those that would add nothing: a transfer without a fee changes no sum. */
function accountRows(hour: number, kind: AccountKind, sums: AccountSums): AccountRow[] {
  if (sums.change.isZero && sums.activeInHour === 0) return [];
  const ofHour = { hour, kind, ...sums };
  if (sums.change.isZero) return [ofHour];
  return [ofHour, { hour: ALL_HOURS, kind, change: sums.change, activeInHour: 0, activeInDay: 0, activeInWeek: 0 }];
}
