// Creates the services of outgoing messages: their providers, and the notices to customers.
import { createProviders } from '../features/messaging/providers/providers.ts';
import { createMessaging, type Messaging } from '../features/messaging/service.ts';
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
