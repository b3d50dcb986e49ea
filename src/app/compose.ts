// Composition root: builds a gateway, ready to listen, from configuration, secrets and a database.
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { createHeadRecorder } from '../audit/ledger-heads.ts';
import { createKeyRecords } from '../auth/key-records.ts';
import { createNonceStore } from '../auth/signatures/nonces.ts';
import { createDoctor } from '../features/doctor/service.ts';
import { createLabSeams } from '../features/lab/service.ts';
import { createStatus } from '../features/status/service.ts';
import { certificateCheck } from '../http/client-certificates.ts';
import { Exports } from '../http/csv/exports.ts';
import type { RouteGroup } from '../http/endpoint.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import { AdmissionControl } from '../http/overload/admission-control.ts';
import { registerAdmissionMetrics } from '../http/overload/metrics.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { buildServer } from '../http/server.ts';
import { servedPages } from '../http/web-pages.ts';
import { createRequestPruning } from '../ledger/posting/request-pruning.ts';
import { createCheckpoints } from '../ledger/queries/checkpoints.ts';
import { sealKeys } from '../ledger/seals/format.ts';
import { createCredentials } from './authentication.ts';
import { type BackgroundTask, createBackgroundTasks } from './background-tasks.ts';
import { FIELD_DESCRIPTIONS } from './descriptions/index.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createIntegrationServices, type IntegrationServices } from './integration-services.ts';
import { createMetrics, registerTracingMetrics } from './metrics.ts';
import { readExamples, WEBHOOKS } from './openapi-parts.ts';
import { recordExport } from './recorded-exports.ts';
import { recordRefusedAttempt } from './refused-attempts.ts';
import { routeTable } from './route-table.ts';
import { createServices, type Services } from './services.ts';

export interface Gateway {
  app: FastifyInstance;
  services: Services & IntegrationServices;
  routeGroups: RouteGroup[];
  /** Background tasks; the caller starts them. */
  backgroundTasks: BackgroundTask[];
  /** Waits for requests in flight, then stops the workers and closes the Redis connection. The database stays open. */
  close(): Promise<void>;
}

export async function compose(options: GatewayOptions): Promise<Gateway> {
  const { config, database, clock, version, siblings } = options;
  const { logger } = options.loggers;
  const keys = createKeyRecords(database.reader, clock, { testKeys: config.appEnv !== 'production' });
  const metrics = createMetrics();
  const { tracing = null } = options;
  if (tracing) registerTracingMetrics(metrics.all, tracing.counts);
  siblings?.onChanged('keys', keys.invalidate);
  const keysChanged = () => {
    keys.invalidate();
    siblings?.tellChanged('keys');
  };
  const lab = config.lab ? createLabSeams({ ...config, ...options, lateMs: options.timeouts?.labLateMs }) : undefined;
  const domain = createServices(options, metrics, { keysChanged, lab });
  const integration = createIntegrationServices(options, domain, { keys, lab });
  const doctor = createDoctor(options);
  const newLane = () => new AdmissionControl({ limit: config.maxInFlight });
  const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };
  const { failed, unknown, shed } = metrics.ledger;
  const status = createStatus({
    ...{ database, clock, webhooks: domain.webhooks, messaging: domain.messaging },
    countFailures: () =>
      failed.value + unknown.value + shed.full.value + shed.late.value + lanes.changes.state().rejected,
    maintenance: config.maintenance,
    timeoutMs: options.timeouts?.probeMs,
  });
  const services = { ...domain, ...integration, doctor, status, payable: options.payable ?? domain.paymentRequests };
  const recordHeads = createHeadRecorder({ database, audit: services.audit });
  const plainNonces = createNonceStore(database.pool);
  const nonces = lab?.nonces(plainNonces) ?? plainNonces;
  const checkpoints = createCheckpoints(database.pool);
  const requestPruning = createRequestPruning({
    pool: database.pool,
    clock,
    sealKeys: sealKeys(options.secrets.MASTER_KEY),
    days: config.idempotencyDays,
  });
  const credentials = createCredentials(options, { keys, nonces });
  const plainGroups = routeTable(services, credentials, { ...config, version });
  const routeGroups = lab?.routes(plainGroups) ?? plainGroups;
  const redis = config.redisUrl ? await connectRedis(config.redisUrl, logger, options.timeouts?.redisMs) : undefined;
  const rateLimits = createRateLimits({
    ...config.rateLimit,
    user: config.userRateLimit,
    perMinute: {
      registration: config.publicRegistrationPerMinute,
      login: config.loginsPerMinute,
      customer: config.customerLoginsPerMinute,
      bridge: config.messaging.bridgePerMinute,
      platform: config.messaging.unsignedPerMinute,
      page: config.publicPagesPerMinute,
      notice: Math.ceil(config.publicPagesPerMinute / VIEWS_PER_NOTICE),
    },
    clock,
    countGuess: (subject, windowMs) => services.attemptCounts.add(subject, { counted: 1, correct: 0 }, windowMs),
    ...(redis ? { redis } : {}),
    ...(siblings ? { countAtSupervisor: siblings.countRequests } : {}),
  });
  const recordRefusal = recordRefusedAttempt(services.repeatedEvents);
  const exports = new Exports({
    clock,
    record: recordExport(services.audit, database.queries),
    onError: (error) => logger.error({ err: loggableError(error) }, 'the end of an export was not recorded'),
    limits: options.exportLimits ?? {},
  });
  registerAdmissionMetrics(metrics.all, lanes);
  const app = await buildServer({
    groups: routeGroups,
    tools: {
      countRefusal: services.reporting.countRefusal,
      checkCertificate: certificateCheck(config.partnerCertificates, config.trustProxy),
      replicas: database.replicas,
      ...{ rateLimits, lanes, exports, recordRefusal },
    },
    bearer: credentials.bearer,
    loggers: options.loggers,
    version,
    webhooks: WEBHOOKS,
    examples: readExamples,
    fieldDescriptions: FIELD_DESCRIPTIONS,
    fastLane: config.fastLane,
    trustProxy: config.trustProxy,
    docs: config.docs,
    webPages: servedPages(config),
    pageNames: { operator: config.operatorName, support: config.ussd.supportNumber, ussd: config.ussdServiceCode },
    maxConnections: Math.ceil(config.maxConnections / (siblings?.count ?? 1)),
    metrics: metrics.all,
    recorder: services.requestLog.recorder,
    tracing,
  });
  return {
    app,
    services,
    routeGroups,
    backgroundTasks: createBackgroundTasks({ ...services, nonces, checkpoints, requestPruning, recordHeads, clock }),
    async close() {
      exports.stop();
      await app.close();
      await exports.recorded();
      await services.bulkPayments.execution.stopRunning();
      await Promise.all(
        [services.notices, services.conversations, services.messaging, services.webhooks].map((worker) =>
          worker.stop(),
        ),
      );
      await services.repeatedEvents.close();
      // Counts of refusals are approximate: a database that is down does not prevent the stop.
      await services.reporting.flush().catch(() => undefined);
      await services.refusals.flush(true).catch(() => undefined);
      await services.requestLog.flush().catch(() => undefined);
      redis?.disconnect();
    },
  };
}

/** A payment page is read often while a payment waits, and sends a message once or twice. */
const VIEWS_PER_NOTICE = 20;
const REDIS_TIMEOUT_MS = 200;

/** Loads the client only if Redis is configured. */
async function connectRedis(url: string, logger: Logger, commandTimeout = REDIS_TIMEOUT_MS): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout });
  redis.on('error', (error) =>
    logger.warn({ err: loggableError(error) }, 'Redis is unavailable; rate limits apply per process'),
  );
  return redis;
}
