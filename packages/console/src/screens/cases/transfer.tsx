// The payment that a case is about.
import { useLingui } from '@lingui/react/macro';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Waiting } from '../../components/states.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Instant, Money } from '../../components/values.tsx';

export function TransferPanel({ id }: { id: string }) {
  const { t } = useLingui();
  const typeName = useTypeName();
  const { data, error, refetch } = useRead(['transactions', 'one', id], (options) =>
    kissi.transactions.get(id, options),
  );
  const transaction = data?.transaction;
  return (
    <Panel
      title={transaction ? typeName(transaction.type) : t`Payment`}
      aside={<Link to={`/transactions/${id}`} size="sm">{t`Show the payment`}</Link>}
    >
      {transaction ? (
        <Facts
          facts={[
            [t`Amount (SLE)`, <Money key="amount" value={transaction.amount} />],
            [t`Time`, <Instant key="at" at={transaction.created_at} />],
            [t`Paid by`, <Party key="payer" id={transaction.payer.id} name={transaction.payer.name} />],
            [t`Received by`, <Party key="payee" id={transaction.payee.id} name={transaction.payee.name} />],
          ]}
        />
      ) : (
        <Waiting error={error} retry={refetch} rows={3} />
      )}
    </Panel>
  );
}
