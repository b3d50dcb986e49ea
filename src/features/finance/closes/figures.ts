// Reads the figures of a daily close, in the caller's snapshot: balances at the end of the day, and the day's movements.
import { type RawBuilder, sql } from 'kysely';
import { isDistributed } from '../../../db/citus/queries.ts';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { exactSum } from '../../../kernel/money.ts';
import { ALL_HOURS } from '../../../ledger/posting/rollups.ts';
import { lastChange, openItemsByAge } from '../reconciliation/service.ts';
import { openItemsSql } from '../suspense/service.ts';
import {
  type AgedItems,
  agedItems,
  type CloseDocument,
  coverOf,
  eMoneyOf,
  endOf,
  type KindBalance,
  type MovementSum,
  type PartnerDebt,
  type Seals,
  type TrustBalance,
  trustOf,
} from './document.ts';

export type Figures = Pick<
  CloseDocument,
  | 'e_money'
  | 'ledger'
  | 'trust'
  | 'cover_ratio'
  | 'cover_difference'
  | 'partners'
  | 'suspense'
  | 'unmatched'
  | 'reconciliation_change'
  | 'movements'
  | 'fees'
  | 'seals'
>;

/** Postings may follow a posting of another gateway whose clock is ahead by less than this. */
const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

export async function readFigures(trx: Queries, date: string): Promise<Figures> {
  const end = endOf(date);
  const ledger = await balancesAt(trx, end);
  const accounts = await trustBalances(trx, date);
  const partners = await partnerDebts(trx, end);
  const movements = await movementsOf(trx, end);
  const [trust, e_money] = [trustOf(accounts), eMoneyOf(ledger)];
  return {
    ...{ e_money, ledger, trust, ...coverOf(trust, e_money.total) },
    partners: { owed: partners.reduce((sum, { outstanding }) => sum + outstanding, 0), partners },
    suspense: await suspenseAt(trx, end),
    unmatched: await unmatchedAt(trx, date),
    reconciliation_change: await lastChange(trx),
    movements,
    fees: movements.reduce((sum, { fee }) => sum + fee, 0),
    seals: await sealsNow(trx),
  };
}

/** From the roll-ups, which are written in the commit of each batch by the time of its movements. */
export async function balancesAt(trx: Queries, end: number): Promise<KindBalance[]> {
  const { rows } = await sql<{ kind: string; balance: string }>`select kind,
      sum(case when hour = ${ALL_HOURS}::integer then change else -change end)::text as balance
    from account_rollups where hour = ${ALL_HOURS}::integer or hour >= ${end / HOUR_MS}::integer
    group by kind order by kind`.execute(trx);
  return rows.map(({ kind, balance }) => ({ kind, balance: exactSum(balance) }));
}

async function movementsOf(trx: Queries, end: number): Promise<MovementSum[]> {
  const { rows } = await sql<Record<keyof MovementSum, string>>`select type, sum(count)::text as count,
      sum(amount)::text as amount, sum(fee)::text as fee, sum(commission)::text as commission from movement_rollups
    where hour >= ${(end - DAY_MS) / HOUR_MS}::integer and hour < ${end / HOUR_MS}::integer
    group by type order by type`.execute(trx);
  return rows.map(({ type, count, amount, fee, commission }) => ({
    type,
    ...{ count: exactSum(count), amount: exactSum(amount), fee: exactSum(fee), commission: exactSum(commission) },
  }));
}

/**
 * The balance after the last posting before the instant. A posting counts by its movement's time: shortly after the
 * instant some may have an earlier time, because their gateway's clock is behind.
 */
async function partnerDebts(trx: Queries, end: number): Promise<PartnerDebt[]> {
  const [from, to] = [end * 1_000, (end + CLOCK_DIFFERENCE_MS) * 1_000];
  const debts = isDistributed(trx) ? debtsOnCitus : debtsOf;
  const { rows } = await sql<{
    id: string;
    name: string;
    balance: string;
  }>`select * from (${debts({ from, to, end })}) debts
    where balance <> '0' order by id`.execute(trx);
  return rows.map(({ id, name, balance }) => ({ id, name, outstanding: 0 - exactSum(balance) }));
}

/** `from` and `to` are bounds of seq. */
interface DebtBounds {
  from: number;
  to: number;
  end: number;
}

function debtsOf({ from, to, end }: DebtBounds): RawBuilder<unknown> {
  return sql`select p.id, p.name, (coalesce(last.balance_after, 0) + coalesce(late.amount, 0))::text as balance from partners p
    left join lateral (select balance_after from postings where account_id = p.id and seq < ${from}::bigint
      order by seq desc limit 1) last on true
    left join lateral (select sum(o.amount) as amount from postings o join movements m on m.id = o.movement_id
      where o.account_id = p.id and o.seq >= ${from}::bigint and o.seq < ${to}::bigint
        and m.at < ${new Date(end)}) late on true`;
}

/** The last posting is on the shard of its account; the movements of later ones are on others. */
function debtsOnCitus({ from, to, end }: DebtBounds): RawBuilder<unknown> {
  return sql`with ids as materialized (select id from partners),
    last as materialized (select a.id, (select balance_after from postings p where p.account_id = a.id
        and p.seq < ${from}::bigint order by p.seq desc limit 1) as balance
      from accounts a where a.id in (select id from ids)),
    later as materialized (select p.account_id, p.movement_id, p.amount from postings p
      where p.account_id in (select id from ids) and p.seq >= ${from}::bigint and p.seq < ${to}::bigint),
    late as materialized (select l.account_id, l.amount from later l join movements m on m.id = l.movement_id
      where m.at < ${new Date(end)})
    select p.id, p.name, (coalesce((select balance from last where last.id = p.id), 0)
      + coalesce((select sum(late.amount) from late where late.account_id = p.id), 0))::text as balance from partners p`;
}

interface ItemSum {
  age_days: number;
  count: string;
  amount: string;
}

export async function suspenseAt(trx: Queries, end: number): Promise<AgedItems> {
  const at = new Date(end);
  const sums = sql`floor(extract(epoch from (${at}::timestamptz - m.at)) / 86400)::integer as age_days,
    count(*)::text as count, sum(m.amount)::text as amount`;
  const { rows } = await sql<ItemSum>`${openItemsSql(trx, sums, at)} and m.at < ${at} group by 1`.execute(trx);
  return agedItems(rows.map(sumOf));
}

/** Both sides, in the same snapshot as the number of the last match change. */
async function unmatchedAt(trx: Queries, date: string): Promise<CloseDocument['unmatched']> {
  const open = await openItemsByAge(trx, date);
  const of = (side: 'bank' | 'books') => agedItems(open.filter((each) => each.side === side));
  return { bank: of('bank'), books: of('books') };
}

function sumOf({ age_days, count, amount }: ItemSum) {
  return { ageDays: age_days, count: exactSum(count), amount: exactSum(amount) };
}

/**
 * By the last statement that begins up to the day; of one that ends later, the entries up to the day count. A closed account
 * counts only for days that its statements cover.
 */
export const TRUST_BALANCES = `select t.id, t.name, t.bank, t.account_number, s.id as statement_id,
    case when s.id is not null then least(s.to_date, $1::date) end::text as balance_date,
    (case when s.to_date <= $1::date then s.closing_balance else s.opening_balance + coalesce((select sum(e.amount)
      from bank_entries e where e.statement_id = s.id and e.booked_on <= $1::date), 0) end)::text as balance
  from trust_accounts t left join lateral (select * from bank_statements
    where trust_account_id = t.id and from_date <= $1::date order by from_date desc limit 1) s on true
  where t.status = 'active' or s.to_date >= $1::date order by t.id`;

export async function trustBalances(trx: Queries, date: string): Promise<TrustBalance[]> {
  type Row = Omit<TrustBalance, 'balance'> & { balance: string | null };
  const [before = '', ...rest] = TRUST_BALANCES.split('$1');
  const text = rest.reduce((all, part) => sql`${all}${date}${sql.raw(part)}`, sql`${sql.raw(before)}`);
  const { rows } = await sql<Row>`${text}`.execute(trx);
  return rows.map((row) => ({ ...row, balance: row.balance === null ? null : exactSum(row.balance) }));
}

/** The ends of all chains are too many after years: those that a later chain names are covered by its MAC. */
async function sealsNow(trx: Queries): Promise<Seals> {
  const audit = await trx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  const { rows: chains } = await sql<{ id: number; mac: string }>`select id, encode(mac, 'hex') as mac from seal_chains
    order by id desc limit 1`.execute(trx);
  const { rows: heads } = await sql<{
    batch: string;
    mac: string;
  }>`select s.batch::text as batch, encode(s.mac, 'hex') as mac
    from seal_chains c cross join lateral (
      select batch, mac from seals where batch > c.id::bigint << 32 and batch < (c.id::bigint + 1) << 32
      order by batch desc limit 1) s
    where s.batch not in (select unnest(heads) from seal_chains) order by s.batch`.execute(trx);
  return { audit: { seq: audit.seq, hash: audit.hash.toString('hex') }, chain: chains[0] ?? null, heads };
}
