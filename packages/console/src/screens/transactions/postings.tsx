// Every posting of a transaction with the balance after it; together they are zero.
import type { TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Absent, Id, Money } from '../../components/values.tsx';

export function Postings({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const { postings } = transaction;
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  return (
    <Panel title={t`Postings (SLE)`} flush>
      <SmallTable
        rows={postings}
        columns={[
          { title: t`Account`, cell: ({ account_id }) => <Account id={account_id} transaction={transaction} /> },
          { title: t`Amount`, end: true, cell: ({ amount }) => <Money value={amount} signed /> },
          {
            title: t`Fee included`,
            end: true,
            rare: true,
            cell: ({ fee }) => (fee === 0 ? <Absent /> : <Money value={fee} />),
          },
          {
            title: t`Balance after`,
            end: true,
            cell: ({ balance_after }) => (balance_after === null ? <Absent /> : <Money value={balance_after} />),
          },
        ]}
        total={postings.length > 1 && [t`Sum`, <Money key="sum" value={sum} />, '', '']}
      />
    </Panel>
  );
}

function Account({ id, transaction }: { id: string; transaction: TransactionDetails }) {
  const name = useAccountName(id, transaction);
  return (
    <>
      <div>
        <Party id={id} name={name} />
      </div>
      <Id value={id} short />
    </>
  );
}

function useAccountName(id: string, { payer, payee }: TransactionDetails): string | null {
  const { t } = useLingui();
  if (id === payer.id) return payer.name;
  if (id === payee.id) return payee.name;
  if (id.startsWith('commission_')) return t`Agent's commission account`;
  if (id.startsWith('sys_fees')) return t`Operator's fee income`;
  return null;
}
