// Verifies tables whose rows never come or go: those of the migrations, and the marks of the service's secrets.

import { STRIPES } from '../ledger/system-accounts.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  fixed_row_differs: 'a row that always exists is missing, or a row that never exists was added',
} as const;

// The marks are written by the first start, before anything else.
const IN_USE = 'exists (select 1 from audit_log) or exists (select 1 from seal_chains)';
const EXPECTED = `select 'gateway_stripes ' || stripe from generate_series(0, ${STRIPES - 1}) stripe
  union all select 'secret_checks ' || name from (values ('MASTER_KEY'), ('PIN_PEPPER')) secret (name) where ${IN_USE}
  union all values ('reconciliation_progress'), ('rollup_history'), ('audit_head')`;
const STORED = `select 'gateway_stripes ' || stripe from gateway_stripes
  union all select 'secret_checks ' || name from secret_checks
  union all select 'reconciliation_progress' from reconciliation_progress
  union all select 'rollup_history' from rollup_history
  union all select 'audit_head' from audit_head`;
const DIFFERENCES = `select coalesce(e.name, s.name), e.name is null
  from (${EXPECTED}) e (name) full join (${STORED}) s (name) on s.name = e.name
  where e.name is null and s.name not like 'secret_checks %' or s.name is null`;

export const FIXED_ROWS: Check = {
  rules: RULES,
  async run(connection, findings) {
    for await (const [name, isAdded] of rowsOf(connection, 'fixed_rows', DIFFERENCES)) {
      findings.fault('fixed_row_differs', String(name), isAdded === 't' ? 'it was added' : 'it is missing');
    }
  },
};
