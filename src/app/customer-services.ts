// Creates the services with which customers pay on their own channels.
import { type CustomerPayments, createCustomerPayments } from '../features/customer-payments/service.ts';
import { processorByMerchantNumber } from '../parties/processor.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface CustomerServices {
  customerPayments: CustomerPayments;
}

type OfOptions = 'findMerchant' | 'qr' | 'masterKey' | 'clock' | 'database';
type Dependencies = Omit<Parameters<typeof createCustomerPayments>[0], OfOptions>;

export function createCustomerServices(
  { config, database, secrets, clock }: GatewayOptions,
  dependencies: Dependencies,
): CustomerServices {
  return {
    customerPayments: createCustomerPayments({
      findMerchant: processorByMerchantNumber(database.reader),
      ...{ qr: config.qr, masterKey: secrets.MASTER_KEY, database, clock },
      ...dependencies,
    }),
  };
}
