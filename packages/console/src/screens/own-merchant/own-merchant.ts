// The merchant that the logged-in user belongs to.
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';

export const HOME = '/shop';

/** The cached queries that a payment from these screens makes stale. */
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
