// The merchant whose login this is.
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';

export const HOME = '/shop';

/** What payments of this screen change. */
export const CHANGES = ['own-merchant', 'transaction'];

export function useMerchantId(): string {
  const { processor_id } = useUser();
  if (!processor_id) throw new Error('This login belongs to no merchant.');
  return processor_id;
}

export function useOwnMerchant() {
  const id = useMerchantId();
  return useRead(['own-merchant', id], (options) => kissi.processors.get(id, options));
}
