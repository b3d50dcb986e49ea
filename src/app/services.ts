// Creates the domain services and wires their dependencies.
import { type AuditLog, createAuditLog } from '../audit/log.ts';
import { createRepeatedEvents, type RepeatedEvents } from '../audit/repeated-events.ts';
import type { GuardedPins } from '../auth/pins/guarded-pins.ts';
import { pinHasher } from '../auth/pins/hasher.ts';
import { createVault } from '../auth/vault.ts';
import type { AttemptCounts } from '../db/attempt-counts.ts';
import { type ApiKeys, createApiKeys } from '../features/admin/api-keys/service.ts';
import { createPepCodes, type PepCodes } from '../features/admin/pep/service.ts';
import { revokeAccess } from '../features/admin/sessions/service.ts';
import { createUsers, lockUser, type Users } from '../features/admin/users/service.ts';
import { type Agents, agentLoginRefusal, agentOfNewLogin, createAgents } from '../features/agents/service.ts';
import type { Approvals } from '../features/approvals/service.ts';
import type { BulkPayments } from '../features/bulk-payments/service.ts';
import { type CardPayments, createCardPayments } from '../features/card-payments/service.ts';
import { type CardService, createCards, createLinkedCards } from '../features/cards/service.ts';
import { type Compliance, createCompliance } from '../features/compliance/service.ts';
import { createFees, type Fees } from '../features/fees/service.ts';
import { createFeeWhatIf, type FeeWhatIf } from '../features/fees/what-if/operations.ts';
import type { HealthService } from '../features/health/routes.ts';
import { createHealth } from '../features/health/service.ts';
import { createHolds, type Holds } from '../features/holds/service.ts';
import type { LabSeams } from '../features/lab/service.ts';
import type { Conversations, Messaging } from '../features/messaging/service.ts';
import { createMetricsService, type MetricsService } from '../features/metrics/service.ts';
import type { Notices } from '../features/notices/service.ts';
import { createPaymentRequests, type PaymentRequests } from '../features/payment-requests/service.ts';
import { createPinService, type PinService } from '../features/pins/service.ts';
import { createProcessors, type Processors } from '../features/processors/service.ts';
import { createReporting, type Reporting } from '../features/reporting/service.ts';
import { createSearch, type Search } from '../features/search/service.ts';
import { type AccountStatements, createAccountStatements } from '../features/statements/service.ts';
import { createSubscribers, type SubscriberService } from '../features/subscribers/service.ts';
import { createTransactions, type Transactions } from '../features/transactions/service.ts';
import { createWallet, type Wallet } from '../features/wallet/service.ts';
import { loggableError } from '../http/failure.ts';
import { phoneReader, phoneStartReader } from '../kernel/phone.ts';
import { drawnFrom, holdById } from '../ledger/holds/lookup.ts';
import { createBooks } from '../ledger/queries/account-history.ts';
import { accountLimits } from '../ledger/queries/account-limits.ts';
import { createHistoryReplay } from '../ledger/queries/history-replay.ts';
import { createListQueries } from '../ledger/queries/list-queries.ts';
import { createMovementLookup } from '../ledger/queries/movement-lookup.ts';
import { createStatements } from '../ledger/queries/statement.ts';
import { treasuryAccountOf } from '../ledger/system-accounts.ts';
import { createCustomerAccess } from '../parties/customer-access.ts';
import type { LookupLimit } from '../parties/lookup-limit.ts';
import { createPepProtection, type PepProtection } from '../parties/pep-payments.ts';
import type { HoldExpiry } from '../payments/hold-expiry.ts';
import { createNotifying } from '../webhooks/merchant-event.ts';
import { wireApprovals } from './approvals.ts';
import { createBulkServices } from './bulk-services.ts';
import { type CaseServices, createCaseServices } from './case-services.ts';
import { type ConsoleServices, createConsoleServices } from './console-services.ts';
import { createCustomerServices } from './customer-services.ts';
import { createFinanceServices, type FinanceServices } from './finance-services.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createGuessLimits } from './guess-limits.ts';
import { createLoginServices, type LoginServices } from './login-services.ts';
import { createChat, createMessageServices } from './message-services.ts';
import { type AppMetrics, registerGauges } from './metrics.ts';
import { createOwnChannels, type OwnChannels } from './own-channels.ts';
import { createPartnerServices, type PartnerServices } from './partner-services.ts';
import { createPartyLookups } from './party-lookups.ts';
import { createPaymentServices } from './payment-services.ts';
import { reportTo } from './report.ts';
import { createTransactionServices, type TransactionServices } from './transaction-services.ts';

export interface Services
  extends FinanceServices,
    LoginServices,
    PartnerServices,
    ConsoleServices,
    CaseServices,
    TransactionServices,
    OwnChannels {
  audit: AuditLog;
  repeatedEvents: RepeatedEvents;
  attemptCounts: AttemptCounts;
  pins: Pick<GuardedPins, 'share'>;
  lookupLimit: Pick<LookupLimit, 'prune'>;
  holdExpiry: HoldExpiry;
  paymentRequests: PaymentRequests;
  bulkPayments: BulkPayments;
  health: HealthService;
  metrics: MetricsService;
  messaging: Messaging;
  notices: Notices;
  conversations: Conversations;
  users: Users;
  pep: PepCodes;
  protection: PepProtection;
  apiKeys: ApiKeys;
  subscribers: SubscriberService;
  pinService: PinService;
  cards: CardService;
  compliance: Compliance;
  fees: Fees;
  feeWhatIf: FeeWhatIf;
  processors: Processors;
  cardPayments: CardPayments;
  wallet: Wallet;
  holds: Holds;
  transactions: Transactions;
  statements: AccountStatements;
  reporting: Reporting;
  agents: Agents;
  search: Search;
  approvals: Approvals;
}

export interface ServiceSeams {
  /** Called after changes to API keys, partners or processors, to invalidate cached keys. */
  keysChanged(): void;
  /** Undefined: the lab is off. */
  lab: LabSeams | undefined;
}

export function createServices(options: GatewayOptions, metrics: AppMetrics, seams: ServiceSeams): Services {
  const { keysChanged, lab } = seams;
  const { config, database, secrets, clock, loggers, version, siblings } = options;
  const { probeMs } = options.timeouts ?? {};
  const vault = createVault(secrets.MASTER_KEY);
  const audit = createAuditLog({ database, clock, masterKey: secrets.MASTER_KEY });
  const repeatedEvents = createRepeatedEvents({
    onError: (error, { action, details }) =>
      loggers.logger.error({ err: loggableError(error), action, details }, 'a refused attempt could not be recorded'),
    ...{ audit, queries: database.queries, clock },
  });
  const report = reportTo(loggers.logger);
  const { messaging, notices } = createMessageServices(options, metrics, { audit, vault, report });
  const hasher = pinHasher(secrets.PIN_PEPPER);
  const access = createCustomerAccess();
  const { pins, attemptCounts, lookupLimit, enquiryLimit } = createGuessLimits({
    access,
    raise: (observed) => compliance.raise(observed),
    ...{ database, audit, hasher, notices, metrics: metrics.pins, clock },
  });
  const phone = phoneReader(config.country);
  const guarded = createPepProtection({ database, audit, clock }, phone);
  const books = createBooks(database);
  const linkedCards = createLinkedCards(database.reader);
  const { refuseCommonPins, verifyCardShowsBalance } = config;
  const subscribers = createSubscribers({
    ...{ cards: linkedCards, lookupLimit, access },
    codeHasher: hasher,
    verifyPhones: config.verifyPhones,
    ...{ database, audit, pins, phone, books, notices, attemptCounts, ...guarded, clock, refuseCommonPins },
  });
  const requireStock = config.cardsRequireStock;
  const cards = createCards({ database, audit, subscribers, notices, ...guarded, clock, requireStock });
  const fees = createFees({ database, audit, clock });
  const paying = createPaymentServices(options, metrics, { audit, fees, lab });
  const { payments, holdExpiry, ruleCache, rulesChanged, answered, firstRequest, stripe } = paying;
  const { cardLookups, findPartnerTerms, ...names } = createPartyLookups(database.reader);
  const { holders, findPartner, findProcessor, findAgent } = names;
  const findHold = holdById(database.reader);
  const movements = createMovementLookup(database);
  const replay = createHistoryReplay(database);
  const reads = { ...createListQueries(database.pool), books, queries: database.queries };
  const transactions = createTransactions({ ...reads, ...names, vault, ...guarded });
  const users = createUsers({
    readPhone: phone,
    ownerRefusal: agentLoginRefusal,
    findAgent: agentOfNewLogin,
    generatedPasswordsExpire: config.appEnv !== 'development',
    ...{ database, audit, messaging, revokeAccess, clock },
  });
  const apiKeyOptions = { appEnv: config.appEnv, rotationOverlapSeconds: config.keyRotationOverlapSeconds };
  const apiKeys = createApiKeys({ database, audit, vault, clock, keysChanged, ...apiKeyOptions });
  const treasuryAccount = treasuryAccountOf(stripe);
  const finance = createFinanceServices(options, {
    ...{ database, audit, fees, payments, treasuryAccount, findPartner, ...guarded, clock },
  });
  const ofPartners = createPartnerServices(options, metrics, seams, {
    cards: cardLookups,
    findPartner: findPartnerTerms,
    ...{ database, audit, vault, books, payments, answered, holders, subscribers, transactions, treasuryAccount },
    ...{ enquiryLimit, ...guarded, phone, clock, report },
  });
  const notifying = createNotifying(ofPartners.webhooks, clock);
  const compliance = createCompliance({
    metrics: metrics.compliance,
    checkOf: ruleCache.checkOf,
    ...{ movements, database, audit, clock, replay, rulesChanged, ...names, ...guarded },
  });
  const forCases = createCaseServices(options, {
    ...{ linkedCards, subscribers, transactions, access, vault, audit },
    ...{ payments, movements, findHold, holdExpiry, books, holders, pins, pep: guarded.pep, notices },
  });
  const sources = { database, audit, messaging, compliance, clock, probeMs };
  registerGauges(metrics, { ...finance, ...ofPartners, ...forCases, ...sources });
  const wallet = createWallet({
    cards: cardLookups,
    ...{ audit, holders, findAgent, findPartner, pins, books, payments, phone, ...guarded, clock },
  });
  const paymentRequests = createPaymentRequests({
    publicUrl: config.publicOrigin,
    returnsLocally: config.appEnv === 'development',
    ussdServiceCode: config.ussdServiceCode,
    qr: config.qr,
    ...{ database, audit, vault, payments, notifying, holders, findProcessor, pins, phone, pep: guarded.pep },
    ...{ notices, clock },
  });
  const ownChannelServices = createCustomerServices(options, {
    codeHasher: hasher,
    raise: (observed) => compliance.raise(observed),
    ...{ audit, holders, findProcessor, findAgent, findHold, pins, payments, notifying, wallet, paymentRequests },
    ...{ lookupLimit, attemptCounts, notices, messaging, vault, access, phone },
  });
  const bulkPayments = createBulkServices(options, metrics, {
    findPartner: findPartnerTerms,
    feeSettings: fees.settings,
    checkOf: ruleCache.checkOf,
    webhooks: ofPartners.webhooks,
    pep: guarded.pep,
    unclaimedCodes: ownChannelServices.customerPayments.unclaimedCodes,
    ...{ payments, findHold, holders, treasuryAccount, report, audit, phone, findProcessor },
  });
  const services = {
    ...finance,
    ...ofPartners,
    ...{ audit, repeatedEvents, attemptCounts, pins, lookupLimit, messaging, notices, protection: guarded },
    conversations: createChat(options, {
      findSubscriber: holders.byPhone,
      openCase: forCases.cases.own.openFromChat,
      ...{ vault, phone, messaging, report },
    }),
    ...createLoginServices(options, { audit, repeatedEvents, vault, hasher, messaging, phone, attemptCounts }),
    users,
    pep: createPepCodes({ database, audit, messaging, hasher, lockUser, clock }),
    apiKeys,
    health: createHealth({ database, version, timeoutMs: probeMs }),
    metrics: createMetricsService({
      metrics: metrics.all,
      version,
      timeoutMs: probeMs,
      collect: siblings?.collectMetrics,
    }),
    subscribers,
    pinService: createPinService({
      codeHasher: hasher,
      ...{ database, audit, pins, notices, attemptCounts, access, ...guarded, phone, clock, refuseCommonPins },
    }),
    cards,
    compliance,
    fees,
    feeWhatIf: createFeeWhatIf({ database, clock, replay, ...names, ...guarded }),
    cardPayments: createCardPayments({
      ...{ lookUp: movements, cards: cardLookups, findCard: cards.find },
      ...{ findHold, lookupLimit, verifyCardShowsBalance },
      ...{ audit, findProcessor, holders, subscribers, pins, books, payments, notifying, phone, ...guarded, clock },
    }),
    processors: createProcessors({
      ...{ database, audit, apiKeys, users, messaging, notices, books, payments, notifying },
      ...{ holders, findProcessor, transactions, phone, clock, keysChanged },
      ...{ qr: config.qr, operatorName: config.operatorName },
      payoutReturns: finance.reconciliation.payoutReturns,
    }),
    agents: createAgents({
      ...{ cards: cardLookups, fundMax: config.agentFundMax, treasuryDailyLimit: config.treasuryDailyLimit },
      settleCommission: finance.commission.settleFinally,
      ...{ database, audit, users, pins, messaging, notices, findAgent, holders, books, payments, transactions, fees },
      ...{ treasuryAccount, phone, clock, refuseCommonPins, lookupLimit },
    }),
    search: createSearch({
      ...{ reader: database.ownReader, books, holders, phone, phoneStart: phoneStartReader(config.country) },
      ...{ ...guarded, lookupLimit, clock },
    }),
    wallet,
    holdExpiry,
    paymentRequests,
    bulkPayments,
    ...ownChannelServices,
    ...forCases,
    holds: createHolds({ findHold, drawnFrom: drawnFrom(database.reader), ...names, database, ...guarded, clock }),
    transactions,
    statements: createAccountStatements({ statements: createStatements(database.pool), ...names, ...guarded, clock }),
    reporting: createReporting({
      financeAttention: finance.closes.attention,
      caseCounts: forCases.cases.counts,
      ...{ unsealed: audit.unsealed, database, ...guarded, clock },
    }),
    ...createTransactionServices(options, {
      deliveries: ofPartners.webhookDeliveries,
      ...{ ...names, compliance, audit, ...guarded },
    }),
  };
  const approvals = wireApprovals(services, {
    ...{ database, audit, vault, payments, answered, movements, clock, approvals: config.approvals },
    ...{ ...names, ...guarded },
  });
  const parties = { ...names, books, limitsOf: accountLimits(database.reader), phone, payments };
  const forms = { approvals, answered, firstRequest, refundTerms: services.cardPayments.refundTerms };
  const forConsole = createConsoleServices({ ...services, ...paying, ...parties, ...forms, ...guarded, ...options });
  const forCustomers = createOwnChannels(options, { ...services, ...forConsole, ...parties, access });
  return { ...services, ...forConsole, ...forCustomers, approvals };
}
