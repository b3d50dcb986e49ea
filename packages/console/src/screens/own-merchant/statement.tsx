// The sums of a period, to print, and its movements as a CSV file.
import type { ListProcessorTransactionsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { DateInput } from '../../components/date-input.tsx';
import { Download } from '../../components/download.tsx';
import { Icon } from '../../components/icon.tsx';
import { Figure, Figures, OwnPage } from '../../components/own/own-page.tsx';
import { Waiting } from '../../components/states.tsx';
import { amount } from '../../format/money.ts';
import { date, today } from '../../format/time.ts';
import classes from './own-merchant.module.css';
import { HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';

const DAY_MS = 24 * 3_600_000;

export default function Statement() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { from?: string; to?: string };
  const period = { from: search.from ?? `${today().slice(0, 8)}01`, to: search.to ?? today() };
  const set = (changes: Partial<typeof period>) =>
    void navigate({ to: '.', search: { ...period, ...changes } as never, replace: true });
  return (
    <OwnPage title={t`Statement`} home={HOME} narrow>
      <div className={classes.dates}>
        {(['from', 'to'] as const).map((name) => (
          <DateInput
            key={name}
            size="lg"
            label={name === 'from' ? t`From` : t`To`}
            value={period[name]}
            onChange={(value) => value && set({ [name]: value })}
          />
        ))}
      </div>
      <Sums period={period} />
    </OwnPage>
  );
}

function Sums({ period }: { period: { from: string; to: string } }) {
  const { t } = useLingui();
  const id = useMerchantId();
  const merchant = useOwnMerchant().data?.processor;
  const query = { ...period, limit: '1' };
  const { data, error, refetch } = useRead(['own-merchant', id, 'sums', period], (options) =>
    kissi.processors.transactions(id, query, options),
  );
  const before = useRead(['own-merchant', id, 'opening', period.from], (options) =>
    kissi.processors.transactions(id, { to: dayBefore(period.from), limit: '1' }, options),
  );
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { totals } = data;
  const opening = openingOf(before.data);
  return (
    <>
      <article>
        <p>
          <b>{merchant?.business_name}</b> · {merchant?.merchant_id}
          <br />
          <Trans>
            {date(period.from)} to {date(period.to)}, in SLE
          </Trans>
        </p>
        {totals && (
          <Figures>
            {opening !== undefined && <Figure label={t`Opening balance`} value={amount(opening)} />}
            <Figure label={t`Sales`} value={amount(totals.received)} />
            <Figure label={t`Refunds`} value={amount(-totals.refunded)} />
            <Figure label={t`Fees`} value={amount(-totals.fees)} />
            <Figure label={t`Commission`} value={amount(totals.commissions)} />
            <Figure label={t`Earned`} value={amount(totals.net)} />
            <Figure label={t`Transfers received`} value={amount(totals.transferred_in)} />
            <Figure label={t`Transfers sent`} value={amount(-totals.transferred_out)} />
            <Figure label={t`Paid out`} value={amount(-totals.paid_out)} />
            <Figure label={t`Pay-outs sent back`} value={amount(totals.payouts_returned)} />
            <Figure label={t`Balance change`} value={amount(totals.balance_change)} />
            {opening !== undefined && (
              <Figure label={t`Closing balance`} value={amount(opening + totals.balance_change)} />
            )}
          </Figures>
        )}
      </article>
      <Downloads period={period} />
    </>
  );
}

/** The balance after the last movement before the period; undefined while it is not known, or if that movement is not shown. */
function openingOf(before: ListProcessorTransactionsResponse | undefined): number | undefined {
  const last = before?.transactions[0];
  if (last) return 'balance_after' in last ? (last.balance_after ?? undefined) : undefined;
  return before && !before.archived_before ? 0 : undefined;
}

const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

function Downloads({ period }: { period: { from: string; to: string } }) {
  const { t } = useLingui();
  const id = useMerchantId();
  return (
    <div className={classes.buttons}>
      <Download
        variant="filled"
        size="lg"
        call={(client) => client.processors.transactions(id, period).csv()}
        name={`statement-${period.from}-${period.to}.csv`}
        label={t`All movements (CSV)`}
      />
      <Button size="lg" variant="default" leftSection={<Icon name="document" />} onClick={() => print()}>
        <Trans>Print</Trans>
      </Button>
    </div>
  );
}
