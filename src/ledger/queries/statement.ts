// An account's postings in a period, oldest first, fixed at the time of the first read.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, integerOrNull, textOrNull } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { sqlType } from '../movement-types.ts';
import { entryOf, type HistoryEntry } from './account-history.ts';
import { createArchives } from './archives.ts';

/** Postings are appended in the order of seq, so a period that has been read does not change below its last posting. */
export interface Period {
  accountId: string;
  opening: number;
  closing: number;
  /** What holds reserved at the end of the period. */
  held: number;
  /** The lower bound of seq. The last posting is exactly `lastSeq`, or there is none. */
  firstSeq: number;
  lastSeq: number;
  /** The postings before this instant are archived, and the period begins there. Null: it has all of its postings. */
  archivedBefore: number | null;
}

export interface PeriodQuery {
  accountId: string;
  /** Inclusive instants in milliseconds. */
  from: number;
  to: number;
}

export interface PeriodTotals {
  count: number;
  credits: number;
  debits: number;
}

export interface Statements {
  /** Opening balance and closing balance, read at one instant. */
  period(query: PeriodQuery): Promise<Period>;
  totals(period: Period): Promise<PeriodTotals>;
  /** Oldest first, one page in memory at a time. */
  pages(period: Period, pageSize: number): AsyncGenerator<HistoryEntry[]>;
}

/** The archived balance, if the account has no other posting before $2: its postings may all be archived. */
export const OPENING = `(select sum(change) from account_checkpoints where account_id = $1 and seq = (
      select seq from account_checkpoints where account_id = $1 and seq < $2::bigint order by seq desc limit 1))`;

/** At the instant $2, after everything that happened at it. Not a part of the period: on Citus holds are in another place. */
const HELD = statement(
  'ledger-held-at',
  `with active as materialized (select h.id, h.purpose, h.reserved, h.at from holds h left join hold_ends e on e.hold_id = h.id
    where h.account_id = $1 and h.at <= $2 and h.expires_at > $2 and (e.at is null or e.at > $2)),
  drawn as (select id, at from active where purpose = 'bulk')
  select (select coalesce(sum(reserved), 0) from active)
      - coalesce((select sum(h.reserved) from holds h
          where h.account_id = $1 and h.purpose = 'unclaimed' and h.at <= $2 and h.details ->> 'draws_from' in (select id from drawn)), 0),
    (select array_to_string(array_agg(id), ',') from drawn), (select (extract(epoch from min(at)) * 1000000)::bigint from drawn)`,
  ([held, holds, since]) => ({
    held: integer(held),
    holds: textOrNull(holds)?.split(','),
    since: integerOrNull(since),
  }),
);

// What payments had drawn from holds that were active then.
const DRAWN_POSTINGS =
  'select movement_id, amount from postings where account_id = $1 and seq >= $2 and seq < $3 and amount < 0';
const DRAWN = onCitus(
  statement(
    'ledger-drawn-until',
    `select coalesce(-sum(p.amount), 0) from (${DRAWN_POSTINGS}) p
  cross join lateral (select details ->> 'draws_from' as hold_id from movements m where m.id = p.movement_id limit 1) m
  where m.hold_id = any($4::text[])`,
    ([drawn]) => integer(drawn),
  ),
  `with p as materialized (${DRAWN_POSTINGS})
  select coalesce(-sum(p.amount), 0) from p join movements m on m.id = p.movement_id
  where m.details ->> 'draws_from' = any($4::text[])`,
);

const PERIOD = statement(
  'ledger-period',
  `select
    coalesce((select balance_after from postings where account_id = $1 and seq < $2 order by seq desc limit 1), ${OPENING}) as opening,
    last.seq, coalesce(last.balance_after, ${OPENING}) as closing
  from (select 1) always left join lateral
    (select seq, balance_after from postings where account_id = $1 and seq < $3 order by seq desc limit 1) last on true`,
  ([opening, seq, closing]) => ({
    opening: integerOrNull(opening) ?? 0,
    lastSeq: integerOrNull(seq) ?? 0,
    closing: integerOrNull(closing) ?? 0,
  }),
);

const TOTALS = statement(
  'ledger-period-totals',
  `select count(*), coalesce(sum(amount) filter (where amount > 0), 0), coalesce(-sum(amount) filter (where amount < 0), 0)
  from postings where account_id = $1 and seq >= $2 and seq <= $3`,
  ([count, credits, debits]) => ({ count: integer(count), credits: integer(credits), debits: integer(debits) }),
);

// Only the metadata that a statement shows: a partner's credit's.
const MOVEMENT_COLUMNS = `m.type, m.amount, m.from_account, m.to_account, m.narration, m.request_id, m.reference,
      case when m.type = ${sqlType('inbound_credit')} then m.metadata::text end as metadata, m.at,
      m.actor_type, m.actor_id`;
const POSTINGS = 'select * from postings where account_id = $1 and seq >= $2 and seq <= $3 order by seq limit $4';

const PAGE = onCitus(
  statement(
    'ledger-statement',
    `select p.seq, p.movement_id, p.amount, p.fee, p.balance_after, m.* from (${POSTINGS}) p
  cross join lateral (select ${MOVEMENT_COLUMNS} from movements m where m.id = p.movement_id limit 1) m
  order by p.seq`,
    entryOf,
  ),
  `with p as materialized (${POSTINGS})
  select p.seq, p.movement_id, p.amount, p.fee, p.balance_after, ${MOVEMENT_COLUMNS}
  from p join movements m on m.id = p.movement_id order by p.seq`,
);

const EMPTY = { opening: 0, lastSeq: 0, closing: 0 };

export function createStatements(pool: StatementRunner): Statements {
  const archives = createArchives(pool);

  async function heldAt(accountId: string, at: number): Promise<number> {
    const [found] = await pool.run(HELD, [accountId, new Date(at)]);
    if (!found) return 0;
    const { held, holds, since } = found;
    if (!holds || since === null) return held;
    const [drawn = 0] = await pool.run(DRAWN, [accountId, since, (at + 1) * 1_000, textArray(holds)]);
    return held - drawn;
  }

  return {
    async period({ accountId, from, to }) {
      const before = await archives.before();
      const archivedBefore = before !== null && from < before ? before : null;
      const firstSeq = (archivedBefore ?? from) * 1_000;
      const [[period = EMPTY], held] = await Promise.all([
        pool.run(PERIOD, [accountId, firstSeq, (to + 1) * 1_000]),
        heldAt(accountId, to),
      ]);
      return { accountId, firstSeq, archivedBefore, held, ...period };
    },
    async totals({ accountId, firstSeq, lastSeq }) {
      const [totals] = await pool.run(TOTALS, [accountId, firstSeq, lastSeq]);
      return totals ?? { count: 0, credits: 0, debits: 0 };
    },
    async *pages({ accountId, firstSeq, lastSeq, opening, closing }, pageSize) {
      let balance = opening;
      for (let from = firstSeq; from <= lastSeq; ) {
        const entries = await pool.run(PAGE, [accountId, from, lastSeq, pageSize]);
        const last = entries.at(-1);
        if (!last) break;
        balance = balanceAfter(entries, balance);
        yield entries;
        from = last.seq + 1;
      }
      if (balance !== closing) throw new ArchivedMeanwhile();
    },
  };
}

/** A statement whose postings are deleted while it is read, by npm run ledger:archive, ends with an error instead of a gap. */
class ArchivedMeanwhile extends Error {
  constructor() {
    super('postings of the period were archived while they were read');
  }
}

function balanceAfter(entries: readonly HistoryEntry[], before: number): number {
  return entries.reduce((balance, entry) => {
    if (entry.balanceAfter !== balance + entry.change) throw new ArchivedMeanwhile();
    return entry.balanceAfter;
  }, before);
}
