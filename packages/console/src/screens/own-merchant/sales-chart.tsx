// Today's sales by hour as bars, with the same figures in a table for screen readers.
import { Trans, useLingui } from '@lingui/react/macro';
import { Text, VisuallyHidden } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Empty, Waiting } from '../../components/states.tsx';
import { amount, money } from '../../format/money.ts';
import { today } from '../../format/time.ts';
import classes from './own-merchant.module.css';
import { useMerchantId } from './own-merchant.ts';
import { type HourOfSales, type Sale, salesByHour } from './sales-by-hour.ts';

/** Bounds what a phone loads. */
const MAX_PAGES = 5;
const PAGE_SIZE = '100';

export function SalesChart() {
  const { t } = useLingui();
  const id = useMerchantId();
  const { data, error, refetch } = useRead(['own-merchant', id, 'sales', today()], ({ signal }) =>
    readSales(id, signal),
  );
  if (!data) return <Waiting error={error} retry={refetch} rows={4} />;
  const hours = salesByHour(data.sales);
  if (hours.length === 0) return <Empty icon="chart" title={<Trans>No sales yet today</Trans>} />;
  return (
    <>
      <Bars hours={hours} />
      {data.isCut && <Text size="sm" c="dimmed">{t`The chart shows the latest ${data.sales.length} payments.`}</Text>}
    </>
  );
}

async function readSales(id: string, signal: AbortSignal): Promise<{ sales: Sale[]; isCut: boolean }> {
  const sales: Sale[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const query = { type: 'pos_payment' as const, from: today(), limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
    const reply: { transactions: unknown[]; next_cursor: string | null } = await kissi.processors.transactions(
      id,
      query,
      {
        signal,
      },
    );
    sales.push(...(reply.transactions as Sale[]));
    cursor = reply.next_cursor;
  }
  return { sales, isCut: cursor !== null };
}

function Bars({ hours }: { hours: HourOfSales[] }) {
  const { t } = useLingui();
  const highest = Math.max(...hours.map(({ sum }) => sum));
  return (
    <figure className={classes.chart}>
      <div className={classes.bars} aria-hidden>
        {hours.map(({ hour, sum }) => (
          <div key={hour} className={classes.column} title={`${hour}:00 · ${money(sum)}`}>
            <span style={{ height: `${(sum / highest) * 100}%` }} />
            <small>{hour}</small>
          </div>
        ))}
      </div>
      <figcaption className={classes.caption}>{t`Sales by hour. Highest: ${money(highest)}.`}</figcaption>
      <VisuallyHidden>
        <table>
          <caption>{t`Sales by hour`}</caption>
          <tbody>
            {hours.map(({ hour, sum, count }) => (
              <tr key={hour}>
                <th scope="row">{hour}:00</th>
                <td>{amount(sum)}</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
