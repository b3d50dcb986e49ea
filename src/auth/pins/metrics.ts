// Metrics of PIN attempts, which make PIN guessing visible.
import type { Counter, Metrics } from '../../kernel/metrics.ts';
import type { PinOutcome } from './pins.ts';

export interface PinMetrics {
  attempts: Record<Exclude<PinOutcome['outcome'], 'unknown'> | 'too_many', Counter>;
  locks: Counter;
}

export function pinMetrics(metrics: Metrics): PinMetrics {
  return {
    attempts: metrics.counters({
      name: 'kissi_pin_attempts_total',
      help: 'PIN attempts: right, wrong, rejected by the account lock (locked) or by the limit of the credential (too_many).',
      label: 'outcome',
      values: ['right', 'wrong', 'locked', 'too_many'],
    }),
    locks: metrics.counter({ name: 'kissi_pin_locks_total', help: 'Accounts locked by a wrong PIN.' }),
  };
}

export function countOutcome({ attempts, locks }: PinMetrics, verdict: PinOutcome): void {
  // An owner without a PIN is a defect and reported as such.
  if (verdict.outcome === 'unknown') return;
  attempts[verdict.outcome].value += 1;
  if (verdict.outcome === 'wrong' && verdict.attemptsRemaining === 0) locks.value += 1;
}
