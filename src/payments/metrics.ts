// What is counted of compliance: checks by outcome, alerts by severity, and those that wait too long.

import type { Counter, Metrics } from '../kernel/metrics.ts';
import type { Result } from '../ledger/posting/ledger.ts';
import { gravestOf } from './alerts.ts';

export interface ComplianceMetrics {
  /** `failed`: the check itself did not work. */
  checks: Record<'pass' | 'flag' | 'block' | 'failed', Counter>;
  alerts: Record<'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW', Counter>;
}

export function complianceMetrics(metrics: Metrics): ComplianceMetrics {
  return {
    checks: metrics.counters({
      name: 'kissi_compliance_checks_total',
      help: 'Compliance checks, by outcome.',
      label: 'outcome',
      values: ['pass', 'flag', 'block', 'failed'],
    }),
    alerts: metrics.counters({
      name: 'kissi_compliance_alerts_total',
      help: 'Compliance alerts made, by severity.',
      label: 'severity',
      values: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
    }),
  };
}

/** What the rules made of a payment that the ledger has decided; replays were counted when they were first made. */
export function countChecked({ checks, alerts }: ComplianceMetrics, result: Result): void {
  if (result.outcome === 'refused' && result.reason === 'compliance') {
    checks.block.value += 1;
    alerts.CRITICAL.value += 1;
  } else if (result.outcome === 'posted' && result.triggered) {
    checks.flag.value += 1;
    alerts[gravestOf(result.triggered)].value += 1;
  } else if (result.outcome === 'posted') {
    checks.pass.value += 1;
  }
}

export function watchReviews(metrics: Metrics, overdue: () => Promise<number>): void {
  metrics
    .gauge({ name: 'kissi_compliance_alerts_overdue', help: 'Alerts that are not closed and whose review was due.' })
    .readBy(overdue);
}
