// Verifies accounts: replays every posting and compares the result with the balances.
import type { Connection } from '../../db/driver/connection.ts';
import { seqAt } from '../archive/openings.ts';
import { bigintOf, type Findings, pages, type Row, rowsOf } from './findings.ts';

/** The totals of one account's postings. */
interface Tally {
  accountId: string;
  sum: bigint;
  last: bigint;
  lastSeq: bigint;
  count: number;
}

const emptyTally = (accountId: string): Tally => ({ accountId, sum: 0n, last: 0n, lastSeq: 0n, count: 0 });

const ACCOUNTS = 'select id, balance, last_seq, posting_count, floor, ceiling from accounts order by id';
const POSTINGS = 'select account_id, seq, amount, balance_after, 1 from postings';
/** The opening balance of an account counts as one posting that stands for all archived ones. */
const OPENINGS = (before: number) => `select account_id, seq, sum(change), sum(change), sum(count)
  from account_checkpoints where seq < ${seqAt(before)} group by account_id, seq`;

/** Merges postings and accounts in the order of account ids; returns the number of postings. */
export async function verifyAccounts(connection: Connection, findings: Findings): Promise<number> {
  const accounts = rowsOf(connection, 'all_accounts', ACCOUNTS);
  let next = await accounts.next();
  const close = async (done: Tally): Promise<void> => {
    if (done.count === 0) return;
    while (!next.done && order(next.value[0] as string, done.accountId) < 0) {
      compare(findings, next.value, emptyTally(next.value[0] as string));
      next = await accounts.next();
    }
    if (next.done || next.value[0] !== done.accountId) {
      return findings.fault('posting_without_account', done.accountId, `${done.count} postings`);
    }
    compare(findings, next.value, done);
    next = await accounts.next();
  };
  const { archivedBefore } = findings;
  const opened = archivedBefore === null ? POSTINGS : `${OPENINGS(archivedBefore)} union all ${POSTINGS}`;
  const inOrder = `select * from (${opened}) p (account_id, seq, amount, balance_after, count) order by account_id, seq`;
  let postings = 0;
  let tally = emptyTally('');
  for await (const page of pages(connection, 'all_postings', inOrder)) {
    postings += page.length;
    for (const row of page) {
      if (tally.count === 0 || tally.accountId !== row[0]) {
        await close(tally);
        tally = emptyTally(row[0] as string);
      }
      replay(findings, tally, row);
    }
  }
  await close(tally);
  for (; !next.done; next = await accounts.next()) compare(findings, next.value, emptyTally(next.value[0] as string));
  return postings;
}

function replay(findings: Findings, tally: Tally, row: Row): void {
  const seq = bigintOf(row[1]);
  const amount = bigintOf(row[2]);
  const after = bigintOf(row[3]);
  const at = () => `${tally.accountId} at seq ${seq}`;
  if (tally.count > 0 && seq <= tally.lastSeq) findings.fault('seq_not_increasing', at(), `after ${tally.lastSeq}`);
  if (tally.last + amount !== after) {
    findings.fault('chain_broken', at(), `${tally.last} and ${amount} do not make ${after}`);
  }
  tally.sum += amount;
  tally.last = after;
  tally.lastSeq = seq;
  tally.count += Number(row[4]);
}

function compare(findings: Findings, row: Row, tally: Tally): void {
  const id = tally.accountId;
  const balance = bigintOf(row[1]);
  findings.differ('balance_differs', id, balance, tally.sum);
  findings.differ('last_balance_differs', id, balance, tally.last);
  findings.differ('last_seq_differs', id, bigintOf(row[2]), tally.lastSeq);
  findings.differ('posting_count_differs', id, bigintOf(row[3]), BigInt(tally.count));
  const [floor, ceiling] = [row[4], row[5]];
  if (floor != null && balance < BigInt(floor)) findings.note(`${id} has ${balance}, its floor is ${floor}`);
  if (ceiling != null && balance > BigInt(ceiling)) findings.note(`${id} has ${balance}, its ceiling is ${ceiling}`);
}

/** Byte order, like PostgreSQL's collation "C". */
function order(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
