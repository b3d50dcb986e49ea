// Lists items by status, side and age, oldest first. Each page is one range of an index per side.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Page } from '../../../http/paging.ts';
import { BOOK_PARTY, PARTY_NAME, withMovements } from './book-items.ts';
import { COUNT_LIMIT, type MatchRow, type Side } from './store.ts';

export interface ItemFilter {
  status?: string | undefined;
  side?: Side | undefined;
  /** Dated before this day. */
  before?: string | undefined;
  /** Null: items without an owner. */
  ownerId?: string | null | undefined;
  /** Only the entries of this bank statement. */
  statementId?: string | undefined;
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
  statement_id: string | null;
  party_id: string | null;
  match_id: string | null;
  suggestion_id: string | null;
  owner_id: string | null;
  owner_name: string | null;
  owned_since: Date | null;
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
  const rows = await describe(queries, page);
  if (after !== undefined) return { items: rows, total: rows.length };
  const countOf = (side: Side) => sql`(select from reconciliation_items
    where ${sql.join(conditionsOf(filter, side), sql` and `)} limit ${COUNT_LIMIT})`;
  const counted = await sql<{ total: number }>`select least(count(*), ${COUNT_LIMIT}) as total
    from (${sql.join(sides.map(countOf), sql` union all `)}) each_side`.execute(queries);
  return { items: rows, total: counted.rows[0]?.total ?? 0 };
}

/** A match's items, even an undone one: bank first, oldest first. */
export async function itemsOfMatch(
  queries: Queries,
  { bank_entry_ids, transaction_ids }: MatchRow,
): Promise<ListedItem[]> {
  const items = await describe(
    queries,
    sql`select * from reconciliation_items where (side = 'bank' and item_id = any(${bank_entry_ids}))
      or (side = 'books' and item_id = any(${transaction_ids}))`,
  );
  return [...items.filter(({ side }) => side === 'bank'), ...items.filter(({ side }) => side === 'books')];
}

/** The items of one side with these ids, oldest first. */
export function findItems(queries: Queries, side: Side, ids: readonly string[]): Promise<ListedItem[]> {
  return describe(queries, sql`select * from reconciliation_items where side = ${side} and item_id = any(${[...ids]})`);
}

/** Adds what bank entries, movements and users say about selected items. */
async function describe(queries: Queries, selected: RawBuilder<unknown>): Promise<ListedItem[]> {
  const { head, items, movements } = withMovements(queries, selected);
  const { rows } =
    await sql<ListedItem>`${head} select i.item_id as id, i.side, i.dated::text as date, i.amount, i.status,
      coalesce(m.type, case i.side when 'bank' then 'bank_entry' else 'archived' end) as type, coalesce(e.reference, m.reference, m.request_id) as reference,
      case when i.side = 'bank' then e.counterparty else ${sql.raw(PARTY_NAME('m.party'))} end as counterparty,
      coalesce(e.description, m.narration) as description, e.trust_account_id, e.statement_id, m.party as party_id, i.match_id, i.suggestion_id,
      i.owner_id, u.first_name || ' ' || u.last_name as owner_name, i.owned_since
    from ${items} i
    left join lateral (select * from bank_entries where i.side = 'bank' and id = i.item_id limit 1) e on true
    left join lateral (select m.type, m.reference, m.request_id, m.narration, ${sql.raw(BOOK_PARTY)} as party from ${movements} m
      where i.side = 'books' and m.id = i.item_id limit 1) m on true
    left join lateral (select first_name, last_name from users where id = i.owner_id limit 1) u on true
    order by i.dated, i.item_id`.execute(queries);
  return rows;
}

function sidesOf({ side }: ItemFilter): Side[] {
  return side === undefined ? ['bank', 'books'] : [side];
}

function conditionsOf({ status, before, ownerId, statementId }: ItemFilter, side: Side): Condition[] {
  return [
    sql`side = ${side}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(before === undefined ? [] : [sql`dated < ${before}::date`]),
    ...(ownerId === undefined ? [] : [ownerId === null ? sql`owner_id is null` : sql`owner_id = ${ownerId}`]),
    ...(statementId === undefined
      ? []
      : [sql`item_id in (select id from bank_entries where statement_id = ${statementId})`]),
  ];
}
