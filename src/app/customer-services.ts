// Creates the services of customers on their own channels: their sessions and payments.
import { createAccessTokens } from '../auth/tokens.ts';
import { type CustomerPayments, createCustomerPayments } from '../features/customer-payments/service.ts';
import { type CustomerSessionService, createCustomerSessionService } from '../features/customer-session/service.ts';
import { processorByMerchantNumber } from '../parties/processor.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface CustomerServices {
  customerSessions: CustomerSessionService;
  customerPayments: CustomerPayments;
}

type Payments = Parameters<typeof createCustomerPayments>[0];
type Sessions = Parameters<typeof createCustomerSessionService>[0];
type Dependencies = Omit<Payments, 'findMerchant' | 'qr' | 'masterKey' | 'clock' | 'database'> &
  Omit<Sessions, 'tokens' | 'sessionMaxMs' | 'codesPerMinute' | 'clock' | 'database'>;

export function createCustomerServices(
  { config, database, secrets, clock }: GatewayOptions,
  dependencies: Dependencies,
): CustomerServices {
  return {
    customerSessions: createCustomerSessionService({
      tokens: createAccessTokens({ secret: secrets.JWT_SECRET, clock }),
      sessionMaxMs: config.sessionMaxMs,
      codesPerMinute: config.customerCodesPerMinute,
      ...{ database, clock },
      ...dependencies,
    }),
    customerPayments: createCustomerPayments({
      findMerchant: processorByMerchantNumber(database.reader),
      ...{ qr: config.qr, masterKey: secrets.MASTER_KEY, database, clock },
      ...dependencies,
    }),
  };
}
