// Combines the admin endpoints: session endpoints without authentication, all others with an access token.
import type { AuditLog } from '../../audit/log.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { AppEnv } from '../../kernel/config/config.ts';
import type { PepProtection } from '../../parties/pep-payments.ts';
import type { Gate } from '../approvals/service.ts';
import type { Messaging } from '../messaging/service.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import type { ApiKeys } from './api-keys/service.ts';
import { auditRoutes } from './audit/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { pepRoutes } from './pep/routes.ts';
import type { PepCodes } from './pep/service.ts';
import { roleRoutes } from './roles/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import type { SecondFactors } from './second-factor/service.ts';
import { ownAccountRoutes } from './sessions/routes.ts';
import type { Sessions } from './sessions/service.ts';
import { userRoutes } from './users/routes.ts';
import type { Users } from './users/service.ts';

export { recoveryRoutes, sessionRoutes } from './sessions/routes.ts';

export interface AdminServices {
  sessions: Sessions;
  secondFactors: SecondFactors;
  users: Users;
  apiKeys: ApiKeys;
  audit: AuditLog;
  messaging: Messaging;
  pep: PepCodes;
  protection: PepProtection;
  appEnv: AppEnv;
  version: string;
  secondFactorRequired: boolean;
  gate: Gate;
}

export function adminRoutes(services: AdminServices): Endpoint[] {
  const { sessions, secondFactors, users, apiKeys, audit, messaging, pep, gate } = services;
  const { appEnv, version, secondFactorRequired } = services;
  return [
    ...ownAccountRoutes(sessions, users, { environment: appEnv, version }),
    ...secondFactorRoutes(secondFactors, gate, { required: secondFactorRequired }),
    ...pepRoutes(pep),
    ...userRoutes(users, gate),
    ...roleRoutes(),
    ...apiKeyRoutes(apiKeys, gate),
    ...auditRoutes(audit, services.protection),
    ...messageRoutes(messaging, appEnv),
  ];
}
