// Creates the services of cases, and of personal data, which is mostly in them.
import { createOwnKeys } from '../auth/own-keys.ts';
import type { Vault } from '../auth/vault.ts';
import { type Cases, type CasesContext, createCases } from '../features/cases/service.ts';
import { createPrivacy, type Privacy, type PrivacyContext } from '../features/privacy/service.ts';
import { createPaymentsBetween } from '../ledger/queries/payments-between.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { reportTo } from './report.ts';

export interface CaseServices {
  cases: Cases;
  privacy: Privacy;
}

type ForCases = Omit<CasesContext, 'paymentsBetween' | 'recallWindowMs' | 'report' | 'ownKeys' | 'database' | 'clock'>;
type ForPrivacy = Omit<PrivacyContext, 'retentionYears' | 'cards' | 'ownKeys' | 'database' | 'clock'>;
type Dependencies = ForCases & ForPrivacy & { vault: Vault; linkedCards: PrivacyContext['cards'] };

export function createCaseServices(
  { config, database, loggers, clock }: GatewayOptions,
  { vault, linkedCards, ...dependencies }: Dependencies,
): CaseServices {
  const { recallWindowMs, retentionYears } = config;
  const paymentsBetween = createPaymentsBetween(database.pool);
  const report = reportTo(loggers.logger);
  const shared = { ...dependencies, ownKeys: createOwnKeys({ vault, clock }), database, clock };
  return {
    cases: createCases({ ...shared, report, paymentsBetween, recallWindowMs }),
    privacy: createPrivacy({ ...shared, cards: linkedCards, retentionYears }),
  };
}
