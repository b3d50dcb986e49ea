// Metrics of notices of payments, by channel. Codes and notices about security are among the messages.
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { Counter, type Metrics } from '../../kernel/metrics.ts';
import { CHANNELS, type Channel } from '../messaging/service.ts';

const ENDED = ['sent', 'retried', 'failed', 'dropped'] as const;

export interface ChannelMetrics {
  ended: Record<(typeof ENDED)[number], Counter>;
  /** When the oldest payment that is still to be told was made, in milliseconds; null: none is, or another gateway tells them. */
  oldest: number | null;
}

export interface NoticeMetrics {
  of(channel: Channel): ChannelMetrics;
}

export function noticeMetrics(metrics: Metrics, clock: Clock): NoticeMetrics {
  const channels = Object.fromEntries(
    CHANNELS.map((channel) => [
      channel,
      { ended: Object.fromEntries(ENDED.map((outcome) => [outcome, new Counter()])), oldest: null },
    ]),
  ) as Record<Channel, ChannelMetrics>;
  metrics.add({
    name: 'kissi_notice_ended_total',
    help: 'Notices of payments by channel: accepted by the provider (sent), queued to be tried again (retried), refused by it (failed), and payments that were not told within a day (dropped).',
    type: 'counter',
    samples: () =>
      CHANNELS.flatMap((channel) =>
        ENDED.map((outcome) => ({ labels: { channel, outcome }, value: channels[channel].ended[outcome].value })),
      ),
  });
  metrics.add({
    name: 'kissi_notice_delay_seconds',
    help: 'Age of the oldest payment that customers are still to be told of, by channel.',
    type: 'gauge',
    samples: () =>
      CHANNELS.map((channel) => {
        const { oldest } = channels[channel];
        const value = oldest === null ? 0 : Math.max(0, clock.now() - oldest) / SECOND_MS;
        return { labels: { channel }, value };
      }),
  });
  return { of: (channel) => channels[channel] };
}
