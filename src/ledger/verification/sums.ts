// Verifies derived sums: refunded totals and account checkpoints.
import type { Connection } from '../../db/driver/connection.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { seqAt } from '../archive/openings.ts';
import { sqlType } from '../movement-types.ts';
import { bigintOf, type Findings, type Row, rowsOf } from './findings.ts';

// Payments with refunds, or with a refund allowance.
const REFUNDS = `select * from (
    select coalesce(r.payment, a.payment) as payment, m.amount, coalesce(r.total, 0) as total, coalesce(a.used, 0) as used,
      m.id is null or m.type <> ${sqlType('pos_payment')} as lost
    from (select related_id as payment, sum(amount) as total from movements where type = ${sqlType('pos_refund')} group by 1) r
    full join (select substr(id, length('refund:') + 1) as payment, used from allowances where id like 'refund:%') a
      on a.payment = r.payment
    left join movements m on m.id = coalesce(r.payment, a.payment)) refunds
  where (lost or total <> used or total > amount)`;

export async function verifyRefunds(connection: Connection, findings: Findings): Promise<void> {
  const { archivedBefore } = findings;
  const live = archivedBefore === null ? REFUNDS : `${REFUNDS} and payment >= '${firstIdAt('txn', archivedBefore)}'`;
  for await (const row of rowsOf(connection, 'suspect_refunds', live)) {
    const [payment, amount, total, used, lost] = row;
    const about = payment ?? 'refunds without a payment id';
    if (lost === 't') {
      findings.fault('refund_without_payment', about, `refunds of ${total}, counted ${used}`);
      continue;
    }
    if (total !== used) findings.fault('refund_total_differs', about, `${used} instead of ${total}`);
    if (bigintOf(total) > bigintOf(amount)) findings.fault('refunds_exceed_payment', about, `${total} of ${amount}`);
  }
}

const CHECKPOINTS = `select account_id, seq, type, paid, count, amount, fee, change, newest
  from account_checkpoints order by account_id, seq`;

// What was added between two checkpoints of an account, by type and direction. A posting belongs to the first checkpoint at
// or after it.
const ADDED = `select account_id, checkpoint, type, paid, count(*), sum(amount), sum(fee), sum(change), max(seq)
  from (select p.account_id, p.seq, p.fee, p.amount as change, m.type, m.amount, m.from_account = p.account_id as paid,
      marks.seqs[width_bucket(p.seq - 1, marks.seqs) + 1] as checkpoint
    from (select account_id, array_agg(distinct seq order by seq) as seqs from account_checkpoints group by 1) marks
    join postings p on p.account_id = marks.account_id and p.seq <= marks.seqs[cardinality(marks.seqs)]
    join movements m on m.id = p.movement_id) each_posting
  group by account_id, checkpoint, type, paid order by account_id, checkpoint`;

/** Count, amount, fee, change and newest seq. */
type Sums = [count: bigint, amount: bigint, fee: bigint, change: bigint, newest: bigint];

/** One account's sums by type and direction. */
type Running = Map<string, Sums>;

const keyOf = (row: Row) => `${row[2]} ${row[3] === 't' ? 'paid' : 'received'}`;
const sumsOf = (row: Row) => row.slice(4, 9).map(bigintOf) as Sums;
const isAt = (row: Row, [account, seq]: Row) => row[0] === account && row[1] === seq;

/** Merges checkpoints and additions in order of account and seq. */
export async function verifyCheckpoints(connection: Connection, findings: Findings): Promise<void> {
  const opening = findings.archivedBefore === null ? 0 : seqAt(findings.archivedBefore);
  const additions = rowsOf(connection, 'checkpoint_additions', ADDED);
  let next = await additions.next();
  let running: Running = new Map();
  let account: string | null | undefined = null;
  for await (const checkpoint of together(rowsOf(connection, 'all_checkpoints', CHECKPOINTS))) {
    const first = checkpoint[0] as Row;
    if (first[0] !== account) running = new Map();
    account = first[0];
    if (Number(first[1]) < opening) {
      // The sums of archived postings, whose digest is verified with the archives.
      if (running.size > 0) findings.fault('checkpoint_differs', `${account} at seq ${first[1]}`, 'two openings');
      running = new Map(checkpoint.map((row) => [keyOf(row), sumsOf(row)]));
      continue;
    }
    for (; !next.done && isAt(next.value, first); next = await additions.next()) add(running, next.value);
    compare(findings, checkpoint, running);
  }
}

/** The rows of one checkpoint at a time. */
async function* together(rows: AsyncGenerator<Row>): AsyncGenerator<Row[]> {
  let checkpoint: Row[] = [];
  for await (const row of rows) {
    if (checkpoint[0] && !isAt(row, checkpoint[0])) {
      yield checkpoint;
      checkpoint = [];
    }
    checkpoint.push(row);
  }
  if (checkpoint.length > 0) yield checkpoint;
}

function add(running: Running, row: Row): void {
  const [count, amount, fee, change] = running.get(keyOf(row)) ?? [0n, 0n, 0n, 0n];
  const [moreCount, moreAmount, moreFee, moreChange, newest] = sumsOf(row);
  running.set(keyOf(row), [count + moreCount, amount + moreAmount, fee + moreFee, change + moreChange, newest]);
}

/** One finding per checkpoint. */
function compare(findings: Findings, checkpoint: Row[], running: Running): void {
  const found = new Map(checkpoint.map((row) => [keyOf(row), sumsOf(row)]));
  for (const key of new Set([...running.keys(), ...found.keys()])) {
    const [stored, expected] = [found.get(key)?.join(' '), running.get(key)?.join(' ')];
    if (stored === expected) continue;
    const [account, seq] = checkpoint[0] as Row;
    const detail = `${key}: ${stored ?? 'nothing'} instead of ${expected ?? 'nothing'}`;
    findings.fault('checkpoint_differs', `${account} at seq ${seq}`, detail);
    return;
  }
}
