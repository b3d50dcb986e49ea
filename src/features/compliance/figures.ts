// What is counted of compliance: checks by outcome, alerts by severity, and those whose review is overdue.
import type { Counter, Figures, Gauge } from '../../kernel/figures.ts';

export interface ComplianceFigures {
  /** `failed`: the check itself did not work. */
  checks: Record<'pass' | 'flag' | 'block' | 'failed', Counter>;
  alerts: Record<'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW', Counter>;
  /** To be given a source with `readBy`: alerts that are open and past due_at. */
  overdue: Gauge;
}

export function complianceFigures(figures: Figures): ComplianceFigures {
  return {
    checks: figures.counters({
      name: 'kissi_compliance_checks_total',
      help: 'Compliance checks, by outcome.',
      label: 'outcome',
      values: ['pass', 'flag', 'block', 'failed'],
    }),
    alerts: figures.counters({
      name: 'kissi_compliance_alerts_total',
      help: 'Compliance alerts made, by severity.',
      label: 'severity',
      values: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
    }),
    overdue: figures.gauge({
      name: 'kissi_compliance_alerts_overdue',
      help: 'Alerts that are not closed and whose review was due.',
    }),
  };
}
