// One of the merchant's bulk payments: live while it is checked and paid, its totals, decisions, rows and reports.
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { BulkPaymentContent } from '../../../components/bulk-payments/content.tsx';
import { useBulkPayment } from '../../../components/bulk-payments/use-bulk-payment.ts';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { LIST } from './list.ts';

export default function BulkPaymentScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useBulkPayment(id);
  const payment = data?.bulk_payment;
  return (
    <OwnPage title={payment?.name ?? t`Bulk payment`} home={LIST}>
      {payment ? (
        <BulkPaymentContent payment={payment} frame={OwnAction} list={LIST} />
      ) : (
        <Waiting error={error} retry={refetch} />
      )}
    </OwnPage>
  );
}
