// What is counted of PIN attempts: guessing shows in these metrics before anybody complains.
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
      help: 'PIN attempts: right, wrong, refused by the lock of the account, or by the limit of the credential (too_many).',
      label: 'outcome',
      values: ['right', 'wrong', 'locked', 'too_many'],
    }),
    locks: metrics.counter({ name: 'kissi_pin_locks_total', help: 'Accounts locked by a wrong PIN.' }),
  };
}

export function countVerdict({ attempts, locks }: PinMetrics, verdict: PinOutcome): void {
  // An owner without a PIN is a defect, and told as one.
  if (verdict.outcome === 'unknown') return;
  attempts[verdict.outcome].value += 1;
  if (verdict.outcome === 'wrong' && verdict.attemptsRemaining === 0) locks.value += 1;
}
