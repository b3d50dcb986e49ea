// Verifies the unmatched items of daily closes: recomputed from the entries, the movements and the matches of that time.
import type { Connection } from '../../../db/driver/connection.ts';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { type Findings, rowsOf } from '../../../ledger/verification/findings.ts';
import { IS_BOOK_ITEM } from '../reconciliation/service.ts';
import { agedItems, type CloseDocument, endOf } from './document.ts';

/** A match or statement of so shortly before or after the close may or may not be part of its snapshot. */
const MARGIN_MS = 2 * MINUTE_MS;

interface Item {
  id: string;
  /** When it counts from, and when the service knew it. */
  at: number;
  knownAt: number;
  amount: number;
}

interface Match {
  ids: string[];
  from: number;
  /** Infinity: not undone. */
  to: number;
}

const MILLIS = (column: string) => `extract(epoch from ${column}) * 1000`;
const ENTRIES = `select e.id, ${MILLIS('e.booked_on')}, ${MILLIS('s.uploaded_at')}, abs(e.amount) from bank_entries e
  join bank_statements s on s.id = e.statement_id`;
const MOVEMENTS = `select m.id, ${MILLIS('m.at')}, ${MILLIS('m.at')}, m.amount from movements m where ${IS_BOOK_ITEM}`;
const MATCHES = `select array_to_string(bank_entry_ids || transaction_ids, ' '), ${MILLIS('created_at')},
  ${MILLIS('undone_at')} from reconciliation_matches`;

export async function verifyUnmatched(
  connection: Connection,
  documents: readonly CloseDocument[],
  findings: Findings,
): Promise<void> {
  const bank = await items(connection, 'close_entries_of_banks', ENTRIES);
  const books = await items(connection, 'close_movements_at_banks', MOVEMENTS);
  const matches = await allMatches(connection);
  for (const { date, number, closed_at, unmatched } of documents) {
    const closedAt = Date.parse(closed_at);
    const isNear = (at: number) => Math.abs(at - closedAt) < MARGIN_MS;
    if (matches.some(({ from, to }) => isNear(from) || isNear(to)) || bank.some(({ knownAt }) => isNear(knownAt)))
      continue;
    const matched = new Set(
      matches.filter(({ from, to }) => from < closedAt && to > closedAt).flatMap(({ ids }) => ids),
    );
    const end = endOf(date);
    const open = (all: readonly Item[]) =>
      all.filter(({ id, at, knownAt }) => at < end && knownAt < closedAt && !matched.has(id));
    const expected = {
      // An entry of the day itself is not yet a day old.
      bank: agedItems(open(bank).map(({ at, amount }) => ({ ageDays: (end - at) / DAY_MS - 1, count: 1, amount }))),
      books: agedItems(
        open(books).map(({ at, amount }) => ({ ageDays: Math.floor((end - at) / DAY_MS), count: 1, amount })),
      ),
    };
    const [found, correct] = [canonicalJson(unmatched), canonicalJson(expected)];
    if (found === correct) continue;
    findings.fault('close_differs', `close ${number} of ${date}`, `unmatched is ${found}, by the books ${correct}`);
  }
}

async function items(connection: Connection, cursor: string, text: string): Promise<Item[]> {
  const all: Item[] = [];
  for await (const [id, at, knownAt, amount] of rowsOf(connection, cursor, text)) {
    all.push({ id: String(id), at: Number(at), knownAt: Number(knownAt), amount: Number(amount) });
  }
  return all;
}

async function allMatches(connection: Connection): Promise<Match[]> {
  const all: Match[] = [];
  for await (const [ids, from, to] of rowsOf(connection, 'close_matches', MATCHES)) {
    const until = to === null || to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    all.push({ ids: String(ids).split(' '), from: Number(from), to: until });
  }
  return all;
}
