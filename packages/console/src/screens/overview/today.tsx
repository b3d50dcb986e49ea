// Today's figures beside those of the same day last week, each with its course by hour.
import type { Comparison, Course as CourseOf, Figures } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { OverviewReply } from '../../api/overview.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { count, money } from '../../format/money.ts';
import { clockTime, weekday, zoneName } from '../../format/time.ts';
import { Change } from './change.tsx';
import { fullHours, startsOf } from './hours.ts';
import classes from './overview.module.css';

type Metric = Exclude<keyof CourseOf, 'from'>;

interface Tile {
  metric: Metric;
  title: string;
  of: (figures: Figures) => number | null;
  isMoney?: boolean;
  /** More of it is worse. */
  isBad?: boolean;
}

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

/** Today by hour, and the whole day a week before. */
function Course({ tile: { metric, title, isMoney }, overview }: { tile: Tile; overview: OverviewReply }) {
  const { t } = useLingui();
  const { today_by_hour: now, week_before_by_hour: before } = overview;
  if (!now || !before) return <div className={classes.noCourse} />;
  const hours = before[metric];
  return (
    <Chart
      compact
      label={t`${title} by hour`}
      height={56}
      at={startsOf(now.from, 'hour', hours.length)}
      step="hour"
      unit={isMoney ? 'minor_units' : 'count'}
      series={[
        { name: t`Last week`, values: hours, tone: 'quiet', dashed: true },
        { name: t`Today`, values: hours.map((_, hour) => now[metric][hour] ?? null) },
      ]}
    />
  );
}

const totalRefusals = ({ refusals }: Figures) => refusals.reduce((total, refusal) => total + refusal.count, 0);
