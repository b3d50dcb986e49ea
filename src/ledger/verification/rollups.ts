// Verifies the roll-ups: recomputes every sum from the movements, postings and accounts.
import type { Connection } from '../../db/driver/connection.ts';
import { statement } from '../../db/driver/statement.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import { ALL_HOURS } from '../posting/rollups.ts';
import { ACCOUNT_SUMS, HISTORY_CHAIN, MOVEMENT_SUMS } from '../seals/rollup-history.ts';
import { type Check, type Findings, type Row, rowsOf } from './findings.ts';

const RULES = {
  movement_rollup_differs: 'the roll-up of an hour is not the sum of its movements',
  account_rollup_differs: 'the roll-up of an hour, or of all hours, does not match the postings',
} as const;

/** Rows with the history flag, the hour, what is summed, the four stored sums, and the four sums of the movements. */
function differences(table: string, by: string, sums: readonly string[], expected: string): string {
  const both = (prefix: string) => sums.map((sum) => `coalesce(${prefix}.${sum}, 0)::numeric`);
  return `select history, hour, ${by}, ${[...both('r'), ...both('m')].join(', ')}
    from (select chain = ${HISTORY_CHAIN} as history, hour, ${by}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
      from ${table} group by 1, 2, 3) r
    full join (${expected}) m using (history, hour, ${by})
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

// A ledger that was complete from its first chain on has no history: only the MAC of the chain proves it.
const HISTORY_COMPLETE = statement(
  'verify-rollup-history',
  'select complete or exists (select from seal_chains where id = 1 and complete) from rollup_history',
  ([complete]) => complete === 't',
);

export const ROLLUPS: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    const complete = (await connection.run(HISTORY_COMPLETE)).every(Boolean);
    const uncounted =
      (await compare(connection, findings, { rule: 'movement_rollup_differs', text: MOVEMENTS, complete })) +
      (await compare(connection, findings, { rule: 'account_rollup_differs', text: ACCOUNTS, complete }));
    if (uncounted === 0) return;
    findings.notice(
      'Reports do not contain everything that gateways of an earlier version posted. Once none of them is running, count it ' +
        'once with npm run ledger:seal-history.',
    );
  },
};

interface Comparison {
  rule: keyof typeof RULES;
  text: string;
  /** The history was counted to its end: a difference in it is a fault. */
  complete: boolean;
}

/** Returns the number of differences that are no faults yet. */
async function compare(
  connection: Connection,
  findings: Findings,
  { rule, text, complete }: Comparison,
): Promise<number> {
  let uncounted = 0;
  for await (const [history, hour, of, ...sums] of rowsOf(connection, rule, text)) {
    if (history === 't' && !complete && !exceeds(rule, sums)) {
      uncounted += 1;
      continue;
    }
    const period = Number(hour) === ALL_HOURS ? 'all hours' : new Date(Number(hour) * HOUR_MS).toISOString();
    const half = sums.length / 2;
    const detail = `${shown(sums.slice(0, half))}, by the movements ${shown(sums.slice(half))}`;
    findings.fault(rule, `${of} in ${period}`, detail);
  }
  return uncounted;
}

/** Movements that are not counted yet make the stored count, amount and fee too small, never too large. */
function exceeds(rule: keyof typeof RULES, sums: Row): boolean {
  if (rule !== 'movement_rollup_differs') return false;
  const half = sums.length / 2;
  return [0, 1, 2].some((index) => BigInt(sums[index] ?? 0) > BigInt(sums[half + index] ?? 0));
}

function shown(sums: Row): string {
  return sums.join(' ');
}
