// The running total of a requester, an action and a UTC day, which the ledger keeps and checks under lock.
import { iso } from '../../kernel/clock.ts';
import type { Allowance } from '../../payments/payment.ts';
import type { ApprovalAction } from './actions.ts';
import { approvalRequired } from './refusals.ts';

export interface TotalOptions {
  action: ApprovalAction;
  userId: string;
  /** When the request was made. An approved request counts for that day too, whenever it is executed. */
  at: number;
  limit: number;
}

export function dayTotal({ action, userId, at, limit }: TotalOptions): Allowance {
  const day = iso(at).slice(0, 'YYYY-MM-DD'.length);
  return { id: `approval:${action}:${userId}:${day}`, limit, refusal: () => approvalRequired() };
}
