// Webhooks' metrics: backlog, delay and outcomes. No label identifies a partner.
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { type Counter, type Histogram, type Metrics, singleFlight } from '../kernel/metrics.ts';
import type { Backlog, Result } from './outbox.ts';

const OUTCOMES = ['acknowledged', 'status_3xx', 'status_4xx', 'status_5xx', 'no_answer'] as const;
type AttemptOutcome = (typeof OUTCOMES)[number];

export interface WebhookMetrics {
  attempts: Record<AttemptOutcome, Counter>;
  duration: Histogram;
  ended: Record<'delivered' | 'abandoned', Counter>;
}

// Up to the 15 seconds that an attempt may take.
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  return {
    attempts: metrics.counters({
      name: 'kissi_webhook_attempts_total',
      help: 'Webhook delivery attempts, by outcome.',
      label: 'outcome',
      values: OUTCOMES,
    }),
    duration: metrics.histogram({
      name: 'kissi_webhook_attempt_duration_seconds',
      help: 'Duration of delivery attempts.',
      bounds: SECONDS,
    }),
    ended: metrics.counters({
      name: 'kissi_webhook_ended_total',
      help: 'Webhooks that were delivered, or abandoned after the last attempt.',
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

/** The values cover all gateways: they are read from the outbox table. */
export function registerBacklogGauges(metrics: Metrics, read: () => Promise<Backlog>, clock: Clock): void {
  const backlog = singleFlight(read);
  const since = (at: Date | null) => (at === null ? 0 : Math.max(0, clock.now() - at.getTime()) / SECOND_MS);
  const gauge = (name: string, help: string, value: (backlog: Backlog) => number) =>
    metrics.gauge({ name, help }).readFrom(async () => value(await backlog()));
  gauge('kissi_webhook_waiting', 'Webhooks not yet delivered or abandoned, counted up to 20000.', (all) => all.waiting);
  gauge('kissi_webhook_oldest_seconds', 'Age of the oldest webhook in the backlog, retries included.', (all) =>
    since(all.oldest),
  );
  gauge('kissi_webhook_overdue_seconds', 'How long the most overdue attempt has been due.', (all) => since(all.due));
}
