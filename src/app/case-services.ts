// Creates the services that keep uploaded files with customers' own keys: cases, documents, and what erases them.
import { createOwnKeys } from '../auth/own-keys.ts';
import type { Vault } from '../auth/vault.ts';
import { type Cases, type CasesContext, createCases } from '../features/cases/service.ts';
import { createPrivacy, type Privacy, type PrivacyContext } from '../features/privacy/service.ts';
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
  privacy: Privacy;
}

type ForCases = Omit<CasesContext, 'paymentsBetween' | 'recallWindowMs' | 'report' | 'ownKeys' | 'database' | 'clock'>;
type ForPrivacy = Omit<PrivacyContext, 'retentionYears' | 'cards' | 'ownKeys' | 'database' | 'clock'>;
type Dependencies = ForCases &
  ForPrivacy &
  Pick<DocumentsContext, 'subscribers'> & { vault: Vault; linkedCards: PrivacyContext['cards'] };

export function createCaseServices(
  { config, database, loggers, clock }: GatewayOptions,
  { vault, linkedCards, ...dependencies }: Dependencies,
): CaseServices {
  const { recallWindowMs, retentionYears } = config;
  const paymentsBetween = createPaymentsBetween(database.pool);
  const report = reportTo(loggers.logger);
  const shared = { ...dependencies, ownKeys: createOwnKeys({ vault, clock }), database, clock };
  return {
    documents: createSubscriberDocuments(shared),
    cases: createCases({ ...shared, report, paymentsBetween, recallWindowMs }),
    privacy: createPrivacy({ ...shared, cards: linkedCards, retentionYears }),
  };
}
