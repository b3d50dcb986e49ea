// The providers that the configuration names, by channel.
import type { Clock } from '../../../kernel/clock.ts';
import type { MessagingConfig } from '../../../kernel/config/config.ts';
import type { SmsConfig } from '../../../kernel/config/notices.ts';
import { createProvider, type Provider, type Providers, type SendText } from '../provider.ts';
import { africasTalkingSender } from './africastalking.ts';
import { httpTemplateSender } from './http-template.ts';
import { platformSender } from './platform.ts';

export interface ProviderConfig {
  platform: MessagingConfig['platform'];
  sms: SmsConfig | undefined;
  clock: Clock;
  report(message: string, details: Record<string, unknown>): void;
}

const CHAT_SLOTS = 16;

export function createProviders({ platform, sms, ...context }: ProviderConfig): Providers {
  const providers: Providers = {};
  if (platform) {
    providers.chat = createProvider({
      channel: 'chat',
      sendText: platformSender(platform),
      slots: CHAT_SLOTS,
      ...context,
    });
  }
  const provided = sms && smsProvider(sms, context);
  if (provided) providers.sms = provided;
  return providers;
}

/** The lab's texts stay in the local outbox. */
function smsProvider(sms: SmsConfig, context: Pick<ProviderConfig, 'clock' | 'report'>): Provider | null {
  if (sms.provider === 'lab') return null;
  const sendText: SendText = sms.provider === 'http' ? httpTemplateSender(sms) : africasTalkingSender(sms);
  return createProvider({ channel: 'sms', sendText, slots: sms.concurrency, ...context });
}
