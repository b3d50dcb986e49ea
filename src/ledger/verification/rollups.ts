// Verifies the roll-ups: recomputes every sum from the movements, postings and accounts.
import type { Connection } from '../../db/driver/connection.ts';
import { EPOCH_DAYS_AFTER_MONDAY, HOUR_MS, HOURS_PER_DAY } from '../../kernel/clock.ts';
import { ALL_HOURS } from '../posting/rollups.ts';
import { type Check, type Findings, type Row, rowsOf } from './findings.ts';

const RULES = {
  movement_rollup_differs: 'the roll-up of an hour is not the sum of its movements',
  account_rollup_differs: 'the roll-up of an hour, or of all hours, does not match the postings',
} as const;

const HOUR_OF = (at: string) => `floor(extract(epoch from ${at}) / 3600)::integer`;
const EARNED = (party: string) => `coalesce((m.details #>> '{earned,${party}}')::numeric, 0)`;

/** Sums over movements by hour and type. */
export const MOVEMENT_SUMS = `select ${HOUR_OF('m.at')} as hour, m.type, count(*) as count,
    sum(m.amount) as amount, sum(m.fee) as fee, sum(${EARNED('payer')} + ${EARNED('payee')}) as commission
  from movements m group by 1, 2`;

const HOUR_MICROS = 3_600_000_000;
const DAY = `hour / ${HOURS_PER_DAY}`;
const FIRST_SINCE = (hour: string) => `count(*) filter (where before < (${hour})::bigint * ${HOUR_MICROS})`;

const POSTED = `select ${HOUR_OF('m.at')} as hour, a.kind, p.amount,
    lag(p.seq, 1, 0::bigint) over (partition by p.account_id order by p.seq) as before
  from postings p join movements m on m.id = p.movement_id join accounts a on a.id = p.account_id`;

/** Sums over postings by hour and kind of account, and the sums of all hours. An account's first posting makes it active. */
export const ACCOUNT_SUMS = `with posted as materialized (${POSTED})
  select hour, kind, sum(amount) as change, ${FIRST_SINCE('hour')} as active_in_hour,
    ${FIRST_SINCE(`${DAY} * ${HOURS_PER_DAY}`)} as active_in_day,
    ${FIRST_SINCE(`(${DAY} - (${DAY} + ${EPOCH_DAYS_AFTER_MONDAY}) % 7) * ${HOURS_PER_DAY}`)} as active_in_week
  from posted group by hour, kind
  union all select ${ALL_HOURS}, kind, sum(amount), 0, 0, 0 from posted group by kind`;

/** Rows with the hour, what is summed, the four stored sums of all chains, and the four sums of the movements. */
function differences(table: string, by: string, sums: readonly string[], expected: string): string {
  const both = (prefix: string) => sums.map((sum) => `coalesce(${prefix}.${sum}, 0)::numeric`);
  return `select hour, ${by}, ${[...both('r'), ...both('m')].join(', ')}
    from (select hour, ${by}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')} from ${table} group by 1, 2) r
    full join (${expected}) m using (hour, ${by})
    where (${both('r').join(', ')}) is distinct from (${both('m').join(', ')})`;
}

const MOVEMENTS = differences(
  'movement_rollups',
  'type',
  ['count', 'amount', 'fee', 'commission'],
  `select * from (${MOVEMENT_SUMS}) sums`,
);
const ACCOUNTS = differences(
  'account_rollups',
  'kind',
  ['change', 'active_in_hour', 'active_in_day', 'active_in_week'],
  ACCOUNT_SUMS,
);

export const ROLLUPS: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    await compare(connection, findings, 'movement_rollup_differs', MOVEMENTS);
    await compare(connection, findings, 'account_rollup_differs', ACCOUNTS);
  },
};

async function compare(
  connection: Connection,
  findings: Findings,
  rule: keyof typeof RULES,
  differing: string,
): Promise<void> {
  for await (const [hour, of, ...sums] of rowsOf(connection, rule, differing)) {
    const period = Number(hour) === ALL_HOURS ? 'all hours' : new Date(Number(hour) * HOUR_MS).toISOString();
    const half = sums.length / 2;
    const detail = `${shown(sums.slice(0, half))}, by the movements ${shown(sums.slice(half))}`;
    findings.fault(rule, `${of} in ${period}`, detail);
  }
}

function shown(sums: Row): string {
  return sums.join(' ');
}
