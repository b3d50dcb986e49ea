// Matches of a pay-out that were undone: whether their bank entries have been matched with what they stand for.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';

/**
 * The users who matched all bank entries of the undone matches with something else, or wrote them off. Null: one of the entries
 * is open, or no user matched it. Call it while the pay-out is in no match.
 */
export async function correctors(queries: Queries, payoutId: string): Promise<string[] | null> {
  const { rows } = await sql<{ by: string | null }>`
    select distinct c.created_by as by
    from reconciliation_matches m cross join lateral unnest(m.bank_entry_ids) as entry (id)
    left join reconciliation_items i on i.side = 'bank' and i.item_id = entry.id
    left join reconciliation_matches c on c.id = i.match_id
    where m.undone_at is not null and m.transaction_ids @> array[${payoutId}]`.execute(queries);
  return rows.every(({ by }) => by !== null) ? rows.flatMap(({ by }) => by ?? []) : null;
}
