// The route table: path prefix, authentication and reply envelope of every route group.
import type { Authentication } from '../auth/schemes/scheme.ts';
import { adminRoutes, sessionRoutes } from '../features/admin/routes.ts';
import { agentRoutes } from '../features/agents/routes.ts';
import { paymentRoutes } from '../features/card-payments/routes.ts';
import { cardRoutes } from '../features/cards/routes.ts';
import { alertReportRoutes, complianceRoutes } from '../features/compliance/routes.ts';
import { feeRoutes } from '../features/fees/routes.ts';
import { healthRoutes } from '../features/health/routes.ts';
import { bridgeRoutes, platformRoutes, verificationRoutes } from '../features/messaging/routes.ts';
import { metricsRoutes } from '../features/metrics/routes.ts';
import { partnerRoutes } from '../features/partners/admin/routes.ts';
import { partnerApiRoutes } from '../features/partners/api/routes.ts';
import { partnerCashinRoutes } from '../features/partners/cash-in/routes.ts';
import { webhookDeliveryRoutes } from '../features/partners/deliveries/routes.ts';
import { inboundReversalRoutes, inboundRoutes } from '../features/partners/inbound/routes.ts';
import { processorRoutes } from '../features/processors/routes.ts';
import { statementRoutes } from '../features/statements/routes.ts';
import { publicSubscriberRoutes, subscriberReadRoutes, subscriberRoutes } from '../features/subscribers/routes.ts';
import { transactionRoutes } from '../features/transactions/routes.ts';
import { walletRoutes } from '../features/wallet/routes.ts';
import type { Endpoint, RouteGroup } from '../http/endpoint.ts';
import {
  bridgeEnvelope as bridge,
  type Envelope,
  inboundEnvelope,
  legacyEnvelope as legacy,
  webhookEnvelope as webhook,
} from '../http/envelope.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Credentials } from './authentication.ts';
import type { Services } from './services.ts';

const API = '/api/v1';

export function routeTable(services: Services, credentials: Credentials, config: Config): RouteGroup[] {
  const { none, bearer, bearerOrService, bearerOrSendingService, pos, partner, inbound } = credentials;
  const { cashinWebhook, messagingPlatform } = credentials;
  const { health, sessions, subscribers, fees, partners, conversations } = services;
  const signed = config.messaging.appSecret !== undefined;
  return [
    bypassesAdmission(row('health', '', none, legacy, healthRoutes(health))),
    bypassesAdmission(row('health', '', credentials.metrics, legacy, metricsRoutes(services.metrics))),
    bypassesAdmission(row('admin', API, none, legacy, sessionRoutes(sessions))),
    bypassesAdmission(row('admin', API, bearer, legacy, adminRoutes({ ...services, appEnv: config.appEnv }))),
    row('subscribers', API, none, legacy, publicSubscriberRoutes(subscribers)),
    row('subscribers', API, bearerOrService, legacy, subscriberReadRoutes(subscribers)),
    row('subscribers', API, bearer, legacy, subscriberRoutes(subscribers)),
    row('cards', API, bearer, legacy, cardRoutes(services.cards)),
    row('wallet', API, bearer, legacy, walletRoutes(services.wallet)),
    row('wallet', API, bearer, legacy, transactionRoutes(services.transactions)),
    row('wallet', API, bearer, legacy, statementRoutes(services.statements)),
    row('agents', API, bearer, legacy, agentRoutes(services.agents)),
    row('compliance', API, bearerOrSendingService, legacy, alertReportRoutes(services.compliance)),
    row('compliance', API, bearer, legacy, complianceRoutes(services.compliance)),
    row('fees', API, bearer, legacy, feeRoutes(fees)),
    bypassesAdmission(row('partners', API, bearer, legacy, partnerRoutes(partners))),
    row('processors', API, bearer, legacy, processorRoutes(services.processors)),
    row('payments', API, pos, legacy, paymentRoutes(services.cardPayments)),
    bypassesAdmission(row('partners', API, bearer, legacy, webhookDeliveryRoutes(services.webhookDeliveries))),
    row('inbound', `${API}/inbound`, inbound, inboundEnvelope, inboundRoutes(services.inbound)),
    bypassesAdmission(row('inbound', API, bearer, legacy, inboundReversalRoutes(services.inbound))),
    row('partner-api', API, partner, legacy, partnerApiRoutes(services.partnerApi)),
    row('partner-cashin', '', cashinWebhook, webhook, partnerCashinRoutes(services.partnerCashin)),
    ...[API, ''].flatMap((at) => [
      row('messaging', `${at}/external`, none, bridge, bridgeRoutes(conversations)),
      row('messaging', `${at}/webhooks`, none, webhook, verificationRoutes(conversations)),
      row('messaging', `${at}/webhooks`, messagingPlatform, webhook, platformRoutes(conversations, { signed })),
    ]),
  ];
}

/** Administrative routes stay available during overload. */
function bypassesAdmission(row: RouteGroup): RouteGroup {
  return { ...row, bypassesAdmission: true };
}

function row(
  family: string,
  prefix: string,
  authentication: Authentication,
  envelope: Envelope,
  endpoints: Endpoint[],
): RouteGroup {
  return { family, prefix, authentication, envelope, endpoints };
}
