// What the bank statements say about a pay-out, and the credits that can return it.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { type EntrySource, findSources } from './entry-sources.ts';
import { findItems, type ListedItem } from './item-list.ts';
import { CUT_REFERENCE_LENGTH } from './normalise.ts';

/** A pay-out as its movement has it. */
export interface PaidOut {
  amount: number;
  /** The bank transfer's reference, which the bank prints. */
  reference: string | null;
  /** When it was paid out. */
  at: Date;
}

export interface EvidenceRequest extends PaidOut {
  payoutId: string;
  /** The credit that a return names. */
  bankEntryId: string | null;
}

export type Relation = 'matched' | 'match_undone' | 'reference' | 'named' | 'amount';

export interface BankEvidence extends Pick<ListedItem, 'id' | 'date' | 'amount' | 'status'>, EntrySource {
  reference: string | null;
  counterparty: string | null;
  description: string | null;
  /** Why it is about the pay-out. */
  relations: Relation[];
}

const HAS_REFERENCE = (reference: string) =>
  sql<boolean>`payout_references(e.reference, e.counterparty, e.description) @> array[${reference}]`;

/** The texts of an entry as payout_references reads them. */
const TEXT = sql`regexp_replace(upper(normalize(concat_ws(' ', e.reference, e.counterparty, e.description), nfkd)
  collate "C"), '[^A-Z0-9]', '', 'g')`;
/** Even if the bank truncated it. No index finds it: ask for few entries only. */
const HAS_CUT_REFERENCE = (reference: string) =>
  sql<boolean>`strpos(${TEXT}, ${reference.slice(0, CUT_REFERENCE_LENGTH)}) > 0`;

const dayAt = (instant: number) => iso(instant).slice(0, 'YYYY-MM-DD'.length);

/** The banks' day begins before the UTC day in some time zones. */
export const firstDayAtBank = ({ at }: Pick<PaidOut, 'at'>) => dayAt(at.getTime() - DAY_MS);

/** A cut reference is looked for among the entries of this time: banks execute a transfer within days. */
const EXECUTED_WITHIN_MS = 31 * DAY_MS;

/**
 * Debits with the amount of a pay-out and the beginning of its reference, whatever became of the entry. One that fits several
 * pay-outs counts for each: it may be of each of them.
 */
const CUT_DEBITS = (reference: string, { amount, at }: Pick<PaidOut, 'amount' | 'at'>) =>
  sql<{ id: string }>`select e.id from reconciliation_items i join bank_entries e on e.id = i.item_id
    where i.side = 'bank' and i.dated between ${firstDayAtBank({ at })}::date and ${dayAt(at.getTime() + EXECUTED_WITHIN_MS)}::date
      and i.amount = ${-amount} and ${HAS_CUT_REFERENCE(reference)}`;

/** Whether a debit has the pay-out's reference. */
export async function isAtBank(queries: Queries, { reference, ...payout }: PaidOut): Promise<boolean> {
  if (reference === null) return false;
  const whole = sql`select from bank_entries e where ${HAS_REFERENCE(reference)} and e.amount < 0 limit 1`;
  if ((await whole.execute(queries)).rows.length > 0) return true;
  return (await sql`${CUT_DEBITS(reference, payout)} limit 1`.execute(queries)).rows.length > 0;
}

/** Entries that were matched with the pay-out, now or before, that have its reference, or that its return names. */
export async function findEvidence(queries: Queries, request: EvidenceRequest): Promise<BankEvidence[]> {
  const { payoutId, reference, bankEntryId } = request;
  const withReference =
    reference === null
      ? sql`select null as id where false`
      : sql`select e.id from bank_entries e where ${HAS_REFERENCE(reference)} union ${CUT_DEBITS(reference, request)}`;
  const { rows: found } = await sql<{ id: string; relation: Relation }>`
    select id, 'reference' as relation from (${withReference}) with_reference
    union all select b.item_id, 'matched' from reconciliation_items p
      join reconciliation_items b on b.match_id = p.match_id and b.side = 'bank'
      where p.side = 'books' and p.item_id = ${payoutId}
    union all select unnest(m.bank_entry_ids), 'match_undone' from reconciliation_matches m
      where m.status = 'undone' and (m.transaction_ids @> array[${payoutId}] or m.bank_entry_ids @> array[${bankEntryId}]::text[])
    union all select e.id, 'named' from bank_entries e where e.id = ${bankEntryId}`.execute(queries);
  const relations = Map.groupBy(found, ({ id }) => id);
  const items = await findItems(queries, 'bank', [...relations.keys()]);
  return withSources(queries, items, (id) => relations.get(id)?.map(({ relation }) => relation) ?? []);
}

/** Entries that a request names. */
export async function findNamed(queries: Queries, ids: readonly string[]): Promise<BankEvidence[]> {
  return withSources(queries, await findItems(queries, 'bank', ids), () => ['named']);
}

/** More open credits of one amount than anybody looks through. */
const MAX_CREDITS = 50;

/** Open credits of the amount since the day before the pay-out: those with its reference first, then the oldest. */
export async function findCredits(queries: Queries, { amount, reference, at }: PaidOut): Promise<BankEvidence[]> {
  const isOfPayout = reference === null ? sql`false` : HAS_CUT_REFERENCE(reference);
  const { rows } = await sql<{ id: string; isOfPayout: boolean }>`select e.id, ${isOfPayout} as "isOfPayout"
    from reconciliation_items i join bank_entries e on e.id = i.item_id
    where i.side = 'bank' and i.status in ('unmatched', 'suggested') and i.dated >= ${firstDayAtBank({ at })}::date and i.amount = ${amount}
      and not exists (select from payout_return_claims c where c.side = 'bank' and c.item_id = i.item_id)
    order by "isOfPayout" desc, i.dated, i.item_id limit ${MAX_CREDITS}`.execute(queries);
  const items = await findItems(
    queries,
    'bank',
    rows.map(({ id }) => id),
  );
  const isOf = new Map(rows.map((row) => [row.id, row.isOfPayout]));
  const credits = await withSources(queries, items, (id) => (isOf.get(id) ? ['reference'] : []));
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  return credits.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

/** Entries with what they have to do with a request, and where they come from. */
export async function withSources(
  queries: Queries,
  items: readonly ListedItem[],
  relationsOf: (id: string) => Relation[],
): Promise<BankEvidence[]> {
  const sources = await findSources(
    queries,
    items.map(({ id }) => id),
  );
  return items.flatMap(({ id, date, amount, status, reference, counterparty, description }) => {
    const source = sources.get(id);
    const relations = [...new Set(relationsOf(id))].sort();
    return source ? [{ id, date, amount, status, reference, counterparty, description, ...source, relations }] : [];
  });
}
