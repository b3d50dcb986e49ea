// One figure by day over the last 30 days.
import type { Course } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { startsOf } from './hours.ts';
import classes from './overview.module.css';

type Metric = Exclude<keyof Course, 'from'>;

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

export function Trend({ course }: { course: Course }) {
  const { t } = useLingui();
  const [metric, setMetric] = useState<Metric>('payments');
  const options: { value: Metric; label: string }[] = [
    { value: 'payments', label: t`Payments` },
    { value: 'value', label: t`Value` },
    { value: 'fees', label: t`Fees` },
    { value: 'new_wallets', label: t`New wallets` },
    { value: 'active_wallets', label: t`Active wallets` },
    { value: 'refusals', label: t`Refusals` },
  ];
  const name = options.find(({ value }) => value === metric)?.label ?? metric;
  const values = course[metric];
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
      <Chart
        label={t`${name} by day`}
        height={HEIGHT}
        at={startsOf(course.from, 'day', values.length)}
        unit={metric === 'value' || metric === 'fees' ? 'minor_units' : 'count'}
        step="day"
        bars
        linkAt={LISTED[metric] && ((iso) => listOf(iso, LISTED[metric] ?? {}))}
        series={[{ name, values }]}
      />
    </Panel>
  );
}
