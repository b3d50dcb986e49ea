// Creates the services of partner banks: records, credits, cash-in and webhooks.
import type { LabSeams } from '../features/lab/service.ts';
import { createPartners, type Partners, type PartnersDependencies } from '../features/partners/admin/service.ts';
import { createPartnerApi, type PartnerApi, type PartnerApiContext } from '../features/partners/api/service.ts';
import { createPartnerCashin, type PartnerCashin } from '../features/partners/cash-in/service.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
  type WebhookDeliveriesDependencies,
} from '../features/partners/deliveries/service.ts';
import {
  createBeneficiaryRefs,
  createInbound,
  type Inbound,
  type InboundContext,
} from '../features/partners/inbound/service.ts';
import {
  createInboundRecords,
  type InboundRecords,
  type InboundRecordsDependencies,
} from '../features/partners/inbound-records/service.ts';
import {
  createTargetLoader,
  createWebhookEndpoints,
  type WebhookEndpoints,
} from '../features/webhook-endpoints/service.ts';
import { latestOfSeries } from '../ledger/posting/idempotency.ts';
import type { AttemptDependencies } from '../webhooks/attempt.ts';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { AppMetrics } from './metrics.ts';

export interface PartnerServices {
  partners: Partners;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
  webhookEndpoints: WebhookEndpoints;
  webhookTarget: AttemptDependencies['targetOf'];
  inbound: Inbound;
  inboundRecords: InboundRecords;
  partnerApi: PartnerApi;
  partnerCashin: PartnerCashin;
}

export type PartnerServiceDependencies = Omit<PartnersDependencies, 'webhookUrls' | 'keysChanged'> &
  Omit<InboundContext, 'refs' | 'webhooks'> &
  Omit<WebhookDeliveriesDependencies, 'targetOf' | 'webhooks'> &
  InboundRecordsDependencies &
  PartnerApiContext;

export function createPartnerServices(
  { config, secrets, database, clock, tracing }: GatewayOptions,
  metrics: AppMetrics,
  { keysChanged, lab }: { keysChanged(): void; lab: LabSeams | undefined },
  dependencies: PartnerServiceDependencies,
): PartnerServices {
  const webhookUrls = { allowPrivate: config.webhookAllowPrivate, requireHttps: config.appEnv === 'production' };
  const partners = createPartners({ ...dependencies, keysChanged, webhookUrls });
  const endpointTarget = createTargetLoader({ database, clock, vault: dependencies.vault });
  const targetOf: AttemptDependencies['targetOf'] = ({ ownerId, endpointId }) =>
    endpointId === null ? partners.webhookEndpoint(ownerId) : endpointTarget(endpointId);
  const webhooks = createWebhooks({
    targetOf,
    metrics: metrics.webhooks,
    wrapAttempt: lab?.deliveries,
    ...webhookUrls,
    ...{ database, clock, tracing, report: dependencies.report },
  });
  const refs = createBeneficiaryRefs({ masterKey: secrets.MASTER_KEY, clock });
  return {
    partners,
    webhooks,
    webhookDeliveries: createWebhookDeliveries({ ...dependencies, targetOf, webhooks }),
    webhookEndpoints: createWebhookEndpoints({
      ...dependencies,
      webhooks,
      webhookUrls,
      allowExamples: config.appEnv !== 'production',
    }),
    webhookTarget: targetOf,
    inbound: createInbound({ ...dependencies, refs, webhooks }),
    inboundRecords: createInboundRecords(dependencies),
    partnerApi: createPartnerApi(dependencies),
    partnerCashin: createPartnerCashin({
      ...dependencies,
      accepted: latestOfSeries(database.reader),
      config: config.partnerCashin,
    }),
  };
}
