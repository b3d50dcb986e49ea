// Enters bank entries and movements into the list of items that were not entered with their own commit.
import { sql } from 'kysely';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, MINUTE_MS } from '../../../kernel/clock.ts';
import { firstIdAt } from '../../../kernel/ids.ts';
import { BOOK_AMOUNT, BOOK_DATE, IS_BOOK_ITEM } from './book-items.ts';

/** Ids are created shortly before the commit, and the clocks of gateways differ: the last minutes are read again. */
export const OVERLAP_MS = 10 * MINUTE_MS;
/** Rows inserted by one statement: a few hundred milliseconds. */
const PAGE = 5_000;

export function createListing({ database, clock }: { database: Database; clock: Clock }) {
  const { queries } = database;

  /** Safe to call at the same time: items that exist are skipped. */
  return async function listNewItems(): Promise<void> {
    const now = clock.now();
    const progress = await queries
      .selectFrom('reconciliation_progress')
      .select('listed_until')
      .executeTakeFirstOrThrow();
    const listedUntil = progress.listed_until.getTime();
    // The clock was set back since: what it listed as of a later time leaves no trace of what is missing before it.
    const isAhead = listedUntil > now + OVERLAP_MS;
    const from = isAhead ? 0 : Math.max(0, Math.min(listedUntil, now) - OVERLAP_MS);
    await listMovements(queries, from);
    await listEntries(queries, new Date(from));
    await queries
      .updateTable('reconciliation_progress')
      .set({ listed_until: new Date(now) })
      .where((row) =>
        row.or([
          row('listed_until', '<', new Date(now - MINUTE_MS)),
          row('listed_until', '>', new Date(now + OVERLAP_MS)),
        ]),
      )
      .execute();
  };
}

/** In the transaction that stores the entries. */
export async function listBankEntries(
  trx: Queries,
  entries: readonly { id: string; booked_on: string; amount: number }[],
): Promise<void> {
  await sql`insert into reconciliation_items (side, item_id, dated, amount)
    select 'bank', * from unnest(${entries.map(({ id }) => id)}::text[],
      ${entries.map(({ booked_on }) => booked_on)}::date[], ${entries.map(({ amount }) => amount)}::bigint[])`.execute(
    trx,
  );
}

async function listMovements(queries: Queries, from: number): Promise<void> {
  for (let after: string | null = firstIdAt('txn', from); after !== null; ) {
    const page: BookItem[] = await bookItems(queries, after);
    await listBookItems(queries, page);
    after = page.length === PAGE ? (page.at(-1)?.id ?? null) : null;
  }
}

interface BookItem {
  id: string;
  dated: string;
  amount: number;
}

async function bookItems(queries: Queries, after: string): Promise<BookItem[]> {
  const { rows } =
    await sql<BookItem>`select m.id, ${sql.raw(BOOK_DATE)}::text as dated, ${sql.raw(BOOK_AMOUNT)} as amount
    from movements m where ${sql.raw(IS_BOOK_ITEM)} and m.id > ${after} order by m.id limit ${PAGE}`.execute(queries);
  return rows;
}

async function listBookItems(queries: Queries, items: readonly BookItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql`insert into reconciliation_items (side, item_id, dated, amount)
    select 'books', * from unnest(${items.map(({ id }) => id)}::text[], ${items.map(({ dated }) => dated)}::date[],
      ${items.map(({ amount }) => amount)}::bigint[]) on conflict do nothing`.execute(queries);
}

/** In the order of positions: a statement is complete once its last entry is listed. */
async function listEntries(queries: Queries, from: Date): Promise<void> {
  const { rows: statements } = await sql<{ id: string; entry_count: number }>`select s.id, s.entry_count
    from bank_statements s join bank_entries e on e.statement_id = s.id and e.position = s.entry_count
    where s.uploaded_at >= ${from} and not exists
      (select from reconciliation_items i where i.side = 'bank' and i.item_id = e.id)
    order by s.id`.execute(queries);
  for (const { id, entry_count } of statements) {
    for (let position = 0; position < entry_count; position += PAGE) {
      await sql`insert into reconciliation_items (side, item_id, dated, amount)
        select 'bank', id, booked_on, amount from bank_entries
        where statement_id = ${id} and position > ${position} and position <= ${position + PAGE}
        order by id on conflict do nothing`.execute(queries);
    }
  }
}
