// Creates the service of bulk payments, which gives way to live payments.
import { type BulkPayments, createBulkPayments } from '../features/bulk-payments/service.ts';
import { decidedMovements } from '../ledger/metrics.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { AppMetrics } from './metrics.ts';

type Options = 'livePayments' | 'treasuryDailyLimit' | 'operatorName' | 'database' | 'clock';
type Dependencies = Omit<Parameters<typeof createBulkPayments>[0], Options>;

export function createBulkServices(
  { config, database, clock }: GatewayOptions,
  metrics: AppMetrics,
  dependencies: Dependencies,
): BulkPayments {
  const { treasuryDailyLimit, operatorName } = config;
  const livePayments = () => decidedMovements(metrics.ledger);
  return createBulkPayments({ ...dependencies, livePayments, treasuryDailyLimit, operatorName, database, clock });
}
