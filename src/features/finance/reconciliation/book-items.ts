// The movements that stand for money at a bank, and the amount that the bank should show for each of them.
import { type RawBuilder, sql } from 'kysely';
import { isDistributed } from '../../../db/citus/queries.ts';
import type { Queries } from '../../../db/database.ts';
import { type OutboxRow, OutboxTable } from '../../../db/outbox-table.ts';
import { iso } from '../../../kernel/clock.ts';
import type { MovementType } from '../../../ledger/movement-types.ts';
import { sqlType } from '../../../ledger/movement-types.ts';

/** 1: money arrives at the bank, and the payee is the counterparty. -1: money leaves it, and the payer is. */
const SIGNS = {
  agent_fund: 1,
  agent_return: -1,
  partner_settlement: 1,
  processor_payout: -1,
  payout_returned: 1,
} as const satisfies Partial<Record<MovementType, 1 | -1>>;

type FixedType = keyof typeof SIGNS;
const FIXED_TYPES = Object.keys(SIGNS) as FixedType[];

/** Rows of bulk payments. They stand for money at a bank if the treasury pays them, which then issues e-money. */
const BULK_TYPES = ['processor_transfer', 'unclaimed_payment'] as const satisfies readonly MovementType[];

export type BookType = FixedType | (typeof BULK_TYPES)[number];

const signOf = (type: BookType) => (type in SIGNS ? SIGNS[type as FixedType] : 1);

const ITEMS = new OutboxTable('reconciliation_items');

/** A movement's item, written in its commit. The values are those of BOOK_DATE and BOOK_AMOUNT below. */
export function bookItem(type: BookType, { transactionId, at, amount }: PostedBookItem): OutboxRow {
  const row = { side: 'books', item_id: transactionId, dated: iso(at).slice(0, 'YYYY-MM-DD'.length) };
  return { table: ITEMS, row: { ...row, amount: signOf(type) * amount, status: 'unmatched', was_undone: false } };
}

interface PostedBookItem {
  transactionId: string;
  at: number;
  amount: number;
}

const typesOf = (sign: 1 | -1) => FIXED_TYPES.filter((type) => SIGNS[type] === sign).map(sqlType);

const FIXED = FIXED_TYPES.map(sqlType).join(', ');
const BULK = BULK_TYPES.map(sqlType).join(', ');
const OUTGOING = typesOf(-1).join(', ');

/** SQL about a row `m` of movements, as in the index movements_at_banks. */
export const IS_BOOK_ITEM = `(m.type in (${FIXED}) or m.type in (${BULK}) and m.from_account like 'sys\\_treasury\\_%')`;
export const BOOK_AMOUNT = `case when m.type in (${OUTGOING}) then -m.amount else m.amount end`;
export const BOOK_DATE = `(m.at at time zone 'UTC')::date`;
export const BOOK_PARTY = `case when m.type in (${OUTGOING}) then m.from_account else m.to_account end`;
/** What a match with the movement moves from pay-outs in transit to the treasury. */
export const BOOK_CLEARS = `case m.type when ${sqlType('processor_payout')} then m.amount
  when ${sqlType('payout_returned')} then -m.amount else 0 end`;

/** Selected items and the movements among which theirs are looked up, as relations of a statement that begins with `head`. */
export interface ItemSource {
  head: RawBuilder<unknown>;
  items: RawBuilder<unknown>;
  movements: RawBuilder<unknown>;
}

/** On a cluster the items are on the coordinator: their movements are read from the shards first. */
export function withMovements(queries: Queries, items: RawBuilder<unknown>): ItemSource {
  if (!isDistributed(queries)) return { head: sql``, items: sql`(${items})`, movements: sql`movements` };
  const head = sql`with selected as materialized (${items}), booked as materialized (
    select m.id, m.type, m.reference, m.request_id, m.narration, m.from_account, m.to_account from movements m
    where m.id in (select item_id from selected where side = 'books'))`;
  return { head, items: sql`selected`, movements: sql`booked` };
}

/** The counterparty's name. */
export const PARTY_NAME = (id: string) => `coalesce((select name from partners where id = ${id}),
  (select business_name from agents where id = ${id}), (select business_name from processors where id = ${id}))`;
