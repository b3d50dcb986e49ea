// Wires everything: from configuration, secrets and a database to a gateway that is ready to listen.
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { AuditLog } from '../audit/log.ts';
import { keyRecords } from '../auth/key-records.ts';
import { createNonceStore } from '../auth/nonces.ts';
import type { Row } from '../http/endpoint.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import type { RefusedAttempt } from '../http/row.ts';
import { buildServer } from '../http/server.ts';
import { createCheckpoints } from '../ledger/checkpoints.ts';
import { createCredentials } from './credentials.ts';
import { type Chore, choresOf } from './housekeeping.ts';
import { routeTable } from './route-table.ts';
import { createServices, type Parts, type Services } from './services.ts';

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
  const { config, database, clock, version } = parts;
  const { logger } = parts.loggers;
  const keys = keyRecords(database.reader, clock);
  const services = createServices(parts, keys.forget);
  const nonces = createNonceStore(database.pool);
  const checkpoints = createCheckpoints(database.pool);
  const credentials = createCredentials(parts, { keys, nonces });
  const rows = routeTable(services, credentials, config);
  const redis = config.redisUrl ? await connectRedis(config.redisUrl, logger) : undefined;
  const rateLimits = createRateLimits({
    ...config.rateLimit,
    perMinute: { registration: config.publicRegistrationPerMinute, login: config.loginsPerMinute },
    clock,
    ...(redis ? { redis } : {}),
  });
  const recordRefusal = (attempt: RefusedAttempt) => recordRefusedAttempt(attempt, services.audit, parts);
  const app = await buildServer({
    rows,
    tools: { rateLimits, recordRefusal },
    bearer: credentials.bearer,
    loggers: parts.loggers,
    version,
    trustProxy: config.trustProxy,
  });
  return {
    app,
    services,
    rows,
    chores: choresOf({ ...services, nonces, checkpoints, clock }),
    async close() {
      await app.close();
      await services.webhooks.stop();
      redis?.disconnect();
    },
  };
}

/** A refusal is answered even when it cannot be recorded: the database may be what is broken. */
async function recordRefusedAttempt(
  attempt: RefusedAttempt,
  audit: AuditLog,
  { database, loggers }: Parts,
): Promise<void> {
  const { call, action, target, refusal } = attempt;
  try {
    await audit.record(database.queries, call, {
      action: `${action}.refused`,
      resourceType: action.split('.', 1)[0] ?? action,
      ...resourceOf(call),
      details: { path: target.split('?', 1)[0], code: refusal.code, status: refusal.status },
    });
  } catch (error) {
    loggers.logger.error({ err: loggableError(error) }, 'a refused attempt could not be recorded');
  }
}

/** What the attempt was aimed at: the record that the path names. */
function resourceOf({ params }: RefusedAttempt['call']): { resourceId?: string } {
  const [id] = Object.values((params ?? {}) as Record<string, string>);
  return id === undefined ? {} : { resourceId: id };
}

/** Loaded only where it is used: most have no Redis. */
async function connectRedis(url: string, logger: Logger): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 200 });
  redis.on('error', (error) =>
    logger.warn({ err: loggableError(error) }, 'Redis does not answer; limits are kept per process'),
  );
  return redis;
}
