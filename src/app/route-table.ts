// The API on one screen: which family lives where, who may knock, and in which envelope it answers.
import type { Authentication } from '../auth/authenticate.ts';
import { healthRoutes } from '../features/health/routes.ts';
import type { Row } from '../http/endpoint.ts';
import { legacyEnvelope as legacy } from '../http/envelope.ts';
import type { Services } from './compose.ts';

export interface Credentials {
  none: Authentication;
  bearer: Authentication;
  bearerOrService: Authentication;
}

const API = '/api/v1';

// prettier-ignore
export function routeTable(services: Services, { none, bearer, bearerOrService }: Credentials): Row[] {
  void bearer;
  void bearerOrService;
  void API;
  return [
    { family: 'health', prefix: '', authentication: none, envelope: legacy, endpoints: healthRoutes(services.health) },
  ];
}
