// Payments between accounts in a period, summed by pair and direction. Reads a bounded number of postings of each account.
import { sql } from 'kysely';
import { isDistributed } from '../../db/citus/queries.ts';
import type { Queries } from '../../db/database.ts';

/** All payments of one account to another. */
export interface PaymentLink {
  from: string;
  to: string;
  payments: number;
  value: number;
  firstAt: Date;
  lastAt: Date;
}

export interface PaymentLinks {
  /** The highest value first. */
  links: PaymentLink[];
  /** An account has more postings in the period than were read: the sums are those of the newest ones. */
  isMinimum: boolean;
}

interface LinkRow extends Omit<PaymentLink, 'firstAt' | 'lastAt'> {
  first_at: Date;
  last_at: Date;
  is_minimum: boolean;
}

interface LinkQuery {
  /** Inclusive, in milliseconds. */
  period: { from: number; to: number };
  /** Read of each account, newest first. */
  maxPostings: number;
  /** Only payments between these accounts; by default to and from any account. */
  within?: readonly string[];
}

export async function paymentLinks(
  queries: Queries,
  accounts: readonly string[],
  { period, maxPostings, within }: LinkQuery,
): Promise<PaymentLinks> {
  const inside = within
    ? sql`and m.from_account = any (${within}::text[]) and m.to_account = any (${within}::text[])`
    : sql``;
  // The seq of a posting is its time in microseconds. A payment between two of the accounts has postings in both.
  const newest = (accountId: string) => sql`select movement_id from postings
    where account_id = ${sql.raw(accountId)} and seq >= ${period.from * 1_000}::bigint and seq < ${(period.to + 1) * 1_000}::bigint
    order by seq desc limit ${maxPostings}`;
  const onCitus = isDistributed(queries);
  const read = onCitus
    ? // The postings of an account are on its shard. A list of them is one column, and not a LATERAL, which is refused.
      sql`lists as materialized (select a.id, array(${newest('a.id')}) as movement_ids from accounts a
        where a.id = any (${accounts}::text[])), read as materialized (select id, unnest(movement_ids) as movement_id from lists)`
    : sql`read as materialized (select requested.id, p.movement_id from unnest(${accounts}::text[]) as requested (id)
        cross join lateral (${newest('requested.id')}) p)`;
  const { rows } = await sql<LinkRow>`with ${read},
    paid as materialized (select distinct movement_id from read),
    bounds as (select coalesce(bool_or(n >= ${maxPostings}), false) as reached from (
      select count(*) as n from read group by id) counts),
    links as materialized (select m.from_account, m.to_account, count(*) as payments, sum(m.amount) as value,
      min(m.at) as first_at, max(m.at) as last_at
      from paid ${
        onCitus
          ? sql`join movements m on m.id = paid.movement_id`
          : sql`cross join lateral (
        select from_account, to_account, amount, at from movements where id = paid.movement_id limit 1) m`
      }
      where (m.from_account = any (${accounts}::text[]) or m.to_account = any (${accounts}::text[])) ${inside}
      group by 1, 2)
    select from_account as "from", to_account as "to", payments, value::float8 as value, first_at, last_at,
      reached as is_minimum from links cross join bounds order by value desc, 1, 2`.execute(queries);
  const links = rows.map(({ first_at: firstAt, last_at: lastAt, is_minimum: _, ...link }) => ({
    ...link,
    firstAt,
    lastAt,
  }));
  return { links, isMinimum: rows[0]?.is_minimum ?? false };
}
