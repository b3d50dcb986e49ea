// The bank account of the merchant's latest pay-out that did not come back: a shop rarely has a second one.
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useFirst } from '../../../components/use-first.ts';

const READ = '20';

/** Empty until it is known, and if there is none. */
export function useLastAccount(merchantId: string, enabled = true): string {
  const { data } = useRead(
    [`payouts-${merchantId}`, 'last-account'],
    (options) => kissi.processors.payouts(merchantId, { limit: READ }, options),
    { enabled },
  );
  const found = data?.payouts.find(({ bank_account, state }) => bank_account && state !== 'returned');
  return useFirst(data && (found?.bank_account ?? '')) ?? '';
}
