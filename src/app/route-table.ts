// The route table: path prefix, authentication and reply envelope of every route group.
import { noAuthentication } from '../auth/schemes/bearer.ts';
import { otherSitesRefused } from '../auth/schemes/same-origin.ts';
import type { Authentication } from '../auth/schemes/scheme.ts';
import { goingLiveRoutes } from '../features/admin/going-live/routes.ts';
import { adminRoutes, recoveryRoutes, sessionRoutes } from '../features/admin/routes.ts';
import { savedViewRoutes } from '../features/admin/saved-views/routes.ts';
import { agentRoutes } from '../features/agents/routes.ts';
import { approvalRoutes } from '../features/approvals/routes.ts';
import { bulkApprovalRoutes, bulkChangeRoutes } from '../features/bulk-payments/execution/routes.ts';
import { bulkPaymentRoutes, bulkUploadRoutes, rowLimitRoutes } from '../features/bulk-payments/routes.ts';
import { merchantRefundRoutes, paymentRoutes } from '../features/card-payments/routes.ts';
import { cardRoutes } from '../features/cards/routes.ts';
import { ownCaseRoutes } from '../features/cases/own-routes.ts';
import { caseRoutes } from '../features/cases/routes.ts';
import { alertReportRoutes } from '../features/compliance/alert-routes.ts';
import { complianceRoutes } from '../features/compliance/routes.ts';
import { consoleSessionRoutes } from '../features/console/routes.ts';
import { redeemRoutes } from '../features/customer-payments/agent-routes.ts';
import { customerRequestRoutes } from '../features/customer-payments/request-routes.ts';
import { customerPaymentRoutes } from '../features/customer-payments/routes.ts';
import { customerSessionRoutes } from '../features/customer-session/routes.ts';
import { doctorRoutes } from '../features/doctor/routes.ts';
import type { Doctor } from '../features/doctor/service.ts';
import { feeRoutes } from '../features/fees/routes.ts';
import { closeRoutes, publicKeyRoutes } from '../features/finance/closes/routes.ts';
import { commissionRoutes } from '../features/finance/commission/routes.ts';
import { reconciliationRoutes } from '../features/finance/reconciliation/routes.ts';
import { suspenseRoutes } from '../features/finance/suspense/routes.ts';
import { trustAccountRoutes } from '../features/finance/trust-accounts/routes.ts';
import { floatRequestRoutes } from '../features/float-requests/routes.ts';
import { healthRoutes } from '../features/health/routes.ts';
import { holdRoutes } from '../features/holds/routes.ts';
import {
  type HostedPages,
  hostedPages,
  payerNoticeRoutes,
  paymentPageRoutes,
} from '../features/hosted-pages/routes.ts';
import { labPhoneRoutes } from '../features/lab/phone-routes.ts';
import { labRoutes } from '../features/lab/routes.ts';
import { meRoutes } from '../features/me/routes.ts';
import { bridgeRoutes, platformRoutes, verificationRoutes } from '../features/messaging/routes.ts';
import { metricsRoutes } from '../features/metrics/routes.ts';
import { ownNotificationRoutes } from '../features/notices/routes.ts';
import { partnerRoutes } from '../features/partners/admin/routes.ts';
import { partnerApiRoutes } from '../features/partners/api/routes.ts';
import { partnerCashinRoutes } from '../features/partners/cash-in/routes.ts';
import { ownDeliveryRoutes, webhookDeliveryRoutes } from '../features/partners/deliveries/routes.ts';
import { inboundReversalRoutes, inboundRoutes } from '../features/partners/inbound/routes.ts';
import { inboundRecordRoutes } from '../features/partners/inbound-records/routes.ts';
import { customerOutcomeRoutes, outcomeRoutes, quoteRoutes } from '../features/payment-forms/routes.ts';
import { labPaymentRequestRoutes } from '../features/payment-requests/lab-routes.ts';
import { paymentRequestRoutes, returnHostRoutes } from '../features/payment-requests/routes.ts';
import type { PayablePayments } from '../features/payment-requests/service.ts';
import { pinRoutes, publicPinRoutes } from '../features/pins/routes.ts';
import { privacyRoutes } from '../features/privacy/routes.ts';
import { processorHistoryRoutes, processorReadRoutes, processorRoutes } from '../features/processors/routes.ts';
import { receiptPages } from '../features/receipts/page.ts';
import { publicReceiptRoutes, receiptRevocationRoutes, receiptRoutes } from '../features/receipts/routes.ts';
import {
  agentRefusalRoutes,
  ownRefusalRoutes,
  processorRefusalRoutes,
  subscriberRefusalRoutes,
} from '../features/refusals/routes.ts';
import { reportingRoutes } from '../features/reporting/routes.ts';
import { ownRequestRoutes, requestLogRoutes } from '../features/request-log/routes.ts';
import { searchRoutes } from '../features/search/routes.ts';
import { statementRoutes } from '../features/statements/routes.ts';
import { statusRoutes } from '../features/status/routes.ts';
import type { StatusService } from '../features/status/service.ts';
import { subscriberDocumentRoutes } from '../features/subscriber-documents/routes.ts';
import { subscriberLimitRoutes } from '../features/subscriber-limits/routes.ts';
import { subscriberNoteRoutes } from '../features/subscriber-notes/routes.ts';
import { publicSubscriberRoutes, subscriberReadRoutes, subscriberRoutes } from '../features/subscribers/routes.ts';
import { transactionDetailRoutes } from '../features/transaction-details/routes.ts';
import { transactionRoutes } from '../features/transactions/routes.ts';
import { africasTalkingRoutes, jsonUssdRoutes } from '../features/ussd/routes.ts';
import { walletRoutes } from '../features/wallet/routes.ts';
import { webhookEndpointRoutes } from '../features/webhook-endpoints/routes.ts';
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
import type { IntegrationServices } from './integration-services.ts';
import type { Services } from './services.ts';

const API = '/api/v1';

export function routeTable(
  services: Services & IntegrationServices & { doctor: Doctor; payable: PayablePayments; status: StatusService },
  credentials: Credentials,
  config: Config & { version: string },
): RouteGroup[] {
  const { none, bearer, bearerOrService, pos, partner, inbound } = credentials;
  const { bearerOrSendingService, bearerOrSigned, bearerOrSignedBody, cashinWebhook, messagingPlatform } = credentials;
  const { health, sessions, subscribers, fees, partners, conversations } = services;
  const { gate } = services.approvals;
  const { appEnv, version } = config;
  const adminSettings = { appEnv, version, secondFactorRequired: config.secondFactor.required };
  const consoleRoutes = config.console ? consoleSessionRoutes(sessions) : [];
  const signed = config.messaging.appSecret !== undefined;
  const receipts = receiptPages(config);
  const hosted = hostedPages(services.payable, services.receiptLinks, config);
  // Without a credential it would tell everybody which numbers are registered.
  const [bridgeAccess, permission] =
    appEnv === 'production' ? [bearerOrSendingService, 'messaging:bridge' as const] : [none, 'anyone' as const];
  return [
    bypassesAdmission(group('health', '', none, legacy, healthRoutes(health))),
    bypassesAdmission(group('health', API, none, legacy, statusRoutes(services.status))),
    bypassesAdmission(group('health', '', bearer, legacy, doctorRoutes(services.doctor))),
    bypassesAdmission(group('health', '', credentials.metrics, legacy, metricsRoutes(services.metrics))),
    bypassesAdmission(
      group('admin', API, none, legacy, [...sessionRoutes(sessions), ...recoveryRoutes(services.passwordRecovery)]),
    ),
    bypassesAdmission(group('admin', API, bearer, legacy, adminRoutes({ ...services, ...adminSettings, gate }))),
    bypassesAdmission(group('admin', API, bearer, legacy, requestLogRoutes(services.requestLog))),
    bypassesAdmission(group('admin', API, bearer, legacy, savedViewRoutes(services.savedViews))),
    bypassesAdmission(group('admin', API, bearer, legacy, goingLiveRoutes(services.goingLive))),
    bypassesAdmission(group('lab', API, bearer, legacy, labRoutes(services.lab))),
    group('lab', API, bearer, legacy, labPhoneRoutes(services.lab?.phone)),
    group('lab', API, bearer, legacy, labPaymentRequestRoutes(services.lab && services.paymentRequests)),
    bypassesAdmission(group('console', '/console', credentials.sameOrigin, legacy, consoleRoutes)),
    bypassesAdmission(group('approvals', API, bearer, legacy, approvalRoutes(services.approvals))),
    bypassesAdmission(group('reporting', API, bearer, legacy, reportingRoutes(services.reporting))),
    group('me', API, none, legacy, customerSessionRoutes(services.customerSessions)),
    group('me', API, bearer, legacy, customerPaymentRoutes(services.customerPayments)),
    group('me', API, bearer, legacy, customerRequestRoutes(services.customerPayments)),
    group('agents', API, bearer, legacy, redeemRoutes(services.customerPayments)),
    group('me', API, bearer, legacy, meRoutes(services)),
    group('me', API, bearer, legacy, ownRefusalRoutes(services.refusals)),
    group('me', API, bearer, legacy, ownCaseRoutes(services.cases.own)),
    group('cases', API, bearer, legacy, caseRoutes(services.cases, gate)),
    group('me', API, bearer, legacy, customerOutcomeRoutes(services.paymentForms)),
    group('me', API, bearer, legacy, ownNotificationRoutes(services.notices.settings)),
    group('subscribers', API, none, legacy, publicSubscriberRoutes(subscribers)),
    group('subscribers', API, bearerOrService, legacy, subscriberReadRoutes(subscribers)),
    group('subscribers', API, bearer, legacy, subscriberRoutes(subscribers, gate)),
    group('subscribers', API, bearer, legacy, subscriberDocumentRoutes(services.documents, gate)),
    group('subscribers', API, bearer, legacy, subscriberNoteRoutes(services.subscriberNotes)),
    group('subscribers', API, none, legacy, publicPinRoutes(services.pinService)),
    group('subscribers', API, bearer, legacy, pinRoutes(services.pinService, gate)),
    group('subscribers', API, bearer, legacy, subscriberRefusalRoutes(services.refusals)),
    group('subscribers', API, bearer, legacy, privacyRoutes(services.privacy, gate)),
    group('cards', API, bearer, legacy, cardRoutes(services.cards, gate)),
    group('wallet', API, bearer, legacy, walletRoutes(services.wallet, gate)),
    group('subscribers', API, bearer, legacy, subscriberLimitRoutes(services.subscriberLimits)),
    group('wallet', API, bearerOrSigned, legacy, transactionRoutes(services.transactions)),
    group('wallet', API, bearerOrSigned, legacy, transactionDetailRoutes(services.transactionLookup)),
    group('wallet', API, bearerOrSigned, legacy, holdRoutes(services.holds)),
    group('wallet', API, bearerOrSigned, legacy, outcomeRoutes(services.paymentForms)),
    group('wallet', API, bearer, legacy, statementRoutes(services.statements)),
    group('search', API, bearer, legacy, searchRoutes(services.search)),
    group('agents', API, bearer, legacy, agentRoutes(services.agents, gate)),
    group('agents', API, bearer, legacy, floatRequestRoutes(services.floatRequests)),
    group('agents', API, bearer, legacy, agentRefusalRoutes(services.refusals)),
    group('compliance', API, bearerOrSendingService, legacy, alertReportRoutes(services.compliance)),
    group('compliance', API, bearer, legacy, complianceRoutes(services.compliance, gate)),
    group('fees', API, bearer, legacy, quoteRoutes(services.paymentForms)),
    group('fees', API, bearer, legacy, feeRoutes(fees, services.feeWhatIf, gate)),
    group('finance', API, bearer, legacy, commissionRoutes(services.commission, services.agents, gate)),
    bypassesAdmission(group('partners', API, bearer, legacy, partnerRoutes(partners, gate))),
    group('processors', API, bearerOrSigned, legacy, processorReadRoutes(services.processors)),
    group('processors', API, bearer, legacy, processorRoutes(services.processors, gate)),
    group('processors', API, bearerOrSigned, legacy, processorHistoryRoutes(services.processors)),
    group('processors', API, bearerOrSigned, legacy, processorRefusalRoutes(services.refusals)),
    group('processors', API, bearer, legacy, merchantRefundRoutes(services.cardPayments)),
    group('payment-requests', API, bearerOrSignedBody, legacy, paymentRequestRoutes(services.paymentRequests)),
    group('bulk-payments', API, bearerOrSigned, legacy, bulkUploadRoutes(services.bulkPayments)),
    group('bulk-payments', API, bearerOrSignedBody, legacy, bulkPaymentRoutes(services.bulkPayments)),
    group('bulk-payments', API, bearer, legacy, rowLimitRoutes(services.bulkPayments)),
    group('bulk-payments', API, bearer, legacy, bulkApprovalRoutes(services.bulkPayments)),
    group('bulk-payments', API, bearerOrSignedBody, legacy, bulkChangeRoutes(services.bulkPayments)),
    group('processors', API, bearer, legacy, returnHostRoutes(services.paymentRequests)),
    group('integration', API, bearerOrSigned, legacy, ownRequestRoutes(services.requestLog)),
    group('webhooks', API, bearerOrSignedBody, legacy, webhookEndpointRoutes(services.webhookEndpoints)),
    group('webhooks', API, bearerOrSignedBody, legacy, ownDeliveryRoutes(services.webhookDeliveries)),
    group('payments', API, pos, legacy, paymentRoutes(services.cardPayments)),
    bypassesAdmission(group('partners', API, bearer, legacy, webhookDeliveryRoutes(services.webhookDeliveries))),
    group('inbound', `${API}/inbound`, inbound, inboundEnvelope, inboundRoutes(services.inbound)),
    bypassesAdmission(group('inbound', API, bearer, legacy, inboundReversalRoutes(services.inbound, gate))),
    bypassesAdmission(group('inbound', API, bearer, legacy, inboundRecordRoutes(services.inboundRecords))),
    bypassesAdmission(group('finance', API, bearer, legacy, suspenseRoutes(services.suspense, gate))),
    bypassesAdmission(group('finance', API, bearer, legacy, trustAccountRoutes(services.trustAccounts, gate))),
    bypassesAdmission(group('finance', API, bearer, legacy, reconciliationRoutes(services.reconciliation, gate))),
    bypassesAdmission(group('finance', API, bearer, legacy, closeRoutes(services.closes))),
    group('finance', '', none, legacy, publicKeyRoutes([services.closes, services.receipts])),
    {
      ...group('receipts', '', none, legacy, publicReceiptRoutes(services.receipts, receipts)),
      refusalPage: receipts.refusal,
    },
    ...paymentPageGroups(hosted),
    group('receipts', API, bearerOrSigned, legacy, receiptRoutes(services.receipts)),
    group('receipts', API, bearer, legacy, receiptRevocationRoutes(services.receipts)),
    group('partner-api', API, partner, legacy, partnerApiRoutes(services.partnerApi)),
    group('partner-cashin', '', cashinWebhook, webhook, partnerCashinRoutes(services.partnerCashin)),
    group('ussd', '', credentials.ussdGateway, legacy, africasTalkingRoutes(services.ussd)),
    group('ussd', '', credentials.ussdLab, legacy, jsonUssdRoutes(services.ussd)),
    ...[API, ''].flatMap((at) =>
      [
        group('messaging', `${at}/external`, bridgeAccess, bridge, bridgeRoutes(conversations, { permission })),
        group('messaging', `${at}/webhooks`, none, webhook, verificationRoutes(conversations)),
        group('messaging', `${at}/webhooks`, messagingPlatform, webhook, platformRoutes(conversations, { signed })),
      ].map((each) => (at === API ? each : { ...each, secondPath: AT_ROOT })),
    ),
  ];
}

/** A form of another site must not make this service send messages. */
function paymentPageGroups(hosted: HostedPages): RouteGroup[] {
  const groups = [
    group('payment-pages', '', noAuthentication, legacy, paymentPageRoutes(hosted)),
    group('payment-pages', '', otherSitesRefused, legacy, payerNoticeRoutes(hosted)),
  ];
  return groups.map((each) => ({ ...each, refusalPage: hosted.pages.refusal }));
}

/** The messaging platform may be configured with either path. */
const AT_ROOT = { idSuffix: 'AtRoot', summarySuffix: ' (outside /api/v1)' };

/** Administrative routes stay available during overload. */
function bypassesAdmission(group: RouteGroup): RouteGroup {
  return { ...group, bypassesAdmission: true };
}

function group(
  family: string,
  prefix: string,
  authentication: Authentication,
  envelope: Envelope,
  endpoints: Endpoint[],
): RouteGroup {
  return { family, prefix, authentication, envelope, endpoints };
}
