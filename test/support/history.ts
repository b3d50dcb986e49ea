// Inserts thousands of past postings for an account with SQL; balances and sums stay consistent.
import pg from 'pg';
import { rebuildRollups } from './rollups.ts';

export interface HistorySpec {
  accountId: string;
  postings: number;
  /** SQL expression for the movement type of posting number n, counted from 1. */
  type: string;
  /** Milliseconds between two postings. */
  everyMs?: number;
}

/** The first posting is one interval after this time. */
export const HISTORY_START = Date.UTC(2026, 0, 1);
const TREASURY = 'sys_treasury_00';

/**
 * The counterparty is the treasury. The account pays every third movement and receives the others.
 * The account must not have postings yet.
 */
export async function insertHistory(
  url: string,
  { accountId, postings, type, everyMs = 1_000 }: HistorySpec,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const seqOf = `${HISTORY_START} * 1000::bigint + n * ${everyMs} * 1000::bigint`;
  await client.query('begin');
  await client.query(
    `create temporary table past on commit drop as select n, ${seqOf} as seq, n % 3 = 0 as paid, 1 + n % 5 as amount,
       'txn_' || upper(lpad(to_hex(n), 10, '0') || substr(md5($1), 1, 16)) as id, ${type} as type
     from generate_series(1, ${postings}) n`,
    [accountId],
  );
  await client.query(
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
     select id, type, case when paid then $1 else '${TREASURY}' end, case when paid then '${TREASURY}' else $1 end, amount, 0, '{}',
       to_timestamp(seq / 1e6) from past order by n`,
    [accountId],
  );
  for (const [account, sign] of [
    [accountId, 'case when paid then -1 else 1 end'],
    [TREASURY, 'case when paid then 1 else -1 end'],
  ]) {
    await client.query(
      `with before as (select balance, last_seq from accounts where id = $1),
         new as (
           insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
           select $1, greatest(seq, before.last_seq + n), past.id, amount * ${sign}, 0,
             before.balance + sum(amount * ${sign}) over (order by n) from past cross join before
           returning seq, amount)
       update accounts set balance = balance + sums.amount, posting_count = posting_count + sums.count, last_seq = sums.last
       from (select sum(amount) as amount, count(*) as count, max(seq) as last from new) sums where id = $1`,
      [account],
    );
  }
  await client.query('commit');
  await rebuildRollups(client);
  await client.query('vacuum analyze postings, movements');
  await client.end();
}
