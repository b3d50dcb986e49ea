// How far the audit chain is behind what has been recorded.
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { askedOnce, type Metrics } from '../kernel/metrics.ts';
import type { AuditLog } from './log.ts';

export function watchChain(metrics: Metrics, audit: AuditLog, clock: Clock): void {
  const backlog = askedOnce(() => audit.unsealed());
  metrics
    .gauge({ name: 'kissi_audit_unsealed', help: 'Audit entries not yet in the hash chain, counted up to 20000.' })
    .readBy(async () => (await backlog()).entries);
  metrics
    .gauge({ name: 'kissi_audit_lag_seconds', help: 'Age of the oldest audit entry that is not in the hash chain.' })
    .readBy(async () => {
      const { oldest } = await backlog();
      return oldest === null ? 0 : Math.max(0, clock.now() - oldest.getTime()) / SECOND_MS;
    });
}
