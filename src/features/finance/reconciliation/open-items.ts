// Reads the open items of both sides for the matcher, a page at a time.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { BOOK_PARTY, PARTY_NAME, withMovements } from './book-items.ts';
import type { Item } from './matcher.ts';
import { completeCutReferences, counterpartyOf, nameOf, referenceOf } from './normalise.ts';

const PAGE = 5_000;
/** The oldest ones first. Bounds the memory of a run; the next run reads on. */
export const MAX_ITEMS = 200_000;

export interface OpenItems {
  items: Item[];
  /** Ids of items of which a user undid a match. */
  undone: ReadonlySet<string>;
}

interface ReadRow {
  id: string;
  amount: number;
  /** Days since 1970. */
  date: number;
  dated: string;
  undone: boolean;
}

interface BookRow extends ReadRow {
  reference: string | null;
  request_id: string | null;
  name: string | null;
}

interface EntryRow extends ReadRow {
  reference: string | null;
  counterparty: string | null;
  description: string | null;
}

/** `names`: the names of the counterparties, which descriptions of bank entries may contain. */
export async function openBookItems(queries: Queries): Promise<OpenItems & { names: ReadonlySet<string> }> {
  const names = new Set<string>();
  const open = await read<BookRow>(
    queries,
    'books',
    sql`m.reference, m.request_id, ${sql.raw(PARTY_NAME(`(${BOOK_PARTY})`))} as name`,
    (movements) => sql`${movements} m on m.id = i.item_id`,
    ({ id, amount, date, reference, request_id, name }) => {
      const counterparty = nameOf(name);
      if (counterparty !== null) names.add(counterparty);
      // Funding has no field for a reference: the request id is what the user typed.
      return { id, amount, date, reference: referenceOf(reference) ?? referenceOf(request_id), counterparty };
    },
  );
  return { ...open, names };
}

/** With the open items of the other side. */
export function openBankItems(
  queries: Queries,
  { items, names }: Awaited<ReturnType<typeof openBookItems>>,
): Promise<OpenItems> {
  const complete = completeCutReferences(items.map(({ reference }) => reference));
  return read<EntryRow>(
    queries,
    'bank',
    sql`e.reference, e.counterparty, e.description`,
    () => sql`bank_entries e on e.id = i.item_id`,
    ({ id, amount, date, reference, counterparty, description }) => ({
      ...{ id, amount, date },
      reference: complete(referenceOf(reference)),
      counterparty: counterpartyOf({ counterparty, description }, names),
    }),
  );
}

type Fragment = RawBuilder<unknown>;

async function read<Row extends ReadRow>(
  queries: Queries,
  side: 'bank' | 'books',
  columns: Fragment,
  source: (movements: Fragment) => Fragment,
  itemOf: (row: Row) => Item,
): Promise<OpenItems> {
  const items = new Map<string, Item>();
  const undone = new Set<string>();
  for (const status of ['unmatched', 'suggested']) {
    let after = { dated: '0001-01-01', id: '' };
    while (items.size < MAX_ITEMS) {
      const {
        head,
        items: page,
        movements,
      } = withMovements(
        queries,
        sql`select * from reconciliation_items where status = ${status} and side = ${side}
          and (dated, item_id) > (${after.dated}::date, ${after.id}) order by dated, item_id limit ${PAGE}`,
      );
      const { rows } =
        await sql<Row>`${head} select i.item_id as id, i.amount, i.dated - date '1970-01-01' as date, i.dated,
          i.was_undone as undone, ${columns}
        from ${page} i join ${source(movements)} order by i.dated, i.item_id`.execute(queries);
      for (const row of rows) {
        items.set(row.id, itemOf(row));
        if (row.undone) undone.add(row.id);
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last;
    }
  }
  return { items: [...items.values()], undone };
}
