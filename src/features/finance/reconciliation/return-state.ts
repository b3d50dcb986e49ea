// Why a pay-out that was returned, or its return, is still open, and where the bank entry that is missing is expected.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { sqlType } from '../../../ledger/movement-types.ts';
import type { ListedItem } from './item-list.ts';

export const OPEN_REASONS = ['bank_debit_missing', 'bank_credit_missing', 'both_open'] as const;

export interface ReturnState {
  open_reason: (typeof OPEN_REASONS)[number] | null;
  related_id: string | null;
  expected_trust_account_id: string | null;
}

export const NOT_RETURNED: ReturnState = { open_reason: null, related_id: null, expected_trust_account_id: null };

const RETURNED = sql.raw(sqlType('payout_returned'));

type MissingEntry = Exclude<ReturnState['open_reason'], 'both_open' | null>;

interface Pair {
  payout: string;
  returned: string;
}

/** By the item's id, for open pay-outs that were returned and open returns. */
export async function findReturnStates(
  queries: Queries,
  items: readonly Pick<ListedItem, 'id' | 'type' | 'match_id'>[],
): Promise<ReadonlyMap<string, ReturnState>> {
  const openIds = (type: string) =>
    items.filter((item) => item.type === type && item.match_id === null).map(({ id }) => id);
  const payouts = openIds('processor_payout');
  const returns = openIds('payout_returned');
  if (payouts.length + returns.length === 0) return new Map();
  const pairs = await findPairs(queries, payouts, returns);
  const ids = pairs.flatMap(({ payout, returned }) => [payout, returned]);
  const accounts = await matchedAccounts(queries, ids);
  const returnOf = new Map(pairs.map(({ payout, returned }) => [payout, returned]));
  const payoutOf = new Map(pairs.map(({ payout, returned }) => [returned, payout]));
  const states = (open: string[], related: ReadonlyMap<string, string>, missing: MissingEntry) =>
    open.flatMap((id) => {
      const relatedId = related.get(id);
      return relatedId === undefined ? [] : [[id, stateOf(relatedId, accounts, missing)] as const];
    });
  return new Map([
    ...states(payouts, returnOf, 'bank_debit_missing'),
    ...states(returns, payoutOf, 'bank_credit_missing'),
  ]);
}

/** Two look-ups by index. On a cluster the movements are on workers, and the items on the coordinator. */
async function findPairs(queries: Queries, payouts: string[], returns: string[]): Promise<Pair[]> {
  const { rows } = await sql<Pair>`select related_id as payout, id as returned from movements
      where type = ${RETURNED} and related_id = any(${payouts})
    union select related_id, id from movements where type = ${RETURNED} and id = any(${returns})`.execute(queries);
  return rows;
}

/** The trust accounts of the bank entries that the transactions are matched with. Null: with each other only. */
async function matchedAccounts(queries: Queries, ids: string[]): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ id: string; account: string | null }>`select i.item_id as id, (
      select e.trust_account_id from reconciliation_items b join bank_entries e on e.id = b.item_id
      where b.side = 'bank' and b.match_id = i.match_id limit 1) as account
    from reconciliation_items i
    where i.side = 'books' and i.item_id = any(${ids}) and i.match_id is not null`.execute(queries);
  return new Map(rows.map(({ id, account }) => [id, account]));
}

function stateOf(related: string, accounts: ReadonlyMap<string, string | null>, missing: MissingEntry): ReturnState {
  const account = accounts.get(related);
  // Matched with the books only: no bank entry is known.
  const open_reason = account === undefined ? 'both_open' : account === null ? null : missing;
  return { open_reason, related_id: related, expected_trust_account_id: account ?? null };
}
