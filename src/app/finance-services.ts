// Creates the services of the finance features.
import { createSuspense, type Suspense, type SuspenseContext } from '../features/finance/suspense/service.ts';

export interface FinanceServices {
  suspense: Suspense;
}

export type FinanceDependencies = SuspenseContext;

export function createFinanceServices(dependencies: FinanceDependencies): FinanceServices {
  return { suspense: createSuspense(dependencies) };
}
