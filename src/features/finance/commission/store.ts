// Commission queries: tier percentages, what is due for settlement, and an agent's settlements.
import type { Queries } from '../../../db/database.ts';
import { bool, integer, text, textOrNull, timestamp } from '../../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../../db/driver/statement.ts';
import type { Page } from '../../../http/paging.ts';
import { commissionAccountSql } from '../../../ledger/commission-accounts.ts';
import type { Tier, TierPercents } from '../../../payments/commission.ts';
import type { Period } from './periods.ts';

/** The credential of settlements in their idempotency keys. */
export const SCOPE = 'commission';

/** The running total of what was settled for an agent. */
export function settledOf(agentId: string): string {
  return `commission:${agentId}`;
}

export function requestIdOf(agentId: string, period: string): string {
  return `${agentId}:${period}`;
}

export async function saveTier(
  trx: Queries,
  tier: Tier,
  percents: TierPercents,
  change: { updated_by: string; updated_at: Date },
): Promise<void> {
  const values = { percent: percents[tier], ...change };
  await trx
    .insertInto('commission_tiers')
    .values({ tier, ...values })
    .onConflict((existing) => existing.column('tier').doUpdateSet(values))
    .execute();
}

/** What an agent accrued before the end of its period and was not settled. */
export interface Due {
  agentId: string;
  weekly: boolean;
  /** Zero: nothing, or the period is settled. */
  amount: number;
  /** Settled so far. */
  settled: number;
}

// The balance at the end of the period, less what left the account since (settlements, refunds), plus what belongs to the
// period although its seq is later: after a clock jumped ahead, seq follows the account's latest posting until the time
// has caught up. Only then, and until the period is settled, are postings since the end read.
const WANTED = `page as materialized (
    select id, settlement_mode = 'weekly' as weekly from agents where id > $1 and status = 'active' order by id limit $2),
  wanted as materialized (
    select id, weekly, ${commissionAccountSql('id')} as account_id, case when weekly then $4 else $3 end as period,
      case when weekly then $6::timestamptz else $5::timestamptz end as ended,
      (extract(epoch from case when weekly then $6::timestamptz else $5::timestamptz end) * 1000000)::bigint as below
    from page)`;

export const DUE = onCitus(
  statement(
    'commission-due',
    `with ${WANTED}
  select w.id, w.weekly, coalesce(due.amount, 0), coalesce(settled.used, 0) from wanted w
  left join lateral (
    select least(account.balance, coalesce(held.balance_after, 0) + since.change) as amount
    from (select balance, last_seq from accounts where id = w.account_id limit 1) account
    left join lateral (select balance_after from postings where account_id = w.account_id and seq < w.below
      order by seq desc limit 1) held on true
    cross join lateral (select coalesce(sum(p.amount) filter (where p.amount < 0 or m.at < w.ended), 0) as change
      from postings p cross join lateral (select at from movements where id = p.movement_id limit 1) m
      where p.account_id = w.account_id and p.seq >= w.below and (held.balance_after > 0 or account.last_seq > $7::bigint)) since
    where account.balance > 0 and not exists (
      select from requests where request_id = w.id || ':' || w.period and scope = '${SCOPE}')) due on due.amount > 0
  left join lateral (select used from allowances where id = 'commission:' || w.id limit 1) settled on true
  order by w.id`,
    ([id, weekly, amount, settled]): Due => ({
      agentId: text(id),
      weekly: bool(weekly),
      amount: integer(amount),
      settled: integer(settled),
    }),
  ),
  // The accounts are read before their postings: the balance before the first posting since the end is that at the end.
  `with ${WANTED},
  accounts_of as materialized (
    select a.id, a.balance, a.last_seq from accounts a where a.balance > 0 and a.id in (select account_id from wanted)),
  done as materialized (select r.request_id from requests r
    where r.scope = '${SCOPE}' and r.request_id in (select id || ':' || period from wanted)),
  settled as materialized (select s.id, s.used from allowances s where s.id in (select 'commission:' || id from wanted)),
  open as materialized (select w.id, w.account_id, w.ended, w.below, a.balance, a.last_seq
    from wanted w join accounts_of a on a.id = w.account_id where w.id || ':' || w.period not in (select request_id from done)),
  since as materialized (select p.account_id, p.seq, p.amount, p.balance_after, p.movement_id
    from postings p join open o on o.account_id = p.account_id where p.seq >= o.below),
  dated as materialized (
    select s.account_id, s.seq, s.amount, s.balance_after, m.at from since s join movements m on m.id = s.movement_id),
  held as materialized (select o.id, o.balance, o.last_seq,
      coalesce((array_agg(d.balance_after - d.amount order by d.seq) filter (where d.seq is not null))[1], o.balance) as held,
      coalesce(sum(d.amount) filter (where d.amount < 0 or d.at < o.ended), 0) as change
    from open o left join dated d on d.account_id = o.account_id group by o.id, o.balance, o.last_seq),
  due as materialized (select id,
      least(balance, held + case when held > 0 or last_seq > $7::bigint then change else 0 end) as amount from held)
  select w.id, w.weekly, greatest(0, coalesce(due.amount, 0)), coalesce(settled.used, 0) from wanted w
  left join due on due.id = w.id left join settled on settled.id = 'commission:' || w.id order by w.id`,
);

interface EndedPeriods {
  day: Period;
  week: Period;
  now: number;
}

/** The active agents after this one, by id. */
export function dueAfter(
  runner: StatementRunner,
  agentId: string,
  limit: number,
  { day, week, now }: EndedPeriods,
): Promise<Due[]> {
  const ends = [new Date(day.to), new Date(week.to)];
  return runner.run(DUE, [agentId, limit, day.name, week.name, ...ends, now * 1_000]);
}

const HELD = onCitus(
  statement(
    'commission-held',
    `select account.balance, coalesce((select used from allowances where id = 'commission:' || $1), 0), coalesce((
      select balance_after from postings where account_id = account.id and seq < $2::bigint order by seq desc limit 1), 0),
    coalesce((select sum(amount) from postings where account_id = account.id and seq >= $2::bigint and amount < 0), 0)
  from accounts account where account.id = ${commissionAccountSql('$1')}`,
    ([balance, settled, atStart, left]) => ({
      balance: integer(balance),
      settled: integer(settled),
      ended: Math.min(integer(balance), Math.max(0, integer(atStart) + integer(left))),
    }),
  ),
  `with account as materialized (select balance from accounts where id = ${commissionAccountSql('$1')}),
  settled as materialized (select used from allowances where id = 'commission:' || $1),
  start as materialized (select balance_after from postings
    where account_id = ${commissionAccountSql('$1')} and seq < $2::bigint order by seq desc limit 1),
  since as materialized (select sum(amount) as amount from postings
    where account_id = ${commissionAccountSql('$1')} and seq >= $2::bigint and amount < 0)
  select balance, coalesce((select used from settled), 0), coalesce((select balance_after from start), 0),
    coalesce((select amount from since), 0) from account`,
);

export interface Held {
  balance: number;
  settled: number;
  /** The part of the balance that was accrued before the instant. */
  ended: number;
}

export async function heldBy(runner: StatementRunner, agentId: string, instant: number): Promise<Held> {
  const [held] = await runner.run(HELD, [agentId, instant * 1_000]);
  if (!held) throw new Error(`agent ${agentId} has no commission account`);
  return held;
}

export interface Settled {
  transactionId: string;
  period: string | null;
  amount: number;
  at: Date;
}

export const SETTLEMENTS = statement(
  'commission-settlements',
  `select id, reference, amount, at from movements where type = 'commission_settlement' and to_account = $1
    and ($4::text is null or id < $4) order by id desc limit $2 offset $3`,
  ([id, reference, amount, at]): Settled => ({
    transactionId: text(id),
    period: textOrNull(reference ?? null),
    amount: integer(amount),
    at: timestamp(at),
  }),
);

const SETTLEMENT_COUNT = statement(
  'commission-settlement-count',
  `select count(*) from movements where type = 'commission_settlement' and to_account = $1`,
  ([count]) => integer(count),
);

/** Newest first. */
export async function settlementsOf(
  runner: StatementRunner,
  agentId: string,
  { limit, offset, after }: Page,
): Promise<{ rows: Settled[]; total: number }> {
  const [rows, [total = 0]] = await Promise.all([
    runner.run(SETTLEMENTS, [agentId, limit, offset, after ?? null]),
    after === undefined ? runner.run(SETTLEMENT_COUNT, [agentId]) : [0],
  ]);
  return { rows, total };
}
