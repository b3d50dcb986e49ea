// Refusals of requests that need approval, and of decisions about them.
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Shortfall } from '../../ledger/types.ts';
import type { ApprovalRow } from './store.ts';

export function approvalRequired(): Refusal {
  return refuse('APPROVAL_REQUIRED', "This action needs a second user's approval: API keys cannot request it.");
}

/** What API keys get on a route that moves money under a policy. */
export const GATE_REFUSALS = ['APPROVAL_REQUIRED', 'KEY_LIMIT_EXCEEDED'] as const;

export function keyLimitExceeded({ available, required }: Shortfall): Refusal {
  const message = `The API key may still move ${formatMoney(available)} today.`;
  return refuse('KEY_LIMIT_EXCEEDED', message, { details: { available, required } });
}

export function notIndependent(): Refusal {
  return refuse(
    'NOT_INDEPENDENT',
    'You and the requester are not independent: one of you created the other, or changed credentials, phone, role or status of the other in the last 30 days, without a third user. Somebody else must approve.',
  );
}

export function noSuchApproval(): Refusal {
  return refuse('NOT_FOUND', 'There is no such approval.');
}

export function alreadyDecided({ status }: Pick<ApprovalRow, 'status'>): Refusal {
  return refuse('ALREADY_DECIDED', `The request is ${status}: it can no longer be decided or withdrawn.`);
}

export function decidedByOther(name: string, decision: 'approved' | 'rejected'): Refusal {
  return refuse('ALREADY_DECIDED', `${name} has already ${decision} the request: it can no longer be decided.`);
}

export function hasExpired(): Refusal {
  return refuse('ALREADY_DECIDED', 'The request has expired: it can no longer be decided or withdrawn.');
}

export function ownRequest(): Refusal {
  return refuse('FORBIDDEN', 'Another user must decide on this request. You can withdraw it.');
}

export function notPermitted(permission: string): Refusal {
  return refuse('FORBIDDEN', `Only staff with the permission ${permission} can decide on this request.`);
}

export function requesterNotPermitted(): Refusal {
  const message = 'The requester is no longer active or no longer has the permission for this action.';
  return refuse('REQUESTER_NOT_PERMITTED', message);
}

export function recordChanged(): Refusal {
  return refuse('RECORD_CHANGED', 'The record has changed since the request: request the change again.');
}

/** What is stored of a refusal. */
export interface StoredRefusal {
  code: string;
  message: string;
}

export function executionRefused({ id, refusal }: ApprovalRow): Refusal {
  const { code, message } = refusal as unknown as StoredRefusal;
  return refuse('EXECUTION_REFUSED', `The request was approved, but its execution was refused: ${message}`, {
    details: { approval_id: id, refusal_code: code },
  });
}
