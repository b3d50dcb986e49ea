// Dependencies and helpers shared by the alert operations.
import type { AuditLog } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { ComplianceMetrics } from '../../payments/compliance-rules.ts';

export interface AlertContext {
  database: Database;
  audit: AuditLog;
  clock: Clock;
  holders: Pick<Holders, 'statusById'>;
  findAgent: Load<string, AgentRow | null>;
  findProcessor: Load<string, object | null>;
  movements: Pick<MovementLookup, 'byId'>;
  pep: PepGuard;
  metrics: ComplianceMetrics;
}

export function noSuchAlert(): Refusal {
  return refuse('NOT_FOUND', 'There is no such alert.');
}

/** The resource fields of an audit entry about an alert. */
export function auditResource(id: string) {
  return { resourceType: 'compliance_alert', resourceId: id };
}
