// What the suspense feature works with.
import type { ChangeContext } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { FundingPartner } from '../../../parties/partner.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { Payments } from '../../../payments/execute.ts';

export interface SuspenseContext extends ChangeContext {
  payments: Payments;
  findPartner: Load<string, FundingPartner | null>;
  pep: PepGuard;
}
