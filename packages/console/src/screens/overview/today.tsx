// Today's figures beside those of the same day last week, each with its course by hour.
import type { Comparison, Figures, GetSeriesData } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { count, money } from '../../format/money.ts';
import { clockTime, weekday, zoneName } from '../../format/time.ts';
import { Change } from './change.tsx';
import classes from './overview.module.css';
import { fullHours, type OverviewReply } from './overview-reply.ts';

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

/** Value and comparison end at the same time of day, which the heading names. */
export function Today({ overview }: { overview: OverviewReply }) {
  const { t } = useLingui();
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
          <Span overview={overview} />
        </Text>
      }
    >
      <div className={classes.tiles}>
        {tiles.map((tile) => (
          <TileView key={tile.metric} tile={tile} overview={overview} />
        ))}
      </div>
    </Panel>
  );
}

function Span({ overview }: { overview: OverviewReply }) {
  const { current } = overview.today;
  const full = fullHours(overview);
  const [day, zone] = [weekday(current.from), zoneName()];
  const until = clockTime(full ? full.current.to : current.to);
  if (!full) {
    return (
      <Trans>
        Compared with last {day} from {until} {zone} on
      </Trans>
    );
  }
  return (
    <Trans>
      Until {until} {zone}, against last {day} until {until}
    </Trans>
  );
}

function TileView({ tile, overview }: { tile: Tile; overview: OverviewReply }) {
  const { title, of, isMoney = false, isBad = false } = tile;
  const { current } = overview.today;
  const full = fullHours(overview);
  const written = (value: number | null) => (value === null ? '–' : isMoney ? money(value) : count(value));
  return (
    <div className={classes.tile}>
      <div className={classes.tileText}>
        <div className={classes.tileTitle}>{title}</div>
        <div className={classes.tileValue}>{written(of((full ?? overview.today).current))}</div>
        {full && <Compared full={full} of={of} written={written} isBad={isBad} now={of(current)} />}
      </div>
      <Course tile={tile} overview={overview} />
    </div>
  );
}

interface ComparedProps extends Required<Pick<Tile, 'of' | 'isBad'>> {
  full: Comparison;
  /** With the running hour. */
  now: number | null;
  written: (value: number | null) => string;
}

function Compared({ full, of, written, isBad, now }: ComparedProps) {
  const { t } = useLingui();
  const [value, before] = [of(full.current), of(full.week_before)];
  const [day, since] = [weekday(full.week_before.from), clockTime(full.current.to)];
  const more = now === null || value === null ? null : written(now - value);
  return (
    <div className={classes.tileChange}>
      <span>
        <Change now={value} before={before} isBad={isBad} />{' '}
        <Trans>
          {written(before)} last {day}
        </Trans>
      </span>
      {more && <span>{t`+ ${more} since ${since}`}</span>}
    </div>
  );
}

/** Today by hour, and the same hours a week before. The running hour is that of the overview, as in the tile. */
function Course({ tile, overview }: { tile: Tile; overview: OverviewReply }) {
  const { t } = useLingui();
  const { metric, title } = tile;
  const { from: start, to: end } = overview.today.current;
  const from = new Date(Date.parse(start) - WEEK_HOURS * HOUR_MS).toISOString();
  const { data } = useRead(
    ['series', metric, 'hour', from, end],
    (options) => kissi.reports.series({ metric, from, step: 'hour' }, options),
    { keepPrevious: true },
  );
  const points = data?.series[0]?.points ?? [];
  const before = points.slice(0, 24);
  const runningHour = Math.round((Date.parse(end) - Date.parse(start)) / HOUR_MS) - 1;
  const running = sinceFullHour(tile, overview);
  const values = before.map((_, hour) =>
    hour === runningHour && running !== null ? running : (points[hour + WEEK_HOURS]?.value ?? null),
  );
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

/** Null for what the hours do not add up to: a wallet is active in several. */
function sinceFullHour({ metric, of }: Tile, overview: OverviewReply): number | null {
  if (metric === 'active_wallets' || !overview.today_full_hours) return null;
  const full = fullHours(overview);
  return (of(overview.today.current) ?? 0) - (full ? (of(full.current) ?? 0) : 0);
}

const totalRefusals = ({ refusals }: Figures) => refusals.reduce((total, refusal) => total + refusal.count, 0);
