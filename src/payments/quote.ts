// The price of a payment before it is made: what the payer is debited, the payee credited, and each side earns.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { DecidedTerms } from '../ledger/types.ts';
import { takeEarned } from './fees.ts';

/** The same figures as the payment's receipt, in minor units. */
export interface Quote {
  amount: number;
  /** Charged to the payer on top of the amount. */
  payerFee: number;
  /** Deducted from what the payee receives. */
  payeeFee: number;
  debited: number;
  credited: number;
  /** Each side's commission, even if it is settled later. */
  payerCommission: number;
  payeeCommission: number;
}

export function quoteOf(amount: number, { legs, details }: DecidedTerms): Quote | Refusal {
  const [payer, payee] = legs;
  if (!payer || !payee) throw new Error('a payment has two sides');
  const { earned } = takeEarned(details);
  const quote = {
    amount,
    payerFee: payer.fee ?? 0,
    payeeFee: payee.fee ?? 0,
    debited: -payer.amount,
    credited: payee.amount,
    payerCommission: earned.payer,
    payeeCommission: earned.payee,
  };
  if (Object.values(quote).every(Number.isSafeInteger)) return quote;
  return refuse('INVALID_AMOUNT', 'With its fee, amount must be below 2^53.');
}
