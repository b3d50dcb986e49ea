// The port to whoever brings texts to phones: an SMS gateway, or the platform of the chat.
import type { Clock } from '../../kernel/clock.ts';
import type { Channel } from './channel.ts';
import { createBreaker } from './circuit-breaker.ts';

export interface OutgoingText {
  /** The same for all attempts. */
  id: string;
  /** E.164. */
  to: string;
  text: string;
}

/** `refused` is permanent and is not retried; `failed` is retried. */
export type Sent = { outcome: 'sent' } | { outcome: 'refused' | 'failed'; reason: string };

/** Never rejects. */
export type SendText = (message: OutgoingText, signal: AbortSignal) => Promise<Sent>;

export interface Provider {
  /** Texts in progress in this process. */
  slots: number;
  /** How many may begin now: none while the provider is out of order. */
  room(): number;
  send: SendText;
}

export type Providers = Partial<Record<Channel, Provider>>;

export interface ProviderOptions {
  channel: Channel;
  sendText: SendText;
  slots: number;
  clock: Clock;
  report(message: string, details: Record<string, unknown>): void;
}

/** After repeated failures nothing is sent for a while, and nothing counts as an attempt: then one text tries it out. */
export function createProvider({ channel, sendText, slots, clock, report }: ProviderOptions): Provider {
  const breaker = createBreaker({
    clock,
    onChange: (state) =>
      report(state === 'open' ? 'a provider of messages does not work' : 'a provider of messages works again', {
        channel,
      }),
  });
  return {
    slots,
    room: breaker.room,
    async send(message, signal) {
      const trial = breaker.begin();
      if (!trial) return { outcome: 'failed', reason: 'the provider is out of order' };
      const sent = await sendText(message, signal);
      if (sent.outcome === 'failed') trial.failed();
      else trial.succeeded();
      return sent;
    },
  };
}
