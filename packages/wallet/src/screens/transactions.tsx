// All transactions, and one of them with its receipt.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { Transaction, TransactionDetails } from '../data/types.ts';
import { money, time } from '../format.ts';
import { Facts, Fault, Loaded } from '../ui/parts.tsx';
import { Link, Screen } from '../ui/screen.tsx';
import { shareLink } from '../ui/share-link.ts';
import { otherParty, signedAmount, TransactionList, type Transactions, transactionKind } from '../ui/transactions.tsx';
import { useAction } from '../ui/use-action.ts';

const PAGE = '/me/transactions?limit=20';

export function AllTransactions() {
  const first = useLoad<Transactions>(PAGE);
  const [more, setMore] = useState<{ found: Transaction[]; cursor: string | null } | null>(null);
  const { isBusy, error, run } = useAction();
  const cursor = more ? more.cursor : (first.data?.next_cursor ?? null);
  const next = () =>
    run(async () => {
      const page = await get<Transactions>(`${PAGE}&cursor=${encodeURIComponent(cursor ?? '')}`);
      setMore({ found: [...(more?.found ?? []), ...page.transactions], cursor: page.next_cursor ?? null });
    });
  return (
    <Screen title={t`Transactions`} {...(cursor ? { action: t`Show more`, onAction: next } : {})} isBusy={isBusy}>
      <Loaded load={first}>
        {({ transactions }) => <TransactionList transactions={[...transactions, ...(more?.found ?? [])]} />}
      </Loaded>
      <Fault error={error} />
    </Screen>
  );
}

export function OneTransaction({ id }: { id: string }) {
  const load = useLoad<{ transaction: TransactionDetails }>(`/me/transactions/${id}`);
  const found = load.data?.transaction;
  const share = async (link: string) => {
    if (!(await shareLink(link))) open(link, '_blank', 'noopener');
  };
  const url = found?.receipt_url;
  return (
    <Screen title={t`Transaction`} {...(url ? { action: t`Share the receipt`, onAction: () => share(url) } : {})}>
      <Loaded load={load}>{({ transaction }) => <Details transaction={transaction} />}</Loaded>
      {found && (
        <Link to={isTransferTo(found) ? `/recall/${id}` : `/report/${id}`} class="all">
          {isTransferTo(found) ? t`Sent to the wrong person?` : t`Report a problem`}
        </Link>
      )}
      {url && (
        <a class="button second" href={url} target="_blank" rel="noopener">
          {t`Open the receipt`}
        </a>
      )}
    </Screen>
  );
}

const isTransferTo = ({ type, direction }: Transaction) => type === 'transfer_p2p' && direction === 'debit';

function Details({ transaction }: { transaction: TransactionDetails }) {
  const { direction, amount, fee, narration, created_at, transaction_id, balance_after, payer, payee } = transaction;
  const names = { ...transaction, payer_name: payer.name, payee_name: payee.name };
  return (
    <>
      <p class="amount">{signedAmount(transaction)}</p>
      <Facts
        lines={[
          [t`What`, transactionKind(transaction)],
          [direction === 'credit' ? t`From` : t`To`, otherParty(names)],
          [t`When`, `${time(created_at)} GMT`],
          [t`Amount`, money(amount)],
          [t`Fee`, fee === 0 ? null : money(fee)],
          [t`For`, narration],
          [t`Balance after`, balance_after === null ? null : money(balance_after)],
          [t`Number`, <span class="number">{transaction_id}</span>],
        ]}
      />
    </>
  );
}
