// Creates the service of cases.
import { type Cases, type CasesContext, createCases } from '../features/cases/service.ts';
import { createPaymentsBetween } from '../ledger/queries/payments-between.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface CaseServices {
  cases: Cases;
}

type Dependencies = Omit<CasesContext, 'paymentsBetween' | 'recallWindowMs' | 'database' | 'clock'>;

export function createCaseServices(
  { config, database, clock }: GatewayOptions,
  dependencies: Dependencies,
): CaseServices {
  const { recallWindowMs } = config;
  const paymentsBetween = createPaymentsBetween(database.pool);
  return { cases: createCases({ ...dependencies, database, clock, paymentsBetween, recallWindowMs }) };
}
