// What the suspense feature works with.
import type { AuditLog } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { FundingPartner } from '../../../parties/partner.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { Payments } from '../../../payments/execute.ts';

export interface SuspenseContext {
  database: Database;
  audit: AuditLog;
  payments: Payments;
  findPartner: Load<string, FundingPartner | null>;
  pep: PepGuard;
  clock: Clock;
}
