// Dependencies of approving and paying bulk payments.
import type { ChangeContext } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import type { FundingPartner } from '../../../parties/partner.ts';
import type { PaidProcessor } from '../../../parties/processor.ts';
import type { Holders } from '../../../parties/subscriber.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { BulkPayment, BulkRow } from '../types.ts';

export interface ExecutionContext extends ChangeContext {
  payments: Payments;
  findHold: Load<string, Hold | null>;
  holders: Holders;
  findProcessor: Load<string, PaidProcessor | null>;
  findPartner: Load<string, FundingPartner | null>;
  /** This gateway's, which a new hold reserves. */
  treasuryAccount: string;
  treasuryDailyLimit: number;
  /** Writes the events of a bulk payment that has ended, in its transaction; `told` delivers them after it. */
  ended(trx: DatabaseTransaction, payment: BulkPayment): Promise<void>;
  told(): void;
  /** Makes the code of a row for a number without a wallet, and sends it. */
  sendCode(payment: BulkPayment, row: BulkRow, holdId: string): Promise<void>;
  /** Payments that other callers make on this gateway: as long as there are any, bulk payments make room. */
  livePayments(): number;
  report(message: string, details: Record<string, unknown>): void;
}
