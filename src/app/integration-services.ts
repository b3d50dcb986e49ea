// Creates the services for integrators and their support: the request log and the lab.
import type { KeyRecords } from '../auth/key-records.ts';
import { createVault } from '../auth/vault.ts';
import { createLab, type Lab, type LabSeams } from '../features/lab/service.ts';
import { createRequestLog, type RequestLog } from '../features/request-log/service.ts';
import { phoneReader } from '../kernel/phone.ts';
import { resolveByDns, resolveBySystem } from '../webhooks/resolve.ts';
import { createTransport } from '../webhooks/transport.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Services } from './services.ts';

export interface IntegrationServices {
  requestLog: RequestLog;
  /** Undefined: the lab is off. */
  lab: Lab | undefined;
}

export interface IntegrationSeams {
  keys: KeyRecords;
  lab: LabSeams | undefined;
}

export function createIntegrationServices(
  options: GatewayOptions,
  services: Services,
  { keys, lab }: IntegrationSeams,
): IntegrationServices {
  const { config, database, secrets, clock } = options;
  const vault = createVault(secrets.MASTER_KEY);
  const { apiKeys, protection } = services;
  const perSecond = config.requestLogPerSecond;
  return {
    requestLog: createRequestLog({ database, keys, apiKeys, vault, clock, perSecond, ...protection }),
    lab: lab && labOf(options, services, lab),
  };
}

function labOf({ config, database, clock, version }: GatewayOptions, services: Services, seams: LabSeams): Lab {
  const { webhookAllowPrivate: allowPrivate, operatorName, appEnv: environment, ussdServiceCode } = config;
  const transport = createTransport({ allowPrivate, resolve: allowPrivate ? resolveBySystem : resolveByDns() });
  const { audit, closes, inbound, subscribers, cards, partners, paymentRequests, protection } = services;
  const { ussd, messaging } = services;
  return createLab({
    endpointOf: partners.webhookEndpoint,
    ...{ seams, database, clock, version, operatorName, environment, transport },
    ...{ audit, closes, inbound, subscribers, cards, paymentRequests, ussd, messaging, ...protection },
    ...{ readPhone: phoneReader(config.country), ussdServiceCode },
  });
}
