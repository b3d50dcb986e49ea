// Today's figures beside those of the same day last week, each with its course by hour.
import type { Comparison, Figures, GetSeriesData } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { count, money } from '../../format/money.ts';
import { clockTime, zoneName } from '../../format/time.ts';
import { Change } from './change.tsx';
import classes from './overview.module.css';
import type { OverviewReply } from './overview-reply.ts';

type Metric = GetSeriesData['query']['metric'];

interface Tile {
  metric: Metric;
  title: string;
  of: (figures: Figures) => number | null;
  isMoney?: boolean;
  /** More of it is worse. */
  isBad?: boolean;
}

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

export function Today({ overview }: { overview: OverviewReply }) {
  const { t } = useLingui();
  const compared = comparable(overview);
  const until = clockTime(compared.current.to);
  const zone = zoneName();
  const tiles: Tile[] = [
    { metric: 'payments', title: t`Payments`, of: ({ payments }) => payments },
    { metric: 'value', title: t`Value`, of: ({ value }) => value, isMoney: true },
    { metric: 'fees', title: t`Fees`, of: ({ fees }) => fees, isMoney: true },
    { metric: 'refusals', title: t`Refusals`, of: totalRefusals, isBad: true },
    { metric: 'new_wallets', title: t`New wallets`, of: ({ new_wallets }) => new_wallets },
    { metric: 'active_wallets', title: t`Active wallets`, of: ({ active_wallets }) => active_wallets },
  ];
  return (
    <Panel
      title={t`Today against last week`}
      aside={
        <Text size="xs" c="dimmed">
          <Trans>
            Compared until {until} {zone}
          </Trans>
        </Text>
      }
    >
      <div className={classes.tiles}>
        {tiles.map((tile) => (
          <TileView key={tile.metric} tile={tile} overview={overview} compared={compared} />
        ))}
      </div>
    </Panel>
  );
}

interface TileProps {
  tile: Tile;
  overview: OverviewReply;
  compared: Comparison;
}

function TileView({ tile, overview, compared }: TileProps) {
  const { title, of, isMoney = false, isBad = false } = tile;
  const written = (value: number | null) => (value === null ? '–' : isMoney ? money(value) : count(value));
  const before = of(compared.week_before);
  return (
    <div className={classes.tile}>
      <div className={classes.tileText}>
        <div className={classes.tileTitle}>{title}</div>
        <div className={classes.tileValue}>{written(of(overview.today.current))}</div>
        <div className={classes.tileChange}>
          <Change now={of(compared.current)} before={before} isBad={isBad} />
          <Trans>{written(before)} last week</Trans>
        </div>
      </div>
      <Course tile={tile} start={overview.today.current.from} end={overview.today.current.to} />
    </div>
  );
}

/** Today by hour, and the same hours a week before. */
function Course({ tile, start, end }: { tile: Tile; start: string; end: string }) {
  const { t } = useLingui();
  const { metric, title } = tile;
  const from = new Date(Date.parse(start) - WEEK_HOURS * HOUR_MS).toISOString();
  const { data } = useRead(['series', metric, 'hour', from, end], (options) =>
    kissi.reports.series({ metric, from, step: 'hour' }, options),
  );
  const points = data?.series[0]?.points ?? [];
  const before = points.slice(0, 24);
  const values = before.map((_, hour) => points[hour + WEEK_HOURS]?.value ?? null);
  if (points.length === 0) return <div className={classes.noCourse} />;
  return (
    <Chart
      compact
      label={t`${title} by hour`}
      height={56}
      at={before.map(({ at }) => new Date(Date.parse(at) + WEEK_HOURS * HOUR_MS).toISOString())}
      step="hour"
      unit={data?.unit ?? 'count'}
      series={[
        { name: t`Last week`, values: before.map(({ value }) => value), tone: 'quiet', dashed: true },
        { name: t`Today`, values },
      ]}
    />
  );
}

/** The running hour is not complete, so it is compared only if there is nothing else. */
function comparable({ today, today_full_hours: full }: OverviewReply): Comparison {
  return full && full.current.from !== full.current.to ? full : today;
}

const totalRefusals = ({ refusals }: Figures) => refusals.reduce((total, refusal) => total + refusal.count, 0);
