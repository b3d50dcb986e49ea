// Creates the services of logins: sessions and second factors, which share one count of wrong passwords and codes.
import type { AuditLog } from '../audit/log.ts';
import type { RepeatedEvents } from '../audit/repeated-events.ts';
import type { PinHasher } from '../auth/pins/attempts.ts';
import type { AccessTokens } from '../auth/tokens.ts';
import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/database.ts';
import { createSecondFactors, type SecondFactors } from '../features/admin/second-factor/service.ts';
import { createAttempts, createSessions, endAccess, type Sessions } from '../features/admin/sessions/service.ts';
import type { Messaging } from '../features/messaging/service.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config/config.ts';
import type { PhoneReader } from '../kernel/phone.ts';

export interface LoginDependencies {
  config: Config;
  database: Database;
  audit: AuditLog;
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  tokens: AccessTokens;
  vault: Vault;
  hasher: PinHasher;
  readPhone: PhoneReader;
  clock: Clock;
  messaging: Messaging;
}

export function createLoginServices(deps: LoginDependencies): { sessions: Sessions; secondFactors: SecondFactors } {
  const { config, database, audit, repeatedEvents, tokens, vault, hasher, readPhone, clock } = deps;
  const attempts = createAttempts({ queries: database.queries, clock });
  const { webauthn } = config.secondFactor;
  const secondFactors = createSecondFactors({ database, audit, vault, hasher, clock, webauthn, endAccess, attempts });
  const { messaging } = deps;
  const { sessionMaxMs } = config;
  const sessions = createSessions({
    ...{ database, audit, repeatedEvents, tokens, messaging, readPhone, clock, attempts, secondFactors, sessionMaxMs },
  });
  return { sessions, secondFactors };
}
