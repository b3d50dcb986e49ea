// Creates the login services: sessions and second factors, which share one count of wrong passwords and codes.
import type { AuditLog } from '../audit/log.ts';
import type { RepeatedEvents } from '../audit/repeated-events.ts';
import type { PinHasher } from '../auth/pins/hasher.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import type { Vault } from '../auth/vault.ts';
import type { AttemptCounts } from '../db/attempt-counts.ts';
import { createSecondFactors, type SecondFactors } from '../features/admin/second-factor/service.ts';
import {
  createAttempts,
  createPasswordRecovery,
  createSessions,
  endAccess,
  type PasswordRecovery,
  revokeAccess,
  type Sessions,
} from '../features/admin/sessions/service.ts';
import type { Messaging } from '../features/messaging/service.ts';
import type { PhoneReader } from '../kernel/phone.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface LoginServices {
  sessions: Sessions;
  secondFactors: SecondFactors;
  passwordRecovery: PasswordRecovery;
}

export interface LoginDependencies {
  audit: AuditLog;
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  vault: Vault;
  hasher: PinHasher;
  phone: PhoneReader;
  messaging: Messaging;
  attemptCounts: AttemptCounts;
}

export function createLoginServices(
  { config, secrets, database, clock }: Pick<GatewayOptions, 'config' | 'secrets' | 'database' | 'clock'>,
  { audit, repeatedEvents, vault, hasher, phone: readPhone, messaging, attemptCounts }: LoginDependencies,
): LoginServices {
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const attempts = createAttempts({ queries: database.queries, clock });
  const { webauthn } = config.secondFactor;
  const secondFactors = createSecondFactors({
    ...{ database, audit, vault, hasher, clock, webauthn, endAccess, revokeAccess, attempts },
  });
  const { sessionMaxMs } = config;
  const sessions = createSessions({
    ...{ database, audit, repeatedEvents, tokens, messaging, readPhone, clock, attempts, secondFactors, sessionMaxMs },
  });
  const passwordRecovery = createPasswordRecovery({
    ...{ database, audit, messaging, readPhone, hasher, attemptCounts, clock },
  });
  return { sessions, secondFactors, passwordRecovery };
}
