// Politically exposed persons (PEPs) in one transaction: a party sees no more than that it was paid, staff no revealing balances.
import type { Caller } from '../../auth/caller.ts';
import { NO_CONTACT } from '../../parties/contacts.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { withoutPeps } from '../transactions/service.ts';
import type { TransactionDetails } from './details.ts';

export interface MaskingDependencies {
  pep: PepGuard;
  pepPayments: PepPayments;
}

type Party = TransactionDetails['payer'];

export function createDetailsMasking({ pep, pepPayments }: MaskingDependencies) {
  /** `own`: the account of the caller, who is a party; null for other callers, who may see both parties. */
  return async function masked(
    caller: Caller,
    own: string | null,
    details: TransactionDetails,
  ): Promise<TransactionDetails> {
    return own === null ? withoutBalances(caller, details) : withoutPersons(own, details);
  };

  async function withoutBalances(caller: Caller, details: TransactionDetails): Promise<TransactionDetails> {
    const postings = details.postings.map(async (posting) => {
      const isHidden = posting.balance_after !== null && (await pepPayments.hidesBalances(caller, posting.account_id));
      return isHidden ? { ...posting, balance_after: null } : posting;
    });
    return { ...details, postings: await Promise.all(postings) };
  }

  async function withoutPersons(own: string, details: TransactionDetails): Promise<TransactionDetails> {
    const others = [details.payer.id, details.payee.id].filter((id) => id !== null && id !== own) as string[];
    const marks = await Promise.all(others.map(pep.isPep));
    const peps = new Set(others.filter((_, index) => marks[index]));
    if (peps.size === 0) return details;
    const isPep = (id: string | null) => id !== null && peps.has(id);
    const party = (each: Party) => (isPep(each.id) ? anonymous(each) : each);
    return {
      ...details,
      ...withoutPeps(details, peps),
      payer: party(details.payer),
      payee: party(details.payee),
      fees: details.fees.map((fee) => (isPep(fee.account_id) ? { ...fee, account_id: null } : fee)),
    };
  }
}

/** The name is masked, as for every caller that is a party. Whatever else is known of the person stays hidden. */
function anonymous({ kind, role, name }: Party): Party {
  return { kind, role, id: null, name, ...NO_CONTACT };
}
