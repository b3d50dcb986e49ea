// A merchant's first screen: the balance, today's sales, and a large button for each task.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { OwnHome, PaymentCount } from '../../components/own/home.tsx';
import { Balance, Figure, Tile } from '../../components/own/own-page.tsx';
import { Busy, Waiting } from '../../components/states.tsx';
import { amount } from '../../format/money.ts';
import { today } from '../../format/time.ts';
import { useMerchantId, useOwnMerchant } from './own-merchant.ts';

/** Beside the figures, which matter first. */
const SalesChart = lazyPart(() => import('./sales-chart.tsx'));

const RECENT = '5';

export function Home() {
  const { t } = useLingui();
  const merchant = useOwnMerchant();
  useReadWith(merchant, 'own-merchant');
  const { data, error, refetch } = merchant;
  // Requested together: on a slow network each round trip takes a second.
  const today = useToday();
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { business_name, balance, status, merchant_id, merchant_number } = data.processor;
  return (
    <OwnHome
      name={business_name}
      warning={
        status !== 'active' && (
          <Trans>This merchant is {status}: it can neither pay nor receive. Ask the operator.</Trans>
        )
      }
      balance={<Balance label={t`Balance`} value={balance} note={merchantNote(merchant_id, merchant_number)} />}
      tiles={
        <>
          <Tile to="/shop/charge" icon="qr" label={t`Charge`} primary />
          <Tile to="/shop/requests" icon="inbox" label={t`Requests`} />
          <Tile to="/shop/payments" icon="card" label={t`Payments`} />
          <Tile to="/shop/payouts" icon="bank" label={t`Pay out`} />
          <Tile to="/shop/transfer" icon="exchange" label={t`Transfer`} />
          <Tile to="/shop/bulk-payments" icon="menu" label={t`Bulk payments`} />
          <Tile to="/shop/statement" icon="document" label={t`Statement`} />
          <Tile to="/shop/terminals" icon="key" label={t`Terminals`} />
          <Tile to="/shop/webhooks" icon="external" label={t`Webhooks`} />
        </>
      }
      today={today}
      figures={({ totals }) =>
        totals && (
          <>
            <Figure
              label={t`Sales`}
              value={amount(totals.received)}
              note={<PaymentCount value={totals.received_count} />}
            />
            <Figure
              label={t`Refunds`}
              value={amount(totals.refunded)}
              note={<Plural value={totals.refunded_count} one="# refund" other="# refunds" />}
            />
            <Figure label={t`Fees`} value={amount(totals.fees)} />
            <Figure label={t`Earned`} value={amount(totals.net)} />
          </>
        )
      }
      chart={
        <Suspense fallback={<Busy />}>
          <SalesChart />
        </Suspense>
      }
      icon="card"
      receiptAt={(id) => `/shop/payments/${id}`}
    />
  );
}

function merchantNote(id: string, number: string | null) {
  if (number === null) return <Trans>Merchant {id}</Trans>;
  return (
    <Trans>
      Merchant {id} · number {number}
    </Trans>
  );
}

function useToday() {
  const id = useMerchantId();
  const query = { from: today(), limit: RECENT };
  return useRead(['own-merchant', id, 'today', query], (options) => kissi.processors.transactions(id, query, options));
}
