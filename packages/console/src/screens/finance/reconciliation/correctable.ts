// Which differences between bank and books an operation of the desk can book, and which pay-out can be returned.
import { useCan } from '../../../api/user.ts';
import type { Item, Selection } from './selection.ts';

/** The party of all selected transactions; null if there is none, or several. */
export function partyOf({ books }: Selection): string | null {
  const [first, ...others] = new Set(books.map(({ party_id }) => party_id));
  return others.length === 0 ? (first ?? null) : null;
}

/** Whether an operation can book the difference between bank and books. */
export function useCorrectable(selection: Selection): boolean {
  const can = useCan();
  const { bank, books, difference } = selection;
  const party = partyOf(selection);
  if (bank.length === 0 || books.length === 0 || difference === 0) return false;
  if (party?.startsWith('agent_')) return can('agents:fund');
  return Boolean(party?.startsWith('ptn_')) && difference > 0 && can('partners');
}

/** The one pay-out that is selected, alone or with the credit with which the bank sent it back; null if there is none. */
export function useReturnable({ books, bank }: Selection): Item | null {
  const mayReturn = useCan()('payouts:return');
  const [payout, ...otherBooks] = books;
  const [credit, ...otherEntries] = bank;
  const isOne = payout?.type === 'processor_payout' && otherBooks.length === 0 && otherEntries.length === 0;
  return mayReturn && isOne && (!credit || credit.amount === -payout.amount) ? payout : null;
}
