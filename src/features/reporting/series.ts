// Builds series: one value per step, zero where nothing happened.
import { readRange } from '../../http/date-range.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementType } from '../../ledger/movement-types.ts';
import type { Hours, MovementSums } from '../../ledger/queries/rollups.ts';
import type { ReportingContext } from './context.ts';
import {
  contribution,
  isMovementMetric,
  type Metric,
  MOVEMENT_METRICS,
  type MovementMetricName,
  unitOf,
} from './metrics.ts';
import { periodOf, pointsOf, type Step, startOf } from './periods.ts';
import { newWallets } from './store.ts';

export interface SeriesQuery {
  metric: Metric;
  from?: string | undefined;
  to?: string | undefined;
  step?: Step | undefined;
  by?: 'type' | undefined;
}

interface Values {
  type: MovementType | null;
  /** One per step. */
  values: number[];
}

interface Amount {
  bucket: number;
  value: number;
}

export async function seriesOf(context: ReportingContext, query: SeriesQuery): Promise<object | Refusal> {
  const { metric, step = 'day', by } = query;
  if (by && !isMovementMetric(metric)) {
    const names = Object.keys(MOVEMENT_METRICS).join(', ');
    return refuse('INVALID_REQUEST', `by=type is available for ${names}.`);
  }
  const range = readRange(query);
  if (range instanceof Refusal) return range;
  const hours = periodOf(range, step, context.clock.now());
  if (hours instanceof Refusal) return hours;
  const found = isMovementMetric(metric)
    ? await movementValues(context, metric, hours, by === 'type')
    : [{ type: null, values: filled(hours, await countsOf(context, metric, hours, step)) }];
  return {
    metric,
    unit: unitOf(metric),
    step,
    from: iso(startOf(hours, 0)),
    to: iso(startOf(hours, pointsOf(hours))),
    series: found.map(({ type, values }) => ({
      type,
      total: metric === 'active_wallets' ? null : values.reduce((sum, value) => sum + value, 0),
      points: values.map((value, bucket) => ({ at: iso(startOf(hours, bucket)), value })),
    })),
  };
}

const COURSE_METRICS = ['payments', 'value', 'fees', 'refusals', 'new_wallets', 'active_wallets'] as const;
export type CourseMetric = (typeof COURSE_METRICS)[number];

/** Several metrics over the same steps, from one read of each table. */
export async function courseOf(context: ReportingContext, hours: Hours, step: Step) {
  const sums = await context.rollups.movements(hours);
  const amountsOf = async (metric: CourseMetric) =>
    isMovementMetric(metric) ? amountsIn(sums, metric) : countsOf(context, metric, hours, step);
  const values = COURSE_METRICS.map(async (metric) => [metric, filled(hours, await amountsOf(metric))] as const);
  return { from: iso(startOf(hours, 0)), ...Object.fromEntries(await Promise.all(values)) };
}

const amountsIn = (sums: readonly MovementSums[], metric: MovementMetricName): Amount[] =>
  sums.map((each) => ({ bucket: each.bucket, value: contribution(metric, each) }));

async function movementValues(
  { rollups }: ReportingContext,
  metric: MovementMetricName,
  hours: Hours,
  byType: boolean,
): Promise<Values[]> {
  const sums = await rollups.movements(hours);
  const amounts = (type: MovementType | null) =>
    amountsIn(
      sums.filter((each) => type === null || each.type === type),
      metric,
    );
  const types = byType ? MOVEMENT_METRICS[metric].types : [null];
  return types.map((type) => ({ type, values: filled(hours, amounts(type)) }));
}

async function countsOf(
  { pool, rollups, refusals }: ReportingContext,
  metric: Exclude<Metric, MovementMetricName>,
  hours: Hours,
  step: Step,
): Promise<Amount[]> {
  switch (metric) {
    case 'new_wallets':
      return (await newWallets(pool, hours)).map(({ bucket, count }) => ({ bucket, value: count }));
    case 'active_wallets': {
      const active = await rollups.active('wallet', hours);
      const counted = { hour: 'inHour', day: 'inDay', week: 'inWeek' } as const;
      return active.map((each) => ({ bucket: each.bucket, value: each[counted[step]] }));
    }
    case 'refusals':
      await refusals.flush();
      return (await refusals.read(hours)).map(({ bucket, count }) => ({ bucket, value: count }));
  }
}

function filled(hours: Hours, amounts: readonly Amount[]): number[] {
  const values = new Array<number>(pointsOf(hours)).fill(0);
  for (const { bucket, value } of amounts) values[bucket] = (values[bucket] ?? 0) + value;
  return values;
}
