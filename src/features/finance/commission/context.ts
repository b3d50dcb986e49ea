// Dependencies shared by the operations on commission.
import type { AuditLog } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { Fees } from '../../fees/service.ts';

export interface CommissionDependencies {
  database: Database;
  audit: AuditLog;
  /** Refuses percentages that the fees do not cover. */
  fees: Pick<Fees, 'percentRefusal'>;
  payments: Payments;
  clock: Clock;
}
