// What the postings of one account come to over a period, by type and direction: exact, of one instant, and as fast on
// the millionth posting as on the first.
import { bool, integer, text } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { type HistoryQuery, rangeOf } from './account-history.ts';
import { type Checkpoints, createCheckpoints, EVERY_POSTINGS, SUMMANDS } from './checkpoints.ts';

export interface TypeTotals {
  type: string;
  /** Whether the account paid; otherwise it was paid. */
  paid: boolean;
  count: number;
  /** What the movements were about, without fees. */
  amount: number;
  /** What of the fees this account bore. */
  fee: number;
  /** Signed: what they did to the balance. */
  change: number;
  /** The seq of the newest one. */
  newest: number;
}

export interface Sums {
  /** One for each type and direction there is. */
  rows: TypeTotals[];
  /** False: more postings than can be summed in time have no checkpoint yet; there are these at least. */
  complete: boolean;
}

export type TotalsQuery = Pick<HistoryQuery, 'accountId' | 'type' | 'from' | 'to'>;

export interface AccountTotals {
  byType(query: TotalsQuery): Promise<Sums>;
}

export interface TotalsTerms {
  checkpoints?: Checkpoints;
  /** How many postings beyond the first and the last checkpoint of a period are summed; and how many after others were written. */
  edge?: number;
  longEdge?: number;
}

const EDGE = 2 * EVERY_POSTINGS;
const LONG_EDGE = 5 * EVERY_POSTINGS;

const CHECKPOINT = (seq: string, sign: string) => `
  select 'middle', type, paid, ${sign}count, ${sign}amount, ${sign}fee, ${sign}change, newest
  from account_checkpoints where account_id = $1 and seq = ${seq}`;

const EDGE_OF = (part: string, bounds: string) => `
  select '${part}', s.* from (${SUMMANDS(`select * from postings where account_id = $1 and ${bounds} order by seq limit $4`)}) s`;

// Between the first checkpoint of the period and the last the sums are known; what is before and after them is short. In
// one statement, so all of it is of the same instant. A period that begins with the account has no beginning to look at.
export const TOTALS = statement(
  'ledger-totals',
  `with ends as materialized (select
    (select seq from account_checkpoints where account_id = $1 and $3::bigint > 0 and seq >= $3 and seq < $2
      order by seq limit 1) as first,
    (select seq from account_checkpoints where account_id = $1 and seq >= $3 and seq < $2
      order by seq desc limit 1) as last)
  select s.part, s.type, s.paid, sum(s.count), sum(s.amount), sum(s.fee), sum(s.change), max(s.newest)
  from ends cross join lateral (${CHECKPOINT('ends.last', '')}
    union all ${CHECKPOINT('ends.first', '-')}
    union all ${EDGE_OF('begin', 'seq >= $3 and seq <= ends.first')}
    union all ${EDGE_OF('end', 'seq > coalesce(ends.last, $3::bigint - 1) and seq < $2')})
    as s (part, type, paid, count, amount, fee, change, newest)
  group by s.part, s.type, s.paid having sum(s.count) > 0`,
  partOf,
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

export function createAccountTotals(pool: StatementRunner, terms: TotalsTerms = {}): AccountTotals {
  const { checkpoints = createCheckpoints(pool), edge = EDGE, longEdge = LONG_EDGE } = terms;

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
      // Who asks writes what is missing. If that fails, or takes longer than one may wait, the next one gets further.
      await checkpoints.catchUp(query.accountId).catch(() => undefined);
      return sum(query, longEdge);
    },
  };
}

/** The parts of a period put together; a type that is asked for alone. */
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
