// Reads pay-outs from the movements, with their state by the reconciliation.
import { type RawBuilder, sql } from 'kysely';
import { isDistributed } from '../../db/citus/queries.ts';
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
): Promise<{ amount: number; reference: string | null; at: Date } | undefined> {
  return queries
    .selectFrom('movements')
    .select(['amount', 'reference', 'at'])
    .where('id', '=', id)
    .where('type', '=', 'processor_payout')
    .where('from_account', '=', processorId)
    .executeTakeFirst();
}

const COUNT_LIMIT = 100_000;
const PAYOUT = sql.raw(sqlType('processor_payout'));
const RETURNED = sql.raw(sqlType('payout_returned'));

interface PayoutFilter {
  processorId: string | null;
  state?: string | undefined;
  /** Only pay-outs before this one. */
  before?: string | undefined;
  /** The number of pay-outs that are wanted. */
  wanted: number;
}

type SelectedPayout = Omit<PayoutRecord, 'transaction_id' | 'processor_name' | 'created_at'> & { id: string; at: Date };

const COLUMNS = sql`m.id, m.from_account as processor_id, m.amount, m.details ->> 'bank_account' as bank_account,
  m.reference, m.request_id, m.at`;
const STATE = sql`i.match_id is null then 'in_transit' else 'cleared' end as state`;

/** Newest first, of one processor or of all. Counts up to 100,000. */
export async function listPayouts(
  queries: Queries,
  processorId: string | null,
  { state, limit, offset, after }: Page & { state?: string | undefined },
): Promise<{ payouts: PayoutRecord[]; total: number }> {
  const payoutsOf = isDistributed(queries) ? payoutsOnCitus : payouts;
  const filter = { processorId, state, before: after || undefined, wanted: limit + offset };
  const { rows } = await sql<SelectedPayout & { processor_name: string | null }>`
    select page.*, p.business_name as processor_name
    from (select * from (${payoutsOf(filter)}) found order by id desc limit ${limit} offset ${offset}) page
    left join processors p on p.id = page.processor_id order by page.id desc`.execute(queries);
  const found = rows.map(({ id, at, ...rest }) => ({ transaction_id: id, ...rest, created_at: at }));
  if (after !== undefined) return { payouts: found, total: found.length };
  const counted = await sql<{ total: number }>`select count(*) as total from
    (select 1 from (${payoutsOf({ processorId, state, wanted: COUNT_LIMIT })}) found limit ${COUNT_LIMIT}) first`.execute(
    queries,
  );
  return { payouts: found, total: counted.rows[0]?.total ?? 0 };
}

function payouts({ state, ...filter }: PayoutFilter): RawBuilder<SelectedPayout> {
  return sql`select * from (select ${COLUMNS}, i.match_id,
      case when exists (select from movements r where r.related_id = m.id and r.type = ${RETURNED}) then 'returned' when ${STATE}
    from movements m left join reconciliation_items i on i.side = 'books' and i.item_id = m.id
    where ${isPayout(filter)}) each_payout where ${isIn(state)}`;
}

/** The items are on the coordinator, and a return is not on its pay-out's shard. By state: the newest 100,000 pay-outs. */
function payoutsOnCitus({ state, ...filter }: PayoutFilter): RawBuilder<SelectedPayout> {
  const read = state === undefined ? filter.wanted : COUNT_LIMIT;
  return sql`with newest as materialized (select ${COLUMNS} from movements m where ${isPayout(filter)}
      order by m.id desc limit ${read}),
    returned as materialized (select r.related_id from movements r where r.type = ${RETURNED}
      and r.related_id in (select id from newest))
    select * from (select m.*, i.match_id,
      case when m.id in (select related_id from returned) then 'returned' when ${STATE}
    from newest m left join reconciliation_items i on i.side = 'books' and i.item_id = m.id) each_payout where ${isIn(state)}`;
}

function isPayout({ processorId, before }: Pick<PayoutFilter, 'processorId' | 'before'>) {
  return sql`m.type = ${PAYOUT} and ${processorId === null ? sql`true` : sql`m.from_account = ${processorId}`}
    and ${before === undefined ? sql`true` : sql`m.id < ${before}`}`;
}

function isIn(state: string | undefined) {
  return state === undefined ? sql`true` : sql`state = ${state}`;
}
