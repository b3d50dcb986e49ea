// E-money and trust money at the end of each day, from the closes.
import type { CloseSummary } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Chart } from '../../../components/chart/chart.tsx';
import { Link } from '../../../components/link.tsx';
import { Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Empty } from '../../../components/states.tsx';
import { Absent, Money } from '../../../components/values.tsx';
import { ratioInPercent } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import classes from '../finance.module.css';

const SHOWN = 7;

/** `coveredUntil`: the day of the cover ratio, which may not be closed yet. */
export function ByDay({ closes, coveredUntil }: { closes: CloseSummary[]; coveredUntil: string | null }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const days = lastOfEachDay(closes);
  const total = days.length;
  if (total === 0) {
    return (
      <Panel title={t`By day`}>
        <Empty icon="document" title={t`No day is closed yet`}>
          <Trans>The service closes each day ten minutes after midnight (UTC).</Trans>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title={t`By day`}
      flush
      aside={
        total > SHOWN && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setOpen(!isOpen)}>
            {isOpen ? t`Show the last ${SHOWN}` : t`Show all ${total}`}
          </Button>
        )
      }
    >
      <Picture days={days} />
      {coveredUntil !== null && <NotClosed until={coveredUntil} last={days[0]?.date ?? ''} />}
      <SmallTable
        rows={isOpen ? days : days.slice(0, SHOWN)}
        columns={[
          { title: t`Day`, cell: (close) => <Link to={`/finance/closes/${close.id}`}>{date(close.date)}</Link> },
          { title: t`E-money (SLE)`, end: true, cell: ({ e_money }) => <Money value={e_money} /> },
          {
            title: t`Trust money (SLE)`,
            end: true,
            rare: true,
            cell: ({ trust_balance }) => <Money value={trust_balance} />,
          },
          {
            title: t`Difference (SLE)`,
            end: true,
            rare: true,
            cell: ({ cover_difference: difference }) =>
              difference === null ? <Absent /> : <Money value={difference} />,
          },
          {
            title: t`Cover`,
            end: true,
            cell: ({ cover_ratio }) => (cover_ratio === null ? <Absent /> : ratioInPercent(cover_ratio)),
          },
        ]}
      />
    </Panel>
  );
}

/** Days appear here when they are closed. */
function NotClosed({ until, last }: { until: string; last: string }) {
  if (until <= last) return null;
  const [day, covered] = [date(last), date(until)];
  return (
    <Text size="sm" c="dimmed" px="md" pb="sm">
      <Trans>
        Closed days only, up to {day}. The cover ratio above is for {covered}, which is not closed yet.
      </Trans>
    </Text>
  );
}

function Picture({ days }: { days: CloseSummary[] }) {
  const { t } = useLingui();
  const ascending = [...days].reverse();
  if (ascending.length < 2) return null;
  return (
    <div className={classes.picture}>
      <Chart
        label={t`E-money and trust money by day`}
        at={ascending.map(({ date: day }) => `${day}T00:00:00.000Z`)}
        step="day"
        unit="minor_units"
        series={[
          { name: t`Trust money`, values: ascending.map(({ trust_balance }) => trust_balance) },
          { name: t`E-money`, values: ascending.map(({ e_money }) => e_money), tone: 'quiet' },
        ]}
      />
    </div>
  );
}

/** A correction replaces the close of its day. The list has the newest one first. */
export function lastOfEachDay(closes: CloseSummary[]): CloseSummary[] {
  const seen = new Set<string>();
  return closes.filter(({ date: day }) => !seen.has(day) && seen.add(day)).sort((a, b) => b.date.localeCompare(a.date));
}
