// Dependencies of the reconciliation.
import type { AuditLog } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Payments } from '../../../payments/execute.ts';

export interface ReconciliationContext {
  database: Database;
  audit: AuditLog;
  payments: Payments;
  /** The treasury account of this process, which cleared pay-outs reduce. */
  treasuryAccount: string;
  clock: Clock;
}

/** The resource fields of an audit entry. */
export function auditResource(matchId: string) {
  return { resourceType: 'reconciliation_match', resourceId: matchId } as const;
}
