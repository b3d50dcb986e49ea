// Verifies tables whose rows never come or go: those of the migrations, the list of them, and the marks of the service's secrets.
import { readMigrations } from '../db/schema/migrations.ts';
import { STRIPES } from '../ledger/system-accounts.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  fixed_row_differs: 'a row that always exists is missing, or a row that never exists was added',
} as const;

// The marks are written by the first start, before anything else.
const IN_USE = 'exists (select 1 from audit_log) or exists (select 1 from seal_chains)';
const expected = (
  migrations: readonly string[],
) => `select 'gateway_stripes ' || stripe from generate_series(0, ${STRIPES - 1}) stripe
  union all select 'secret_checks ' || name from (values ('MASTER_KEY'), ('PIN_PEPPER')) secret (name) where ${IN_USE}
  union all values ('reconciliation_progress'), ('audit_head'), ('request_pruning')
  union all select 'kysely_migration ' || name from unnest('{${migrations.join()}}'::text[]) migration (name)`;
const STORED = `select 'gateway_stripes ' || stripe from gateway_stripes
  union all select distinct 'secret_checks ' || split_part(name, ' ', 1) from secret_checks
  union all select 'reconciliation_progress' from reconciliation_progress
  union all select 'audit_head' from audit_head
  union all select 'request_pruning' from request_pruning
  union all select 'kysely_migration ' || name from kysely_migration`;
const differences = (migrations: readonly string[]) => `select coalesce(e.name, s.name), s.name is not null
  from (${expected(migrations)}) e (name) full join (select name, count(*) from (${STORED}) stored (name) group by name) s
    on s.name = e.name
  where e.name is null and s.name not like 'secret_checks %' or s.name is null or s.count > 1`;

export const FIXED_ROWS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const migrations = (await readMigrations()).map(({ name }) => name);
    for await (const [name, isAdded] of rowsOf(connection, 'fixed_rows', differences(migrations))) {
      findings.fault('fixed_row_differs', String(name), isAdded === 't' ? 'it was added' : 'it is missing');
    }
  },
};
