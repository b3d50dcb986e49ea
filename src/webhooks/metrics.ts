// What is counted of webhooks: what waits, how long it has, and what came of the attempts; never whose they are.
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { askedOnce, type Counter, type Histogram, type Metrics } from '../kernel/metrics.ts';
import type { Backlog, Result } from './outbox.ts';

const OUTCOMES = ['acknowledged', 'status_3xx', 'status_4xx', 'status_5xx', 'no_answer'] as const;
type AttemptOutcome = (typeof OUTCOMES)[number];

export interface WebhookMetrics {
  attempts: Record<AttemptOutcome, Counter>;
  duration: Histogram;
  ended: Record<'delivered' | 'abandoned', Counter>;
}

// To the 15 seconds that an attempt may take.
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  return {
    attempts: metrics.counters({
      name: 'kissi_webhook_attempts_total',
      help: 'Attempts at delivering a webhook, by the answer.',
      label: 'outcome',
      values: OUTCOMES,
    }),
    duration: metrics.histogram({
      name: 'kissi_webhook_attempt_duration_seconds',
      help: 'How long attempts take.',
      bounds: SECONDS,
    }),
    ended: metrics.counters({
      name: 'kissi_webhook_ended_total',
      help: 'Webhooks that came to their end: delivered, or abandoned after the last attempt.',
      label: 'outcome',
      values: ['delivered', 'abandoned'],
    }),
  };
}

export function countAttempt({ attempts, duration, ended }: WebhookMetrics, result: Result): void {
  attempts[outcomeOf(result)].value += 1;
  duration.observe(result.durationMs / SECOND_MS);
  if (result.status !== 'pending') ended[result.status].value += 1;
}

function outcomeOf({ httpStatus, error }: Result): AttemptOutcome {
  if (error === null) return 'acknowledged';
  const name = `status_${Math.floor((httpStatus ?? 0) / 100)}xx`;
  return OUTCOMES.find((outcome) => outcome === name) ?? 'no_answer';
}

/** Of the whole outbox, whichever gateway will deliver it. */
export function watchBacklog(metrics: Metrics, read: () => Promise<Backlog>, clock: Clock): void {
  const backlog = askedOnce(read);
  const since = (at: Date | null) => (at === null ? 0 : Math.max(0, clock.now() - at.getTime()) / SECOND_MS);
  const gauge = (name: string, help: string, figure: (backlog: Backlog) => number) =>
    metrics.gauge({ name, help }).readBy(async () => figure(await backlog()));
  gauge('kissi_webhook_waiting', 'Webhooks not yet delivered or abandoned, counted up to 20000.', (all) => all.waiting);
  gauge('kissi_webhook_oldest_seconds', 'Age of the oldest that waits, retries included.', (all) => since(all.oldest));
  gauge('kissi_webhook_overdue_seconds', 'How long the most overdue attempt has been due.', (all) => since(all.due));
}
