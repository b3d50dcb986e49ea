// Queries on single cards and on all cards of a subscriber. Lists are in list-store.ts.
import { sql } from 'kysely';
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, record, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import type { NewRow, RowChange } from '../../db/schema/tables.ts';
import { bySerial } from '../../parties/card.ts';
import { type CardRow, COLUMNS, DECODERS } from './record.ts';

export type CardChange = Omit<RowChange<'cards'>, 'serial' | 'created_at'>;
export type StockCard = Pick<NewRow<'cards'>, 'serial' | 'label'>;

// The lateral join with a limit forces an index scan, even if the plan was cached when the table was empty.
const BY_SERIAL = statement(
  'card-by-serial',
  `select c.* from unnest($1::text[]) as requested (serial)
  cross join lateral (select ${COLUMNS.join(', ')} from cards where serial = requested.serial limit 1) c`,
  record(DECODERS),
);

export const COUNTED = statement(
  'card-count',
  `select requested.id, c.count from unnest($1::text[]) as requested (id)
  cross join lateral (select count(*) as count from cards where subscriber_id = requested.id) c`,
  ([id, count]) => [text(id), integer(count)] as const,
);

export function cardBySerial(reader: Reader): Load<string, CardRow | null> {
  return bySerial<CardRow>((serials) => reader.run(BY_SERIAL, [textArray(serials)]));
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

export async function setStatusOfAll(trx: Queries, subscriberId: string, status: 'active' | 'blocked'): Promise<void> {
  const linked = trx.updateTable('cards').set({ status }).where('subscriber_id', '=', subscriberId);
  await linked.where('status', '!=', status).execute();
}
