// What the reports read from.
import type { AuditLog } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import type { StatementRunner } from '../../db/driver/statement.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Rollups } from '../../ledger/queries/rollups.ts';
import type { TrialBalance } from '../../ledger/queries/trial-balance.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Cases } from '../cases/service.ts';
import type { Closes } from '../finance/closes/service.ts';
import type { RefusalCounts } from './refusal-counts.ts';

export interface ReportingContext {
  pool: StatementRunner;
  queries: Queries;
  rollups: Rollups;
  trialBalance: TrialBalance;
  refusals: RefusalCounts;
  pep: PepGuard;
  /** What waits for finance staff. */
  financeAttention: Closes['attention'];
  /** Cases that wait for staff. */
  caseCounts: Cases['counts'];
  /** Audit entries that are not in the hash chain yet. */
  unsealed: AuditLog['unsealed'];
  clock: Clock;
}
