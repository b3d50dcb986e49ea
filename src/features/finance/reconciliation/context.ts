// Dependencies of the reconciliation.
import type { ChangeContext } from '../../../audit/log.ts';
import type { Payments } from '../../../payments/execute.ts';

export interface ReconciliationContext extends ChangeContext {
  payments: Payments;
  /** The treasury account of this process, which cleared pay-outs reduce. */
  treasuryAccount: string;
}

/** The resource fields of an audit entry. */
export function auditResource(matchId: string) {
  return { resourceType: 'reconciliation_match', resourceId: matchId } as const;
}
