// Verifies the unmatched items of daily closes: recomputed from the entries, the movements and the matches of that time.
import type { Connection } from '../../../db/driver/connection.ts';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { type Findings, rowsOf } from '../../../ledger/verification/findings.ts';
import { IS_BOOK_ITEM } from '../reconciliation/service.ts';
import { agedItems, type CloseDocument, endOf } from './document.ts';

/** Without a number of the change, a match or statement of so shortly before or after the close may be part of its snapshot. */
const MARGIN_MS = 2 * MINUTE_MS;

interface Item {
  id: string;
  /** When it counts from, and when the service knew it. */
  at: number;
  knownAt: number;
  amount: number;
  /** For bank entries: the trust account, and the statement's last day. */
  accountId: string;
  until: string;
}

interface Match {
  ids: string[];
  from: number;
  /** Infinity: not undone. */
  to: number;
  /** The numbers of the changes that made and undid it; null: those of an earlier version, or not undone. */
  madeIn: number | null;
  undoneIn: number | null;
}

const MILLIS = (column: string) => `extract(epoch from ${column}) * 1000`;
const ENTRIES = `select e.id, ${MILLIS('e.booked_on')}, ${MILLIS('s.uploaded_at')}, abs(e.amount), s.trust_account_id, s.to_date
  from bank_entries e join bank_statements s on s.id = e.statement_id`;
const MOVEMENTS = `select m.id, ${MILLIS('m.at')}, ${MILLIS('m.at')}, m.amount, '', '' from movements m where ${IS_BOOK_ITEM}`;
const MATCHES = `select array_to_string(bank_entry_ids || transaction_ids, ' '), ${MILLIS('created_at')},
  ${MILLIS('undone_at')}, made_change, undone_change from reconciliation_matches`;
const STATEMENTS = `select id, to_date from bank_statements`;

/** True, false, or null: it cannot be known. */
type Known = boolean | null;

export async function verifyUnmatched(
  connection: Connection,
  documents: readonly CloseDocument[],
  findings: Findings,
): Promise<void> {
  const bank = await items(connection, 'close_entries_of_banks', ENTRIES);
  const books = await items(connection, 'close_movements_at_banks', MOVEMENTS);
  const matches = await allMatches(connection);
  const ends = new Map<string, string>();
  for await (const [id, to] of rowsOf(connection, 'close_ends_of_statements', STATEMENTS))
    ends.set(String(id), String(to));
  for (const document of documents) {
    const { date, number, unmatched } = document;
    const end = endOf(date);
    const isKnown = entriesKnownTo(document, ends);
    const candidates = bank.filter(({ at }) => at < end);
    const matchedIn = matches.map((match) => ({ match, known: isMatchedIn(document, match) }));
    if (candidates.some((entry) => isKnown(entry) === null) || matchedIn.some(({ known }) => known === null)) continue;
    const matched = new Set(matchedIn.filter(({ known }) => known).flatMap(({ match }) => match.ids));
    const ages = (all: readonly Item[]) =>
      agedItems(
        all.flatMap(({ id, at, amount }) => {
          const ageDays = end / DAY_MS - 1 - Math.floor(at / DAY_MS);
          return at < end && !matched.has(id) ? [{ ageDays, count: 1, amount }] : [];
        }),
      );
    const expected = { bank: ages(candidates.filter((entry) => isKnown(entry))), books: ages(books) };
    const [found, correct] = [canonicalJson(unmatched), canonicalJson(expected)];
    if (found === correct) continue;
    findings.fault('close_differs', `close ${number} of ${date}`, `unmatched is ${found}, by the books ${correct}`);
  }
}

/** By time, for what has no number. */
function happenedBefore({ closed_at }: CloseDocument, at: number): Known {
  const closedAt = Date.parse(closed_at);
  return Math.abs(at - closedAt) < MARGIN_MS ? null : at < closedAt;
}

/** Numbers are given under a lock and in the order of the commits: they say exactly what the close's snapshot contains. */
function isMatchedIn(document: CloseDocument, { from, to, madeIn, undoneIn }: Match): Known {
  const { reconciliation_change: last } = document;
  const made = last !== undefined && madeIn !== null ? madeIn <= last : happenedBefore(document, from);
  if (made === false || to === Number.POSITIVE_INFINITY) return made;
  const undone = last !== undefined && undoneIn !== null ? undoneIn <= last : happenedBefore(document, to);
  return made === null || undone === null ? null : !undone;
}

/** Statements of an account follow each other: the snapshot contains those up to the one that the close names. */
function entriesKnownTo(document: CloseDocument, ends: ReadonlyMap<string, string>): (entry: Item) => Known {
  const named = new Map(document.trust.accounts.map(({ id, statement_id }) => [id, statement_id]));
  return ({ accountId, until, knownAt }) => {
    const statementId = named.get(accountId);
    if (statementId === undefined) return happenedBefore(document, knownAt);
    return statementId !== null && until <= (ends.get(statementId) ?? '');
  };
}

async function items(connection: Connection, cursor: string, text: string): Promise<Item[]> {
  const all: Item[] = [];
  for await (const [id, at, knownAt, amount, accountId, until] of rowsOf(connection, cursor, text)) {
    const numbers = { at: Number(at), knownAt: Number(knownAt), amount: Number(amount) };
    all.push({ id: String(id), ...numbers, accountId: String(accountId), until: String(until) });
  }
  return all;
}

async function allMatches(connection: Connection): Promise<Match[]> {
  const all: Match[] = [];
  for await (const [ids, from, to, made, undone] of rowsOf(connection, 'close_matches', MATCHES)) {
    const until = to === null || to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    const changes = { madeIn: numberOrNull(made), undoneIn: numberOrNull(undone) };
    all.push({ ids: String(ids).split(' '), from: Number(from), to: until, ...changes });
  }
  return all;
}

function numberOrNull(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
