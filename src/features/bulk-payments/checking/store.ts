// The queue of bulk payments to be checked, and what checking reads and writes.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Lease } from '../../../db/leased-queue.ts';
import { wordsOf } from '../reasons.ts';
import type { BulkPayment } from '../types.ts';
import type { Outcome, PendingRow } from './outcome.ts';

/** The one that has come least far, so that a small file does not wait behind a large one. */
export async function claimUnchecked(queries: Queries, { lease, now, until }: Lease): Promise<BulkPayment | undefined> {
  const { rows } = await sql<BulkPayment>`update bulk_payments set lease = ${lease}, leased_until = ${until}
    where id = (select id from bulk_payments where status = 'checking' and (leased_until is null or leased_until <= ${now})
      order by checked_count, id limit 1 for update skip locked)
    returning *`.execute(queries);
  return rows[0];
}

export async function releaseLease(queries: Queries, id: string, lease: string): Promise<void> {
  const held = queries.updateTable('bulk_payments').where('id', '=', id).where('lease', '=', lease);
  await held.set({ lease: null, leased_until: null }).execute();
}

export function pendingRows(queries: Queries, id: string, limit: number): Promise<PendingRow[]> {
  return queries
    .selectFrom('bulk_payment_rows')
    .select(['line', 'reference', 'phone_number', 'account_number', 'given_name', 'amount'])
    .where('bulk_payment_id', '=', id)
    .where('status', '=', 'pending')
    .orderBy('line')
    .limit(limit)
    .execute();
}

interface UsedReference {
  reference: string;
  bulk_payment_id: string;
  line: number;
  is_free: boolean;
}

/**
 * References that rows of the scope hold. Rows of a cancelled payment, and those before `since`, give theirs up here: their
 * index entries would refuse the new rows.
 */
export async function usedReferences(
  trx: Queries,
  { id, reference_scope }: BulkPayment,
  references: readonly string[],
  since: Date,
): Promise<Map<string, 'file' | 'other'>> {
  const { rows } = await sql<UsedReference>`select r.reference, r.bulk_payment_id, r.line,
      p.status = 'cancelled' and r.status = 'valid' or r.status <> 'paying' and coalesce(r.paid_at, p.created_at) < ${since}
        as is_free
    from bulk_payment_rows r join bulk_payments p on p.id = r.bulk_payment_id
    where r.reference_scope = ${reference_scope} and r.reference = any(${references}::text[])
      and r.reserves_reference and r.status in ('valid', 'paying', 'paid', 'unclaimed')`.execute(trx);
  const free = rows.filter(({ is_free }) => is_free);
  if (free.length > 0) {
    await sql`update bulk_payment_rows r set reserves_reference = false
      from unnest(${free.map((row) => row.bulk_payment_id)}::text[], ${free.map(({ line }) => line)}::integer[]) as f (id, line)
      where r.bulk_payment_id = f.id and r.line = f.line`.execute(trx);
  }
  const held = rows.filter(({ is_free }) => !is_free);
  return new Map(held.map((row) => [row.reference, row.bulk_payment_id === id ? 'file' : 'other']));
}

/** Those of the wallets that rows of the payment are valid for. */
export async function knownRecipients(trx: Queries, id: string, recipients: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ recipient_id: string }>`select distinct recipient_id from bulk_payment_rows
    where bulk_payment_id = ${id} and recipient_id = any(${recipients}::text[])`.execute(trx);
  return new Set(rows.map(({ recipient_id }) => recipient_id));
}

/** The rows were read before, and nobody else checks them: the payment is locked. */
export async function storeOutcomes(trx: Queries, id: string, outcomes: readonly Outcome[]): Promise<void> {
  const column = <Name extends keyof Outcome>(name: Name) => outcomes.map((outcome) => outcome[name]);
  const words = outcomes.map(({ reason }) => (reason === null ? null : wordsOf(reason)));
  await sql`update bulk_payment_rows r set status = case when o.reason is null then 'valid' else 'invalid' end,
      reason = o.reason, reason_text = o.words, recipient_id = o.recipient, name_matches = o.matches, fee = o.fee,
      warnings = string_to_array(o.warnings, ' ')
    from unnest(${column('line')}::integer[], ${column('reason')}::text[], ${words}::text[], ${column('recipientId')}::text[],
      ${column('nameMatches')}::boolean[], ${column('fee')}::bigint[],
      ${outcomes.map(({ warnings }) => warnings.join(' '))}::text[])
      as o (line, reason, words, recipient, matches, fee, warnings)
    where r.bulk_payment_id = ${id} and r.line = o.line and r.status = 'pending'`.execute(trx);
}

export interface Found {
  checked: number;
  valid: number;
  validAmount: number;
  fees: number;
  invalid: number;
  invalidAmount: number;
  codes: number;
  mismatches: number;
  repeated: number;
  compliance: number;
}

/** Adds to the payment's counts and keeps the lease. */
export async function addFound(trx: Queries, id: string, found: Found, leasedUntil: Date): Promise<void> {
  await sql`update bulk_payments set checked_count = checked_count + ${found.checked},
      valid_count = valid_count + ${found.valid}, valid_amount = valid_amount + ${found.validAmount},
      valid_fees = valid_fees + ${found.fees}, invalid_count = invalid_count + ${found.invalid},
      invalid_amount = invalid_amount + ${found.invalidAmount}, code_count = code_count + ${found.codes},
      name_mismatch_count = name_mismatch_count + ${found.mismatches}, repeated_count = repeated_count + ${found.repeated},
      compliance_count = compliance_count + ${found.compliance}, leased_until = ${leasedUntil}
    where id = ${id}`.execute(trx);
}

/** What the payer's account can pay; null: it has no lower bound. */
export async function availableBalance(queries: Queries, accountId: string): Promise<number | null> {
  const { rows } = await sql<{ available: number | null }>`select balance - held - floor as available from accounts
    where id = ${accountId}`.execute(queries);
  return rows[0]?.available ?? null;
}

export async function usedAllowance(queries: Queries, id: string): Promise<number> {
  const row = await queries.selectFrom('allowances').select('used').where('id', '=', id).executeTakeFirst();
  return row?.used ?? 0;
}

/** A payment whose rows are to be cancelled; others skip it. */
export async function lockCancelled(trx: Queries): Promise<BulkPayment | undefined> {
  const found = trx
    .selectFrom('bulk_payments')
    .selectAll()
    .where('rows_to_cancel', '=', true)
    .where('status', '=', 'cancelled');
  return found.orderBy('id').limit(1).forUpdate().skipLocked().executeTakeFirst();
}

/** Returns the amounts of the rows. */
export async function cancelRows(trx: Queries, id: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ amount: number }>`update bulk_payment_rows set status = 'cancelled'
    where bulk_payment_id = ${id} and line in (select line from bulk_payment_rows where bulk_payment_id = ${id}
      and status in ('pending', 'valid') order by line limit ${limit})
    returning amount`.execute(trx);
  return rows.map(({ amount }) => amount);
}
