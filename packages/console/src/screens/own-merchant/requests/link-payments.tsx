// What was paid with a link: the number of payments, their sum as far as it is known, and the newest ten.
import type { PaymentRequest } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Title } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Movements } from '../../../components/own/movements.tsx';
import { Figure, Figures } from '../../../components/own/own-page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { amount as amountOf, count } from '../../../format/money.ts';
import { useMerchantId } from '../own-merchant.ts';

export function LinkPayments({ request }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const merchantId = useMerchantId();
  const { amount, payment_count: payments, transaction_ids: ids } = request;
  const { data, error, refetch } = useRead(
    ['own-merchant', merchantId, 'link-payments', ids],
    (options) => Promise.all(ids.map(async (id) => (await kissi.transactions.get(id, options)).transaction)),
    { enabled: ids.length > 0, keepPrevious: true },
  );
  if (payments === 0) return null;
  const newest = data?.reduce((sum, payment) => sum + payment.amount, 0);
  // The service lists the newest ten; with a fixed amount the sum of all is known.
  const total = amount === null ? (payments > ids.length ? undefined : newest) : amount * payments;
  const rows = data?.map((payment) => ({ ...payment, direction: 'credit' as const, payer_name: payment.payer.name }));
  return (
    <section>
      <Title order={2} mb="xs">{t`Payments (SLE)`}</Title>
      <Figures>
        <Figure label={t`Payments`} value={count(payments)} />
        {total !== undefined && <Figure label={t`Total`} value={amountOf(total)} />}
      </Figures>
      {payments > ids.length && (
        <p>
          <Trans>The newest {ids.length}:</Trans>
        </p>
      )}
      {rows ? (
        <Movements rows={rows} receiptAt={(id) => `/shop/payments/${id}`} />
      ) : (
        <Waiting error={error} retry={refetch} rows={2} />
      )}
    </section>
  );
}
