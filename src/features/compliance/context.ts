// What the verbs of this family are made from, and the words they share.
import type { AuditLog } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { ComplianceMetrics } from '../../payments/metrics.ts';
import type { PepGuard } from '../admin/pep/service.ts';
import type { Floats } from '../agents/service.ts';
import type { Holders } from '../wallet/service.ts';

export interface AlertContext {
  database: Database;
  audit: AuditLog;
  clock: Clock;
  holders: Pick<Holders, 'standing'>;
  floats: Pick<Floats, 'find'>;
  findProcessor: Load<string, object | null>;
  movements: Pick<MovementLookup, 'byId'>;
  pep: PepGuard;
  metrics: ComplianceMetrics;
}

export function noSuchAlert(): Refusal {
  return refuse('NOT_FOUND', 'There is no such alert.');
}

/** What an audit entry is about. */
export function aboutAlert(id: string) {
  return { resourceType: 'compliance_alert', resourceId: id };
}
