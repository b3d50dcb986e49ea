// What the bank statements say about a pay-out, and the credits that can return it.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { findItems, type ListedItem } from './item-list.ts';

export interface EvidenceRequest {
  payoutId: string;
  reference: string | null;
  /** The credit that a return names. */
  bankEntryId: string | null;
}

export type Relation = 'matched' | 'match_undone' | 'reference' | 'named';

export interface BankEvidence extends Pick<ListedItem, 'id' | 'date' | 'amount' | 'status'> {
  reference: string | null;
  counterparty: string | null;
  description: string | null;
  /** Why it is about the pay-out. */
  relations: Relation[];
}

const HAS_REFERENCE = (reference: string) =>
  sql<boolean>`payout_references(e.reference, e.counterparty, e.description) @> array[${reference}]`;

/** Whether a debit has the pay-out's reference, whatever became of the entry. */
export async function isAtBank(queries: Queries, reference: string | null): Promise<boolean> {
  if (reference === null) return false;
  const { rows } = await sql`select from bank_entries e where ${HAS_REFERENCE(reference)} and e.amount < 0
    limit 1`.execute(queries);
  return rows.length > 0;
}

/** Entries that were matched with the pay-out, now or before, that have its reference, or that its return names. */
export async function findEvidence(queries: Queries, request: EvidenceRequest): Promise<BankEvidence[]> {
  const { payoutId, reference, bankEntryId } = request;
  const { rows: found } = await sql<{ id: string; relation: Relation }>`
    select e.id, 'reference' as relation from bank_entries e where ${reference === null ? sql`false` : HAS_REFERENCE(reference)}
    union all select b.item_id, 'matched' from reconciliation_items p
      join reconciliation_items b on b.match_id = p.match_id and b.side = 'bank'
      where p.side = 'books' and p.item_id = ${payoutId}
    union all select unnest(m.bank_entry_ids), 'match_undone' from reconciliation_matches m
      where m.status = 'undone' and m.transaction_ids @> array[${payoutId}]
    union all select e.id, 'named' from bank_entries e where e.id = ${bankEntryId}`.execute(queries);
  const relations = Map.groupBy(found, ({ id }) => id);
  const items = await findItems(queries, 'bank', [...relations.keys()]);
  return items.map((item) => evidenceOf(item, relations.get(item.id)?.map(({ relation }) => relation) ?? []));
}

export interface CreditRequest {
  amount: number;
  reference: string | null;
  /** When it was paid out. */
  at: Date;
}

/** More open credits of one amount than anybody looks through. */
const MAX_CREDITS = 50;

/** Open credits of the amount since the day before the pay-out: those with its reference first, then the oldest. */
export async function findCredits(queries: Queries, { amount, reference, at }: CreditRequest): Promise<BankEvidence[]> {
  // The banks' day begins before the UTC day in some time zones.
  const since = iso(at.getTime() - DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  const isOfPayout = reference === null ? sql`false` : sql`coalesce(${HAS_REFERENCE(reference)}, false)`;
  const { rows } = await sql<{ id: string; isOfPayout: boolean }>`select e.id, ${isOfPayout} as "isOfPayout"
    from reconciliation_items i join bank_entries e on e.id = i.item_id
    where i.side = 'bank' and i.status in ('unmatched', 'suggested') and i.dated >= ${since}::date and i.amount = ${amount}
      and not exists (select from payout_return_claims c where c.side = 'bank' and c.item_id = i.item_id)
    order by "isOfPayout" desc, i.dated, i.item_id limit ${MAX_CREDITS}`.execute(queries);
  const items = await findItems(
    queries,
    'bank',
    rows.map(({ id }) => id),
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  return rows.flatMap(({ id, isOfPayout: isOf }) => {
    const item = byId.get(id);
    return item ? [evidenceOf(item, isOf ? ['reference'] : [])] : [];
  });
}

function evidenceOf(item: ListedItem, relations: Relation[]): BankEvidence {
  const { id, date, amount, status, reference, counterparty, description } = item;
  return { id, date, amount, status, reference, counterparty, description, relations: [...new Set(relations)].sort() };
}
