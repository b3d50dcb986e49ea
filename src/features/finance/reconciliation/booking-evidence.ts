// What the bank statements say about a request that books money at a bank, such as the funding of an agent's float.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { findItems } from './item-list.ts';
import { referenceOf } from './normalise.ts';
import { type BankEvidence, type Relation, withSources } from './payout-evidence.ts';

export interface Booking {
  /** As the bank shows it: money that arrives is positive. */
  amount: number;
  /** What the requester typed as the bank's reference. */
  references: readonly (string | null)[];
  requestedAt: Date;
  /** Null until it is executed. */
  transactionId: string | null;
}

/** A deposit is booked within days. */
const BEFORE_MS = 31 * DAY_MS;
/** More open entries of one amount than anybody looks through. */
const MAX_ENTRIES = 20;

const firstDay = ({ requestedAt }: Booking) => iso(requestedAt.getTime() - BEFORE_MS).slice(0, 'YYYY-MM-DD'.length);

/** Open entries of the amount, newest first, and those that were matched with its transaction. */
export async function findBookingEvidence(queries: Queries, booking: Booking): Promise<BankEvidence[]> {
  const { amount, references, transactionId } = booking;
  const { rows } = await sql<{ id: string; relation: Relation }>`
    select b.item_id as id, 'matched' as relation from reconciliation_items p
      join reconciliation_items b on b.match_id = p.match_id and b.side = 'bank'
      where p.side = 'books' and p.item_id = ${transactionId}
    union all (select item_id, 'amount' from reconciliation_items
      where status in ('unmatched', 'suggested') and side = 'bank' and dated >= ${firstDay(booking)}::date
        and amount = ${amount} order by dated desc, item_id desc limit ${MAX_ENTRIES})`.execute(queries);
  const relations = new Map(rows.map(({ id, relation }) => [id, relation]));
  const items = await findItems(queries, 'bank', [...relations.keys()]);
  const known = new Set(references.map(referenceOf).filter((each) => each !== null));
  const printed = new Map(items.map(({ id, reference }) => [id, referenceOf(reference)]));
  return withSources(queries, items, (id) => {
    const relation = relations.get(id);
    const own: Relation[] = known.has(printed.get(id) ?? '') ? ['reference'] : [];
    return relation ? [relation, ...own] : own;
  });
}
