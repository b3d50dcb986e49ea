// Creates the services of the finance features.
import { createSuspense, type Suspense, type SuspenseContext } from '../features/finance/suspense/service.ts';
import {
  createTrustAccounts,
  type TrustAccounts,
  type TrustAccountsContext,
} from '../features/finance/trust-accounts/service.ts';

export interface FinanceServices {
  suspense: Suspense;
  trustAccounts: TrustAccounts;
}

export type FinanceDependencies = SuspenseContext & TrustAccountsContext;

export function createFinanceServices(dependencies: FinanceDependencies): FinanceServices {
  return { suspense: createSuspense(dependencies), trustAccounts: createTrustAccounts(dependencies) };
}
