// What a payment is asked for with, and what it is answered with: the same words in every family.
import { iso } from '../kernel/clock.ts';
import { CURRENCY } from '../kernel/money.ts';
import { tidy } from '../kernel/text.ts';
import type { Done, PaymentRequest } from './execute.ts';

/** What a payment is asked for with, beside its body. */
export interface Terms {
  amount: number | string;
  requestId: string | null;
}

/** Whose credential asked: request ids are its own. */
interface Asking {
  caller: { id: string | null };
}

type Named = Pick<Terms, 'requestId'>;

export function requestOf({ caller }: Asking, { requestId }: Named, same: readonly unknown[]): PaymentRequest | null {
  return requestId === null ? null : { scope: String(caller.id), id: requestId, same };
}

export function completed(done: Done, { requestId }: Named, message: string, balance: number) {
  return {
    success: true,
    message,
    transaction_id: done.transactionId,
    request_id: requestId,
    status: 'COMPLETED',
    amount: done.amount,
    fee: done.payerFee,
    total_debited: done.debited,
    currency: CURRENCY,
    balance,
    created_at: iso(done.at),
  };
}

/** Nothing is null. */
export function narrationOf(description: string | undefined): string | null {
  return tidy(description ?? '') || null;
}
