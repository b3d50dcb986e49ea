// Creates the services about single transactions: their details and evidence, and their receipts.
import {
  createReceiptLinks,
  createReceipts,
  type ReceiptDependencies,
  type ReceiptLinks,
  type Receipts,
} from '../features/receipts/service.ts';
import {
  createTransactionLookup,
  type DetailDependencies,
  type TransactionLookup,
} from '../features/transaction-details/service.ts';
import { createMovementRecords } from '../ledger/queries/movement-details.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface TransactionServices {
  transactionLookup: TransactionLookup;
  receiptLinks: ReceiptLinks;
  receipts: Receipts;
}

type Made =
  | 'records'
  | 'database'
  | 'clock'
  | 'operatorName'
  | 'country'
  | 'links'
  | 'lookup'
  | 'masterKey'
  | 'receiptUrl';

export function createTransactionServices(
  { config, database, secrets, clock }: GatewayOptions,
  dependencies: Omit<DetailDependencies & ReceiptDependencies, Made>,
): TransactionServices {
  const { operatorName, country, publicOrigin } = config;
  const records = createMovementRecords(database.pool);
  const links = createReceiptLinks(secrets.MASTER_KEY, publicOrigin);
  const common = { ...dependencies, records, operatorName, database, clock };
  const lookup = createTransactionLookup({ ...common, country, receiptUrl: links.url });
  const receipts = createReceipts({ ...common, links, lookup, masterKey: secrets.MASTER_KEY });
  return { transactionLookup: lookup, receiptLinks: links, receipts };
}
