// Gauges of cases: what waits for staff, and recalls that hold money.
import { type Metrics, singleFlight } from '../../kernel/metrics.ts';
import type { CaseCounts } from './store.ts';

const GAUGES: readonly [name: string, help: string, count: keyof CaseCounts][] = [
  ['kissi_cases_open', 'Cases that are neither resolved nor rejected.', 'open'],
  ['kissi_cases_overdue', 'Open cases that nobody began with, or that are not resolved, in time.', 'overdue'],
  ['kissi_recalls_open', 'Recalls that hold money until their recipients answer.', 'recalls'],
];

export function registerCaseGauges(metrics: Metrics, read: () => Promise<CaseCounts>): void {
  const counts = singleFlight(read);
  for (const [name, help, count] of GAUGES) {
    metrics.gauge({ name, help }).readFrom(async () => (await counts())[count]);
  }
}
