// The receipt of an earlier payment.
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Receipt, receiptOf } from '../../components/own/receipt.tsx';
import { Waiting } from '../../components/states.tsx';
import { useOwnAgent } from './own-agent.ts';

export function ReceiptScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const business = useOwnAgent().data?.agent.business_name ?? '';
  const { data, error, refetch } = useRead(['transaction', id], (options) => kissi.transactions.get(id, options));
  return (
    <OwnPage title={t`Receipt`} home="/agent/history" narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {data && <Receipt data={{ ...receiptOf(data), url: data.transaction.receipt_url }} business={business} />}
    </OwnPage>
  );
}
