// Dependencies of customers' payments on their own channels.
import type { AuditLog } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Vault } from '../../auth/vault.ts';
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keys } from '../../kernel/key-ring.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { LookupLimit } from '../../parties/lookup-limit.ts';
import type { PaidProcessor } from '../../parties/processor.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { QrScheme } from '../../qr/payment-codes.ts';
import type { Notifying } from '../../webhooks/merchant-event.ts';
import type { Observation } from '../compliance/service.ts';
import type { Messaging } from '../messaging/service.ts';
import type { Notices } from '../notices/service.ts';
import type { PaymentRequests } from '../payment-requests/service.ts';
import type { Wallet } from '../wallet/service.ts';

export interface CustomerPaymentsContext {
  database: Database;
  audit: AuditLog;
  holders: Holders;
  findProcessor: Load<string, PaidProcessor | null>;
  findMerchant: Load<string, PaidProcessor | null>;
  findAgent: Load<string, AgentRow | null>;
  findHold: Load<string, Hold | null>;
  pins: GuardedPins;
  payments: Payments;
  notifying: Notifying;
  wallet: Pick<Wallet, 'transferAsQuoted'>;
  paymentRequests: PaymentRequests;
  lookupLimit: Pick<LookupLimit, 'ofCustomer'>;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  notices: Pick<Notices, 'tell' | 'wake'>;
  messaging: Pick<Messaging, 'send' | 'wake'>;
  vault: Vault;
  /** Registers what ends when a customer's access does. */
  access: Pick<CustomerAccess, 'onEnd'>;
  /** Raises a compliance alert. */
  raise(observed: Observation): Promise<void>;
  phone: PhoneReader;
  qr: QrScheme;
  masterKey: Keys;
  clock: Clock;
}
