// Metrics of the audit log: how far the hash chain is behind.
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { type Metrics, singleFlight } from '../kernel/metrics.ts';
import type { AuditLog } from './log.ts';

export function registerChainGauges(metrics: Metrics, audit: AuditLog, clock: Clock): void {
  const backlog = singleFlight(() => audit.unsealed());
  metrics
    .gauge({ name: 'kissi_audit_unsealed', help: 'Audit entries not yet in the hash chain, counted up to 20000.' })
    .readFrom(async () => (await backlog()).entries);
  metrics
    .gauge({ name: 'kissi_audit_lag_seconds', help: 'Age of the oldest audit entry that is not in the hash chain.' })
    .readFrom(async () => {
      const { oldest } = await backlog();
      return oldest === null ? 0 : Math.max(0, clock.now() - oldest.getTime()) / SECOND_MS;
    });
}
