// Creates the services of customers' own channels: their wallet under /me, and the USSD menus.
import { createVault } from '../auth/vault.ts';
import { createMe, type Me, type MeContext } from '../features/me/service.ts';
import { createUssdService, type UssdContext, type UssdService } from '../features/ussd/service.ts';
import { loggableError } from '../http/failure.ts';
import type { CaseServices } from './case-services.ts';
import type { CustomerServices } from './customer-services.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface OwnChannels extends CustomerServices {
  me: Me;
  ussd: UssdService;
}

type FromOptions =
  | ('pool' | 'vault' | 'masterKey' | 'pageLimit' | 'operatorName' | 'supportNumber' | 'report')
  | ('sessions' | 'database' | 'clock');

export type OwnChannelDependencies = CustomerServices &
  CaseServices &
  Omit<UssdContext, FromOptions> &
  Omit<MeContext, 'queries'>;

export function createOwnChannels(options: GatewayOptions, dependencies: OwnChannelDependencies): OwnChannels {
  const { config, secrets, loggers, database, clock } = options;
  const { pageLimit, supportNumber } = config.ussd;
  const { operatorName } = config;
  const ussd = createUssdService({
    ...dependencies,
    ...{ database, clock, pool: database.pool, vault: createVault(secrets.MASTER_KEY), masterKey: secrets.MASTER_KEY },
    sessions: dependencies.customerSessions,
    ...{ pageLimit, operatorName, supportNumber },
    report: (error, message) => loggers.logger.error({ err: loggableError(error) }, message),
  });
  const { customerSessions, customerPayments } = dependencies;
  return {
    customerSessions,
    customerPayments,
    me: createMe({ queries: database.queries, ...dependencies }),
    ussd,
  };
}
