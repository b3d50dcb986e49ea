// Payments between accounts in a period, summed by pair and direction. Reads a bounded number of postings of each account.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

/** All payments of one account to another. */
export interface PaymentLink {
  from: string;
  to: string;
  payments: number;
  value: number;
  lastAt: Date;
}

export interface PaymentLinks {
  /** Those with the highest value first. */
  links: PaymentLink[];
  /** An account has more postings in the period than were read: the sums are those of the newest ones. */
  isMinimum: boolean;
}

interface LinkRow extends Omit<PaymentLink, 'lastAt'> {
  last_at: Date;
  is_minimum: boolean;
}

/**
 * `maxPostings`: read of each account, newest first. `within`: only payments between these accounts; by default to and from
 * any account.
 */
export async function paymentLinks(
  queries: Queries,
  accounts: readonly string[],
  { since, maxPostings, within }: { since: number; maxPostings: number; within?: readonly string[] },
): Promise<PaymentLinks> {
  const inside = within
    ? sql`and m.from_account = any (${within}::text[]) and m.to_account = any (${within}::text[])`
    : sql``;
  // The seq of a posting is its time in microseconds. A payment between two of the accounts has postings in both.
  const { rows } = await sql<LinkRow>`with read as materialized (
      select requested.id, p.movement_id from unnest(${accounts}::text[]) as requested (id) cross join lateral (
        select movement_id from postings where account_id = requested.id and seq >= ${since * 1_000}::bigint
        order by seq desc limit ${maxPostings}) p),
    bounds as (select coalesce(bool_or(n >= ${maxPostings}), false) as reached from (
      select count(*) as n from read group by id) counts),
    links as (select m.from_account, m.to_account, count(*) as payments, sum(m.amount) as value, max(m.at) as last_at
      from (select distinct on (movement_id) movement_id, id from read) r
      cross join lateral (select from_account, to_account, amount, at from movements where id = r.movement_id limit 1) m
      where (m.from_account = any (${accounts}::text[]) or m.to_account = any (${accounts}::text[])) ${inside}
      group by 1, 2)
    select from_account as "from", to_account as "to", payments, value::float8 as value, last_at, reached as is_minimum
    from links cross join bounds order by value desc, 1, 2`.execute(queries);
  const links = rows.map(({ last_at, is_minimum: _, ...link }) => ({ ...link, lastAt: last_at }));
  return { links, isMinimum: rows[0]?.is_minimum ?? false };
}
