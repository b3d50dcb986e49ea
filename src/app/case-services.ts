// Creates the services that keep uploaded files encrypted: cases, and customers' documents.
import { type Cases, type CasesContext, createCases } from '../features/cases/service.ts';
import {
  createSubscriberDocuments,
  type DocumentsContext,
  type SubscriberDocuments,
} from '../features/subscriber-documents/service.ts';
import { createPaymentsBetween } from '../ledger/queries/payments-between.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { reportTo } from './report.ts';

export interface CaseServices {
  cases: Cases;
  documents: SubscriberDocuments;
}

type Dependencies = Omit<CasesContext, 'paymentsBetween' | 'recallWindowMs' | 'report' | 'database' | 'clock'> &
  Pick<DocumentsContext, 'subscribers'>;

export function createCaseServices(
  { config, database, loggers, clock }: GatewayOptions,
  dependencies: Dependencies,
): CaseServices {
  const { recallWindowMs } = config;
  const paymentsBetween = createPaymentsBetween(database.pool);
  const report = reportTo(loggers.logger);
  const cases = createCases({ ...dependencies, database, clock, report, paymentsBetween, recallWindowMs });
  return { cases, documents: createSubscriberDocuments({ ...dependencies, database, clock }) };
}
