// Creates the services of customers on their own channels: their sessions, payments and cases.
import { createAccessTokens } from '../auth/tokens.ts';
import { type Cases, createCases } from '../features/cases/service.ts';
import { type CustomerPayments, createCustomerPayments } from '../features/customer-payments/service.ts';
import { type CustomerSessionService, createCustomerSessionService } from '../features/customer-session/service.ts';
import { createPaymentsBetween } from '../ledger/queries/payments-between.ts';
import { processorByMerchantNumber } from '../parties/processor.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface CustomerServices {
  customerSessions: CustomerSessionService;
  customerPayments: CustomerPayments;
  cases: Cases;
}

type Payments = Parameters<typeof createCustomerPayments>[0];
type Sessions = Parameters<typeof createCustomerSessionService>[0];
type Dependencies = Omit<Payments, 'findMerchant' | 'qr' | 'masterKey' | 'clock' | 'database'> &
  Omit<Parameters<typeof createCases>[0], 'paymentsBetween' | 'recallWindowMs' | 'clock' | 'database'> &
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
    cases: createCases({
      paymentsBetween: createPaymentsBetween(database.pool),
      recallWindowMs: config.recallWindowMs,
      ...{ database, clock },
      ...dependencies,
    }),
  };
}
