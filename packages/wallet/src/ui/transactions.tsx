// A list of transactions as the customer knows them: who, when, and how much came or went.
import { t } from '@lingui/core/macro';
import type { Transaction } from '../data/types.ts';
import { money, shortTime } from '../format.ts';
import { Link } from './screen.tsx';

export interface Transactions {
  transactions: Transaction[];
  next_cursor?: string | null;
}

export function TransactionList({ transactions }: { transactions: Transaction[] }) {
  if (transactions.length === 0) return <p class="card quiet">{t`Nothing yet.`}</p>;
  return (
    <div class="card rows">
      {transactions.map((each) => (
        <Link key={each.transaction_id} to={`/transactions/${each.transaction_id}`} class="row">
          <span class="grow">
            <strong>{otherParty(each) ?? transactionKind(each)}</strong>
            <small>
              {otherParty(each) ? `${transactionKind(each)} · ` : ''}
              {shortTime(each.created_at)}
            </small>
          </span>
          <span class={each.direction === 'credit' ? 'came' : 'went'}>{signedAmount(each)}</span>
        </Link>
      ))}
    </div>
  );
}

/** What the balance changed by: a payer's fee is on top of the amount, a payee's is taken from it. */
export function signedAmount({ direction, amount, fee }: Transaction): string {
  return direction === 'credit' ? `+\u00a0${money(amount - fee)}` : `−\u00a0${money(amount + fee)}`;
}

export function otherParty({ direction, payer_name, payee_name }: Transaction): string | null {
  return (direction === 'credit' ? payer_name : payee_name) ?? null;
}

export function transactionKind({ type, direction }: Pick<Transaction, 'type' | 'direction'>): string {
  const isIn = direction === 'credit';
  switch (type) {
    case 'transfer_p2p':
      return isIn ? t`Received` : t`Sent`;
    case 'pos_payment':
      return t`Paid`;
    case 'pos_refund':
      return t`Refund`;
    case 'agent_cashin':
      return t`Cash in`;
    case 'wallet_withdraw':
      return t`Cash out`;
    case 'vult_fund':
    case 'inbound_credit':
      return isIn ? t`Received` : t`Paid`;
    default:
      return isIn ? t`Money in` : t`Money out`;
  }
}
