// Which gateway pays which bulk payment, the rows that are next, and what became of them.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { BulkPayment, BulkRow } from '../types.ts';
import type { RowOutcome } from './row-payment.ts';

export interface Lease {
  lease: string;
  now: Date;
  until: Date;
}

/** Those whose time has come or that have ended with rows left, oldest first, and that no living gateway works on. */
export async function claim(queries: Queries, { lease, now, until }: Lease, most: number): Promise<BulkPayment[]> {
  const { rows } = await sql<BulkPayment>`update bulk_payments set lease = ${lease}, leased_until = ${until}
    where id = any (array(select id from bulk_payments
      where status in ('approved', 'running', 'stopped', 'cancelled') and ended_at is null
        and (status <> 'approved' or hold_id is null or starts_at is null or starts_at <= ${now})
        and (leased_until is null or leased_until <= ${now})
      order by id limit ${most} for update skip locked))
    returning *`.execute(queries);
  return rows;
}

/** Null: another gateway works on it by now. */
export async function renew(queries: Queries, id: string, { lease, until }: Lease): Promise<BulkPayment | null> {
  const renewed = queries.updateTable('bulk_payments').set({ leased_until: until });
  return (await renewed.where('id', '=', id).where('lease', '=', lease).returningAll().executeTakeFirst()) ?? null;
}

export async function release(queries: Queries, id: string, lease: string): Promise<void> {
  const released = queries.updateTable('bulk_payments').set({ lease: null, leased_until: null });
  await released.where('id', '=', id).where('lease', '=', lease).execute();
}

/** Rows that a killed gateway left come first: their payments may have been committed. */
export async function takeRows(queries: Queries, id: string, most: number): Promise<BulkRow[]> {
  const { rows: left } = await sql<BulkRow>`select * from bulk_payment_rows
    where bulk_payment_id = ${id} and status = 'paying' order by line limit ${most}`.execute(queries);
  if (left.length > 0) return left;
  const { rows } = await sql<BulkRow>`update bulk_payment_rows set status = 'paying'
    where bulk_payment_id = ${id} and line = any (array(select line from bulk_payment_rows
      where bulk_payment_id = ${id} and status = 'valid' order by line limit ${most}))
    returning *`.execute(queries);
  return rows;
}

export async function payingRows(queries: Queries, id: string, most: number): Promise<BulkRow[]> {
  const rows = queries.selectFrom('bulk_payment_rows').selectAll().where('bulk_payment_id', '=', id);
  return rows.where('status', '=', 'paying').orderBy('line').limit(most).execute();
}

export interface DoneRow {
  line: number;
  outcome: RowOutcome;
}

/** Two gateways that worked on a row know the same outcome: the first one counts it. */
export async function recordOutcomes(queries: Queries, id: string, done: readonly DoneRow[]): Promise<void> {
  if (done.length === 0) return;
  const column = <Name extends keyof RowOutcome>(name: Name) => done.map(({ outcome }) => outcome[name]);
  const times = done.map(({ outcome: { status, at } }) => (status === 'paid' || status === 'unclaimed' ? at : null));
  await sql`with done as (select * from unnest(${done.map(({ line }) => line)}::integer[], ${column('status')}::text[],
      ${column('reason')}::text[], ${column('reason_text')}::text[], ${column('fee')}::bigint[],
      ${column('transaction_id')}::text[], ${times}::bigint[])
      as done (line, status, reason, reason_text, fee, transaction_id, at)),
    changed as (update bulk_payment_rows r set status = done.status, reason = done.reason, reason_text = done.reason_text,
        fee = case when done.status in ('paid', 'unclaimed') then done.fee else r.fee end,
        transaction_id = done.transaction_id, paid_at = to_timestamp(done.at::double precision / 1000)
      from done where r.bulk_payment_id = ${id} and r.line = done.line and r.status = 'paying'
      returning r.status, r.amount, r.fee),
    sums as (select ${SUMS} from changed)
    update bulk_payments b set ${ADDED} from sums where b.id = ${id}`.execute(queries);
}

const COUNTED = ['paid', 'unclaimed', 'failed', 'cancelled'] as const;
const SUMS = sql.raw(
  [
    ...COUNTED.flatMap((status) => [
      `count(*) filter (where status = '${status}') as ${status}_count`,
      `coalesce(sum(amount) filter (where status = '${status}'), 0) as ${status}_amount`,
    ]),
    `coalesce(sum(fee) filter (where status = 'paid'), 0) as paid_fees`,
  ].join(', '),
);
const ADDED = sql.raw(
  [...COUNTED.flatMap((status) => [`${status}_count`, `${status}_amount`]), 'paid_fees']
    .map((name) => `${name} = b.${name} + sums.${name}`)
    .join(', '),
);

/** Rows whose turn never came. Returns how many there were, up to the limit. */
export async function cancelRows(queries: Queries, id: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`with changed as (update bulk_payment_rows set status = 'cancelled'
      where bulk_payment_id = ${id} and line = any (array(select line from bulk_payment_rows
        where bulk_payment_id = ${id} and status in ('pending', 'valid') limit ${most})) returning amount),
    sums as (select count(*)::integer as count, coalesce(sum(amount), 0) as amount from changed),
    counted as (update bulk_payments b set cancelled_count = b.cancelled_count + sums.count,
        cancelled_amount = b.cancelled_amount + sums.amount from sums where b.id = ${id})
    select count from sums`.execute(queries);
  return rows[0]?.count ?? 0;
}

/** A page of rows in the order of their lines. */
export async function rowsAfter(queries: Queries, id: string, line: number, most: number): Promise<BulkRow[]> {
  const rows = queries.selectFrom('bulk_payment_rows').selectAll().where('bulk_payment_id', '=', id);
  return rows.where('line', '>', line).orderBy('line').limit(most).execute();
}

/** The wallets of these lines that cannot be paid now. */
export async function countUnavailable(queries: Queries, id: string, lines: readonly number[], type: string) {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from bulk_payment_rows r
    cross join lateral (select status, disabled_transaction_types from subscribers where id = r.recipient_id limit 1) s
    where r.bulk_payment_id = ${id} and r.line = any(${[...lines]}::integer[]) and r.recipient_id is not null
      and (s.status <> 'ACTIVE' or ${type} = any(s.disabled_transaction_types))`.execute(queries);
  return rows[0]?.count ?? 0;
}

/** The one that retries its failed rows and was not cancelled. */
export function retryOf(queries: Queries, id: string): Promise<BulkPayment | undefined> {
  const retries = queries.selectFrom('bulk_payments').selectAll().where('retry_of', '=', id);
  return retries.where('status', '<>', 'cancelled').executeTakeFirst();
}

/** They keep their lines. */
export async function copyFailed(trx: Queries, from: string, to: string): Promise<void> {
  for (let line = 0; ; ) {
    const { rows } = await sql<{ line: number | null }>`with copied as (insert into bulk_payment_rows (bulk_payment_id,
        line, reference, phone_number, account_number, given_name, amount, description, reference_scope)
      select ${to}, line, reference, phone_number, account_number, given_name, amount, description, reference_scope
      from bulk_payment_rows where bulk_payment_id = ${from} and status = 'failed' and line > ${line}
      order by line limit ${COPIED_AT_ONCE} returning line)
      select max(line) as line from copied`.execute(trx);
    const last = rows[0]?.line ?? null;
    if (last === null) return;
    line = last;
  }
}

const COPIED_AT_ONCE = 5_000;

export async function keyCreator(queries: Queries, keyId: string): Promise<string | null> {
  const found = queries.selectFrom('api_keys').select('created_by').where('id', '=', keyId);
  return (await found.executeTakeFirst())?.created_by ?? null;
}
