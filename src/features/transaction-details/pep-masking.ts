// Politically exposed persons (PEPs) in one transaction: a party sees no more than that it was paid, staff no revealing balances.
import type { Caller } from '../../auth/caller.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { isCustomer, withoutCustomers } from '../transactions/service.ts';
import type { TransactionDetails } from './details.ts';

export interface MaskingDependencies {
  pepPayments: PepPayments;
}

type Party = TransactionDetails['payer'];

export function createDetailsMasking({ pepPayments }: MaskingDependencies) {
  /** `own`: the account of a caller who is a party; null for other callers, who may see both parties. */
  return async function masked(
    caller: Caller,
    own: string | null,
    details: TransactionDetails,
  ): Promise<TransactionDetails> {
    return own === null ? withoutBalances(caller, details) : withoutPersons(details);
  };

  async function withoutBalances(caller: Caller, details: TransactionDetails): Promise<TransactionDetails> {
    const postings = details.postings.map(async (posting) => {
      const isHidden = posting.balance_after !== null && (await pepPayments.hidesBalances(caller, posting.account_id));
      return isHidden ? { ...posting, balance_after: null } : posting;
    });
    return { ...details, postings: await Promise.all(postings) };
  }
}

/** No customer has an id, because null for some of them would mark the person. Names and numbers are masked for everybody. */
function withoutPersons(details: TransactionDetails): TransactionDetails {
  const party = (each: Party) => (isCustomer(each.id) ? { ...each, id: null } : each);
  return {
    ...details,
    ...withoutCustomers(details),
    payer: party(details.payer),
    payee: party(details.payee),
    fees: details.fees.map((fee) => (isCustomer(fee.account_id) ? { ...fee, account_id: null } : fee)),
  };
}
