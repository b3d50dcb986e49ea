// The first screen of a merchant: the balance, today's sales, and a large button for each task.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, Title } from '@mantine/core';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Movements, type OwnMovement } from '../../components/own/movements.tsx';
import { Balance, Columns, Figure, Figures, OwnPage, Tile, Tiles } from '../../components/own/own-page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { amount } from '../../format/money.ts';
import { today } from '../../format/time.ts';
import { useMerchantId, useOwnMerchant } from './own-merchant.ts';
import { SalesChart } from './sales-chart.tsx';

const RECENT = '5';

export function Home() {
  const { t } = useLingui();
  const merchant = useOwnMerchant();
  useReadWith(merchant, 'own-merchant');
  const { data, error, refetch } = merchant;
  // Requested together: on a slow network each round trip takes a second.
  useToday();
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { business_name, balance, status, merchant_id } = data.processor;
  return (
    <OwnPage title={business_name}>
      {status !== 'active' && (
        <Alert color="red" role="status">
          <Trans>This merchant is {status}: it can neither pay nor receive. Ask the operator.</Trans>
        </Alert>
      )}
      <Balance label={t`Balance`} value={balance} note={<Trans>Merchant {merchant_id}</Trans>} />
      <Tiles>
        <Tile to="/shop/payments" icon="card" label={t`Payments`} primary />
        <Tile to="/shop/payouts" icon="bank" label={t`Pay out`} />
        <Tile to="/shop/transfer" icon="exchange" label={t`Transfer`} />
        <Tile to="/shop/statement" icon="document" label={t`Statement`} />
        <Tile to="/shop/terminals" icon="key" label={t`Terminals`} />
      </Tiles>
      <Today />
    </OwnPage>
  );
}

function useToday() {
  const id = useMerchantId();
  const query = { from: today(), limit: RECENT };
  return useRead(['own-merchant', id, 'today', query], (options) => kissi.processors.transactions(id, query, options));
}

function Today() {
  const { t } = useLingui();
  const { data, error, refetch } = useToday();
  if (!data) return <Waiting error={error} retry={refetch} rows={4} />;
  const { totals, transactions } = data;
  return (
    <Columns>
      <section>
        <Title order={2}>
          <Trans>Today (SLE)</Trans>
        </Title>
        {totals && (
          <Figures>
            <Figure
              label={t`Sales`}
              value={amount(totals.received)}
              note={<Plural value={totals.received_count} one="# payment" other="# payments" />}
            />
            <Figure
              label={t`Refunds`}
              value={amount(totals.refunded)}
              note={<Plural value={totals.refunded_count} one="# refund" other="# refunds" />}
            />
            <Figure label={t`Fees`} value={amount(totals.fees)} />
            <Figure label={t`Earned`} value={amount(totals.net)} />
          </Figures>
        )}
        <SalesChart />
      </section>
      <section>
        <Title order={2}>
          <Trans>Latest payments (SLE)</Trans>
        </Title>
        {transactions.length === 0 ? (
          <Empty icon="card" title={<Trans>No payments yet today</Trans>} />
        ) : (
          <Movements rows={transactions as OwnMovement[]} receiptAt={(txn) => `/shop/payments/${txn}`} />
        )}
      </section>
    </Columns>
  );
}
