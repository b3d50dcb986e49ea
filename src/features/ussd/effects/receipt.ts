// What a page shows of a completed payment.
import type { Executed } from '../../../payments/plan.ts';

/** `balance` is absent in a reply to another credential. */
export function receiptIn({ json }: Executed): { transactionId: string; balance: number | null } {
  const { transaction_id: transactionId, balance = null } = JSON.parse(json);
  return { transactionId, balance };
}
