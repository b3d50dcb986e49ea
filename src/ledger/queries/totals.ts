// Totals of an account's postings over a period, by type and direction: exact, read at one instant, and in constant time
// thanks to checkpoints.
import { bool, integer, text } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { onPrimary } from '../../kernel/read-context.ts';
import { type HistoryQuery, rangeOf } from './account-history.ts';
import { type Checkpoints, createCheckpoints, EVERY_POSTINGS, SUMMANDS } from './checkpoints.ts';

export interface TypeTotals {
  type: string;
  /** True: the account paid; false: it was paid. */
  paid: boolean;
  count: number;
  /** The movements' amounts, without fees. */
  amount: number;
  /** The fees charged to this account. */
  fee: number;
  /** The signed change of the balance. */
  change: number;
  /** The seq of the newest one. */
  newest: number;
}

export interface Sums {
  /** One per type and direction. */
  rows: TypeTotals[];
  /** False: too many postings have no checkpoint yet, and the totals are a minimum. */
  complete: boolean;
}

/**
 * Postings have no column for commissions: a commission is the balance change beyond the amount less the fee. Totals
 * therefore always add up to the change of the balance. Tests verify that commissions match the fee settings.
 */
export function commissionsIn(rows: readonly Pick<TypeTotals, 'amount' | 'fee' | 'change' | 'paid'>[]): number {
  return rows.reduce((total, { amount, fee, change, paid }) => total + change + fee + (paid ? amount : -amount), 0);
}

export type TotalsQuery = Pick<HistoryQuery, 'accountId' | 'type' | 'from' | 'to'>;

export interface AccountTotals {
  byType(query: TotalsQuery): Promise<Sums>;
}

export interface TotalsOptions {
  checkpoints?: Checkpoints;
  /** Postings summed outside the checkpoints of a period; and the same after missing checkpoints were written. */
  edge?: number;
  longEdge?: number;
}

const EDGE = 2 * EVERY_POSTINGS;
const LONG_EDGE = 10 * EVERY_POSTINGS;

const CHECKPOINT = (seq: string, sign: string) => `
  select 'middle', type, paid, ${sign}count, ${sign}amount, ${sign}fee, ${sign}change, newest
  from account_checkpoints where account_id = $1 and seq = ${seq}`;

const EDGE_OF = (part: string, bounds: string) => `
  select '${part}', s.* from (${SUMMANDS(`select * from postings where account_id = $1 and ${bounds} order by seq limit $4`)}) s`;

const ENDS = `select
    (select seq from account_checkpoints where account_id = $1 and $3::bigint > 0 and seq >= $3 and seq < $2
      order by seq limit 1) as first,
    (select seq from account_checkpoints where account_id = $1 and seq >= $3 and seq < $2
      order by seq desc limit 1) as last`;
const SUMS = 's.part, s.type, s.paid, sum(s.count), sum(s.amount), sum(s.fee), sum(s.change), max(s.newest)';
const GROUPED = 'group by s.part, s.type, s.paid having sum(s.count) > 0';

/** On Citus the postings, which are on one shard, are sent to the shards of their movements. */
const EDGE_ON_CITUS = (part: string, bounds: string) => `
  select '${part}' as part, e.* from (select seq, movement_id, amount, fee from postings
    where account_id = $1 and ${bounds} order by seq limit $4) e`;

// The sums between the first and the last checkpoint of the period are known; only the short ends are summed. One statement,
// so that everything is read at the same instant. A period that starts with the account has no start to sum.
export const TOTALS = onCitus(
  statement(
    'ledger-totals',
    `with ends as materialized (${ENDS}) select ${SUMS}
  from ends cross join lateral (${CHECKPOINT('ends.last', '')}
    union all ${CHECKPOINT('ends.first', '-')}
    union all ${EDGE_OF('begin', 'seq >= $3 and seq <= ends.first')}
    union all ${EDGE_OF('end', 'seq > coalesce(ends.last, $3::bigint - 1) and seq < $2')})
    as s (part, type, paid, count, amount, fee, change, newest) ${GROUPED}`,
    partOf,
  ),
  `with ends as materialized (${ENDS}),
  marks as materialized (${CHECKPOINT('(select last from ends)', '')}
    union all ${CHECKPOINT('(select first from ends)', '-')}),
  edges as materialized (${EDGE_ON_CITUS('begin', 'seq >= $3 and seq <= (select first from ends)')}
    union all ${EDGE_ON_CITUS('end', 'seq > coalesce((select last from ends), $3::bigint - 1) and seq < $2')}),
  summed as materialized (
    select e.part, m.type, m.from_account = $1 as paid, 1 as count, m.amount, e.fee, e.amount as change, e.seq as newest
    from edges e join movements m on m.id = e.movement_id)
  select ${SUMS} from (select * from marks union all select * from summed)
    as s (part, type, paid, count, amount, fee, change, newest) ${GROUPED}`,
);

interface Part {
  part: 'begin' | 'middle' | 'end';
  totals: TypeTotals;
}

function partOf([part, type, paid, count, amount, fee, change, newest]: Columns): Part {
  return {
    part: part as Part['part'],
    totals: {
      type: text(type),
      paid: bool(paid),
      count: integer(count),
      amount: integer(amount),
      fee: integer(fee),
      change: integer(change),
      newest: integer(newest),
    },
  };
}

export function createAccountTotals(pool: StatementRunner, options: TotalsOptions = {}): AccountTotals {
  const { checkpoints = createCheckpoints(pool), edge = EDGE, longEdge = LONG_EDGE } = options;

  async function sum(query: TotalsQuery, mostOfEdge: number): Promise<Sums> {
    const [accountId, below, from] = rangeOf(query);
    const parts = await pool.run(TOTALS, [accountId, below, from, mostOfEdge + 1]);
    const isWhole = (name: Part['part']) =>
      parts.filter(({ part }) => part === name).reduce((count, { totals }) => count + totals.count, 0) <= mostOfEdge;
    return { rows: joined(parts, query.type), complete: isWhole('begin') && isWhole('end') };
  }

  return {
    async byType(query) {
      const sums = await sum(query, edge);
      if (sums.complete) return sums;
      // A replica cannot write them, and would not have them yet.
      return onPrimary(async () => {
        // Writes the missing checkpoints. If that fails or takes too long, the next request gets further.
        await checkpoints.catchUp(query.accountId).catch(() => undefined);
        return sum(query, longEdge);
      });
    },
  };
}

/** Adds the parts of a period, optionally for one type. */
function joined(parts: Part[], type: string | undefined): TypeTotals[] {
  const groups = new Map<string, TypeTotals>();
  for (const { totals } of parts) {
    if (type !== undefined && totals.type !== type) continue;
    const key = `${totals.paid} ${totals.type}`;
    const sum = groups.get(key);
    groups.set(key, sum ? added(sum, totals) : totals);
  }
  return [...groups.values()];
}

function added(a: TypeTotals, b: TypeTotals): TypeTotals {
  return {
    ...a,
    count: a.count + b.count,
    amount: a.amount + b.amount,
    fee: a.fee + b.fee,
    change: a.change + b.change,
    newest: Math.max(a.newest, b.newest),
  };
}
