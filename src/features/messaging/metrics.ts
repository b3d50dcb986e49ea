// Metrics of messages: backlog, delay and outcomes. No label identifies a person.
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { Counter, type Metrics, singleFlight } from '../../kernel/metrics.ts';
import { CHANNELS, type Channel } from './channel.ts';
import type { Backlog } from './store.ts';

export type Ended = 'sent' | 'failed' | 'dropped';

export interface MessageMetrics {
  ended: Record<Channel, Record<Ended, Counter>>;
}

const ENDED = ['sent', 'failed', 'dropped'] as const;

export function messageMetrics(metrics: Metrics): MessageMetrics {
  const ended = Object.fromEntries(
    CHANNELS.map((channel) => [channel, Object.fromEntries(ENDED.map((outcome) => [outcome, new Counter()]))]),
  ) as MessageMetrics['ended'];
  metrics.add({
    name: 'kissi_message_ended_total',
    help: 'Outgoing messages by channel that the provider accepted (sent), that were given up (failed), and that came too late to be sent (dropped).',
    type: 'counter',
    samples: () =>
      CHANNELS.flatMap((channel) =>
        ENDED.map((outcome) => ({ labels: { channel, outcome }, value: ended[channel][outcome].value })),
      ),
  });
  return { ended };
}

/** The values cover all gateways: they are read from the database. */
export function registerMessageGauges(metrics: Metrics, read: () => Promise<Backlog>, clock: Clock): void {
  const backlog = singleFlight(read);
  const since = (at: Date | null) => (at === null ? 0 : Math.max(0, clock.now() - at.getTime()) / SECOND_MS);
  const gauge = (name: string, help: string, value: (backlog: Backlog) => number) =>
    metrics.gauge({ name, help }).readFrom(async () => value(await backlog()));
  gauge(
    'kissi_message_waiting',
    'Outgoing messages not yet sent or given up, counted up to 20000.',
    (all) => all.waiting,
  );
  gauge('kissi_message_overdue_seconds', 'How long the most overdue attempt has been due.', (all) => since(all.due));
  gauge('kissi_message_unanswered_seconds', 'Age of the oldest incoming message without an answer.', (all) =>
    since(all.unanswered),
  );
}
