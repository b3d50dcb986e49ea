// Lists items by status, side and age, oldest first. Each page is one range of an index per side.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Page } from '../../../http/paging.ts';
import { BOOK_PARTY, PARTY_NAME } from './book-items.ts';
import { COUNT_LIMIT, type Side } from './store.ts';

export interface ItemFilter {
  status?: string | undefined;
  side?: Side | undefined;
  /** Dated before this day. */
  before?: string | undefined;
}

export interface ListedItem {
  id: string;
  side: Side;
  date: string;
  amount: number;
  status: string;
  type: string;
  reference: string | null;
  counterparty: string | null;
  description: string | null;
  trust_account_id: string | null;
  party_id: string | null;
  match_id: string | null;
  suggestion_id: string | null;
}

type Condition = RawBuilder<unknown>;

export async function listItems(
  queries: Queries,
  filter: ItemFilter,
  { limit, offset, after }: Page,
): Promise<{ items: ListedItem[]; total: number }> {
  const start = after
    ? [
        sql`(dated, item_id) > (select dated, item_id from reconciliation_items
          where side in ('bank', 'books') and item_id = ${after})`,
      ]
    : [];
  const sides = sidesOf(filter);
  const firstOf = (side: Side) => sql`(select * from reconciliation_items
    where ${sql.join([...conditionsOf(filter, side), ...start], sql` and `)}
    order by dated, item_id limit ${offset + limit})`;
  const page = sql`select * from (${sql.join(sides.map(firstOf), sql` union all `)}) each_side
    order by dated, item_id limit ${limit} offset ${offset}`;
  const { rows } = await sql<ListedItem>`select i.item_id as id, i.side, i.dated::text as date, i.amount, i.status,
      coalesce(m.type, 'bank_entry') as type, coalesce(e.reference, m.reference, m.request_id) as reference,
      case when i.side = 'bank' then e.counterparty else ${sql.raw(PARTY_NAME('m.party'))} end as counterparty,
      coalesce(e.description, m.narration) as description, e.trust_account_id, m.party as party_id, i.match_id, i.suggestion_id
    from (${page}) i
    left join lateral (select * from bank_entries where i.side = 'bank' and id = i.item_id limit 1) e on true
    left join lateral (select m.type, m.reference, m.request_id, m.narration, ${sql.raw(BOOK_PARTY)} as party from movements m
      where i.side = 'books' and m.id = i.item_id limit 1) m on true
    order by i.dated, i.item_id`.execute(queries);
  if (after !== undefined) return { items: rows, total: rows.length };
  const countOf = (side: Side) => sql`(select from reconciliation_items
    where ${sql.join(conditionsOf(filter, side), sql` and `)} limit ${COUNT_LIMIT})`;
  const counted = await sql<{ total: number }>`select least(count(*), ${COUNT_LIMIT}) as total
    from (${sql.join(sides.map(countOf), sql` union all `)}) each_side`.execute(queries);
  return { items: rows, total: counted.rows[0]?.total ?? 0 };
}

function sidesOf({ side }: ItemFilter): Side[] {
  return side === undefined ? ['bank', 'books'] : [side];
}

function conditionsOf({ status, before }: ItemFilter, side: Side): Condition[] {
  return [
    sql`side = ${side}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(before === undefined ? [] : [sql`dated < ${before}::date`]),
  ];
}
