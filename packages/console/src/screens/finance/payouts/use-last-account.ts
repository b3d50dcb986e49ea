// The bank account of the merchant's latest pay-out: a shop rarely has a second one.
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';

const READ = '20';

/** Empty until it is known, and if there is none. */
export function useLastAccount(merchantId: string, enabled = true): string {
  const { data } = useRead(
    [`payouts-${merchantId}`, 'last-account'],
    (options) => kissi.processors.payouts(merchantId, { limit: READ }, options),
    { enabled },
  );
  return data?.payouts.find(({ bank_account }) => bank_account)?.bank_account ?? '';
}
