// Dependencies of the processor operations.
import type { ChangeContext } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { PaidProcessor } from '../../parties/processor.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { QrScheme } from '../../qr/payment-codes.ts';
import type { Notifying } from '../../webhooks/merchant-event.ts';
import type { ApiKeys } from '../admin/api-keys/service.ts';
import type { Users } from '../admin/users/service.ts';
import type { Reconciliation } from '../finance/reconciliation/service.ts';
import type { Messaging } from '../messaging/service.ts';
import type { Notices } from '../notices/service.ts';
import type { Transactions } from '../transactions/service.ts';

export interface ProcessorContext extends ChangeContext {
  apiKeys: Pick<ApiKeys, 'issueTo' | 'get' | 'revoke'>;
  users: Pick<Users, 'createLogin' | 'changeLoginPhone'>;
  messaging: Messaging;
  notices: Pick<Notices, 'tell'>;
  books: Books;
  payments: Payments;
  notifying: Notifying;
  holders: Holders;
  findProcessor: Load<string, PaidProcessor | null>;
  transactions: Pick<Transactions, 'summedHistory' | 'sumsByPeriod'>;
  payoutReturns: Reconciliation['payoutReturns'];
  phone: PhoneReader;
  qr: QrScheme;
  /** The operator's name, on posters. */
  operatorName: string;
  /** Called after a processor's status has changed, to invalidate cached keys. */
  keysChanged(): void;
}

/** The resource fields of an audit entry. */
export function auditResource(id: string) {
  return { resourceType: 'processor', resourceId: id };
}
