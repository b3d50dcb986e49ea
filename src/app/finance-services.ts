// Creates the services of the finance features.
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

export interface FinanceServices {
  commission: Commission;
  reconciliation: Reconciliation;
  suspense: Suspense;
  trustAccounts: TrustAccounts;
}

export type FinanceDependencies = CommissionDependencies &
  ReconciliationContext &
  SuspenseContext &
  TrustAccountsContext;

export function createFinanceServices(dependencies: FinanceDependencies): FinanceServices {
  return {
    commission: createCommission(dependencies),
    reconciliation: createReconciliation(dependencies),
    suspense: createSuspense(dependencies),
    trustAccounts: createTrustAccounts(dependencies),
  };
}
