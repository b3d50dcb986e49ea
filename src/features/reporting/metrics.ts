// The metrics of reports: which movements they count, and how.
import { MOVEMENT_GROUPS } from '../../ledger/movement-groups.ts';
import { ALL_TYPES, type MovementType } from '../../ledger/movement-types.ts';
import type { MovementSums } from '../../ledger/queries/rollups.ts';

const { payments: PAYMENTS, refunds: CORRECTIONS } = MOVEMENT_GROUPS;

interface MovementMetric {
  types: readonly MovementType[];
  value: 'count' | 'amount' | 'fee' | 'commission';
  unit: 'count' | 'minor_units';
}

/** Sums over movements; they can be split by type. */
export const MOVEMENT_METRICS = {
  payments: { types: PAYMENTS, value: 'count', unit: 'count' },
  value: { types: PAYMENTS, value: 'amount', unit: 'minor_units' },
  fees: { types: ALL_TYPES, value: 'fee', unit: 'minor_units' },
  commissions: { types: ALL_TYPES, value: 'commission', unit: 'minor_units' },
  refunds: { types: CORRECTIONS, value: 'count', unit: 'count' },
  refunded_value: { types: CORRECTIONS, value: 'amount', unit: 'minor_units' },
  movements: { types: ALL_TYPES, value: 'count', unit: 'count' },
} as const satisfies Record<string, MovementMetric>;

export type MovementMetricName = keyof typeof MOVEMENT_METRICS;

export const METRICS = [
  ...(Object.keys(MOVEMENT_METRICS) as MovementMetricName[]),
  'new_wallets',
  'active_wallets',
  'refusals',
] as const;
export type Metric = (typeof METRICS)[number];

export function isMovementMetric(metric: Metric): metric is MovementMetricName {
  return Object.hasOwn(MOVEMENT_METRICS, metric);
}

export function unitOf(metric: Metric): 'count' | 'minor_units' {
  return isMovementMetric(metric) ? MOVEMENT_METRICS[metric].unit : 'count';
}

/** What the sums of one type and period add to the metric. */
export function contribution(metric: MovementMetricName, sums: MovementSums): number {
  const { types, value }: MovementMetric = MOVEMENT_METRICS[metric];
  return types.includes(sums.type) ? sums[value] : 0;
}
