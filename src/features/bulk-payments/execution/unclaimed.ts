// What became of codes: a row for a number without a wallet is paid once an agent redeemed its code, else it returns.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/database.ts';

const AT_ONCE = 500;

/** Follows the ends of the codes' holds, which the ledger decided. Any gateway may do it at any time. */
export function createUnclaimed({ queries }: Pick<Database, 'queries'>) {
  return async function followCodes(stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted) {
      const { rows } = await FOLLOW.execute(queries);
      if ((rows[0]?.count ?? 0) < AT_ONCE) return;
    }
  };
}

const FOLLOW: RawBuilder<{ count: number }> = sql`with ended as (
    select r.bulk_payment_id, r.line, e.outcome, e.id, e.at from bulk_payment_rows r join hold_ends e on e.hold_id = r.transaction_id
    where r.status = 'unclaimed' limit ${sql.lit(AT_ONCE)}),
  changed as (update bulk_payment_rows r set
      status = case when ended.outcome = 'captured' then 'paid' else 'returned' end,
      reason = case when ended.outcome = 'captured' then null else 'CODE_NOT_REDEEMED' end,
      reason_text = case when ended.outcome = 'captured' then null else 'No agent redeemed the code: the amount and the fee are available to the payer again.' end,
      transaction_id = case when ended.outcome = 'captured' then ended.id end,
      paid_at = case when ended.outcome = 'captured' then ended.at end
    from ended where r.bulk_payment_id = ended.bulk_payment_id and r.line = ended.line and r.status = 'unclaimed'
    returning r.bulk_payment_id, r.status, r.amount, r.fee),
  sums as (select bulk_payment_id as id, count(*) as count, sum(amount) as amount,
      count(*) filter (where status = 'paid') as paid, coalesce(sum(amount) filter (where status = 'paid'), 0) as paid_amount,
      coalesce(sum(fee) filter (where status = 'paid'), 0) as paid_fees,
      count(*) filter (where status = 'returned') as returned,
      coalesce(sum(amount) filter (where status = 'returned'), 0) as returned_amount
    from changed group by bulk_payment_id),
  counted as (update bulk_payments b set unclaimed_count = unclaimed_count - s.count,
      unclaimed_amount = unclaimed_amount - s.amount, paid_count = paid_count + s.paid,
      paid_amount = b.paid_amount + s.paid_amount, paid_fees = b.paid_fees + s.paid_fees,
      returned_count = returned_count + s.returned, returned_amount = b.returned_amount + s.returned_amount
    from sums s where b.id = s.id)
  select count(*)::integer as count from ended`;
