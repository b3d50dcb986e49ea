// Creates the service behind the USSD menus.
import { createVault } from '../auth/vault.ts';
import { createLanguages, createUssdService, type UssdContext, type UssdService } from '../features/ussd/service.ts';
import { loggableError } from '../http/failure.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface UssdServices {
  ussd: UssdService;
}

export type UssdDependencies = Omit<
  UssdContext,
  'pool' | 'vault' | 'masterKey' | 'languages' | 'pageLimit' | 'operatorName' | 'supportNumber' | 'report'
>;

export function createUssdServices(options: GatewayOptions, dependencies: UssdDependencies): UssdServices {
  const { config, secrets, loggers, database, clock } = options;
  const { pageLimit, supportNumber } = config.ussd;
  const { operatorName } = config;
  const ussd = createUssdService({
    ...dependencies,
    ...{ pool: database.pool, vault: createVault(secrets.MASTER_KEY), masterKey: secrets.MASTER_KEY },
    languages: createLanguages({ database, clock }),
    ...{ pageLimit, operatorName, supportNumber },
    report: (error, message) => loggers.logger.error({ err: loggableError(error) }, message),
  });
  return { ussd };
}
