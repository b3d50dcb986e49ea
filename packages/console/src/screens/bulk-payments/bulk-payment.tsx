// One bulk payment for staff. Finance approves those of partners and the treasury; a merchant's are the merchant's own.
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { Action } from '../../components/action.tsx';
import { BulkPaymentContent } from '../../components/bulk-payments/content.tsx';
import { useBulkPayment } from '../../components/bulk-payments/use-bulk-payment.ts';
import { STATES } from '../../components/bulk-payments/words.ts';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Status } from '../../components/values.tsx';
import { Payer } from './payer.tsx';

const LIST = '/bulk-payments';

export default function BulkPaymentScreen() {
  const { t, i18n } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useBulkPayment(id);
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { bulk_payment: payment } = data;
  const [state, tone] = STATES[payment.status];
  return (
    <Page
      title={payment.name}
      badge={<Status value={payment.status} tone={tone} text={i18n._(state)} />}
      above={[{ title: t`Bulk payments`, to: LIST }]}
      description={<Payer payment={payment} />}
    >
      <BulkPaymentContent payment={payment} frame={Action} list={LIST} />
    </Page>
  );
}
