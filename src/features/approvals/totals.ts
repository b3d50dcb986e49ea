// Running totals of a UTC day, which the ledger keeps and checks under lock: of a requester and an action, and of an API key.
import type { KeyCaller } from '../../auth/caller.ts';
import { iso } from '../../kernel/clock.ts';
import type { Allowance } from '../../payments/plan.ts';
import type { ApprovalAction } from './actions.ts';
import { approvalRequired, keyLimitExceeded } from './refusals.ts';

export interface TotalOptions {
  action: ApprovalAction;
  userId: string;
  /** When the request was made. An approved request counts for that day too, whenever it is executed. */
  at: number;
  limit: number;
}

/** Null: the key has no limit. One total over all actions. */
export function keyTotal({ id, dailyLimit }: KeyCaller, at: number): Allowance | null {
  return dailyLimit === null ? null : { id: `key:${id}:${dayOf(at)}`, limit: dailyLimit, refusal: keyLimitExceeded };
}

export function dayTotal({ action, userId, at, limit }: TotalOptions): Allowance {
  return { id: `approval:${action}:${userId}:${dayOf(at)}`, limit, refusal: () => approvalRequired() };
}

function dayOf(at: number): string {
  return iso(at).slice(0, 'YYYY-MM-DD'.length);
}
