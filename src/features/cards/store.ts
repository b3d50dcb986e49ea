// Queries on single cards and on all cards of a subscriber. Lists are in list-store.ts.
import { sql } from 'kysely';
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import { tableLookup } from '../../db/lookup.ts';
import type { NewRow, RowChange } from '../../db/schema/tables.ts';
import { changeAccount, lockBalance } from '../../ledger/accounts.ts';
import { bySerial } from '../../parties/card.ts';
import { type CardRow, COLUMNS, DECODERS } from './record.ts';

export type CardChange = Omit<RowChange<'cards'>, 'serial' | 'created_at'>;
export type StockCard = Pick<NewRow<'cards'>, 'serial' | 'label'>;

// The lateral join with a limit forces an index scan, even if the plan was cached when the table was empty.
const CARDS = tableLookup({ name: 'card-by-serial', table: 'cards', by: 'serial', columns: DECODERS });

export const COUNTED = statement(
  'card-count',
  `select requested.id, c.count from unnest($1::text[]) as requested (id)
  cross join lateral (select count(*) as count from cards where subscriber_id = requested.id) c`,
  ([id, count]) => [text(id), integer(count)] as const,
);

export function cardBySerial(reader: Reader): Load<string, CardRow | null> {
  return bySerial(reader, CARDS);
}

/** Batched: counts the parent and child cards linked to a subscriber. */
export function cardCount(reader: Reader): Load<string, number> {
  return batchLoader({
    async fetch(ids: string[]) {
      const counts = new Map(await reader.run(COUNTED, [textArray([...new Set(ids)])]));
      return ids.map((id) => counts.get(id) ?? 0);
    },
  });
}

export async function readCard(trx: Queries, serial: string): Promise<CardRow | null> {
  return (await trx.selectFrom('cards').select(COLUMNS).where('serial', '=', serial).executeTakeFirst()) ?? null;
}

/** Locks cards in serial order until the transaction ends. Callers that also lock the holder lock it first. */
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

/** Inserts unknown cards and returns their number. Inserts in serial order, so that two uploads cannot deadlock. */
export async function addToStock(trx: Queries, cards: StockCard[], at: Date): Promise<number> {
  const sorted = cards.toSorted((a, b) => (a.serial < b.serial ? -1 : Number(a.serial > b.serial)));
  const serials = sorted.map(({ serial }) => serial);
  const labels = sorted.map(({ label }) => label);
  const { numAffectedRows } = await sql`insert into cards (serial, label, created_at)
    select serial, label, ${at}::timestamptz from unnest(${serials}::text[], ${labels}::text[]) as card (serial, label)
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

export async function countChildren(trx: Queries, subscriberId: string): Promise<number> {
  const children = trx.selectFrom('cards').where('subscriber_id', '=', subscriberId).where('type', '=', 'child');
  const { count } = await children.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** In the order of their serials, as all cards are locked. */
export async function childSerials(trx: Queries, parentSerial: string): Promise<string[]> {
  const children = trx.selectFrom('cards').select('serial').where('parent_serial', '=', parentSerial);
  const linked = children.where('subscriber_id', 'is not', null).orderBy('serial');
  return (await linked.execute()).map(({ serial }) => serial);
}

export async function blockCards(trx: Queries, serials: string[]): Promise<void> {
  if (serials.length === 0) return;
  await trx.updateTable('cards').set({ status: 'blocked' }).where('serial', 'in', serials).execute();
}

export async function blockAll(trx: Queries, subscriberId: string): Promise<void> {
  const linked = trx.updateTable('cards').set({ status: 'blocked' }).where('subscriber_id', '=', subscriberId);
  await linked.where('status', '!=', 'blocked').execute();
}

/** Whether the holder blocked the card, and nobody has decided on it since. */
export async function isBlockedByHolder(trx: Queries, serial: string): Promise<boolean> {
  const block = trx.selectFrom('customer_card_blocks').select('serial').where('serial', '=', serial);
  return (await block.executeTakeFirst()) !== undefined;
}

/** The serials of the cards that the holder blocked. */
export async function blockedByHolder(queries: Queries, subscriberId: string): Promise<Set<string>> {
  const blocks = queries.selectFrom('customer_card_blocks').select('serial').where('subscriber_id', '=', subscriberId);
  return new Set((await blocks.execute()).map(({ serial }) => serial));
}

export async function addHolderBlock(trx: Queries, serial: string, subscriberId: string, at: Date): Promise<void> {
  await trx.insertInto('customer_card_blocks').values({ serial, subscriber_id: subscriberId, at }).execute();
}

export async function removeHolderBlock(trx: Queries, serial: string): Promise<void> {
  await trx.deleteFrom('customer_card_blocks').where('serial', '=', serial).execute();
}

/** Except the child cards of retired parents, which must be replaced. */
export async function activateAll(trx: Queries, subscriberId: string): Promise<void> {
  await trx.deleteFrom('customer_card_blocks').where('subscriber_id', '=', subscriberId).execute();
  await sql`update cards set status = 'active'
    where subscriber_id = ${subscriberId} and status <> 'active' and not exists (
      select from cards parent where parent.serial = cards.parent_serial and parent.retired_at is not null)`.execute(
    trx,
  );
}

export async function retireAll(trx: Queries, subscriberId: string, at: Date): Promise<string[]> {
  await trx.deleteFrom('customer_card_blocks').where('subscriber_id', '=', subscriberId).execute();
  const { rows } = await sql<{ serial: string }>`
    update cards set label = null, subscriber_id = null, linked_at = null,
      status = case when subscriber_id is null then status else 'blocked' end,
      retired_at = case when subscriber_id is null then retired_at else ${at}::timestamptz end,
      retired_subscriber_id = coalesce(subscriber_id, retired_subscriber_id)
    where subscriber_id = ${subscriberId} or (subscriber_id is null and label is not null
      and ${subscriberId} in (retired_subscriber_id, unlinked_subscriber_id))
    returning serial`.execute(trx);
  return rows.map(({ serial }) => serial);
}

/**
 * Writes the cards that cannot be used to the account, where payments check them: blocked cards, child cards of blocked
 * parents, retired cards, and cards that were unlinked. Waits for payments that lock the wallet: no payment with such a card is approved after the
 * transaction is confirmed. Locks the account before it reads the cards, so that it sees what concurrent changes of
 * other cards wrote. Callers lock the cards before the account, as everywhere.
 */
export async function updateBlockedCards(trx: Queries, subscriberId: string): Promise<void> {
  await lockBalance(trx, subscriberId);
  const { rows } = await sql<{ serial: string }>`
    select card.serial from cards card left join cards parent on parent.serial = card.parent_serial
    where card.subscriber_id = ${subscriberId} and (card.status = 'blocked' or parent.status = 'blocked')
    union all select serial from cards where retired_subscriber_id = ${subscriberId}
    union all select serial from cards where unlinked_subscriber_id = ${subscriberId}
    order by serial`.execute(trx);
  await changeAccount(trx, subscriberId, { blockedCards: rows.map(({ serial }) => serial) });
}
