// Creates the service of cases.
import { type Cases, type CasesContext, createCases } from '../features/cases/service.ts';
import { createPaymentsBetween } from '../ledger/queries/payments-between.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { reportTo } from './report.ts';

export interface CaseServices {
  cases: Cases;
}

type Dependencies = Omit<CasesContext, 'paymentsBetween' | 'recallWindowMs' | 'report' | 'database' | 'clock'>;

export function createCaseServices(
  { config, database, loggers, clock }: GatewayOptions,
  dependencies: Dependencies,
): CaseServices {
  const { recallWindowMs } = config;
  const paymentsBetween = createPaymentsBetween(database.pool);
  const report = reportTo(loggers.logger);
  const cases = createCases({ ...dependencies, database, clock, report, paymentsBetween, recallWindowMs });
  return { cases };
}
