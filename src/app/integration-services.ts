// Creates the services for integrators and their support: the request log.
import type { KeyRecords } from '../auth/key-records.ts';
import { createVault } from '../auth/vault.ts';
import { createRequestLog, type RequestLog } from '../features/request-log/service.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Services } from './services.ts';

export interface IntegrationServices {
  requestLog: RequestLog;
}

export function createIntegrationServices(
  { config, database, secrets, clock }: GatewayOptions,
  { apiKeys }: Pick<Services, 'apiKeys'>,
  keys: KeyRecords,
): IntegrationServices {
  const vault = createVault(secrets.MASTER_KEY);
  const perSecond = config.requestLogPerSecond;
  return { requestLog: createRequestLog({ database, keys, apiKeys, vault, clock, perSecond }) };
}
