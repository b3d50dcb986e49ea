// Creates the login services: sessions and second factors, which share one count of wrong passwords and codes, and the sessions of
// customers.
import type { AuditLog } from '../audit/log.ts';
import type { RepeatedEvents } from '../audit/repeated-events.ts';
import type { PinHasher } from '../auth/pins/attempts.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import type { Vault } from '../auth/vault.ts';
import { createSecondFactors, type SecondFactors } from '../features/admin/second-factor/service.ts';
import {
  createAttempts,
  createSessions,
  endAccess,
  revokeAccess,
  type Sessions,
} from '../features/admin/sessions/service.ts';
import { type CustomerSessionService, createCustomerSessionService } from '../features/customer-session/service.ts';
import type { Messaging } from '../features/messaging/service.ts';
import type { PhoneReader } from '../kernel/phone.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface LoginServices {
  sessions: Sessions;
  secondFactors: SecondFactors;
  customerSessions: CustomerSessionService;
}

type MadeHere = 'database' | 'tokens' | 'codeHasher' | 'sessionMaxMs' | 'clock';

export interface LoginDependencies extends Omit<Parameters<typeof createCustomerSessionService>[0], MadeHere> {
  audit: AuditLog;
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  vault: Vault;
  hasher: PinHasher;
  phone: PhoneReader;
  messaging: Messaging;
}

export function createLoginServices(
  { config, secrets, database, clock }: Pick<GatewayOptions, 'config' | 'secrets' | 'database' | 'clock'>,
  { audit, repeatedEvents, vault, hasher, phone: readPhone, messaging, ...ofCustomers }: LoginDependencies,
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
  const customerSessions = createCustomerSessionService({
    codeHasher: hasher,
    phone: readPhone,
    ...{ database, audit, tokens, sessionMaxMs, clock, ...ofCustomers },
  });
  return { sessions, secondFactors, customerSessions };
}
