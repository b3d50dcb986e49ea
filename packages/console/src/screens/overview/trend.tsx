// One figure by day over the last 30 days.
import type { GetSeriesData } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { Failed } from '../../components/states.tsx';
import { today } from '../../format/time.ts';
import classes from './overview.module.css';

type Metric = GetSeriesData['query']['metric'];

const HEIGHT = 240;

/** The filters of the list that a figure counts. */
const LISTED: Partial<Record<Metric, Record<string, string>>> = {
  payments: { group: 'payments' },
  value: { group: 'payments' },
  fees: {},
};

function listOf(iso: string, filters: Record<string, string>) {
  const day = iso.slice(0, 10);
  return { to: '/transactions', search: { ...filters, from: day, to: day } };
}

export function Trend() {
  const { t } = useLingui();
  const [metric, setMetric] = useState<Metric>('payments');
  const from = today(-29);
  const { data, error, refetch } = useRead(
    ['series', metric, 'day', from],
    (options) => kissi.reports.series({ metric, from, step: 'day' }, options),
    { keepPrevious: true },
  );
  const options: { value: Metric; label: string }[] = [
    { value: 'payments', label: t`Payments` },
    { value: 'value', label: t`Value` },
    { value: 'fees', label: t`Fees` },
    { value: 'new_wallets', label: t`New wallets` },
    { value: 'active_wallets', label: t`Active wallets` },
    { value: 'refusals', label: t`Refusals` },
  ];
  const name = options.find(({ value }) => value === metric)?.label ?? metric;
  const points = data?.series[0]?.points ?? [];
  return (
    <Panel
      title={t`Last 30 days`}
      aside={
        <div className={classes.switch}>
          <SegmentedControl
            size="xs"
            data={options}
            value={metric}
            onChange={(value) => setMetric(value as Metric)}
            aria-label={t`Figure`}
          />
        </div>
      }
    >
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton height={HEIGHT} />}
      {data && (
        <Chart
          label={t`${name} by day`}
          height={HEIGHT}
          at={points.map(({ at }) => at)}
          unit={data.unit}
          step="day"
          bars
          linkAt={LISTED[metric] && ((iso) => listOf(iso, LISTED[metric] ?? {}))}
          series={[{ name, values: points.map(({ value }) => value) }]}
        />
      )}
    </Panel>
  );
}
