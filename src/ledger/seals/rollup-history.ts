// Roll-ups of what versions without roll-ups wrote: recomputed from the movements, as chain 0.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { EPOCH_DAYS_AFTER_MONDAY, HOURS_PER_DAY } from '../../kernel/clock.ts';
import { ALL_HOURS } from '../posting/rollups.ts';

export const HISTORY_CHAIN = 0;

/** True of a movement m that no gateway counted when it was posted. */
export const IS_HISTORY = `(m.batch is null or m.batch >> 32 not in (select c.id from seal_chains c where c.rolls_up))`;

const HOUR_OF = (at: string) => `floor(extract(epoch from ${at}) / 3600)::integer`;
const EARNED = (party: string) => `coalesce((m.details #>> '{earned,${party}}')::numeric, 0)`;

/** Sums over movements by hour and type, of the history or of the other movements. */
export const MOVEMENT_SUMS = `select ${IS_HISTORY} as history, ${HOUR_OF('m.at')} as hour, m.type, count(*) as count,
    sum(m.amount) as amount, sum(m.fee) as fee, sum(${EARNED('payer')} + ${EARNED('payee')}) as commission
  from movements m group by 1, 2, 3`;

const HOUR_MICROS = 3_600_000_000;
const DAY = `hour / ${HOURS_PER_DAY}`;
const FIRST_SINCE = (hour: string) => `count(*) filter (where before < (${hour})::bigint * ${HOUR_MICROS})`;

const POSTED = `select ${IS_HISTORY} as history, ${HOUR_OF('m.at')} as hour, a.kind, p.amount,
    lag(p.seq, 1, 0::bigint) over (partition by p.account_id order by p.seq) as before
  from postings p join movements m on m.id = p.movement_id join accounts a on a.id = p.account_id`;

/** Sums over postings by hour and kind of account, and the sums of all hours. An account's first posting makes it active. */
export const ACCOUNT_SUMS = `with posted as materialized (${POSTED})
  select history, hour, kind, sum(amount) as change, ${FIRST_SINCE('hour')} as active_in_hour,
    ${FIRST_SINCE(`${DAY} * ${HOURS_PER_DAY}`)} as active_in_day,
    ${FIRST_SINCE(`(${DAY} - (${DAY} + ${EPOCH_DAYS_AFTER_MONDAY}) % 7) * ${HOURS_PER_DAY}`)} as active_in_week
  from posted group by history, hour, kind
  union all select history, ${ALL_HOURS}, kind, sum(amount), 0, 0, 0 from posted group by history, kind`;

export const ROLL_UP_HISTORY = `
  delete from movement_rollups where chain = ${HISTORY_CHAIN};
  delete from account_rollups where chain = ${HISTORY_CHAIN};
  insert into movement_rollups (hour, chain, type, count, amount, fee, commission)
  select hour, ${HISTORY_CHAIN}, type, count, amount, fee, commission from (${MOVEMENT_SUMS}) s where history;
  insert into account_rollups (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
  select hour, ${HISTORY_CHAIN}, kind, change, active_in_hour, active_in_day, active_in_week
  from (${ACCOUNT_SUMS}) s where history;
  update rollup_history set complete = true`;

/**
 * As the owner of the tables, in the caller's transaction, when no gateway of an earlier version runs. Other gateways write
 * rows of other chains. False: everything was counted before, and nothing is done.
 */
export async function rollUpHistory(trx: Queries): Promise<boolean> {
  const { complete } = await trx.selectFrom('rollup_history').select('complete').executeTakeFirstOrThrow();
  if (complete) return false;
  await sql.raw(ROLL_UP_HISTORY).execute(trx);
  return true;
}
