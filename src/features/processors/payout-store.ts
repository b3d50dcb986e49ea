// Reads pay-outs from the movements, with their state by the reconciliation.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { sqlType } from '../../ledger/movement-types.ts';
import type { PAYOUT_STATES } from './payout-schemas.ts';

export interface PayoutRecord {
  transaction_id: string;
  processor_id: string;
  processor_name: string | null;
  amount: number;
  bank_account: string | null;
  reference: string | null;
  request_id: string | null;
  state: (typeof PAYOUT_STATES)[number];
  match_id: string | null;
  created_at: Date;
}

export async function findPayout(
  queries: Queries,
  processorId: string,
  id: string,
): Promise<{ amount: number; reference: string | null } | undefined> {
  return queries
    .selectFrom('movements')
    .select(['amount', 'reference'])
    .where('id', '=', id)
    .where('type', '=', 'processor_payout')
    .where('from_account', '=', processorId)
    .executeTakeFirst();
}

const COUNT_LIMIT = 100_000;
const PAYOUT = sql.raw(sqlType('processor_payout'));
const RETURNED = sql.raw(sqlType('payout_returned'));

/** Newest first, of one processor or of all. Counts up to 100,000. */
export async function listPayouts(
  queries: Queries,
  processorId: string | null,
  { state, limit, offset, after }: Page & { state?: string | undefined },
): Promise<{ payouts: PayoutRecord[]; total: number }> {
  const selection = sql`select m.id, m.from_account as processor_id, m.amount, m.details ->> 'bank_account' as bank_account, m.reference, m.request_id, m.at,
      i.match_id, case when exists (select from movements r where r.related_id = m.id and r.type = ${RETURNED}) then 'returned'
        when i.match_id is null then 'in_transit' else 'cleared' end as state
    from movements m left join reconciliation_items i on i.side = 'books' and i.item_id = m.id
    where m.type = ${PAYOUT} and ${processorId === null ? sql`true` : sql`m.from_account = ${processorId}`}`;
  const ofState = state === undefined ? sql`true` : sql`state = ${state}`;
  const isAfter = after ? sql`id < ${after}` : sql`true`;
  const { rows } = await sql<Omit<PayoutRecord, 'transaction_id' | 'created_at'> & { id: string; at: Date }>`
    select page.*, p.business_name as processor_name
    from (select * from (${selection}) each_payout where ${ofState} and ${isAfter}
      order by id desc limit ${limit} offset ${offset}) page
    left join processors p on p.id = page.processor_id order by page.id desc`.execute(queries);
  const payouts = rows.map(({ id, at, ...rest }) => ({ transaction_id: id, ...rest, created_at: at }));
  if (after !== undefined) return { payouts, total: payouts.length };
  const counted = await sql<{ total: number }>`select count(*) as total from
    (select from (${selection}) each_payout where ${ofState} limit ${COUNT_LIMIT}) first`.execute(queries);
  return { payouts, total: counted.rows[0]?.total ?? 0 };
}
