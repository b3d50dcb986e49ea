// Wires everything: from configuration, secrets and a database to a gateway that is ready to listen.
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { type AuditLog, createAuditLog } from '../audit/log.ts';
import { bearerAuthentication, noAuthentication } from '../auth/bearer.ts';
import { keyRecords } from '../auth/key-records.ts';
import { createNonceStore } from '../auth/nonces.ts';
import { pinHasher } from '../auth/pin-hash.ts';
import { createPins } from '../auth/pins.ts';
import { eitherOf, serviceAuthentication } from '../auth/service.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import { createVault } from '../auth/vault.ts';
import type { Database } from '../db/database.ts';
import { type ApiKeys, createApiKeys } from '../features/admin/api-keys/service.ts';
import { createSessions, type Sessions } from '../features/admin/sessions/service.ts';
import { createUsers, type Users } from '../features/admin/users/service.ts';
import type { HealthService } from '../features/health/routes.ts';
import { createHealth } from '../features/health/service.ts';
import { createMessaging, type Messaging } from '../features/messaging/service.ts';
import { createSubscribers, type SubscriberService } from '../features/subscribers/service.ts';
import type { Row } from '../http/endpoint.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import type { RefusedAttempt } from '../http/row.ts';
import { buildServer } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config, SecretName } from '../kernel/config.ts';
import { phoneReader } from '../kernel/phone.ts';
import { type Chore, choresOf } from './housekeeping.ts';
import { type Credentials, routeTable } from './route-table.ts';

export interface Parts {
  config: Config;
  secrets: Record<SecretName, string>;
  database: Database;
  clock: Clock;
  logger: Logger;
  version: string;
}

export interface Services {
  audit: AuditLog;
  health: HealthService;
  messaging: Messaging;
  sessions: Sessions;
  users: Users;
  apiKeys: ApiKeys;
  subscribers: SubscriberService;
}

export interface Gateway {
  app: FastifyInstance;
  services: Services;
  rows: Row[];
  /** What recurs in the background, once somebody sets it going. */
  chores: Chore[];
  /** In-flight requests finish, then what was opened here is closed. */
  close(): Promise<void>;
}

export async function compose(parts: Parts): Promise<Gateway> {
  const { config, database, clock, logger, version } = parts;
  const services = createServices(parts);
  const nonces = createNonceStore(database.pool);
  const rows = routeTable(services, createCredentials(parts), config);
  const redis = config.redisUrl ? connectRedis(config.redisUrl, logger) : undefined;
  const rateLimits = createRateLimits({
    ...config.rateLimit,
    publicRegistrationPerMinute: config.publicRegistrationPerMinute,
    clock,
    ...(redis ? { redis } : {}),
  });
  const recordRefusal = (attempt: RefusedAttempt) => recordRefusedAttempt(attempt, services.audit, parts);
  const app = await buildServer({
    rows,
    tools: { rateLimits, recordRefusal },
    logger,
    version,
    trustProxy: config.trustProxy,
  });
  return {
    app,
    services,
    rows,
    chores: choresOf({ audit: services.audit, sessions: services.sessions, nonces, clock }),
    async close() {
      await app.close();
      redis?.disconnect();
    },
  };
}

function createServices({ config, database, secrets, clock, version }: Parts): Services {
  const { queries } = database;
  const vault = createVault(secrets.MASTER_KEY);
  const audit = createAuditLog({ database, clock });
  const messaging = createMessaging({ queries, vault, clock });
  const pins = createPins({ pool: database.pool, hasher: pinHasher(secrets.PIN_PEPPER), clock });
  const phone = phoneReader(config.country);
  const subscribers = createSubscribers({ database, audit, pins, phone, clock });
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const keyTerms = { appEnv: config.appEnv, rotationOverlapSeconds: config.keyRotationOverlapSeconds };
  return {
    audit,
    messaging,
    sessions: createSessions({ database, audit, tokens, clock }),
    users: createUsers({ database, audit, messaging, readPhone: phone, clock }),
    apiKeys: createApiKeys({ database, audit, vault, clock, ...keyTerms }),
    health: createHealth({ database, clock, version }),
    subscribers,
  };
}

function createCredentials({ config, database, secrets, clock }: Parts): Credentials {
  const keys = keyRecords(database.pool);
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const bearer = bearerAuthentication({ pool: database.pool, keys, tokens, clock });
  const service = serviceAuthentication({ serviceSecrets: config.serviceSecrets, clock });
  return { none: noAuthentication, bearer, bearerOrService: eitherOf(bearer, service) };
}

/** A refusal is answered even when it cannot be recorded: the database may be what is broken. */
async function recordRefusedAttempt(
  attempt: RefusedAttempt,
  audit: AuditLog,
  { database, logger }: Parts,
): Promise<void> {
  const { call, action, target, refusal } = attempt;
  try {
    await audit.record(database.queries, call, {
      action: `${action}.refused`,
      details: { path: target.split('?', 1)[0], code: refusal.code, status: refusal.status },
    });
  } catch (error) {
    logger.error({ err: loggableError(error) }, 'a refused attempt could not be recorded');
  }
}

function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 200 });
  redis.on('error', (error) =>
    logger.warn({ err: loggableError(error) }, 'Redis does not answer; limits are kept per process'),
  );
  return redis;
}
