// The API on one screen: which family lives where, who may knock, and in which envelope it answers.
import type { Authentication } from '../auth/authenticate.ts';
import { adminRoutes, sessionRoutes } from '../features/admin/routes.ts';
import { healthRoutes } from '../features/health/routes.ts';
import { publicSubscriberRoutes, subscriberReadRoutes, subscriberRoutes } from '../features/subscribers/routes.ts';
import type { Row } from '../http/endpoint.ts';
import { legacyEnvelope as legacy } from '../http/envelope.ts';
import type { Config } from '../kernel/config.ts';
import type { Services } from './compose.ts';

export interface Credentials {
  none: Authentication;
  bearer: Authentication;
  bearerOrService: Authentication;
}

const API = '/api/v1';

// prettier-ignore
export function routeTable(
  services: Services,
  { none, bearer, bearerOrService }: Credentials,
  { appEnv }: Pick<Config, 'appEnv'>,
): Row[] {
  return [
    { family: 'health', prefix: '', authentication: none, envelope: legacy, endpoints: healthRoutes(services.health) },
    {
      family: 'admin',
      prefix: API,
      authentication: none,
      envelope: legacy,
      endpoints: sessionRoutes(services.sessions),
    },
    {
      family: 'admin',
      prefix: API,
      authentication: bearer,
      envelope: legacy,
      endpoints: adminRoutes({ ...services, appEnv }),
    },
    {
      family: 'subscribers',
      prefix: API,
      authentication: none,
      envelope: legacy,
      endpoints: publicSubscriberRoutes(services.subscribers),
    },
    {
      family: 'subscribers',
      prefix: API,
      authentication: bearerOrService,
      envelope: legacy,
      endpoints: subscriberReadRoutes(services.subscribers),
    },
    {
      family: 'subscribers',
      prefix: API,
      authentication: bearer,
      envelope: legacy,
      endpoints: subscriberRoutes(services.subscribers),
    },
  ];
}
