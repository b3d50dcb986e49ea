// Which differences between bank and books an operation of the desk can book.
import { useCan } from '../../../api/user.ts';
import type { Selection } from './selection.ts';

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
