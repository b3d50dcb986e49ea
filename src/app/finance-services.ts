// Creates the services of the finance features.
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
  reconciliation: Reconciliation;
  suspense: Suspense;
  trustAccounts: TrustAccounts;
}

export type FinanceDependencies = ReconciliationContext & SuspenseContext & TrustAccountsContext;

export function createFinanceServices(dependencies: FinanceDependencies): FinanceServices {
  return {
    reconciliation: createReconciliation(dependencies),
    suspense: createSuspense(dependencies),
    trustAccounts: createTrustAccounts(dependencies),
  };
}
