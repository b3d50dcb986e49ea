// What the service can do, as objects: each domain's verbs over what they depend on.
import { type AuditLog, createAuditLog } from '../audit/log.ts';
import { pinHasher } from '../auth/pin-hash.ts';
import { createPins } from '../auth/pins.ts';
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
import type { Logger } from '../http/log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config, SecretName } from '../kernel/config.ts';
import { phoneReader } from '../kernel/phone.ts';
import { createBooks } from '../ledger/reading.ts';

/** What everything is made from. */
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

export function createServices({ config, database, secrets, clock, version }: Parts): Services {
  const { queries } = database;
  const vault = createVault(secrets.MASTER_KEY);
  const audit = createAuditLog({ database, clock });
  const messaging = createMessaging({ queries, vault, clock });
  const pins = createPins({ pool: database.pool, hasher: pinHasher(secrets.PIN_PEPPER), clock });
  const phone = phoneReader(config.country);
  const books = createBooks(database.pool);
  const cardCount = async () => 0;
  const subscribers = createSubscribers({ database, audit, pins, phone, books, cardCount, clock });
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
