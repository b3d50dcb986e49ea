// Creates the services of messages: their providers, the notices to customers, and the chat.
import { createProviders } from '../features/messaging/providers/providers.ts';
import {
  type Conversations,
  createConversations,
  createMessaging,
  type Messaging,
} from '../features/messaging/service.ts';
import { noticeMetrics } from '../features/notices/metrics.ts';
import { createNotices, type Notices } from '../features/notices/service.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { AppMetrics } from './metrics.ts';

type Dependencies = Pick<Parameters<typeof createMessaging>[0], 'vault' | 'report'> &
  Pick<Parameters<typeof createNotices>[0], 'audit'>;

export function createMessageServices(
  { config, database, clock }: GatewayOptions,
  metrics: AppMetrics,
  { audit, vault, report }: Dependencies,
): { messaging: Messaging; notices: Notices } {
  const messaging = createMessaging({
    providers: createProviders({ ...config.messaging, sms: config.notices.sms, clock, report }),
    metrics: metrics.messages,
    ...{ database, vault, clock, report },
  });
  const notices = createNotices({
    showsOutbox: config.appEnv !== 'production',
    config: config.notices,
    metrics: noticeMetrics(metrics.all, clock),
    ...{ messaging, database, audit, clock, report },
  });
  return { messaging, notices };
}

type ChatDependencies = Omit<
  Parameters<typeof createConversations>[0],
  'config' | 'bridgeNamesSubscribers' | 'database' | 'clock'
>;

export function createChat({ config, database, clock }: GatewayOptions, dependencies: ChatDependencies): Conversations {
  const bridgeNamesSubscribers = config.appEnv !== 'production';
  return createConversations({ ...dependencies, config: config.messaging, bridgeNamesSubscribers, database, clock });
}
