// Creates the services of the finance features.
import { signingKey } from '@kissi/signatures/documents';
import { type Closes, type ClosesContext, createCloses } from '../features/finance/closes/service.ts';
import {
  type Commission,
  type CommissionDependencies,
  createCommission,
} from '../features/finance/commission/service.ts';
import {
  createReconciliation,
  type Reconciliation,
  type ReconciliationContext,
} from '../features/finance/reconciliation/service.ts';
import { createSuspense, type Suspense, type SuspenseContext } from '../features/finance/suspense/service.ts';
import {
  createTrustAccounts,
  type TrustAccounts,
  type TrustAccountsContext,
} from '../features/finance/trust-accounts/service.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface FinanceServices {
  commission: Commission;
  reconciliation: Reconciliation;
  suspense: Suspense;
  trustAccounts: TrustAccounts;
  closes: Closes;
}

export type FinanceDependencies = CommissionDependencies &
  ReconciliationContext &
  SuspenseContext &
  TrustAccountsContext &
  Omit<ClosesContext, 'key' | 'operatorName'>;

export function createFinanceServices(
  { config, secrets }: Pick<GatewayOptions, 'config' | 'secrets'>,
  dependencies: FinanceDependencies,
): FinanceServices {
  const key = signingKey(secrets.CLOSE_SIGNING_KEY, 'CLOSE_SIGNING_KEY');
  return {
    commission: createCommission(dependencies),
    reconciliation: createReconciliation(dependencies),
    suspense: createSuspense(dependencies),
    trustAccounts: createTrustAccounts(dependencies),
    closes: createCloses({ ...dependencies, key, operatorName: config.operatorName }),
  };
}
