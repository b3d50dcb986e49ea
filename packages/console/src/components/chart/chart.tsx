// A time series as a picture, with the same figures as a table.
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { lazyPart } from '../lazy-part.ts';
import classes from './chart.module.css';
import { FigureTable } from './figure-table.tsx';
import type { ChartData } from './figures.ts';

const Plot = lazyPart(() => import('./plot.tsx'));

export interface ChartProps extends ChartData {
  /** What it shows, such as "Payments by hour". */
  label: string;
  height?: number;
  /** Without axes, button and legend, for a tile. The table is there for screen readers only. */
  compact?: boolean;
}

export function Chart({ label, height = 220, compact = false, ...data }: ChartProps) {
  const [isTable, { toggle }] = useDisclosure(false);
  const picture = (
    <Suspense fallback={<Skeleton height={height} />}>
      <Plot {...data} height={height} compact={compact} />
    </Suspense>
  );
  if (compact) {
    return (
      <div className={classes.compact}>
        <div aria-hidden="true">{picture}</div>
        <FigureTable label={label} {...data} hidden />
      </div>
    );
  }
  return (
    <div>
      <div className={classes.bar}>
        <Legend series={data.series} />
        <Button variant="subtle" color="gray" size="compact-xs" onClick={toggle} aria-pressed={isTable}>
          {isTable ? <Trans>Show as a chart</Trans> : <Trans>Show as a table</Trans>}
        </Button>
      </div>
      {isTable ? (
        <FigureTable label={label} {...data} height={height} />
      ) : (
        <>
          <div aria-hidden="true">{picture}</div>
          <FigureTable label={label} {...data} hidden />
        </>
      )}
    </div>
  );
}

/** Says which line is which; a single line needs no name. */
function Legend({ series }: Pick<ChartData, 'series'>) {
  if (series.length < 2) return <span />;
  return (
    <ul className={classes.legend}>
      {series.map(({ name, tone = 'primary', dashed = false }) => (
        <li key={name} data-tone={tone} data-dashed={dashed}>
          {name}
        </li>
      ))}
    </ul>
  );
}
