// The table of cards: single cards, and all of a subscriber's. Lists are in list-store.ts.
import { type Insertable, sql, type Updateable } from 'kysely';
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { texts, wholeOrNull } from '../../db/driver/columns.ts';
import type { Columns } from '../../db/driver/prepared.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { CardsTable } from '../../db/schema/tables.ts';
import { type CardRow, COLUMNS, readSerial } from './record.ts';

export type CardChange = Updateable<Omit<CardsTable, 'serial' | 'created_at'>>;
export type StockCard = Pick<Insertable<CardsTable>, 'serial' | 'label'>;

// Lateral with a limit: only an index can serve it, whatever the planner believed when the table was empty.
const BY_SERIAL = `select c.* from unnest($1::text[]) as asked (serial)
  cross join lateral (select ${COLUMNS.join(', ')} from cards where serial = asked.serial limit 1) c`;

// With what a payment must know of the holder, so that it need not ask again.
const HELD_BY_SERIAL = `select c.*, s.account_number, s.first_name, s.last_name, s.status,
    nullif(s.disabled_transaction_types, '{}')
  from unnest($1::text[]) as asked (serial)
  cross join lateral (
    select serial, type, status, subscriber_id, daily_limit from cards where serial = asked.serial limit 1) c
  left join lateral (select * from subscribers where id = c.subscriber_id limit 1) s on true`;

// Without: how the holder stands, the ledger sees on its account.
const PLAIN_BY_SERIAL = `select c.* from unnest($1::text[]) as asked (serial) cross join lateral (
    select serial, status, subscriber_id, daily_limit from cards where serial = asked.serial limit 1) c`;

export const COUNTED = `select asked.id, c.count from unnest($1::text[]) as asked (id)
  cross join lateral (select count(*) as count from cards where subscriber_id = asked.id) c`;

export function cardBySerial(reader: Reader): Load<string, CardRow | null> {
  return bySerial(async (serials) => {
    const values = [textArray(serials)];
    return (await reader.query<CardRow>({ name: 'card-by-serial', text: BY_SERIAL, values })).rows;
  });
}

export function heldCardBySerial(reader: Reader): Load<string, HeldCard | null> {
  return bySerial(async (serials) => {
    const values = [textArray(serials)];
    return (await reader.rows({ name: 'held-card', text: HELD_BY_SERIAL, values })).map(heldCardOf);
  });
}

export function plainCardBySerial(reader: Reader): Load<string, PlainCard | null> {
  return bySerial(async (serials) => {
    const values = [textArray(serials)];
    return (await reader.rows({ name: 'plain-card', text: PLAIN_BY_SERIAL, values })).map(plainCardOf);
  });
}

function plainCardOf([serial, status, subscriber_id = null, daily_limit]: Columns): PlainCard {
  return { serial, status, subscriber_id, daily_limit: wholeOrNull(daily_limit) } as PlainCard;
}

/** By a serial in any form: look-ups that arrive together travel together. */
function bySerial<Row extends { serial: string }>(read: (serials: string[]) => Promise<Row[]>) {
  return batchLoader<string, Row | null>({
    async fetch(texts) {
      const serials = texts.map(readSerial);
      const rows = await read([...new Set(serials)].filter((serial) => serial !== null));
      const found = new Map<string | null, Row>(rows.map((row) => [row.serial, row]));
      return serials.map((serial) => found.get(serial) ?? null);
    },
  });
}

function heldCardOf(columns: Columns): HeldCard {
  // The holder's are null where nobody holds it, as HeldCard says.
  const [serial, type, status, , , account_number, first_name, last_name, holder_status] = columns as string[];
  const [, , , subscriber_id = null, daily_limit, , , , , disabled] = columns;
  const card = { serial, type, status, subscriber_id, daily_limit: wholeOrNull(daily_limit) };
  const holder = { account_number, first_name, last_name, holder_status };
  return { ...card, ...holder, disabled_transaction_types: texts(disabled) } as HeldCard;
}

/** A card in the hand of whoever pays or is paid with it. */
export interface PlainCard {
  serial: string;
  status: string;
  /** Null when nobody holds it. */
  subscriber_id: string | null;
  /** Of a child card: what may leave the wallet by it in a day. */
  daily_limit: number | null;
}

/** The holder's fields are null when nobody holds it. */
export interface HeldCard extends PlainCard {
  type: string;
  account_number: string;
  first_name: string;
  last_name: string;
  holder_status: string;
  disabled_transaction_types: string[];
}

/** How many cards, parents and children, are linked to a subscriber. */
export function cardCount(reader: Reader): Load<string, number> {
  return batchLoader({
    async fetch(ids: string[]) {
      const query = { name: 'card-count', text: COUNTED, values: [[...new Set(ids)]] };
      const { rows } = await reader.query<{ id: string; count: number }>(query);
      const counts = new Map(rows.map(({ id, count }) => [id, count]));
      return ids.map((id) => counts.get(id) ?? 0);
    },
  });
}

export async function readCard(trx: Queries, serial: string): Promise<CardRow | null> {
  return (await trx.selectFrom('cards').select(COLUMNS).where('serial', '=', serial).executeTakeFirst()) ?? null;
}

/** Locked until the transaction ends, in the order of their serials; whoever locks the holder too locks it first. */
export async function lockCards(trx: Queries, serials: string[]): Promise<Map<string, CardRow>> {
  const locked = trx.selectFrom('cards').select(COLUMNS).where('serial', 'in', serials).orderBy('serial').forUpdate();
  return new Map((await locked.execute()).map((row) => [row.serial, row]));
}

export async function lockCard(trx: Queries, serial: string): Promise<CardRow | null> {
  return (await lockCards(trx, [serial])).get(serial) ?? null;
}

export async function updateCard(trx: Queries, serial: string, change: CardChange): Promise<CardRow> {
  const update = trx.updateTable('cards').set(change).where('serial', '=', serial);
  return update.returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Takes in what is not known yet; returns how many. In the order of the serials, so that two uploads do not deadlock. */
export async function addToStock(trx: Queries, cards: StockCard[], at: Date): Promise<number> {
  const sorted = cards.toSorted((a, b) => (a.serial < b.serial ? -1 : Number(a.serial > b.serial)));
  const serials = sorted.map(({ serial }) => serial);
  const labels = sorted.map(({ label }) => label);
  const { numAffectedRows } = await sql`insert into cards (serial, label, created_at)
    select serial, label, ${at}::timestamptz from unnest(${serials}::text[], ${labels}::text[]) as given (serial, label)
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

export async function countChildren(trx: Queries, subscriberId: string): Promise<number> {
  const children = trx.selectFrom('cards').where('subscriber_id', '=', subscriberId).where('type', '=', 'child');
  const { count } = await children.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

export async function setStatusOfAll(trx: Queries, subscriberId: string, status: 'active' | 'blocked'): Promise<void> {
  const linked = trx.updateTable('cards').set({ status }).where('subscriber_id', '=', subscriberId);
  await linked.where('status', '!=', status).execute();
}
