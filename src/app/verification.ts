// Verifies the ledger and everything that the layers above tie to it.
import { RECALLS } from '../features/cases/recalls/verification.ts';
import { REDEMPTIONS } from '../features/customer-payments/unclaimed-redemption.ts';
import { DAILY_CLOSES } from '../features/finance/closes/verification.ts';
import { COMMISSION_SETTLEMENTS } from '../features/finance/commission/verification.ts';
import { RECONCILIATION } from '../features/finance/reconciliation/verification.ts';
import { SUSPENSE_ITEMS } from '../features/finance/suspense/verification.ts';
import { BANK_STATEMENTS } from '../features/finance/trust-accounts/verification.ts';
import { INBOUND_REVERSALS, INBOUND_TRANSACTIONS } from '../features/partners/inbound/store.ts';
import { INBOUND_RECORDS } from '../features/partners/inbound/verification.ts';
import { ENDS, PAYMENTS, REQUESTS } from '../features/payment-requests/tables.ts';
import { PAYMENT_REQUESTS } from '../features/payment-requests/verification.ts';
import { SEARCH_NAMES } from '../features/search/verification.ts';
import type { Keys } from '../kernel/key-ring.ts';
import { HOLD_ENDS, HOLDS } from '../ledger/holds/tables.ts';
import { sealKeys } from '../ledger/seals/format.ts';
import { HOLD_TOTALS } from '../ledger/verification/holds.ts';
import { ROLLUPS } from '../ledger/verification/rollups.ts';
import { type Check, type Verification, verifyLedger } from '../ledger/verification/verify.ts';
import { ACCOUNT_OWNERS } from '../parties/verification.ts';
import { FLAGGED_ALERTS } from '../payments/alerts.ts';
import { DERIVED_TOTALS } from '../payments/verification.ts';
import { DATABASE_OBJECTS } from './database-objects.ts';
import { FIXED_ROWS } from './fixed-rows.ts';

/** The tables whose rows the ledger seals. Staff and checks raise alerts too, which have no seal. */
export const SEALED = {
  tables: [
    INBOUND_TRANSACTIONS,
    INBOUND_REVERSALS,
    FLAGGED_ALERTS,
    HOLDS,
    HOLD_ENDS,
    REQUESTS,
    PAYMENTS,
    ENDS,
    REDEMPTIONS,
  ],
  partly: [FLAGGED_ALERTS],
};

/** What the layers above the ledger verify. */
export const VERIFICATION_CHECKS: readonly Check[] = [
  DERIVED_TOTALS,
  HOLD_TOTALS,
  PAYMENT_REQUESTS,
  RECALLS,
  ROLLUPS,
  ACCOUNT_OWNERS,
  INBOUND_RECORDS,
  COMMISSION_SETTLEMENTS,
  SUSPENSE_ITEMS,
  DAILY_CLOSES,
  DATABASE_OBJECTS,
  FIXED_ROWS,
  SEARCH_NAMES,
  BANK_STATEMENTS,
  RECONCILIATION,
];

/** `masterKey`: null if seals are not to be verified. `archives`: the archives' directory, if it is available. */
export function verifyBooks(
  url: string,
  masterKey: Keys | null,
  archives: string | null = null,
): Promise<Verification> {
  return verifyLedger(url, {
    archives,
    sealKeys: masterKey === null ? null : sealKeys(masterKey),
    sealed: SEALED,
    checks: VERIFICATION_CHECKS,
  });
}
