// Dependencies shared by the operations on commission.
import type { ChangeContext } from '../../../audit/log.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { Fees } from '../../fees/service.ts';

export interface CommissionDependencies extends ChangeContext {
  /** Refuses percentages that the fees do not cover. */
  fees: Pick<Fees, 'percentRefusal'>;
  payments: Payments;
}
