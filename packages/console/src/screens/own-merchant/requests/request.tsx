// One payment request: what the customer scans, types or opens, live until it is paid or ended.
import type { PaymentRequest } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { Facts } from '../../../components/facts.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { instant } from '../../../format/time.ts';
import { CancelRequest } from './cancel-request.tsx';
import { HowToPay } from './how-to-pay.tsx';
import { LinkPayments } from './link-payments.tsx';
import { Outcome } from './outcome.tsx';
import { useRequest } from './use-request.ts';

export function Request() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRequest(id);
  const request = data?.payment_request;
  const payments = request?.payment_count ?? 0;
  // The balance, today's figures and the payments.
  useEffect(() => {
    if (payments > 0) void readAgain('own-merchant');
  }, [payments]);
  return (
    <OwnPage title={request?.single_use === false ? t`Payment link` : t`Charge`} home="/shop/requests" narrow>
      {request ? <Content request={request} /> : <Waiting error={error} retry={refetch} />}
    </OwnPage>
  );
}

function Content({ request }: { request: PaymentRequest }) {
  const isOpen = request.status === 'open';
  return (
    <>
      <Outcome request={request} />
      {isOpen && <HowToPay request={request} />}
      {!request.single_use && <LinkPayments request={request} />}
      <Details request={request} />
      {isOpen && <CancelRequest request={request} />}
    </>
  );
}

function Details({ request }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const { description, payee_name, reference, payer_phone, created_at, expires_at, ended_at, single_use } = request;
  return (
    <Facts
      facts={[
        description !== payee_name && [t`For`, description],
        reference ? [t`Your reference`, reference] : null,
        payer_phone ? [t`Customer's phone number`, payer_phone] : null,
        (ended_at !== null || !single_use) && [t`Made`, instant(created_at)],
        ended_at ? [t`Ended`, instant(ended_at)] : !single_use && [t`Valid until`, instant(expires_at)],
      ]}
    />
  );
}
