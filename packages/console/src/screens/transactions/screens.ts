// The screens about payments.
import type { Screen } from '../../app/screens.ts';

export const TRANSACTIONS: readonly Screen[] = [];
