// The merchant's sales as bars, today by hour or of the last 30 days, with the same figures in a table for screen readers.
import type { GetProcessorTakingsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Chips } from '../../components/own/chips.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { amount, money } from '../../format/money.ts';
import { calendarDay, clockTime, today } from '../../format/time.ts';
import classes from './own-merchant.module.css';
import { useMerchantId } from './own-merchant.ts';

type Taking = NonNullable<GetProcessorTakingsResponse['takings']>[number];
type By = 'hour' | 'day';

const DAYS = 30;
/** Shown even without sales, so that the first sale of a day is one bar among others. */
const USUAL_HOURS = [8, 18];
/** Every fifth day has its date below its bar. */
const DATED = 5;

export default function SalesChart() {
  const { t } = useLingui();
  const [by, setBy] = useState<By>('hour');
  return (
    <>
      <Chips
        choices={[
          ['hour', t`Today by hour`],
          ['day', t`Last 30 days`],
        ]}
        value={by}
        onChange={(value) => setBy(value as By)}
      />
      <Sales key={by} by={by} />
    </>
  );
}

function Sales({ by }: { by: By }) {
  const id = useMerchantId();
  const query = { by, from: today(by === 'hour' ? 0 : 1 - DAYS), to: today() };
  const { data, error, refetch } = useRead(['own-merchant', id, 'takings', query], (options) =>
    kissi.processors.takings(id, query, options),
  );
  if (!data?.takings) return <Waiting error={error} retry={refetch} rows={4} />;
  const { takings } = data;
  if (takings.every(({ received_count }) => received_count === 0)) {
    return (
      <Empty icon="chart" title={by === 'hour' ? <Trans>No sales yet today</Trans> : <Trans>No sales yet</Trans>} />
    );
  }
  return <Bars by={by} takings={by === 'hour' ? openHours(takings) : takings} />;
}

/** From the first hour with a sale to the last one, with the usual hours of a shop. */
function openHours(takings: Taking[]): Taking[] {
  const hours = takings.flatMap(({ received_count }, hour) => (received_count > 0 ? [hour] : []));
  return takings.slice(Math.min(...hours, ...USUAL_HOURS), Math.max(...hours, ...USUAL_HOURS) + 1);
}

function Bars({ by, takings }: { by: By; takings: Taking[] }) {
  const { t } = useLingui();
  const highest = Math.max(...takings.map(({ received }) => received));
  const name = ({ at }: Taking) => (by === 'hour' ? clockTime(at) : calendarDay(at));
  const label = by === 'hour' ? t`Sales by hour` : t`Sales by day`;
  const last = takings.length - 1;
  return (
    <figure className={classes.chart}>
      <div className={classes.bars} aria-hidden>
        {takings.map((taking, n) => (
          <div key={taking.at} className={classes.column} title={`${name(taking)} · ${money(taking.received)}`}>
            <span style={{ height: `${(taking.received / highest) * 100}%` }} />
            <small>
              {by === 'hour' ? Number.parseInt(name(taking), 10) : (last - n) % DATED === 0 && taking.at.slice(8, 10)}
            </small>
          </div>
        ))}
      </div>
      <figcaption className={classes.caption}>{t`${label}. Highest: ${money(highest)}.`}</figcaption>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{by === 'hour' ? t`Time` : t`Day`}</th>
              <th scope="col">{t`Sales (SLE)`}</th>
              <th scope="col">{t`Payments`}</th>
              <th scope="col">{t`Refunds (SLE)`}</th>
            </tr>
          </thead>
          <tbody>
            {takings.map((taking) => (
              <tr key={taking.at}>
                <th scope="row">{name(taking)}</th>
                <td>{amount(taking.received)}</td>
                <td>{taking.received_count}</td>
                <td>{amount(taking.refunded)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
