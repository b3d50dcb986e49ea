// Opening balances: the sums of all archived postings of each account, stored as the account's checkpoint at its last one.
import { createHash } from 'node:crypto';
import type { Connection } from '../../db/driver/connection.ts';
import { rowsOf } from '../verification/findings.ts';

/** Instants are bounds of seq, which is in microseconds. */
export const seqAt = (instant: number) => instant * 1_000;

/** The last checkpoint of each account before the instant. */
const LAST = (before: number) =>
  `select account_id, max(seq) as seq from account_checkpoints where seq < ${seqAt(before)} group by account_id`;

/** In a fixed order. */
export const OPENINGS = (
  before: number,
) => `select c.account_id, c.seq, c.type, c.paid, c.count, c.amount, c.fee, c.change, c.newest
  from account_checkpoints c join (${LAST(before)}) o on o.account_id = c.account_id and o.seq = c.seq
  order by c.account_id, c.type, c.paid`;

/** Adds what is archived now to the previous archive's openings. Accounts without archived postings keep theirs. */
export const INSERT_OPENINGS = (before: number, previous: number) => `with
  archived as materialized (
    select p.account_id, m.type, m.from_account = p.account_id as paid, count(*) as count, sum(m.amount) as amount,
      sum(p.fee) as fee, sum(p.amount) as change, max(p.seq) as newest
    from postings p join movements m on m.id = p.movement_id where p.seq < ${seqAt(before)} group by 1, 2, 3),
  ends as (select account_id, max(newest) as seq from archived group by account_id)
  insert into account_checkpoints (account_id, seq, type, paid, count, amount, fee, change, newest)
  select ends.account_id, ends.seq, s.type, s.paid, sum(s.count), sum(s.amount), sum(s.fee), sum(s.change), max(s.newest)
  from ends join (select account_id, type, paid, count, amount, fee, change, newest from archived
    union all select account_id, type, paid, count, amount, fee, change, newest from (${OPENINGS(previous)}) before) s
    on s.account_id = ends.account_id
  group by ends.account_id, ends.seq, s.type, s.paid on conflict do nothing`;

export async function openingsDigest(connection: Connection, before: number): Promise<string> {
  const digest = createHash('sha256');
  for await (const row of rowsOf(connection, `openings_${before}`, OPENINGS(before)))
    digest.update(`${row.join(' ')}\n`);
  return digest.digest('hex');
}
